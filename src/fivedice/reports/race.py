"""Who will win: the chances of all players, if each of them plays on for the most points on average.

Players do not affect each other's scores, so the final totals are independent, and their distributions are enough. A
tie is shared: two players who tie have half a win each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import AnyBook
from fivedice.errors import IllegalError
from fivedice.solver import Solution, find_solution
from fivedice.solver.model.book_arrays import State
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import state_of
from fivedice.solver.values.turn_choices import certain_roll, throw_others
from fivedice.solver.win.opponents import tie_chances

_CACHED = 512  # distributions of cards, ten kilobytes each


@dataclass(frozen=True, eq=False)
class Pmf:
    """The chances of the whole numbers from `first` on."""

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

    def shifted_by(self, points: int) -> Pmf:
        return Pmf(self.first + points, self.chances)


_endings: SizedLRUCache[tuple[str, State], Pmf] = SizedLRUCache(most=_CACHED)


@dataclass(frozen=True, eq=False)
class RaceSeat:
    """A player's score sheet; for the player on turn also the chance of each roll, and how many rolls are left."""

    card: Scorecard
    rolls: NDArray[np.float64] | None = None
    rerolls: int = 0


def seats_of(position: Position, solution: Solution) -> tuple[RaceSeat, ...]:
    """Return all seats of a position; the one on turn with its dice, rolled or still to be rolled."""
    seats = [RaceSeat(card) for card in position.cards]
    if not position.is_over and (position.dice or position.rolls_left < position.rolls_in_turn):
        seats[position.seat] = _on_turn(position, solution)
    return tuple(seats)


def _on_turn(position: Position, solution: Solution) -> RaceSeat:
    grid = solution.compiled.lattice
    if position.roll is not None:
        return RaceSeat(position.card, certain_roll(grid, position.roll.faces), position.rolls_left)
    return RaceSeat(position.card, throw_others(grid, position.dice.faces), position.rolls_left - 1)


def ending(seat: RaceSeat, solution: Solution, progress: Progress | None = None) -> Pmf:
    """Return the exact distribution of the final total. Prepares the book first if needed: see `Solution.prepare`."""
    card = seat.card
    if card.is_full:
        return Pmf(card.total, np.ones(1))
    banked = card.total - card.bonus_total
    if seat.rolls is not None:
        return _points_to_come(seat, solution, progress).shifted_by(banked)
    name = solution.book.fingerprint, state_of(card)
    found = _endings.get(name)
    if found is None:
        found = _endings[name] = _points_to_come(seat, solution, progress)
    return found.shifted_by(banked)


def _points_to_come(seat: RaceSeat, solution: Solution, progress: Progress | None) -> Pmf:
    """Return the distribution of the points that are still to come, including bonuses."""
    if not solution.is_prepared(seat.card):
        solution.prepare(progress)
    chances = solution.finish(seat.card, seat.rolls, seat.rerolls, progress=progress).chances
    some = np.flatnonzero(chances)
    return Pmf(int(some[0]), chances[some[0] : some[-1] + 1])


MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class WinChance:
    """One player's chance of winning and expected total. The shares of all players add up to one."""

    win: float  #: the chance of winning alone
    tie: float  #: the chance of sharing the highest total
    share: float  #: expected wins, with a tie between n counted as 1/n
    mean: float  #: the expected final total
    sd: float  #: its standard deviation


@dataclass(frozen=True, slots=True)
class Race:
    """The exact chances of all seats, as `players` in seat order: see `fd.race`."""

    players: tuple[WinChance, ...]


def race(
    position_or_cards: Position | Iterable[Scorecard], solution: Solution | AnyBook, *, progress: Progress | None = None
) -> Race:
    """Return each player's exact chance of winning, if each plays on for the most points on average.

    `position_or_cards` is a position, also in mid-turn, or all score sheets at the start of a turn. `solution` is that
    of their book, or the book. `progress` is called with the steps done and all steps. Players who have left have no
    chance.

    Takes milliseconds. The first question about an early sheet of a book takes ten seconds or so, once, because the
    book is prepared and stored on disk. Raises `IllegalError` for more than 12 players or for sheets of another book.

    >>> boxes = dict.fromkeys((box.key for box in fd.book("crag").boxes if box.key != "crag"), 0)
    >>> cards = [fd.Scorecard.of("crag", boxes | {"sixes": points}) for points in (12, 6)]
    >>> [round(player.share, 2) for player in fd.race(cards, "crag").players]
    [0.87, 0.13]
    """
    solution = find_solution(solution)
    seats, out = _seats_and_out(position_or_cards, solution)
    ends = [ending(seat, solution, progress) for number, seat in enumerate(seats) if number not in out]
    found = iter(win_chances(ends))
    left = [WinChance(0.0, 0.0, 0.0, float(seat.card.total), 0.0) for seat in seats]  # players keep their points
    return Race(tuple(left[number] if number in out else next(found) for number in range(len(left))))


def is_ready(position_or_cards: Position | Iterable[Scorecard], solution: Solution) -> bool:
    """Return whether `race` can answer from memory, without preparing or reading anything."""
    seats, out = _seats_and_out(position_or_cards, solution)
    return all(
        number in out or seat.card.is_full or solution.is_prepared(seat.card, read=False)
        for number, seat in enumerate(seats)
    )


def _seats_and_out(
    position_or_cards: Position | Iterable[Scorecard], solution: Solution
) -> tuple[tuple[RaceSeat, ...], frozenset[int]]:
    """Return all seats, and the numbers of those whose players have left."""
    if isinstance(position_or_cards, Position):
        seats, out = seats_of(position_or_cards, solution), position_or_cards.out
    else:
        seats, out = tuple(RaceSeat(card) for card in position_or_cards), frozenset[int]()
    if not 1 <= len(seats) <= MOST_PLAYERS:
        raise IllegalError("report.race-players", most=MOST_PLAYERS, count=len(seats))
    for seat in seats:
        solution.state(seat.card)  # raises for a sheet of another book
    return seats, out


def win_chances(ends: list[Pmf]) -> list[WinChance]:
    """Return the chance of each of several independent totals to be the highest, alone or shared."""
    first, last = min(end.first for end in ends), max(end.last for end in ends)
    at = np.zeros((len(ends), last - first + 1))
    for row, end in zip(at, ends, strict=True):
        row[end.first - first : end.last - first + 1] = end.chances
    below = np.cumsum(at, axis=1) - at
    found = []
    for place, end in enumerate(ends):
        others = tie_chances(np.delete(at, place, axis=0), np.delete(below, place, axis=0))
        each = others @ at[place]  # the chance to win alone, with one other, with two others, ...
        share = float(each @ (1 / np.arange(1, len(each) + 1)))
        found.append(WinChance(float(each[0]), float(each[1:].sum()), share, end.mean, end.sd))
    return found
