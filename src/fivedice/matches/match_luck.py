"""The luck of every roll in a match, in points and in shares of the win, so that it can be taken off the results.

Before a roll all ways in which it may fall are known with their chances. So for any measure of a position, the measure
after the roll less its mean over all ways is nothing on average, whatever the players do: taking it off changes no
expectation. What it takes off in spread depends on how good the measure is:

- in points, the expected final total of perfect play from there on, exactly as the solver knows it;
- in shares of the win, an estimate from those totals, as if what is still to come were normally distributed. What each
  player lost per turn so far counts for the turns to come, so that a weak player is not taken for a perfect one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.analysis.decisions import TurnValues
from fivedice.dice import rolls, ways
from fivedice.game import Position, Scorecard
from fivedice.rules import RuleBook
from fivedice.solver import Solution
from fivedice.solver.model.book_arrays import Lattice

Floats = NDArray[np.float64]

_SPREAD = 0.18  # of a final total, against its mean: about that of perfect play in the shipped books
_DOUBT = 5.0  # turns without a loss that every player is credited with at first


class LuckMeter:
    """Measures the luck of one block of games. What it learns of the players in a game serves the games after it."""

    def __init__(self, book: RuleBook, solution: Solution, players: int) -> None:
        self._book, self._solution = book, solution
        self._start = solution.value(Scorecard.empty(book))
        self._lost, self._turns = np.zeros(players), np.zeros(players)
        self._turn: TurnValues | None = None
        self.begin(range(players))

    def begin(self, players: Sequence[int]) -> None:
        """A game in which these players sit in the seats, in order."""
        self._players = list(players)
        self._expected = np.full(len(self._players), self._start)  # by seat
        self.points, self.shares = np.zeros(len(self._players)), np.zeros(len(self._players))  # luck, by player

    def thrown(self, before: Position, after: Position) -> None:
        """Dice have fallen."""
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

    def marked(self, before: Position, after: Position) -> None:
        """A turn has ended."""
        seat, card = before.seat, after.cards[before.seat]
        expected = card.total + (0.0 if card.is_full else self._solution.value(card))
        player = self._players[seat]
        self._lost[player] += self._expected[seat] - expected
        self._turns[player] += 1
        self._expected[seat] = expected
        self._turn = None

    def _shares(self, totals: Floats, position: Position) -> Floats:
        """[seats, rolls]: about what each has of the win, for every roll of the one on turn."""
        to_come = np.array([card.marks.count(None) for card in position.cards], dtype=np.float64)
        to_come[position.seat] += min(1.0, position.rolls_left / self._book.rolls) - 1
        losses = (self._lost / (self._turns + _DOUBT))[self._players] * to_come
        means = np.repeat((self._expected - losses)[:, None], len(totals), axis=1)
        means[position.seat] = totals - losses[position.seat]
        return _shares(means, (_SPREAD * self._start) ** 2 * to_come / len(self._book.boxes))


@lru_cache(maxsize=1024)
def _chances(grid: Lattice, held: tuple[int, ...]) -> Floats:
    """[rolls]: how likely each is when all dice but the held ones are thrown."""
    found = np.zeros(grid.rows - grid.first_roll)
    for fall in rolls(grid.dice - len(held), grid.faces):
        found[grid.row[tuple(sorted((*held, *fall.faces)))] - grid.first_roll] = ways(fall)
    chances: Floats = found / found.sum()
    return chances


def _shares(means: Floats, variances: Floats) -> Floats:
    """Of the win: beating each of the others in turn, made to add up to one. Of two players that is exact."""
    beats = np.ones_like(means)
    for other, (mean, variance) in enumerate(zip(means, variances, strict=True)):
        for one in range(len(means)):
            if one != other:
                beats[one] *= _normal((means[one] - mean) / np.sqrt(1 + variances[one] + variance))
    shares: Floats = beats / beats.sum(axis=0)
    return shares


def _normal(values: Floats) -> Floats:
    """The normal distribution, to a ten-thousandth; numpy has none. Both tails add up to one."""
    shares: Floats = 0.5 + 0.5 * np.tanh(0.7988 * values + 0.03528 * values**3)
    return shares
