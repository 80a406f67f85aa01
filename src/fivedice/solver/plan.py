"""What the kernels need beyond the compiled book: which cards are worked on when, which lanes, which scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from fivedice.solver.compile import CompiledBook

BLOCK = 8  # lanes that are worked on together


@dataclass(frozen=True, eq=False)
class Entries:
    """For each box, the rolls that score in it. Zeros are left out, and so are the rolls of all dice alike."""

    starts: NDArray[np.int64]  # [boxes + 1]
    rows: NDArray[np.uint16]  # of the lattice
    points: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Blocks:
    """For each set of filled upper boxes, the blocks of upper totals that some card with them can have."""

    starts: NDArray[np.int64]  # [2 ** upper boxes + 1]
    blocks: NDArray[np.uint16]


def entries(book: CompiledBook) -> Entries:
    scoring = book.plain.T > 0
    scoring[:, book.lattice.alike - book.lattice.first_roll] = False
    box, roll = np.nonzero(scoring)
    return Entries(
        starts=np.searchsorted(box, np.arange(book.boxes + 1)),
        rows=(roll + book.lattice.first_roll).astype(np.uint16),
        points=book.plain[roll, box].astype(np.uint16),
    )


def blocks(book: CompiledBook) -> Blocks:
    """Totals as bit sets; a set is split into blocks of lanes, and the empty ones are dropped."""
    parts = [_blocks_of(totals, book.lanes) for totals in _reachable(book)]
    return Blocks(
        starts=np.cumsum([0, *map(len, parts)]),
        blocks=np.array([block for part in parts for block in part], dtype=np.uint16),
    )


def kinds(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The filled upper boxes of each mask, packed together: the index into `Blocks`."""
    packed = np.zeros_like(masks)
    for place, box in enumerate(_upper_boxes(book)):
        packed |= (masks >> box & 1) << place
    return packed


def layers(book: CompiledBook) -> Iterator[NDArray[np.int64]]:
    """All masks but the full one, by the number of filled boxes, from the end of the game to its start."""
    masks = np.arange(1 << book.boxes)
    filled = np.bitwise_count(masks)
    for count in range(book.boxes - 1, -1, -1):
        yield masks[filled == count]


def _upper_boxes(book: CompiledBook) -> list[int]:
    return [box for box in range(book.boxes) if book.upper >> box & 1]


def _reachable(book: CompiledBook) -> list[int]:
    """For each set of upper boxes, the bit set of their possible totals, capped at the threshold."""
    totals = [1]
    for box in _upper_boxes(book):
        points = {0, *book.plain[:, box].tolist(), *book.alike[:, :, box].ravel().tolist()}
        totals += [_capped(_shifted(known, points), book.threshold) for known in totals]
    return totals


def _shifted(totals: int, points: set[int]) -> int:
    union = 0
    for each in points:
        union |= totals << each
    return union


def _capped(totals: int, threshold: int) -> int:
    below = totals & ((1 << threshold) - 1)
    return below | (1 << threshold if totals >> threshold else 0)


def _blocks_of(totals: int, lanes: int) -> list[int]:
    width = (1 << BLOCK) - 1
    return [block for block in range((lanes + BLOCK - 1) // BLOCK) if totals >> (BLOCK * block) & width]
