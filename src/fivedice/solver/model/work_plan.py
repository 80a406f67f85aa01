"""The order of work for the kernels: which cards when, which lanes, and which scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model.book_arrays import CompiledBook

BLOCK = 8  # lanes that are worked on together


@dataclass(frozen=True, eq=False)
class Entries:
    """The rolls that score in each slot, without zeros and without rolls of all dice the same."""

    starts: NDArray[np.int64]  # [slots + 1]
    rows: NDArray[np.uint16]  # rows of the lattice
    points: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Blocks:
    """The counted totals to work on, for each set of filled boxes that count.

    Totals that no card with these boxes can have are left out. Where the boxes still open cannot lift a total to the
    lowest tier, the bonus is out of reach and the total no longer matters: all totals below `floors` have the value of
    the one at `floors`, which stands for them.
    """

    starts: NDArray[np.int64]  # [2 ** counted boxes + 1]
    lanes: NDArray[np.uint16]  # the first total of each block
    floors: NDArray[np.int64]  # [2 ** counted boxes]


@dataclass(frozen=True, eq=False)
class Flags:
    """The flags that a card may have, for each set of filled boxes that the flag depends on.

    A flag whose further totals can no longer earn anything different has the value of its `source`.
    """

    starts: NDArray[np.int64]  # [2 ** such boxes + 1]
    flags: NDArray[np.int64]
    sources: NDArray[np.int64]


def entries(book: CompiledBook, *, zeros: bool = False) -> Entries:
    """Return the entries; with `zeros`, also of rolls that score nothing."""
    scoring = book.plain.T > 0
    scoring[:] |= zeros
    scoring[:, book.lattice.alike - book.lattice.first_roll] = False
    box, roll = np.nonzero(scoring)
    slot = book.slots.plain[roll, box]
    by_slot = np.argsort(slot, kind="stable")
    box, roll = box[by_slot], roll[by_slot]
    return Entries(
        starts=np.searchsorted(slot[by_slot], np.arange(len(book.slots.boxes) + 1)),
        rows=(roll + book.lattice.first_roll).astype(np.uint16),
        points=book.plain[roll, box].astype(np.uint16),
    )


def blocks(book: CompiledBook) -> Blocks:
    boxes = counted_boxes(book)
    # The highest total that can no longer reach the lowest tier, or 0.
    floors = [max(0, book.reach - left - 1) for left in most_left(book, boxes)]
    needed = [_select_needed(totals, floor) for totals, floor in zip(totals_of(book, boxes), floors, strict=True)]
    parts = [list(_cover(totals)) for totals in needed]
    return Blocks(
        starts=np.cumsum([0, *map(len, parts)]),
        lanes=np.array([lane for part in parts for lane in part], dtype=np.uint16),
        floors=np.array(floors),
    )


def kinds(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index into `Blocks` for each mask: its filled counted boxes."""
    return pack_sets(counted_boxes(book), masks)


def flags(book: CompiledBook) -> Flags:
    boxes = flag_boxes(book)
    start = np.zeros((book.sums.count, book.payments.alikes), dtype=np.bool_)
    start[0, 0] = True
    possible = possible_flags(book, boxes, start)
    found, sources = [], []
    for which, classes in zip(possible, _classes(book, boxes), strict=True):
        found.append(np.flatnonzero(which))
        _, first, inverse = np.unique(classes[found[-1]], return_index=True, return_inverse=True)
        sources.append(found[-1][first][inverse])  # the first of each class
    return Flags(starts=np.cumsum([0, *map(len, found)]), flags=np.concatenate(found), sources=np.concatenate(sources))


def flag_kinds(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index into `Flags` for each mask."""
    return pack_sets(flag_boxes(book), masks)


def flag_boxes(book: CompiledBook) -> list[int]:
    """Return the boxes that change the flag."""
    return [
        box
        for box in range(book.boxes)
        if (box == book.policy_box and book.payments.alikes > 1) or any(mask >> box & 1 for mask in book.sums.masks)
    ]


def possible_flags(book: CompiledBook, boxes: list[int], start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the flags of a card for each set of these boxes, given those without them ([sums, alikes]), as [sets,
    flags].
    """
    possible = start[None]
    for box in boxes:
        filled = np.zeros_like(possible)
        for points in book.points[box]:
            for number, after in enumerate(book.sums.after(box, points).tolist()):
                filled[:, after] |= possible[:, number]
        if box == book.policy_box:
            filled[:] = filled.any(axis=2, keepdims=True)
        possible = np.concatenate([possible, filled])
    return possible.reshape(len(possible), -1)


def _classes(book: CompiledBook, boxes: list[int]) -> Iterator[NDArray[np.int64]]:
    """Yield a class for each flag, for each set of these boxes; flags of the same class have the same value."""
    left = [np.array(_left(book, [box for box in boxes if mask >> box & 1], boxes)) for mask in book.sums.masks]
    for kind in range(1 << len(boxes)):
        sums = book.sums.drop_lost([int(each[kind]) for each in left])
        yield np.add.outer(sums * book.payments.alikes, np.arange(book.payments.alikes)).reshape(-1)


def _left(book: CompiledBook, counting: list[int], boxes: list[int]) -> list[int]:
    """Return the most that the other boxes can bring to a bonus, for each set of these boxes."""
    most = [sum(max(book.points[box]) for box in counting)]
    for box in boxes:
        most += [left - (max(book.points[box]) if box in counting else 0) for left in most]
    return most


def layers(book: CompiledBook) -> Iterator[NDArray[np.int64]]:
    """Yield all masks but the full one, by the number of filled boxes, from the end of the game to its start.

    Masks that the order of the boxes rules out are left out: with a fixed order, each number of filled boxes has one
    mask.
    """
    masks = np.arange(book.full)
    if book.fixed_order:
        masks = masks[masks & (masks + 1) == 0]
    masks = masks[in_order(book, masks, 0)]
    filled = np.bitwise_count(masks)
    for count in range(book.boxes - 1, -1, -1):
        yield masks[filled == count]


def deal(masks: NDArray[np.int64], jobs: int) -> list[NDArray[np.int64]]:
    """Deal out a layer like playing cards, so that every job gets easy and hard ones."""
    return [masks[first::jobs].copy() for first in range(min(jobs, len(masks)))]


def in_order(book: CompiledBook, masks: NDArray[np.int64], start: int) -> NDArray[np.bool_]:
    """Return which masks obey the rule that some boxes come first, counted from the start."""
    found: NDArray[np.bool_] = (masks & book.first == book.first) | (masks & ~book.first == start & ~book.first)
    return found | (book.first == 0)


def count_states(book: CompiledBook) -> int:
    """Return how many states a turn can start in, including those of full cards."""
    masks = np.concatenate([[book.full], *layers(book)])
    totals = np.array([each.bit_count() for each in totals_of(book, counted_boxes(book))])[kinds(book, masks)]
    flag_counts = np.diff(flags(book).starts)[flag_kinds(book, masks)]
    saved = 1 + np.bitwise_count(masks).astype(np.int64) * book.most_saved(1)
    return int((totals * flag_counts * saved).sum())


def highest_counted(book: CompiledBook) -> int:
    """Return the most points that any counted box can hold."""
    return max((max(book.points[box]) for box in counted_boxes(book)), default=0)


def counted_boxes(book: CompiledBook) -> list[int]:
    return [box for box in range(book.boxes) if book.counted >> box & 1]


def totals_of(book: CompiledBook, boxes: list[int], start: int = 0) -> list[int]:
    """Return the totals for each set of these counted boxes as a bit set, capped at the threshold."""
    totals, cap = [1 << start], 1 << book.threshold
    for box in boxes:
        shifted = [reduce(or_, (known << points for points in book.points[box])) for known in totals]
        totals += [each & cap - 1 | (cap if each >= cap else 0) for each in shifted]
    return totals


def most_left(book: CompiledBook, boxes: list[int]) -> list[int]:
    """Return the most that the other counted boxes can bring, for each set of these boxes."""
    return _left(book, boxes, boxes)


def pack_sets(boxes: list[int], masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the set of these boxes that are filled in each mask."""
    sets = np.zeros_like(masks)
    for place, box in enumerate(boxes):
        sets |= (masks >> box & 1) << place
    return sets


def _select_needed(totals: int, floor: int) -> int:
    above = totals >> (floor + 1) << (floor + 1)
    return above | (1 << floor if totals != above else 0)


def _cover(totals: int) -> Iterator[int]:
    """Yield the fewest blocks that cover a bit set: each starts at the lowest total not yet covered."""
    lane = 0
    while totals >> lane:
        left = totals >> lane
        lane += (left & -left).bit_length() - 1
        yield lane
        lane += BLOCK
