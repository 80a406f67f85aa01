"""What the dice gave and took, and what a player could have done and did: every decision with its value and its loss.

All values are expected final totals under perfect play from there on: points on the card, and those still to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from fivedice.dice import Roll
from fivedice.game import Hold, Mark, Scorecard, Step, Throw, Thrown
from fivedice.solver import Solution
from fivedice.solver.solution import Advice, ranked
from fivedice.solver.solution.whole_turn import whole_turn


@dataclass(frozen=True, slots=True)
class Fall:
    """One throw. Before and after are expected final totals, so the luck of a throw is in points."""

    roll: Roll
    rolls_left: int
    before: float
    after: float
    last: bool = False  # the final dice of a turn whose earlier rolls were not noted: the luck of all of them

    @property
    def luck(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class DiceCount:
    """How often each face fell, against how often it should."""

    counts: tuple[int, ...]  # face 1 first

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """Of every face."""
        return self.dice / len(self.counts)

    @property
    def usual(self) -> float:
        """How far a fair face strays from that in two games out of three: one standard deviation."""
        share = 1 / len(self.counts)
        return sqrt(self.dice * share * (1 - share))


def count_dice(steps: Iterable[Step], faces: int) -> DiceCount:
    """The dice that were thrown. Final dice alone are left out: some of them were held, and nobody noted which."""
    fell: Counter[int] = Counter()
    for step in steps:
        if isinstance(step.move, Throw) and not step.move.last:
            fell.update(face for event in step.events if isinstance(event, Thrown) for face in event.fell)
    return DiceCount(tuple(fell[face] for face in range(1, faces + 1)))


@dataclass(frozen=True, slots=True)
class Decision:
    """A hold or a mark, and what would have been best."""

    roll: Roll
    rolls_left: int
    move: Hold | Mark
    value: float  # the expected final total after it
    loss: float  # against the best; 0.0 for all that tie with it
    best: tuple[Hold | Mark, ...]  # one, or several that tie

    @property
    def is_best(self) -> bool:
        return self.loss == 0.0


class TurnValues:
    """The expected final total of everything that can happen in one turn of one card."""

    def __init__(self, solution: Solution, card: Scorecard) -> None:
        self._grid = solution.compiled.lattice
        self._turn = whole_turn(solution, card)
        self._total = card.total
        self.start = card.total + solution.value(card)

    def roll(self, roll: Roll, rolls_left: int) -> float:
        """With these dice on the table and the best done with them."""
        row = self._grid.row[roll.faces] - self._grid.first_roll
        return self._total + float(self._turn.rolls(rolls_left)[row])

    def options(self, roll: Roll, rolls_left: int) -> list[Advice]:
        """Everything that can be done with the dice, best first."""
        found = self._turn.options(roll, rolls_left)
        return ranked([(keep, box, self._total + value) for keep, box, value in found])


def judged(values: TurnValues, roll: Roll, rolls_left: int, move: Hold | Mark) -> Decision:
    """Hold a move against everything else that could have been done."""
    options = values.options(roll, rolls_left)
    done = next(option for option in options if as_move(option) == move)
    best = tuple(as_move(option) for option in options if option.best)
    return Decision(roll, rolls_left, move, done.value, done.loss, best)


def as_move(option: Advice) -> Hold | Mark:
    """A piece of advice as the move that follows it."""
    return Mark(str(option.box)) if option.keep is None else Hold(option.keep)
