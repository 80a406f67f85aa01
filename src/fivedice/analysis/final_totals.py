"""How the total of one player may end, if the best mean is played for: exactly, or by mean and spread alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from fivedice.game import Position, Scorecard
from fivedice.solver import Solution, spread as spreads
from fivedice.solver.model.book_arrays import State
from fivedice.solver.odds import play_on
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.solution import state_of
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
    if not position.is_over and (position.dice or position.rolls_left < position.book.rolls):
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


def exact(seat: Seat, solution: Solution) -> Pmf:
    """The distribution of the final total. Cards at the start of a turn are remembered."""
    card = seat.card
    if card.is_full:
        return Pmf(card.total, np.ones(1))
    banked = card.total - card.upper_bonus
    if seat.rolls is not None:
        return _played(solution, state_of(card), seat.rolls, seat.rerolls).later(banked)
    found = _find(seat, solution)
    if found is None:
        start = solution.compiled.lattice.weights
        found = _played(solution, state_of(card), start, solution.book.rolls - 1)
        _known[solution.book.fingerprint, state_of(card)] = found
    return found.later(banked)


def _played(solution: Solution, state: State, rolls: NDArray[np.float64], rerolls: int) -> Pmf:
    """The points still to come, the upper bonus among them."""
    end, bonus = play_on(solution.compiled, solution.table, state, rolls, rerolls), solution.compiled.bonus
    chances = np.zeros(len(end.lost) + bonus)
    chances[: len(end.lost)] += end.lost
    chances[bonus : bonus + len(end.earned)] += end.earned
    some = np.flatnonzero(chances)
    return Pmf(int(some[0]), chances[some[0] : some[-1] + 1])


def _find(seat: Seat, solution: Solution) -> Pmf | None:
    return _known.get((solution.book.fingerprint, state_of(seat.card)))


def moments(seat: Seat, solution: Solution) -> tuple[float, float]:
    """Exact mean and standard deviation of the final total, at once if the table of variances is at hand."""
    card = seat.card
    if card.is_full:
        return float(card.total), 0.0
    banked, state = card.total - card.upper_bonus, state_of(card)
    if seat.rolls is None:
        place = state.mask, state.flag, state.upper
        return banked + float(solution.table[place]), sqrt(spreads.spread(solution)[place])
    mean, variance = spreads.mean_and_variance(solution, state, seat.rolls, seat.rerolls)
    return banked + mean, sqrt(max(0.0, variance))


def normal(seat: Seat, solution: Solution) -> Pmf:
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
