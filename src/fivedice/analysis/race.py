"""Who will win: the chances of all players, if everybody plays on for the best mean.

Players do not disturb each other, so the final totals are independent, and their distributions are all that is
needed. A tie is shared: two who tie have half a win each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.game import Position, Scorecard
from fivedice.solver import Solution
from fivedice.solver.model.book_arrays import State
from fivedice.solver.runtime.sized_cache import SizedLRUCache
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import state_of
from fivedice.solver.values.turn_choices import lying, thrown
from fivedice.solver.win.field import tied

_KEPT = 512  # distributions of cards, ten kilobytes each


@dataclass(frozen=True, eq=False)
class Pmf:
    """The chances of whole numbers from `first` on."""

    first: int
    chances: NDArray[np.float64]

    @property
    def last(self) -> int:
        return self.first + len(self.chances) - 1

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        return np.arange(self.first, self.last + 1)

    @property
    def mean(self) -> float:
        return float(self.totals @ self.chances)

    @property
    def sd(self) -> float:
        return sqrt(max(0.0, float((self.totals - self.mean) ** 2 @ self.chances)))

    def later(self, points: int) -> Pmf:
        return Pmf(self.first + points, self.chances)


_known: SizedLRUCache[tuple[str, State], Pmf] = SizedLRUCache(most=_KEPT)


@dataclass(frozen=True, eq=False)
class Seat:
    """A player's card, and the dice if it is their turn: the chances of all rolls, and how often they may throw on."""

    card: Scorecard
    rolls: NDArray[np.float64] | None = None
    rerolls: int = 0


def seats_of(position: Position, solution: Solution) -> tuple[Seat, ...]:
    """All seats; the one on turn with the dice as they lie, or as they may fall."""
    seats = [Seat(card) for card in position.cards]
    if not position.is_over and (position.dice or position.rolls_left < position.rolls_in_turn):
        seats[position.seat] = _on_turn(position, solution)
    return tuple(seats)


def _on_turn(position: Position, solution: Solution) -> Seat:
    grid = solution.compiled.lattice
    if position.roll is not None:
        return Seat(position.card, lying(grid, position.roll.faces), position.rolls_left)
    return Seat(position.card, thrown(grid, position.dice.faces), position.rolls_left - 1)


def ending(seat: Seat, solution: Solution, progress: Progress | None = None) -> Pmf:
    """The exact distribution of the final total. What it takes is prepared first if need be: see `Solution.prepare`."""
    card = seat.card
    if card.is_full:
        return Pmf(card.total, np.ones(1))
    banked = card.total - card.bonus_total
    if seat.rolls is not None:
        return _played(seat, solution, progress).later(banked)
    name = solution.book.fingerprint, state_of(card)
    found = _known.get(name)
    if found is None:
        found = _known[name] = _played(seat, solution, progress)
    return found.later(banked)


def _played(seat: Seat, solution: Solution, progress: Progress | None) -> Pmf:
    """The points still to come, bonuses among them."""
    if not solution.is_prepared(seat.card):
        solution.prepare(progress)
    chances = solution.finish(seat.card, seat.rolls, seat.rerolls, progress=progress).chances
    some = np.flatnonzero(chances)
    return Pmf(int(some[0]), chances[some[0] : some[-1] + 1])


MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class WinChance:
    """What one player may hope for. The shares of all players add up to one."""

    win: float  #: alone
    tie: float  #: at the top together with others
    share: float  #: wins, with a tie between n counted as 1/n
    mean: float  #: of the final total
    sd: float


@dataclass(frozen=True, slots=True)
class Race:
    """The exact chances of all seats, in the order of the table."""

    players: tuple[WinChance, ...]


def race(
    position_or_cards: Position | Iterable[Scorecard], solution: Solution, *, progress: Progress | None = None
) -> Race:
    """The chances of winning from a position, in mid-turn too, or from cards at the start of a turn.

    A matter of milliseconds. Only the first question of a book about an early card waits until it is prepared: ten
    seconds or so, once, since what is prepared is kept on disk.
    """
    everybody, out = _seats(position_or_cards, solution), _out(position_or_cards)
    found = iter(shared([ending(seat, solution, progress) for seat in _without(everybody, out)]))
    left = [WinChance(0.0, 0.0, 0.0, float(seat.card.total), 0.0) for seat in everybody]  # they keep what they have
    return Race(tuple(left[number] if number in out else next(found) for number in range(len(left))))


def _out(position_or_cards: Position | Iterable[Scorecard]) -> frozenset[int]:
    return position_or_cards.out if isinstance(position_or_cards, Position) else frozenset()


def _without(seats: tuple[Seat, ...], out: frozenset[int]) -> list[Seat]:
    return [seat for number, seat in enumerate(seats) if number not in out]


def is_ready(position_or_cards: Position | Iterable[Scorecard], solution: Solution) -> bool:
    """Whether `race` can answer at once, by what is in memory."""
    seats = _without(_seats(position_or_cards, solution), _out(position_or_cards))
    return all(seat.card.is_full or solution.is_prepared(seat.card, read=False) for seat in seats)


def _seats(position_or_cards: Position | Iterable[Scorecard], solution: Solution) -> tuple[Seat, ...]:
    if isinstance(position_or_cards, Position):
        seats = seats_of(position_or_cards, solution)
    else:
        seats = tuple(Seat(card) for card in position_or_cards)
    if not 1 <= len(seats) <= MOST_PLAYERS:
        raise IllegalError("report.race-players", most=MOST_PLAYERS, count=len(seats))
    for seat in seats:
        solution.state(seat.card)  # refuses a card of another book
    return seats


def shared(ends: list[Pmf]) -> list[WinChance]:
    """The chances of independent totals to be the highest, alone or together."""
    first, last = min(end.first for end in ends), max(end.last for end in ends)
    at = np.zeros((len(ends), last - first + 1))
    for row, end in zip(at, ends, strict=True):
        row[end.first - first : end.last - first + 1] = end.chances
    below = np.cumsum(at, axis=1) - at
    return [_chance(end, at, below, place) for place, end in enumerate(ends)]


def _chance(end: Pmf, at: NDArray[np.float64], below: NDArray[np.float64], place: int) -> WinChance:
    others = tied(np.delete(at, place, axis=0), np.delete(below, place, axis=0))
    each = others @ at[place]  # alone, with one other, with two, ...
    share = float(each @ (1 / np.arange(1, len(each) + 1)))
    return WinChance(float(each[0]), float(each[1:].sum()), share, end.mean, end.sd)
