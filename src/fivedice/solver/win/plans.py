"""The best expected utility of the final total, for any utility, from a card on; and advice for it.

The lattice and the rows are those of `chase`, which is the utility that jumps from 0 to 1. Here a lane is a number of
points so far, counted down from the total from which on the utility is constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.errors import IllegalCard, IllegalError
from fivedice.solver.chase import banked_points, count_unasked, fill_rows
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.model.reachable_states import ROUND, Needs, ReachableStates, needs
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress
from fivedice.solver.solution import TIE, Advice, check_turn, options, rank_options, state_of
from fivedice.solver.values import turn_values

_Whole = NDArray[np.int64]


class Plan:
    """The best play for a utility, from `start` and all that may follow it.

    `utility[t]` is the worth of a final total of t; its last number is for all higher totals.
    """

    def __init__(
        self, start: Scorecard, utility: Sequence[float] | NDArray[np.float64], progress: Progress | None = None
    ) -> None:
        if start.book.save_rolls:
            raise IllegalError("solver.saves-rolls", rules=start.book)
        self.start = start
        worth = np.asarray(utility, dtype=np.float64)
        self._low, self._span = float(worth.min()), float(np.ptp(worth)) or 1.0
        self._last = len(worth) - 1
        self._worth = (worth - self._low) / self._span
        self._reachable = ReachableStates(compiled_book(start.book), state_of(start))
        self._bounds = _bounds(self._reachable, self._last - banked_points(start))
        self._table = _table(self._reachable, self._bounds, self._worth)
        rising = bool((np.diff(worth) >= 0).all())
        skips = count_unasked(self._reachable, self._last - banked_points(start))
        met = float(self._worth[-1])
        fill_rows(self._reachable, self._bounds, self._table, progress, met, rising=rising, skips=skips)

    @property
    def nbytes(self) -> int:
        return int(self._table.nbytes)

    def value(self, card: Scorecard | None = None) -> float:
        """Return the best expected utility from the start of a turn, by default of the start.

        Raises `IllegalCard` for a card that does not follow the start.
        """
        here = self.start if card is None else card
        row = self._reachable.row(state_of(here))
        if here.book != self.start.book or row < 0:
            raise IllegalCard("solver.chase-other-card")
        return float(self._look_up(np.array([row]), np.array([self._last - banked_points(here)]))[0])

    def box_values(self, card: Scorecard) -> NDArray[np.float64]:
        """Return the best expected utility after every roll in every box, as [rolls, boxes]; -inf where illegal."""
        self.value(card)  # raises for a card that does not follow the start
        reachable, wanted = self._reachable, self._last - banked_points(card)

        def after(masks: _Whole, flags: _Whole, lanes: _Whole, points: _Whole) -> NDArray[np.float64]:
            ranks = reachable.totals.ranks[reachable.kinds(masks), lanes]
            return self._look_up(reachable.first_rows[masks, flags] + ranks, wanted - points)

        return turn_values.over_boxes(reachable.book, state_of(card), after)

    def advise(self, card: Scorecard, roll: Roll, rolls_left: int) -> list[Advice]:
        """Return every keep and every legal box with the best expected utility that it leaves, best first."""
        check_turn(card, roll, rolls_left)
        return rank_options(options(card.book, self.box_values(card), roll, rolls_left), TIE * self._span)

    def _look_up(self, rows: _Whole, wanted: _Whole) -> NDArray[np.float64]:
        places = np.where(wanted > 0, self._bounds.offsets[rows] + wanted - 1, 0)
        known: Any = self._table[places] if len(self._table) else 0.0
        found: NDArray[np.float64] = np.where(wanted > 0, known, self._worth[-1])
        return self._low + self._span * found


def count_lanes(card: Scorecard, last: int) -> int:
    """Return how many numbers a plan has to work out if its utility is constant from the total `last` on."""
    reachable = ReachableStates(compiled_book(card.book), state_of(card))
    asked = last - banked_points(card)
    known = _bounds(reachable, asked).known
    return int(np.clip(-(-known // ROUND) * ROUND - count_unasked(reachable, asked), 0, None).sum())


def _bounds(reachable: ReachableStates, most: int) -> Needs:
    """Return the bounds as for a chase, but with every need possible: even the lowest total has a utility."""
    known = np.clip(needs(reachable, most).known, 0, None)
    return Needs(known, known, _check_size(np.concatenate([[0], np.cumsum(-(-known // ROUND) * ROUND)])))


def _check_size(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    if 8 * int(offsets[-1]) > MOST_BYTES:
        raise IllegalError("solver.chase-too-large", size=8 * float(offsets[-1]) / 1e9)
    return offsets


def _table(reachable: ReachableStates, bounds: Needs, worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a table for all rows, with those of full cards filled from their bonuses and the utility."""
    table, last = np.zeros(int(bounds.offsets[-1])), len(worth) - 1
    begin = int(reachable.cards.rows[reachable.cards.layers[-2]])
    flags = reachable.cards.flags[reachable.card_of_row()]
    lanes = reachable.totals.highest[reachable.total_of_row()]
    for row in range(begin, len(bounds.known)):
        first, stop = bounds.offsets[row], bounds.offsets[row + 1]
        totals = last - 1 - np.arange(stop - first) + int(reachable.book.final[flags[row], lanes[row]])
        table[first:stop] = worth[np.clip(totals, 0, last)]
    return table


def shares_of_totals(start: Scorecard, most: int, progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the best share against each known final total of one other player, as [totals up to `most`].

    A tie counts half. As for a chase, one run answers for all totals, since only the points still needed matter.
    """
    reachable = ReachableStates(compiled_book(start.book), state_of(start))
    every = needs(reachable, most + 1 - banked_points(start))
    lanes = np.clip(np.minimum(every.known, every.possible + 1), 0, None)
    offsets = np.concatenate([[0], np.cumsum(-(-lanes // ROUND) * ROUND)])
    bounds = Needs(every.known, every.possible + 1, _check_size(offsets))
    table = np.zeros(int(offsets[-1]))
    for row in range(int(reachable.cards.rows[reachable.cards.layers[-2]]), len(lanes)):
        paid = max(0, int(every.possible[row]))
        whole = table[offsets[row] : offsets[row + 1]]
        whole[:paid] = 1.0  # needs that the bonuses exceed; the next one is a tie
        whole[paid : paid + 1] = 0.5
    fill_rows(reachable, bounds, table, progress)
    found = np.zeros(most + 1)
    behind = np.arange(most + 1) - banked_points(start)
    count = int(lanes[0])
    found[behind < 0] = 1.0
    asked = (behind >= 0) & (behind < count)
    found[asked] = table[behind[asked]]
    return found
