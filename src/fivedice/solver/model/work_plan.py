"""What the kernels need beyond the compiled book: which cards are worked on when, which lanes, which scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model.book_arrays import CompiledBook

BLOCK = 8  # lanes that are worked on together


@dataclass(frozen=True, eq=False)
class Entries:
    """For each box, the rolls that score in it. Zeros are left out, and so are the rolls of all dice alike."""

    starts: NDArray[np.int64]  # [boxes + 1]
    rows: NDArray[np.uint16]  # of the lattice
    points: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which upper totals must be worked on, for each set of filled upper boxes.

    Not those that no card with these boxes can have. And where the boxes still open cannot lift a total to the
    threshold, the bonus is out of reach and the total no longer matters: all totals below `floors` have the value
    of the one at `floors`, which stands for them.
    """

    starts: NDArray[np.int64]  # [2 ** upper boxes + 1]
    lanes: NDArray[np.uint16]  # the first total of each block
    floors: NDArray[np.int64]  # [2 ** upper boxes]


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
    boxes = upper_boxes(book)
    # The highest total that can no longer reach the threshold, or 0.
    floors = [max(0, book.threshold - left - 1) for left in most_left(book, boxes)]
    needed = [_needed(totals, floor) for totals, floor in zip(totals_of(book, boxes), floors, strict=True)]
    parts = [list(_covering(totals)) for totals in needed]
    return Blocks(
        starts=np.cumsum([0, *map(len, parts)]),
        lanes=np.array([lane for part in parts for lane in part], dtype=np.uint16),
        floors=np.array(floors),
    )


def kinds(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The filled upper boxes of each mask: the index into `Blocks`."""
    return packed(upper_boxes(book), masks)


def layers(book: CompiledBook) -> Iterator[NDArray[np.int64]]:
    """All masks but the full one, by the number of filled boxes, from the end of the game to its start.

    Where boxes are filled in order, each number of filled boxes has one mask only.
    """
    masks = np.arange(book.full)
    if book.fixed_order:
        masks = masks[masks & (masks + 1) == 0]
    filled = np.bitwise_count(masks)
    for count in range(book.boxes - 1, -1, -1):
        yield masks[filled == count]


def dealt(masks: NDArray[np.int64], jobs: int) -> list[NDArray[np.int64]]:
    """A layer dealt out like cards, so that every job gets easy and hard ones."""
    return [masks[first::jobs].copy() for first in range(min(jobs, len(masks)))]


def count_states(book: CompiledBook) -> int:
    """How many states a turn can start in, those of full cards included."""
    masks = np.concatenate([[book.full], *layers(book)])
    totals = np.array([each.bit_count() for each in totals_of(book, upper_boxes(book))])[kinds(book, masks)]
    has_flags = book.policy_box >= 0 and masks >> max(book.policy_box, 0) & 1 == 1
    return int((totals * np.where(has_flags, book.flags, 1)).sum())


def highest_upper(book: CompiledBook) -> int:
    """The most points that any upper box can hold."""
    return max((max(possible_points(book, box)) for box in upper_boxes(book)), default=0)


def upper_boxes(book: CompiledBook) -> list[int]:
    return [box for box in range(book.boxes) if book.upper >> box & 1]


def possible_points(book: CompiledBook, box: int) -> set[int]:
    """All points that a card may show in a box, a little more than play can bring about."""
    return {0, *book.plain[:, box].tolist(), *book.joker[:, box].tolist()}


def totals_of(book: CompiledBook, boxes: list[int], start: int = 0) -> list[int]:
    """For each set of these upper boxes, the bit set of the totals that they lead to, capped at the threshold."""
    totals = [1 << start]
    for box in boxes:
        points = possible_points(book, box)
        totals += [_capped(_shifted(known, points), book.threshold) for known in totals]
    return totals


def most_left(book: CompiledBook, boxes: list[int]) -> list[int]:
    """For each set of these upper boxes, what the others of them can bring at most."""
    most = [sum(max(possible_points(book, box)) for box in boxes)]
    for box in boxes:
        most += [left - max(possible_points(book, box)) for left in most]
    return most


def packed(boxes: list[int], masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of these boxes are filled in each mask, put together: the number of such a set."""
    sets = np.zeros_like(masks)
    for place, box in enumerate(boxes):
        sets |= (masks >> box & 1) << place
    return sets


def _shifted(totals: int, points: set[int]) -> int:
    union = 0
    for each in points:
        union |= totals << each
    return union


def _capped(totals: int, threshold: int) -> int:
    below = totals & ((1 << threshold) - 1)
    return below | (1 << threshold if totals >> threshold else 0)


def _needed(totals: int, floor: int) -> int:
    above = totals >> (floor + 1) << (floor + 1)
    return above | (1 << floor if totals != above else 0)


def _covering(totals: int) -> Iterator[int]:
    """The fewest blocks that cover a bit set: each starts at the lowest total not yet covered."""
    lane = 0
    while totals >> lane:
        lane += _lowest(totals >> lane)
        yield lane
        lane += BLOCK


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
