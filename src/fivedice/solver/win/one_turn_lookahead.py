"""One turn in shares of the win, with all players playing for points after it: exact, and quick from the first turn on.

The shares after a box follow from the exact chances of the points that the card may still bring, and from those of the
others. The turn is then followed back twice: as it is played for points, which gives the shares of `race` at every roll
and decision; and as it is played if the player on turn plays this one turn to win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Position, Scorecard
from fivedice.errors import IllegalError
from fivedice.solver.chase import banked_points
from fivedice.solver.endings import endings_after
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.solution import Solution, state_of
from fivedice.solver.values import turn_choices, turn_values
from fivedice.solver.values.saved_values import one_table
from fivedice.solver.win.opponents import shares, shares_left

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

Floats = NDArray[np.float64]
_Whole = NDArray[np.int64]

_TURNS = 64  # turns in the cache, a tenth of a megabyte each: every moment of a turn needs the same
_ENDINGS = 512  # distributions of cards in the cache, ten kilobytes each
_NEAR = 1e-13  # shares closer than this are equal


class Followed:
    """A turn played by the values in `leaf`, with the shares of all players, as [players], at each of its moments."""

    def __init__(self, book: CompiledBook, leaf: Floats, shares_of_rolls: Floats, near: float) -> None:
        self._grid = book.lattice
        self._keeps, self._rolls = turn_choices.follow_turn(self._grid, leaf, shares_of_rolls, book.rolls, near)

    def at(self, dice: Keep, rolls_left: int) -> Floats:
        """Return the shares at any moment, by the dice on the table: before a throw, or before a decision."""
        row = self._grid.row[dice.faces]
        if len(dice) < self._grid.dice:
            return self._keeps[rolls_left - 1, :, row]
        return self._rolls[rolls_left, :, row - self._grid.first_roll]


class TurnAhead:
    """The turn of a position in shares of the win. Players are those still in the game, in the order of their seats."""

    def __init__(self, solution: Solution, card: Scorecard, others: Sequence[Mapping[int, float]], place: int) -> None:
        self._solution, self._card, self._place = solution, card, place
        self._state = state_of(card)
        worths = _worths(others, place)
        self.box_shares = _box_shares(solution, self._state, banked_points(card), worths)
        """[players, rolls, boxes]: each player's share after every roll in every box; -inf where illegal."""

    @cached_property
    def for_points(self) -> Followed:
        """Return the turn played for points, like all that follow it: the shares are those of `race`."""
        book, table = self._solution.compiled, one_table(self._solution.table, self._solution.book)
        values = turn_values.box_values(book, table, self._state)
        return self.follow(values, turn_choices.tolerance(book))

    @cached_property
    def to_win(self) -> Followed:
        """Return the turn played for the best share of the player on turn, and all later turns for points."""
        return self.follow(self.own, _NEAR)

    @property
    def own(self) -> Floats:
        """Return the shares of the player on turn, as [rolls, boxes]."""
        found: Floats = self.box_shares[self._place]
        return found

    def scored(self, roll: Roll, box: str) -> Floats:
        """Return the shares once a roll is scored in a box, as [players]."""
        book, grid = self._solution.compiled, self._solution.compiled.lattice
        number = book.order.index(self._card.book.index[box])
        return self.box_shares[:, grid.row[roll.faces] - grid.first_roll, number]

    def follow(self, values: Floats, near: float) -> Followed:
        """Return the turn played by values ([rolls, boxes]); values closer than `near` count as equal."""
        book = self._solution.compiled
        boxes = turn_choices.first_best(book, values, near)
        chosen = self.box_shares[:, np.arange(len(boxes)), boxes]
        return Followed(book, values.max(axis=1), chosen, near)


def look(position: Position, solution: Solution, progress: Progress | None = None) -> TurnAhead:
    """Return the turn of a position, at any moment of it. The book is prepared first if necessary.

    Raises `IllegalError` for a book that saves rolls.
    """
    if position.book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=position.book)
    if not all(solution.is_prepared(position.cards[seat]) for seat in position.seats_in):
        solution.prepare(progress)
    return _cached_turn(solution, position.cards, position.seats_in, position.seat)


_Turn = tuple[str, tuple[Scorecard, ...], tuple[int, ...], int]
_turns: SizedLRUCache[_Turn, TurnAhead] = SizedLRUCache(most=_TURNS)
_endings: SizedLRUCache[tuple[str, State], Floats] = SizedLRUCache(most=_ENDINGS)


def _cached_turn(solution: Solution, cards: tuple[Scorecard, ...], seats: tuple[int, ...], seat: int) -> TurnAhead:
    name = solution.book.fingerprint, cards, seats, seat
    found = _turns.get(name)
    if found is None:
        others = [ending(solution, cards[each]) for each in seats if each != seat]
        found = _turns[name] = TurnAhead(solution, cards[seat], others, seats.index(seat))
    return found


def _worths(others: Sequence[Mapping[int, float]], place: int) -> Floats:
    """Return each player's share if the player on turn ends with a total, as [players, totals]; the last is for all
    higher.
    """
    own = shares(others)
    each = shares_left(others, len(own))
    return np.stack([*each[:place], own, *each[place:]])


def _box_shares(solution: Solution, state: State, points_so_far: int, worths: Floats) -> Floats:
    """Return the shares after every roll in every box, as [players, rolls, boxes]; each distinct outcome is looked up
    once.
    """
    book, table = solution.compiled, one_table(solution.table, solution.book)
    most = 1 + int(max(book.plain.max(), book.alike.max() + book.extra.max()))
    _, flags, lanes = book.shape

    def name(masks: _Whole, some: _Whole, totals: _Whole, points: _Whole) -> _Whole:
        return ((masks * flags + some) * lanes + totals) * most + points

    names = turn_values.over_boxes(book, state, name)
    legal = np.isfinite(names)
    outcomes, back = np.unique(names[legal].astype(np.int64), return_inverse=True)
    after, which = np.unique(outcomes // most, return_inverse=True)
    ends = endings_after(solution.book.fingerprint, book, table, state)
    rests = ends.chances_to_come(after // (flags * lanes), after // lanes % flags, after % lanes)
    begins = points_so_far + outcomes % most
    worths = np.pad(worths, ((0, 0), (0, int(begins.max()) + max(map(len, rests)))), mode="edge")
    found = [
        worths[:, begin : begin + len(rests[place])] @ rests[place]
        for begin, place in zip(begins.tolist(), which.tolist(), strict=True)
    ]
    box_shares = np.full((len(worths), *names.shape), -np.inf)
    box_shares[:, legal] = np.stack(found, axis=1)[:, back.reshape(-1)]
    return box_shares


def ending(solution: Solution, card: Scorecard, progress: Progress | None = None) -> dict[int, float]:
    """Return the exact chances of the final totals of a card that is played for points."""
    if card.is_full:
        return {card.total: 1.0}
    if not solution.is_prepared(card):
        solution.prepare(progress)
    name = solution.book.fingerprint, state_of(card)
    chances = _endings.get(name)
    if chances is None:
        chances = _endings[name] = solution.finish(card, progress=progress).chances
    some = np.flatnonzero(chances)
    return dict(zip((banked_points(card) + some).tolist(), chances[some].tolist(), strict=True))
