"""How bad a loss is, and how often: classes of errors and rates that compare across players and rules.

A loss is measured by what is at stake: the win, or the final total that is expected from the empty card. All limits
stand here; docs/decisions/0041-errors-and-even-luck.md says why they are what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from statistics import fmean, stdev


class Currency(StrEnum):
    """What decisions are judged by: the win where others play too, points where somebody plays alone."""

    WIN = "win"
    POINTS = "points"


class Grade(StrEnum):
    """A class of errors."""

    SMALL = "small"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LIMITS = ((0.04, Grade.BLUNDER), (0.01, Grade.MISTAKE), (0.0, Grade.SMALL))  # of the stake, from which on
SCALE = 1000  # a rate of 5 is five thousandths of the stake, lost by a decision on average


def grade_of(loss: float, stake: float) -> Grade | None:
    """None for what loses nothing."""
    if loss <= 0 or stake <= 0:
        return None
    return next(grade for limit, grade in LIMITS if loss >= limit * stake)


def count_grades(grades: Iterable[Grade | None]) -> dict[Grade, int]:
    """All classes, the worst first."""
    found = Counter(grades)
    return {grade: found[grade] for _, grade in LIMITS}


def error_rate(losses: Sequence[float], stake: float) -> float | None:
    """Of unforced decisions: what they lose on average, in thousandths of the stake."""
    return SCALE * fmean(losses) / stake if losses and stake > 0 else None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over games, with its standard error: unknown for a single one."""

    value: float
    error: float | None
    count: int


def mean_of(values: Iterable[float | None]) -> Mean | None:
    """Of those that are known; None where none is."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return Mean(fmean(known), stdev(known) / sqrt(len(known)) if len(known) > 1 else None, len(known))
