"""The luck of every roll in a match, in points and in shares of the win, so that it can be taken off the results.

Before a roll, all its outcomes are known with their chances. So for any measure of a position, the measure after the
roll minus its mean over all outcomes is zero on average, whatever the players do: taking it off changes no expectation.
How much variance it removes depends on how good the measure is:

- in points, the exact expected final total of perfect play from there on;
- in shares of the win, an estimate from those totals, as if the points still to come were normally distributed. The
  points that each player lost per turn so far are assumed for the turns to come, so that a weak player is not taken
  for a perfect one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import rolls, ways
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import RuleBook
from fivedice.reports.decisions import TurnValues
from fivedice.solver import Solution
from fivedice.solver.model.book_arrays import Lattice

Floats = NDArray[np.float64]

_SPREAD = 0.18  # standard deviation of a final total over its mean: about that of perfect play in the shipped books
_DOUBT = 5.0  # turns without a loss that every player starts with


class LuckMeter:
    """Measures the luck in one block of games. Estimates of the players' strength carry over to the next game."""

    def __init__(self, book: RuleBook, solution: Solution, players: int) -> None:
        self._book, self._solution = book, solution
        self._start = solution.value(Scorecard.empty(book))
        self._lost, self._turns = np.zeros(players), np.zeros(players)
        self._turn: TurnValues | None = None
        self.begin(range(players))

    def begin(self, players: Sequence[int]) -> None:
        """Begin a game with these players in the seats, in order."""
        self._players = list(players)
        self._expected = np.full(len(self._players), self._start)  # by seat
        self.points, self.shares = np.zeros(len(self._players)), np.zeros(len(self._players))  # luck, by player

    def add_throw(self, before: Position, after: Position) -> None:
        """Add the luck of a throw."""
        if self._turn is None:
            self._turn = TurnValues(self._solution, before.card)
        grid, roll = self._solution.compiled.lattice, after.roll
        if roll is None:
            raise ValueError(repr(after))
        chances, fell = _chances(grid, before.dice.faces), grid.row[roll.faces] - grid.first_roll
        totals = self._turn.rolls(after.rolls_left)
        points = float(totals[fell] - totals @ chances)
        self.points[self._players[before.seat]] += points
        self._expected[before.seat] += points
        shares = self._shares(totals, after)
        self.shares[self._players] += shares[:, fell] - shares @ chances

    def add_score(self, before: Position, after: Position) -> None:
        """Add the points lost in a turn that has ended."""
        seat, card = before.seat, after.cards[before.seat]
        expected = card.total + (0.0 if card.is_full else self._solution.value(card))
        player = self._players[seat]
        self._lost[player] += self._expected[seat] - expected
        self._turns[player] += 1
        self._expected[seat] = expected
        self._turn = None

    def _shares(self, totals: Floats, position: Position) -> Floats:
        """Estimate each seat's share of the win for every roll of the player on turn, as [seats, rolls]."""
        to_come = np.array([card.marks.count(None) for card in position.cards], dtype=np.float64)
        to_come[position.seat] += min(1.0, position.rolls_left / self._book.rolls) - 1
        losses = (self._lost / (self._turns + _DOUBT))[self._players] * to_come
        means = np.repeat((self._expected - losses)[:, None], len(totals), axis=1)
        means[position.seat] = totals - losses[position.seat]
        return _shares(means, (_SPREAD * self._start) ** 2 * to_come / len(self._book.boxes))


@lru_cache(maxsize=1024)
def _chances(grid: Lattice, held: tuple[int, ...]) -> Floats:
    """Return how likely each roll is when all dice but the held ones are thrown, as [rolls]."""
    found = np.zeros(grid.rows - grid.first_roll)
    for fall in rolls(grid.dice - len(held), grid.faces):
        found[grid.row[tuple(sorted((*held, *fall.faces)))] - grid.first_roll] = ways(fall)
    chances: Floats = found / found.sum()
    return chances


def _shares(means: Floats, variances: Floats) -> Floats:
    """Estimate shares of the win: the chances of beating all others, scaled to add up to one. Exact for two players."""
    beats = np.ones_like(means)
    for other, (mean, variance) in enumerate(zip(means, variances, strict=True)):
        for one in range(len(means)):
            if one != other:
                beats[one] *= _normal((means[one] - mean) / np.sqrt(1 + variances[one] + variance))
    shares: Floats = beats / beats.sum(axis=0)
    return shares


def _normal(values: Floats) -> Floats:
    """Approximate the normal distribution function to a ten-thousandth, symmetrically; numpy has none."""
    shares: Floats = 0.5 + 0.5 * np.tanh(0.7988 * values + 0.03528 * values**3)
    return shares
