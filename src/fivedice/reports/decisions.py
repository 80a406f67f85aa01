"""The rolls and decisions of a player: the luck of every roll, and the value and the loss of every decision.

All values are expected final totals under perfect play from there on: the points on the sheet and those to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Hold, Mark, Scorecard, Step, Throw, Thrown
from fivedice.solver import Solution
from fivedice.solver.solution import Advice, Option, keeps_within, rank_options
from fivedice.solver.values import turn_values


@dataclass(frozen=True, slots=True)
class Fall:
    """One roll, with the expected final totals before and after it. Their difference is the luck in points."""

    roll: Roll
    rolls_left: int
    before: float
    after: float
    last: bool = False  # the final dice of a turn whose earlier rolls are unknown: the luck of all its rolls
    win: float | None = None  # with several players, the change of the roller's chance of winning

    @property
    def luck(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class DiceCount:
    """How often each face was rolled, and how often to expect it."""

    counts: tuple[int, ...]  # face 1 first

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """Return how often to expect each face."""
        return self.dice / len(self.counts)

    @property
    def usual(self) -> float:
        """Return the standard deviation of the count of a fair face: two games out of three are within it."""
        share = 1 / len(self.counts)
        return sqrt(self.dice * share * (1 - share))


def count_dice(steps: Iterable[Step], faces: int) -> DiceCount:
    """Count the faces that were rolled. Leaves out turns with final dice alone: some of those dice were kept."""
    fell: Counter[int] = Counter()
    for step in steps:
        if isinstance(step.move, Throw) and not step.move.last:
            fell.update(face for event in step.events if isinstance(event, Thrown) for face in event.fell)
    return DiceCount(tuple(fell[face] for face in range(1, faces + 1)))


@dataclass(frozen=True, slots=True)
class WinDecision:
    """A decision, judged by shares of the win."""

    share: float  # the share after it, if all play to win as `how` says
    loss: float  # compared with the best move; 0.0 for all moves that tie with it
    best: tuple[Hold | Mark, ...]
    unforced: bool  # there was a worse move
    how: str  # "exact", "planned" or "this turn": see `fd.win`


@dataclass(frozen=True, slots=True)
class Decision:
    """Dice that were kept or a box that was scored, and the best moves instead."""

    roll: Roll
    rolls_left: int
    move: Hold | Mark
    value: float  # the expected final total after it
    loss: float  # compared with the best move; 0.0 for all moves that tie with it
    best: tuple[Hold | Mark, ...]  # one, or several that tie
    unforced: bool = True  # there was a worse move
    win: WinDecision | None = None  # with several players, the same judged by shares of the win

    @property
    def is_best(self) -> bool:
        return self.loss == 0.0


class TurnValues:
    """The expected final total of every roll and every move in one turn of one player."""

    def __init__(self, solution: Solution, card: Scorecard) -> None:
        self._book = solution.book
        self._order = solution.compiled.order
        self._grid = solution.compiled.lattice
        # One level for all numbers of rolls left, or one each.
        self._boxes = solution.leaves(card, card.book.rolls + card.saved - 1) + card.total
        self._keeps: list[NDArray[np.float64]] = []  # for 1, 2, ... rolls left
        self._rolls = [self._leaf(0)]  # for 0, 1, 2, ... rolls left
        self.start = card.total + solution.value(card)

    def roll(self, roll: Roll, rolls_left: int) -> float:
        """Return the expected final total with these dice and the best move."""
        self._look_ahead(rolls_left)
        return float(self._rolls[rolls_left][self._row(roll)])

    def rolls(self, rolls_left: int) -> NDArray[np.float64]:
        """Return the same for all rolls, in the order of the lattice."""
        self._look_ahead(rolls_left)
        return self._rolls[rolls_left]

    def options(self, roll: Roll, rolls_left: int) -> list[Advice]:
        """Return all moves with these dice, best first."""
        here = self._boxes[min(rolls_left, len(self._boxes) - 1), self._row(roll)]
        places = enumerate(self._order)
        boxes: list[Option] = [
            (None, self._book.boxes[place].key, float(here[box])) for box, place in places if isfinite(here[box])
        ]
        return rank_options(boxes + (self._holds(roll, rolls_left) if rolls_left else []))

    def _holds(self, roll: Roll, rolls_left: int) -> list[Option]:
        self._look_ahead(rolls_left)
        values, rows = self._keeps[rolls_left - 1], self._grid.row
        return [(keep, None, float(values[rows[keep.faces]])) for keep in keeps_within(roll)]

    def _row(self, roll: Roll) -> int:
        return int(self._grid.row[roll.faces] - self._grid.first_roll)

    def _look_ahead(self, rolls_left: int) -> None:
        while len(self._keeps) < rolls_left:
            keeps = turn_values.keep_values(self._grid, self._rolls[-1])
            rows = turn_values.with_rolls(self._grid, keeps, self._leaf(len(self._rolls)))
            self._keeps.append(keeps)
            self._rolls.append(turn_values.best_rolls(self._grid, rows))

    def _leaf(self, rolls_left: int) -> NDArray[np.float64]:
        """Return the value of every roll if it is scored now."""
        leaf: NDArray[np.float64] = self._boxes[min(rolls_left, len(self._boxes) - 1)].max(axis=1)
        return leaf


def judge_move(values: TurnValues, roll: Roll, rolls_left: int, move: Hold | Mark) -> Decision:
    """Compare a move with all others that were possible."""
    options = values.options(roll, rolls_left)
    done = next(option for option in options if option.move == move)
    best = tuple(option.move for option in options if option.best)
    return Decision(roll, rolls_left, move, done.value, done.loss, best, len(best) < len(options))
