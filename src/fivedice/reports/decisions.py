"""The rolls and decisions of a player: the luck of every roll, and the value and the loss of every decision.

All values are expected final totals under perfect play from there on: the points on the sheet and those to come.
Errors have grades, and rates that can be compared across players and rules: a loss is compared with what is at stake,
the win or the expected final total of the empty sheet. docs/decisions/0041-errors-and-even-luck.md says why the limits
have these values. The theme of a decision is what the best move and another one differ in. It follows from the patterns
of the boxes, so house rules and other languages have the same themes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Hold, Mark, Scorecard, Step, Throw, Thrown, judge
from fivedice.core.game.card import BonusStatus, bonus_pace
from fivedice.core.rules import Anything, Box, Exactly, FaceSum, Groups, Run
from fivedice.solver import Solution
from fivedice.solver.solution import Advice, Option, keeps_within, rank_options
from fivedice.solver.values import turn_values
from fivedice.solver.values.turn_choices import first_best, scoring_chances, throw_others, tolerance

if TYPE_CHECKING:
    from fivedice.solver import Solution


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


class Currency(StrEnum):
    """The unit that decisions are judged in: the win with several players, points with one."""

    WIN = "win"
    POINTS = "points"


class ErrorGrade(StrEnum):
    """How bad an error is."""

    SMALL = "small"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LIMITS = (
    (0.04, ErrorGrade.BLUNDER),
    (0.01, ErrorGrade.MISTAKE),
    (0.0, ErrorGrade.SMALL),
)  # the lowest loss, as a part of the stake
SCALE = 1000  # a rate of 5: a decision loses five thousandths of the stake on average


def grade_of(loss: float, stake: float) -> ErrorGrade | None:
    """Return the grade of a loss; None if nothing is lost."""
    if loss <= 0 or stake <= 0:
        return None
    return next(grade for limit, grade in LIMITS if loss >= limit * stake)


def count_grades(grades: Iterable[ErrorGrade | None]) -> dict[ErrorGrade, int]:
    """Count the errors of each grade, the worst grade first."""
    found = Counter(grades)
    return {grade: found[grade] for _, grade in LIMITS}


def error_rate(losses: Sequence[float], stake: float) -> float | None:
    """Return the average of these losses of unforced decisions, in thousandths of the stake."""
    return SCALE * fmean(losses) / stake if losses and stake > 0 else None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over games and its standard error, which is unknown for a single game."""

    value: float
    error: float | None
    count: int


def mean_of(values: Iterable[float | None]) -> Mean | None:
    """Return the mean of the known values; None if none is known."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return Mean(fmean(known), stdev(known) / sqrt(len(known)) if len(known) > 1 else None, len(known))


LAST_BOXES = 3
_SAME = 1e-6  # chances that differ less are the same
_SET = 3  # dice of one face that make two groups a full house


class Theme(StrEnum):
    """What a decision is about; of several themes, the first counts."""

    JOKERS = "jokers"
    LAST_BOXES = "last-boxes"
    STRAIGHTS = "straights"
    FULL_HOUSE = "full-house"
    CHANCE = "chance"
    BONUS = "bonus"
    SETS = "sets"
    WIN = "win"  # a decision of two players, which no theme of points goes with


THEMES = tuple(theme for theme in Theme if theme is not Theme.WIN)  # of decisions for points


def theme_of(
    solution: Solution, card: Scorecard, roll: Roll, rolls_left: int, best: Hold | Mark, other: Hold | Mark
) -> Theme:
    """Return the theme of a decision between the best move and another one."""
    if judge(card, roll).joker_step is not None:
        return Theme.JOKERS
    if card.marks.count(None) <= LAST_BOXES:
        return Theme.LAST_BOXES
    values = solution.leaves(card, rolls_left)
    ends = [_boxes_after(solution, values, rolls_left, move) for move in (best, other)]
    moved = np.abs(ends[0] - ends[1])
    if moved.max() < _SAME:  # both lead to the same box, as where the order of the boxes is fixed
        moved = ends[0]
    pace = bonus_pace(card)
    for_bonus = pace is not None and pace.status is BonusStatus.OPEN
    weights: dict[Theme, float] = defaultdict(float)
    for box, chance in zip(solution.compiled.order, moved.tolist(), strict=True):
        weights[_theme_of_box(card.book.boxes[box], for_bonus=for_bonus)] += chance
    return max(THEMES, key=lambda theme: (round(weights[theme], 6), -THEMES.index(theme)))


def _boxes_after(
    solution: Solution, levels: NDArray[np.float64], rolls_left: int, move: Hold | Mark
) -> NDArray[np.float64]:
    """Return the chance that the turn ends in each box if it is played best after this move."""
    book, found = solution.compiled, np.zeros(solution.compiled.boxes)
    if isinstance(move, Mark):
        found[book.order.index(solution.book.place(move.box))] = 1.0
        return found
    near, leaf = tolerance(book), levels[0]
    thrown = throw_others(book.lattice, move.keep.faces)
    scored = scoring_chances(book.lattice, leaf.max(axis=1), thrown, rolls_left - 1, near)
    np.add.at(found, first_best(book, leaf, near), scored)
    return found


def _theme_of_box(box: Box, *, for_bonus: bool) -> Theme:
    pattern = box.pattern
    if isinstance(pattern, FaceSum):
        return Theme.BONUS if for_bonus else Theme.SETS
    if isinstance(pattern, Run | Exactly):
        return Theme.STRAIGHTS
    if isinstance(pattern, Groups) and len(pattern.sizes) > 1 and max(pattern.sizes) >= _SET:
        return Theme.FULL_HOUSE
    return Theme.CHANCE if isinstance(pattern, Anything) else Theme.SETS
