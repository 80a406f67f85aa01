"""Which needs a chase knows of every row, and where they lie.

The need of a row is counted without a bonus that is already earned: that is paid at the end, as in the table of
means. It is bounded twice: what is asked for, less what the row must have scored since the start, and what can still
be scored at all. Chances beyond the second bound are nothing; beyond the first they are not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.model.reachable_states import ReachableStates

ROUND = 16  # rows are as long as whole vectors, those of single precision


@dataclass(frozen=True, eq=False)
class Needs:
    """Row r holds the chances of the needs 1, 2, ... at offsets[r] and on."""

    known: NDArray[np.int64]  # [rows]: up to this need the row knows the answer
    possible: NDArray[np.int64]  # [rows]: beyond this need there is no chance
    offsets: NDArray[np.int64]  # [rows + 1]


def needs(reachable: ReachableStates, most: int) -> Needs:
    """The bounds of all rows when the first is asked for needs up to `most`."""
    cards, place = reachable.card_of_row(), reachable.total_of_row()
    masks, flags = reachable.cards.masks[cards], reachable.cards.flags[cards]
    known = most - (reachable.totals.lowest[place] - reachable.start.upper) - _sure_points(reachable, flags)
    possible = _most_points(reachable.book, masks, flags) + reachable.book.bonus * ~reachable.totals.lost[place]
    lanes = np.clip(np.minimum(known, possible), 0, None)
    offsets = np.concatenate([[0], np.cumsum(-(-lanes // ROUND) * ROUND)])
    return Needs(known, possible, offsets)


def highest(book: CompiledBook, state: State) -> tuple[int, int]:
    """What may still be scored at the very most, an earned bonus included; with all extras, and without them."""
    mask, flag = np.array([state.mask]), np.array([state.flag])
    boxes = int(_box_points(book, mask)[0]) + book.bonus
    return int(_most_points(book, mask, flag)[0]) + book.bonus, boxes


def _sure_points(reachable: ReachableStates, flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a flag says about points scored since the start, beyond the upper total."""
    book, start = reachable.book, reachable.start
    sure = np.where((flags == 2) & (start.flag != 2), book.extra[min(1, book.flags - 1)], 0)
    if book.policy_box >= 0 and not (book.upper | start.mask) >> book.policy_box & 1:
        points = min(work_plan.possible_points(book, book.policy_box) - {0})
        sure = sure + np.where(flags > 0, points, 0)
    return sure


def _most_points(book: CompiledBook, masks: NDArray[np.int64], flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """What the open boxes can bring at most, with all extras but without the upper bonus."""
    boxes = _box_points(book, masks)
    return boxes + book.extra[1] * _extras(book, masks, flags) if book.extra.any() else boxes


def _box_points(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    most = np.zeros_like(masks)
    for box in range(book.boxes):
        points = max(int(book.plain[:, box].max()), int(book.alike[book.ladder.prices, :, box].max(initial=0)))
        most += np.where(masks >> box & 1, 0, points)
    return most


def _extras(book: CompiledBook, masks: NDArray[np.int64], flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often the extra may still be paid."""
    turns = book.boxes - np.bitwise_count(masks).astype(np.int64)
    waiting = np.where(masks >> book.policy_box & 1, 0, turns - 1)
    times = np.where(flags == 1, turns, waiting)
    return np.minimum(times, 1) if book.flags == 3 else times


def scored_since(reachable: ReachableStates) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[rows] each: what must and what may have been scored since the start, without the upper bonus."""
    book, start, totals = reachable.book, reachable.start, reachable.totals
    cards, place = reachable.card_of_row(), reachable.total_of_row()
    masks, flags = reachable.cards.masks[cards], reachable.cards.flags[cards]
    filled = masks & ~start.mask
    exactly = totals.highest[place] - start.upper
    upper = np.where(totals.highest[place] < book.threshold, exactly, _box_points(book, ~filled | ~book.upper))
    least = totals.lowest[place] - start.upper + _sure_points(reachable, flags)
    return least, upper + _box_points(book, ~filled | book.upper) + _extras_since(book, start, masks, flags)


def _extras_since(
    book: CompiledBook, start: State, masks: NDArray[np.int64], flags: NDArray[np.int64]
) -> NDArray[np.int64]:
    if not book.extra.any():
        return np.zeros_like(masks)
    turns = np.bitwise_count(masks & ~start.mask).astype(np.int64)
    waited = 0 if start.mask >> book.policy_box & 1 else 1
    times = np.where(flags == 2, start.flag != 2, 0) if book.flags == 3 else np.where(flags, turns - waited, 0)
    extras: NDArray[np.int64] = book.extra[1] * times
    return extras
