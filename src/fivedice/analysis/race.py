"""Who will win: the chances of all players, if everybody plays on for the best mean.

Players do not disturb each other, so the final totals are independent, and their distributions are all that is
needed: exact ones, or by mean and spread alone. A tie is shared: two who tie have half a win each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.game import Position, Scorecard
from fivedice.solver import Solution, spread as spreads
from fivedice.solver.model.book_arrays import State
from fivedice.solver.odds import play_on
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.solution import state_of
from fivedice.solver.values.saved_values import one_table
from fivedice.solver.values.turn_choices import lying, thrown

_KEPT = 512  # distributions of cards, ten kilobytes each
_SPREAD = 8  # standard deviations that a normal curve is drawn for


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

    @property
    def open_boxes(self) -> int:
        return sum(points is None for points in self.card.marks)


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


def work(seat: Seat, solution: Solution) -> int:
    """About how much there is to do for the exact distribution: a million is a third of a second on two cores."""
    if seat.card.is_full or (seat.rolls is None and _find(seat, solution) is not None):
        return 0
    masks = seat.open_boxes + 1 if solution.book.fixed_order else 1 << seat.open_boxes
    return solution.compiled.lattice.rows * masks * solution.compiled.flags


def exact_end(seat: Seat, solution: Solution) -> Pmf:
    """The distribution of the final total. Cards at the start of a turn are remembered."""
    card = seat.card
    if card.is_full:
        return Pmf(card.total, np.ones(1))
    banked = card.total - card.bonus_total
    if seat.rolls is not None:
        return _played(solution, state_of(card), seat.rolls, seat.rerolls).later(banked)
    found = _find(seat, solution)
    if found is None:
        start = solution.compiled.lattice.weights
        found = _played(solution, state_of(card), start, solution.book.rolls - 1)
        _known[solution.book.fingerprint, state_of(card)] = found
    return found.later(banked)


def _played(solution: Solution, state: State, rolls: NDArray[np.float64], rerolls: int) -> Pmf:
    """The points still to come, bonuses among them."""
    chances = play_on(solution.compiled, one_table(solution.table, solution.book), state, rolls, rerolls).chances
    some = np.flatnonzero(chances)
    return Pmf(int(some[0]), chances[some[0] : some[-1] + 1])


def _find(seat: Seat, solution: Solution) -> Pmf | None:
    return _known.get((solution.book.fingerprint, state_of(seat.card)))


def moments(seat: Seat, solution: Solution) -> tuple[float, float]:
    """Exact mean and standard deviation of the final total, at once if the table of variances is at hand."""
    card = seat.card
    if card.is_full:
        return float(card.total), 0.0
    banked, state = card.total - card.bonus_total, state_of(card)
    if seat.rolls is None:
        place = state.mask, state.flag, state.upper
        return banked + float(one_table(solution.table, solution.book)[place]), sqrt(spreads.spread(solution)[place])
    mean, variance = spreads.mean_and_variance(solution, state, seat.rolls, seat.rerolls)
    return banked + mean, sqrt(max(0.0, variance))


def normal_end(seat: Seat, solution: Solution) -> Pmf:
    """A normal curve with the exact mean and spread, cut into whole totals."""
    return bell(*moments(seat, solution), seat.card.total - seat.card.upper_bonus)


def bell(mean: float, sd: float, least: int) -> Pmf:
    """The normal curve over whole totals, none of them below `least`."""
    if sd < 1e-9:
        return Pmf(round(mean), np.ones(1))
    first = max(least, round(mean - _SPREAD * sd))
    last = max(first, round(mean + _SPREAD * sd)) + 1  # rounding may put a certain end a hair below the least
    edges = np.arange(first, last + 1) - 0.5
    below = np.array([0.5 * (1 + erf((edge - mean) / (sd * sqrt(2)))) for edge in edges])
    chances = np.diff(below)
    return Pmf(first, chances / chances.sum())


MOST_PLAYERS = 12
PATIENCE = 1_000_000  # work (see `work`) that a page can wait for: about a third of a second


@dataclass(frozen=True, slots=True)
class WinChance:
    """What one player may hope for. The shares of all players add up to one."""

    win: float  # alone
    tie: float  # at the top together with others
    share: float  # wins, with a tie between n counted as 1/n
    mean: float  # of the final total
    sd: float


@dataclass(frozen=True, slots=True)
class Race:
    """The chances of all seats, in the order of the table."""

    players: tuple[WinChance, ...]
    exact: bool  # else the distributions of some are normal curves with the exact mean and spread


def race(position_or_cards: Position | Iterable[Scorecard], solution: Solution, *, exact: bool | None = None) -> Race:
    """The chances of winning from a position, in mid-turn too, or from cards at the start of a turn.

    `exact=True` takes as long as it takes: early in a game seconds for each player. `exact=False` goes by exact means
    and spreads. None chooses: exactly where a page can wait for it.
    """
    everybody = _seats(position_or_cards, solution)
    out = position_or_cards.out if isinstance(position_or_cards, Position) else frozenset()
    seats = [seat for number, seat in enumerate(everybody) if number not in out]
    if exact is None:
        exact = sum(work(seat, solution) for seat in seats) <= PATIENCE
    draw = exact_end if exact else normal_end
    certain = exact or all(seat.card.is_full for seat in seats)
    found = iter(shared([draw(seat, solution) for seat in seats]))
    left = [WinChance(0.0, 0.0, 0.0, float(seat.card.total), 0.0) for seat in everybody]  # they keep what they have
    return Race(tuple(left[number] if number in out else next(found) for number in range(len(left))), certain)


def is_ready(position_or_cards: Position | Iterable[Scorecard], solution: Solution) -> bool:
    """Whether `race` can answer at once: exactly, or because the spreads of the book are at hand."""
    seats = _seats(position_or_cards, solution)
    quick = sum(work(seat, solution) for seat in seats) <= PATIENCE
    return quick or spreads.known(solution) is not None


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
    others = _level(np.delete(at, place, axis=0), np.delete(below, place, axis=0))
    each = others @ at[place]  # alone, with one other, with two, ...
    share = float(each @ (1 / np.arange(1, len(each) + 1)))
    return WinChance(float(each[0]), float(each[1:].sum()), share, end.mean, end.sd)


def _level(at: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """[others + 1, totals]: the chance that so many have just this total and the rest less."""
    level = np.zeros((len(at) + 1, at.shape[1]))
    level[0] = 1.0
    for own, less in zip(at, below, strict=True):
        level[1:] = level[1:] * less + level[:-1] * own
        level[0] *= less
    return level
