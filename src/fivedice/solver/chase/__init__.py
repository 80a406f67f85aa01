"""`chase`: the strategy that maximises the chance of reaching a total; one run answers every target.

From the empty card that is a job of about a minute and a gigabyte for a book of 13 boxes. From a card late in the
game it is done at once, since only what may follow that card is worked out: "can I still beat my best?"
Answers stay in memory as long as the `Chase` does. They are not stored: a file of a gigabyte would be read no faster
than the few cards that a table asks for are worked out.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.dice import Roll
from fivedice.errors import IllegalCard, IllegalError
from fivedice.game import Scorecard
from fivedice.rules import RuleBook
from fivedice.solver.chase.chase_table import fill_chase_table
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.model.reachable_states import Needs, ReachableStates, highest, needs
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import TIE, Advice, check_turn, options, ranked, state_of
from fivedice.solver.values import turn_values

_Whole: TypeAlias = "NDArray[np.int64]"

_USUAL = 415  # in the 13-box books perfect play ends higher in one game of forty
_DOUBLE = 1 << 20  # up to so many numbers are kept in double precision
_SINGLE_TIE = 1e-6  # what single precision cannot tell apart


def chase(
    book: RuleBook, *, card: Scorecard | None = None, most: int | None = None, progress: Progress | None = None
) -> Chase:
    """The best chances of every total up to `most`, from `card` (else the empty one) and all that may follow it.

    Without `most`, up to 415 or to what the boxes can bring without extras, whichever is more. Chances are exact to
    1e-9 where the job is small, and to 1e-5 where it is done in single precision.
    """
    start = Scorecard.empty(book) if card is None else card
    if start.book != book:
        raise IllegalCard("solver.chase-start", rules=book, other=start.book)
    asked = _usual(start) if most is None else most
    reachable = ReachableStates(compiled_book(book), state_of(start))
    bounds = needs(reachable, asked - _banked(start))
    kind = np.float64 if bounds.offsets[-1] <= _DOUBLE else np.float32
    return Chase(start, asked, reachable, bounds, fill_chase_table(reachable, bounds, kind, progress))


class Chase:
    """A finished chase: ask it for any card from `start` on, and any target up to `most`."""

    def __init__(
        self, start: Scorecard, most: int, reachable: ReachableStates, bounds: Needs, table: NDArray[Any]
    ) -> None:
        self.book = start.book
        self.start = start
        self.most = most
        self._reachable = reachable
        self._bounds = bounds
        self._table = table

    def __repr__(self) -> str:
        return f"<Chase of up to {self.most} in {self.book.key!r}>"

    @property
    def nbytes(self) -> int:
        """The memory that the chances take."""
        return int(self._table.nbytes)

    def chance(self, card: Scorecard, target: int) -> float:
        """The best chance of a final total of `target` or more, from the start of a turn."""
        state = self._state(card, target)
        rows, wanted = np.array([self._reachable.row(state)]), np.array([target - _banked(card)])
        return float(self._look_up(rows, wanted)[0])

    def advise(self, card: Scorecard, roll: Roll, rolls_left: int, target: int) -> list[Advice]:
        """Every keep and every legal box with the best chance that it leaves, best first."""
        check_turn(card, roll, rolls_left)
        return ranked(options(self.book, self.box_chances(card, target), roll, rolls_left), self.tie)

    @property
    def tie(self) -> float:
        """Chances that are closer than this are equal."""
        return TIE if self._table.dtype == np.float64 else _SINGLE_TIE

    def box_chances(self, card: Scorecard, target: int) -> NDArray[np.float64]:
        """[rolls, boxes]: the best chance that every roll in every box leaves; -inf where illegal."""
        state = self._state(card, target)
        return turn_values.over_boxes(self._reachable.book, state, self._after(target - _banked(card)))

    def _state(self, card: Scorecard, target: int) -> State:
        if card.book != self.book:
            raise IllegalCard("solver.chase-start", rules=self.book, other=card.book)
        state = state_of(card)
        row = self._reachable.row(state)
        if row < 0:
            raise IllegalCard("solver.chase-other-card")
        wanted = target - _banked(card)
        if self._bounds.known[row] < wanted <= self._bounds.possible[row]:
            raise IllegalError("solver.chase-most", most=self.most, target=target)
        return state

    def _after(self, wanted: int) -> turn_values.Worth:
        """What filling a box leaves of the chance, for many boxes at once."""
        reachable = self._reachable

        def chances(masks: _Whole, flags: _Whole, lanes: _Whole, points: _Whole) -> NDArray[np.float64]:
            ranks = reachable.totals.ranks[reachable.kinds(masks), lanes]
            return self._look_up(reachable.first_rows[masks, flags] + ranks, wanted - points)

        return chances

    def _look_up(self, rows: _Whole, wanted: _Whole) -> NDArray[np.float64]:
        """What is wanted is counted without a bonus already earned, as in `reachable_states`."""
        inside = (wanted > 0) & (wanted <= self._bounds.possible[rows])
        places = np.where(inside, self._bounds.offsets[rows] + wanted - 1, 0)
        known = self._table[places].astype(np.float64) if len(self._table) else 0.0
        return np.where(inside, known, np.where(wanted > 0, 0.0, 1.0))


def _banked(card: Scorecard) -> int:
    """Points that are on the card, the upper bonus left out."""
    return card.total - card.upper_bonus


def _usual(card: Scorecard) -> int:
    every, boxes = highest(compiled_book(card.book), state_of(card))
    return min(_banked(card) + every, max(_USUAL, _banked(card) + boxes))
