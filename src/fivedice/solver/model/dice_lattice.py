"""All multisets of at most n dice as rows of one table, smaller ones first; the last rows are the rolls.

Two relations carry a whole turn: a row's *successors* hold one die more (one for each face that may fall), its
*predecessors* one die fewer (one for each distinct face in it). Within a size, rows with the same number of
distinct faces stand together, so that loops over predecessors have the same length for a long stretch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from fivedice.dice import Roll, ways

Faces: TypeAlias = tuple[int, ...]
_Number = TypeVar("_Number", np.uint16, np.int64, np.float64, np.bool_)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Rows are numbered from the empty multiset (0); row `first_roll` is the first with all dice."""

    dice: int
    faces: int
    multisets: tuple[Faces, ...]
    row: dict[Faces, int]  # sorted faces to their row
    first_roll: int
    successors: NDArray[np.uint16]  # [first_roll, faces]
    predecessors: NDArray[np.uint16]  # of all rows but 0, one after the other
    groups: NDArray[np.int64]  # [groups, 3]: first row, row past the last, predecessors of each row
    weights: NDArray[np.float64]  # of the rolls; they sum to one
    alike: NDArray[np.int64]  # for face 1, 2, ...: the row where all dice show it

    @property
    def rows(self) -> int:
        return len(self.multisets)

    @property
    def rolls(self) -> tuple[Faces, ...]:
        return self.multisets[self.first_roll :]


@lru_cache(maxsize=8)
def lattice(dice: int, faces: int) -> Lattice:
    """Build the lattice; at most 24,310 rows (eight dice of nine faces), so 16 bits name a row."""
    multisets = tuple(_ordered(dice, faces))
    row = {multiset: place for place, multiset in enumerate(multisets)}
    first_roll = sum(len(multiset) < dice for multiset in multisets)
    smaller, rolls = multisets[:first_roll], multisets[first_roll:]
    return Lattice(
        dice=dice,
        faces=faces,
        multisets=multisets,
        row=row,
        first_roll=first_roll,
        successors=frozen([[row[_with(each, face)] for face in _up_to(faces)] for each in smaller], np.uint16),
        predecessors=frozen([row[_less(each, face)] for each in multisets for face in sorted(set(each))], np.uint16),
        groups=frozen(_groups(multisets), np.int64),
        weights=frozen([ways(Roll(roll)) / faces**dice for roll in rolls], np.float64),
        alike=frozen([row[(face,) * dice] for face in _up_to(faces)], np.int64),
    )


def _up_to(faces: int) -> range:
    return range(1, faces + 1)


def _ordered(dice: int, faces: int) -> Iterable[Faces]:
    for size in range(dice + 1):
        yield from sorted(combinations_with_replacement(_up_to(faces), size), key=lambda each: len(set(each)))


def _with(multiset: Faces, face: int) -> Faces:
    return tuple(sorted((*multiset, face)))


def _less(multiset: Faces, face: int) -> Faces:
    place = multiset.index(face)
    return multiset[:place] + multiset[place + 1 :]


def _groups(multisets: tuple[Faces, ...]) -> list[tuple[int, int, int]]:
    """Stretches of rows, the empty one left out, that agree in size and in distinct faces."""
    kinds = [(len(each), len(set(each))) for each in multisets]
    starts = [place for place in range(1, len(kinds)) if kinds[place] != kinds[place - 1]]
    stops = [*starts[1:], len(kinds)]
    return [(start, stop, kinds[start][1]) for start, stop in zip(starts, stops, strict=True)]


def frozen(values: object, kind: type[_Number]) -> NDArray[_Number]:
    """Shared between threads and callers, hence read-only."""
    array = np.array(values, dtype=kind)
    array.flags.writeable = False
    return array
