"""Grades of errors, and error rates that can be compared across players and rules.

A loss is compared with what is at stake: the win, or the final total that is expected from the empty sheet. All limits
are here; docs/decisions/0041-errors-and-even-luck.md says why they have these values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from statistics import fmean, stdev


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
