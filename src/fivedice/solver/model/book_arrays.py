"""A rule book as plain arrays: all that the solver knows of a game. House rules end here.

Boxes are numbered in the book's canonical order, so that two sheets that differ only in their order share one
solution; bit b of a mask stands for box b. Rolls are numbered as the last rows of the lattice.

A turn starts in a *state* (mask of filled boxes, upper total capped at the threshold, flag). The flag remembers
what the mask cannot, and only where a rule asks for it:

- 0: the box of the five-of-a-kind policy is open or holds no points, or no rule depends on it;
- 1: it holds points;
- 2: it holds points and the extra, payable once, has been paid.

The *lattice* is all multisets of at most n dice as rows of one table, smaller ones first; the last rows are the rolls.
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
from fivedice.rules import AlikePolicy, RuleBook, ScoreAs, canonical_order

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


_PRICES = tuple(ScoreAs)  # the first is what dice are worth where no ladder decides


@dataclass(frozen=True, slots=True)
class State:
    """The start of a turn, as far as the future depends on it."""

    mask: int
    upper: int  # capped at the threshold
    flag: int


@dataclass(frozen=True, eq=False)
class Ladder:
    """The policy for all dice alike as `rules.ladder` tells it, which also says how to choose among the offers."""

    offers: NDArray[np.int64]  # [2, faces, rungs]: masks of boxes, while the face box is filled and while it is open
    prices: NDArray[np.int64]  # [rungs]
    faces: NDArray[np.int64]  # [faces]: mask of the boxes that count each face
    applies: NDArray[np.bool_]  # [flags, 2]: does it hold, by flag and by "the policy's box is filled"?


@dataclass(frozen=True, eq=False)
class CompiledBook:
    """Everything that decides values, and nothing else."""

    lattice: Lattice
    order: tuple[int, ...]  # canonical number of a box to its place on the sheet
    rolls: int  # throws in a turn
    fixed_order: bool
    threshold: int  # upper totals from here on are one lane; 0 where there is no bonus
    bonus: int  # what a full card is worth in that lane
    plain: NDArray[np.int64]  # [rolls, boxes]
    joker: NDArray[np.int64]  # [rolls, boxes]
    alike: NDArray[np.int64]  # [prices, faces, boxes]: points of all dice alike at each price
    upper: int  # mask of the boxes whose points count towards the bonus
    policy_box: int  # the box whose points the flag remembers, or -1
    flags: int  # how many flags there are
    extra: NDArray[np.int64]  # [flags]: paid for all dice alike, whatever box they go to
    flag_after_extra: NDArray[np.int64]  # [flags]
    ladder: Ladder

    @property
    def boxes(self) -> int:
        return len(self.order)

    @property
    def lanes(self) -> int:
        """Upper totals that are told apart: 0 up to the threshold."""
        return self.threshold + 1

    @property
    def full(self) -> int:
        return (1 << self.boxes) - 1

    @property
    def flag_after_points(self) -> int:
        """The flag once the policy's box has been filled with points."""
        return min(1, self.flags - 1)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of the table of values: masks, flags, lanes."""
        return 1 << self.boxes, self.flags, self.lanes


@lru_cache(maxsize=32)
def compiled_book(book: RuleBook) -> CompiledBook:
    """The arrays of a book, remembered; a few milliseconds, most of them spent on scoring every roll."""
    grid = lattice(book.dice, book.faces)
    order = canonical_order(book)
    worths = [book.worth(Roll(roll)) for roll in grid.rolls]
    plain, joker = (_points(points)[:, order] for points in zip(*((w.plain, w.joker) for w in worths), strict=True))
    flags = _flags(book.alike)
    alike = [Roll(grid.multisets[row]) for row in grid.alike]
    return CompiledBook(
        lattice=grid,
        order=order,
        rolls=book.rolls,
        fixed_order=book.fixed_order,
        threshold=book.bonus.threshold if book.bonus else 0,
        bonus=book.bonus.points if book.bonus else 0,
        plain=plain,
        joker=joker,
        alike=_points([[_prices(book, roll, price, order) for roll in alike] for price in _PRICES]),
        upper=_in_order(book.upper, order),
        policy_box=order.index(book.index[book.alike.box]) if book.alike else -1,
        flags=flags,
        extra=_points([_extra(book.alike, flag) for flag in range(flags)]),
        flag_after_extra=_points([0, flags - 1, 2][:flags]),
        ladder=_ladder(book, order, flags),
    )


def _flags(policy: AlikePolicy | None) -> int:
    if policy is None:
        return 1
    if policy.extra:
        return 2 if policy.repeat else 3
    return 2 if policy.joker_steps and not policy.holds(filled=True, scored=False) else 1


def _extra(policy: AlikePolicy | None, flag: int) -> int:
    return policy.pays(scored=flag > 0, before=flag > 1) if policy else 0


def _ladder(book: RuleBook, order: tuple[int, ...], flags: int) -> Ladder:
    rungs = book.alike.joker_steps if book.alike else ()
    face_boxes = book.face_boxes[1:]
    offers = [[_offers(book, face, order, is_open) for face in face_boxes] for is_open in (False, True)]
    return Ladder(
        offers=_points(offers),
        prices=_points([_PRICES.index(rung.worth) for rung in rungs]),
        faces=_points([_in_order(mask, order) for mask in face_boxes]),
        applies=_applies(book.alike, flags),
    )


def _offers(book: RuleBook, face: int, order: tuple[int, ...], face_open: bool) -> list[int]:
    offers = book.alike.offers(face, book.upper, face_open=face_open) if book.alike else ()
    return [_in_order(mask, order) for mask in offers]


def _applies(policy: AlikePolicy | None, flags: int) -> NDArray[np.bool_]:
    """A flag above 0 says that the box holds points."""
    states = [[(filled, flag > 0) for filled in (False, True)] for flag in range(flags)]
    holds = [[policy is not None and policy.holds(filled=one, scored=two) for one, two in each] for each in states]
    return frozen(holds, np.bool_)


def _prices(book: RuleBook, roll: Roll, price: ScoreAs, order: tuple[int, ...]) -> list[int]:
    points = book.points_as(roll, price)
    return [points[place] for place in order]


def _in_order(mask: int, order: tuple[int, ...]) -> int:
    return sum(1 << box for box, place in enumerate(order) if mask >> place & 1)


def _points(values: object) -> NDArray[np.int64]:
    return frozen(values, np.int64)
