"""The states that play can reach from a card, as numbered rows: the basis of `odds` and `chase`.

A row is a mask, a flag and a counted total. Rows are numbered layer by layer, from the card on; those of one mask and
flag are neighbours, by total. Where the boxes still open cannot lift a total to the bonus, the total no longer matters,
so all such totals of a card share its first row.

The *need* of a row is the number of points that a chase still needs. It is counted without bonuses that are already
earned: they are paid at the end, as in the table of means. It has two bounds: the total asked for, less what the row
must have scored since the start; and the most that can still be scored. Chances beyond the second bound are 0; beyond
the first they are not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.model.work_plan import (
    counted_boxes,
    flag_boxes,
    in_order,
    most_left,
    pack_sets,
    possible_flags,
    totals_of,
)

MOST_ROWS = 1 << 24


@dataclass(frozen=True, eq=False)
class KindTotals:
    """The counted totals of each kind, that is, of each set of counted boxes filled since the start."""

    starts: NDArray[np.int64]  # [kinds + 1]
    highest: NDArray[np.int64]  # total of each row of a kind; it stands for all that share the row
    lowest: NDArray[np.int64]
    ranks: NDArray[np.int64]  # [kinds, lanes]: the place of a total among the rows of its kind, or -1
    best: NDArray[np.int64]  # the most that the bonus may pay in the end, for each row of a kind


@dataclass(frozen=True, eq=False)
class Cards:
    """Masks with a flag each, layer by layer; their rows are consecutive."""

    masks: NDArray[np.int64]
    flags: NDArray[np.int64]
    kinds: NDArray[np.int64]
    rows: NDArray[np.int64]  # [cards + 1]: the first row of each
    layers: NDArray[np.int64]  # [layers + 1]: the first card of each


class ReachableStates:
    """All rows from one state on, as arrays for the kernels."""

    def __init__(self, book: CompiledBook, start: State) -> None:
        self.book = book
        self.start = start
        self._open_counted = [box for box in counted_boxes(book) if not start.mask >> box & 1]

    @cached_property
    def totals(self) -> KindTotals:
        reachable = totals_of(self.book, self._open_counted, self.start.upper)
        parts = [self._of_kind(*each) for each in zip(reachable, most_left(self.book, self._open_counted), strict=True)]
        return KindTotals(
            starts=np.cumsum([0, *(len(highest) for highest, _, _, _ in parts)]),
            highest=np.concatenate([highest for highest, _, _, _ in parts]),
            lowest=np.concatenate([lowest for _, lowest, _, _ in parts]),
            ranks=np.array([ranks for _, _, ranks, _ in parts]),
            best=np.concatenate([best for _, _, _, best in parts]),
        )

    @cached_property
    def cards(self) -> Cards:
        masks = self._masks()
        starts, possible, counts = self._flags(masks)
        cards, firsts = np.repeat(masks, counts), np.cumsum(counts) - counts
        flags = possible[np.arange(len(cards)) - np.repeat(firsts - starts, counts)]
        kinds = self.kinds(cards)
        rows = np.diff(self.totals.starts)[kinds]
        if rows.sum() > MOST_ROWS:
            raise IllegalError("solver.too-many-states", states=int(rows.sum()))
        layers = np.bitwise_count(cards).astype(np.int64)
        return Cards(
            masks=cards,
            flags=flags,
            kinds=kinds,
            rows=np.concatenate([[0], np.cumsum(rows)]),
            layers=np.searchsorted(layers, np.arange(layers[0], layers[-1] + 2)),
        )

    @cached_property
    def first_rows(self) -> NDArray[np.int64]:
        """Return the first row of each card, or -1, as [masks, flags]."""
        rows = np.full((1 << self.book.boxes, self.book.flags), -1)
        rows[self.cards.masks, self.cards.flags] = self.cards.rows[:-1]
        return rows

    @cached_property
    def kind_bits(self) -> NDArray[np.int64]:
        """Return the number that filling a box adds to the kind, as [boxes]."""
        bits = np.zeros(self.book.boxes, dtype=np.int64)
        bits[self._open_counted] = 1 << np.arange(len(self._open_counted))
        return bits

    def kinds(self, masks: NDArray[np.int64]) -> NDArray[np.int64]:
        return pack_sets(self._open_counted, masks)

    def row(self, state: State) -> int:
        """Return the row of a state, or -1 if play cannot reach it."""
        first = int(self.first_rows[state.mask, state.flag])
        if first < 0:
            return -1
        rank = int(self.totals.ranks[self.kinds(np.array([state.mask]))[0], state.upper])
        return first + rank if rank >= 0 else -1

    def card_of_row(self) -> NDArray[np.int64]:
        """Return the card of each row, as [rows]."""
        return np.repeat(np.arange(len(self.cards.masks)), np.diff(self.cards.rows))

    def total_of_row(self) -> NDArray[np.int64]:
        """Return the place of each row in the arrays of `totals`, as [rows]."""
        cards = self.card_of_row()
        within = np.arange(len(cards)) - self.cards.rows[cards]
        return self.totals.starts[self.cards.kinds[cards]] + within

    def _masks(self) -> NDArray[np.int64]:
        """Return the start and all masks that may follow it, by number of filled boxes."""
        masks = [self.start.mask]
        for box in range(self.book.boxes):
            if not self.start.mask >> box & 1:
                tops = masks[-1:] if self.book.fixed_order else masks
                masks = masks + [mask | 1 << box for mask in tops]
        found = np.array(sorted(masks), dtype=np.int64)
        found = found[in_order(self.book, found, self.start.mask)]
        return found[np.argsort(np.bitwise_count(found), kind="stable")]

    def _flags(self, masks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return where the flags of each mask begin in a list, that list, and how many flags each mask has."""
        boxes = [box for box in flag_boxes(self.book) if not self.start.mask >> box & 1]
        alikes = self.book.payments.alikes
        flags = np.zeros((self.book.sums.count, alikes), dtype=np.bool_)
        number, alike = divmod(self.start.flag, alikes)
        flags[number, alike : alikes if alike else 1] = True
        possible = possible_flags(self.book, boxes, flags)
        counts = possible.sum(axis=1)
        kinds = pack_sets(boxes, masks)
        return (np.cumsum(counts) - counts)[kinds], np.nonzero(possible)[1], counts[kinds]

    def _of_kind(self, reachable: int, left: int) -> tuple[list[int], list[int], list[int], list[int]]:
        """Return the highest and lowest total of each row, the rank of every lane, and the highest possible bonus."""
        book = self.book
        totals = [lane for lane in range(book.lanes) if reachable >> lane & 1]
        lost = [total for total in totals if total + left < book.reach]
        alive = totals[len(lost) :]
        highest, lowest = lost[-1:] + alive, lost[:1] + alive
        ranks = [-1] * book.lanes
        for rank, total in enumerate(highest):
            ranks[total] = rank
        for total in lost:
            ranks[total] = 0
        return highest, lowest, ranks, [int(book.final[0, min(total + left, book.threshold)]) for total in highest]


ROUND = 16  # rows have whole vectors of single precision


@dataclass(frozen=True, eq=False)
class Needs:
    """Row r holds the chances of the needs 1, 2, ... at offsets[r] and on."""

    known: NDArray[np.int64]  # [rows]: up to this need the row knows the answer
    possible: NDArray[np.int64]  # [rows]: beyond this need there is no chance
    offsets: NDArray[np.int64]  # [rows + 1]


def needs(reachable: ReachableStates, most: int) -> Needs:
    """Return the bounds of all rows when the first is asked for needs up to `most`."""
    cards, place = reachable.card_of_row(), reachable.total_of_row()
    masks, flags = reachable.cards.masks[cards], reachable.cards.flags[cards]
    known = most - (reachable.totals.lowest[place] - reachable.start.upper) - _sure_points(reachable, flags)
    bonuses = reachable.totals.best[place] + _most_of_sums(reachable.book, masks, flags)
    possible = _most_points(reachable.book, masks, flags) + bonuses
    lanes = np.clip(np.minimum(known, possible), 0, None)
    offsets = np.concatenate([[0], np.cumsum(-(-lanes // ROUND) * ROUND)])
    return Needs(known, possible, offsets)


def highest(book: CompiledBook, state: State) -> tuple[int, int]:
    """Return the most that may still be scored, earned bonuses included: with all extras, and without them."""
    mask, flag, bonuses = np.array([state.mask]), np.array([state.flag]), int(book.final.max())
    return int(_most_points(book, mask, flag)[0]) + bonuses, int(_box_points(book, mask)[0]) + bonuses


def _most_of_sums(book: CompiledBook, masks: NDArray[np.int64], flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the most that the further bonuses may pay in the end."""
    left = [_box_points(book, masks | ~mask) for mask in book.sums.masks]
    if not left:
        return np.zeros_like(masks)
    totals = book.sums.totals[flags // book.payments.alikes] + np.stack(left, axis=1)
    return book.sums.paid[book.sums.numbers(totals)]


def _sure_points(reachable: ReachableStates, flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the points since the start that a flag proves, beyond the counted total."""
    book, start, least = reachable.book, reachable.start, reachable.book.payments.least
    alike = flags % book.payments.alikes
    sure: NDArray[np.int64] = np.maximum(least[alike] - least[start.flag % book.payments.alikes], 0)
    if book.policy_box >= 0 and not (book.counted | start.mask) >> book.policy_box & 1:
        points = min(book.points[book.policy_box] - {0})
        sure = sure + np.where(alike > 0, points, 0)
    return sure


def _most_points(book: CompiledBook, masks: NDArray[np.int64], flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the most that the open boxes can bring, with all extras but without bonuses."""
    return _box_points(book, masks) + _extras(book, masks, flags)


def _box_points(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    most = np.zeros_like(masks)
    for box in range(book.boxes):
        most += np.where(masks >> box & 1, 0, max(book.points[box]))
    return most


def _extras(book: CompiledBook, masks: NDArray[np.int64], flags: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the most that extras may still pay: while the policy's box is open, from the turn after it is filled."""
    if not book.extra.any():
        return np.zeros_like(masks)
    turns = book.boxes - np.bitwise_count(masks).astype(np.int64)
    alike, most = flags % book.payments.alikes, book.payments.most
    waiting = np.where(masks >> book.policy_box & 1, 0, most[1, np.maximum(turns - 1, 0)])
    return np.where(alike > 0, most[alike, turns], waiting)


def scored_since(reachable: ReachableStates) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the fewest and the most points that each row can have scored since the start, without bonuses.

    Each is [rows].
    """
    book, start, totals = reachable.book, reachable.start, reachable.totals
    cards, place = reachable.card_of_row(), reachable.total_of_row()
    masks, flags = reachable.cards.masks[cards], reachable.cards.flags[cards]
    filled = masks & ~start.mask
    exactly = totals.highest[place] - start.upper
    counted = np.where(totals.highest[place] < book.threshold, exactly, _box_points(book, ~filled | ~book.counted))
    least = totals.lowest[place] - start.upper + _sure_points(reachable, flags)
    most = counted + _box_points(book, ~filled | book.counted) + _extras_since(book, start, masks, flags)
    return least, np.maximum(least, most)  # flags that need more turns than were played do not occur


def _extras_since(
    book: CompiledBook, start: State, masks: NDArray[np.int64], flags: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the most that extras can have paid by now; the turn that filled the policy's box paid none."""
    if not book.extra.any():
        return np.zeros_like(masks)
    first, waited = (start.flag % book.payments.alikes, 0) if start.mask >> book.policy_box & 1 else (1, 1)
    turns = np.bitwise_count(masks & ~start.mask).astype(np.int64) - waited
    alike = flags % book.payments.alikes
    reached = book.payments.most_paid_to(max(first, 1))[np.maximum(turns, 0), alike]
    return np.where(alike > 0, reached, 0)
