"""The theme of a decision: what the best move and another one differ in.

A theme follows from the patterns of the boxes, so house rules and other languages have the same themes.
"""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Hold, Mark, Scorecard, judge
from fivedice.core.game.card import BonusStatus, bonus_pace
from fivedice.core.rules import Anything, Box, Exactly, FaceSum, Groups, Run
from fivedice.solver.values.turn_choices import first_best, scoring_chances, throw_others, tolerance

if TYPE_CHECKING:
    from fivedice.solver import Solution

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
