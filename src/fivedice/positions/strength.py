"""One's own strength: the points given away per game, with their interval and trend, next to the levels of bots."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import fmean, variance
from typing import Any

from fivedice.message import Message, Signed, message
from fivedice.positions.bank import level_losses
from fivedice.reports.decisions import Mean, mean_of
from fivedice.reports.statistics import BookStatistics
from fivedice.reports.statistics_lines import statistics_to_json
from fivedice.text import name_of, points, word

WIDTH = 1.96  # standard errors on each side: 95 of 100 such intervals contain the truth
_LEAST = 4  # games before there is a trend


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of a player in one book."""

    book: str
    fingerprint: str  # of the table of values that all of these numbers come from
    lost: Mean
    trend: Mean | None  # the newer half of the games minus the older half: below 0 is better
    by_theme: dict[str, float]
    levels: dict[str, float]  # what each human-like level gives away, weakest first; empty for house rules

    @property
    def interval(self) -> float | None:
        """Return the half width of the interval; None after a single game."""
        return None if self.lost.error is None else WIDTH * self.lost.error

    @property
    def between(self) -> tuple[str | None, str | None]:
        """Return the next weaker level and the next stronger one."""
        weaker = [level for level, lost in self.levels.items() if lost > self.lost.value]
        stronger = [level for level, lost in self.levels.items() if lost <= self.lost.value]
        return (weaker[-1] if weaker else None), (stronger[0] if stronger else None)

    @property
    def headline(self) -> Message:
        """Return the points with their interval."""
        if self.interval is None:
            return message("coach.train-gives-away", lost=round(self.lost.value, 1))
        return message("coach.train-gives-away-within", lost=round(self.lost.value, 1), within=round(self.interval, 1))

    @property
    def placed(self) -> Message | None:
        """Return where the player stands among the levels of bots."""
        weaker, stronger = self.between
        if not self.levels:
            return None
        if weaker is None or stronger is None:
            kind = "coach.train-above-all" if stronger is None else "coach.train-below-all"
            return message(kind, level=message(f"coach.train-level-{weaker or stronger}"))
        return message(
            "coach.train-between",
            weaker=message(f"coach.train-level-{weaker}"),
            stronger=message(f"coach.train-level-{stronger}"),
        )

    @property
    def course(self) -> Message | None:
        """Return the trend as a sentence, once there are a few games."""
        if self.trend is None:
            return None
        change, error = self.trend.value, self.trend.error or 0.0
        if abs(change) < WIDTH * error:
            return message("coach.train-trend-even", change=Signed(round(change, 1)))
        return message(
            "coach.train-trend-better" if change < 0 else "coach.train-trend-worse", change=round(abs(change), 1)
        )

    @property
    def themes(self) -> list[tuple[str, str]]:
        """Return the name of each theme with the points given away in it per game, the costliest first."""
        return [(word(f"coach.train-theme-{theme}"), points(lost)) for theme, lost in self.by_theme.items()]

    @property
    def level_lines(self) -> list[tuple[str, str]]:
        """Return the name of each level with the points that it gives away per game."""
        return [(word(f"coach.train-level-{level}"), points(lost)) for level, lost in self.levels.items()]

    @property
    def ladder(self) -> list[tuple[str, str, bool, int]]:
        """Return bots and the player, the weakest first: name, points, whether it is you, and the share of the most."""
        rungs = [(word(f"coach.train-level-{level}"), lost, False) for level, lost in self.levels.items()]
        rungs = sorted([*rungs, (word("coach.train-you"), self.lost.value, True)], key=lambda rung: -rung[1])
        most = max(rungs[0][1], 0.1)
        return [(name, points(lost), yours, round(100 * lost / most)) for name, lost, yours in rungs]

    def to_json(self) -> dict[str, Any]:
        """Return all figures for programs."""
        trend = None if self.trend is None else {"change": self.trend.value, "error": self.trend.error}
        return {
            "lost": {"mean": self.lost.value, "error": self.lost.error, "games": self.lost.count},
            "interval": self.interval,
            "trend": trend,
            "by_theme": self.by_theme,
            "levels": self.levels,
            "between": list(self.between),
            "fingerprint": self.fingerprint,
        }


def statistics_with_strength(books: list[BookStatistics]) -> dict[str, Any]:
    """Return the statistics of all books for programs, each with the strength of the player."""
    found = statistics_to_json(books)
    for data, each in zip(found["books"], books, strict=True):
        strength = strength_of(each)
        data["strength"] = None if strength is None else strength.to_json()
    return found


def strength_of(found: BookStatistics) -> Strength | None:
    """Return the strength of a player in one book; None without a fully noted game."""
    lost = mean_of(found.losses)
    if lost is None:
        return None
    levels = level_losses(found.book)
    return Strength(
        name_of(found.book), found.book.fingerprint, lost, _trend(found.losses), found.lost_by_theme, levels
    )


def _trend(losses: list[float]) -> Mean | None:
    """Return the newer half of the games minus the older half, with the standard error of that."""
    if len(losses) < _LEAST:
        return None
    older, newer = losses[: len(losses) // 2], losses[len(losses) // 2 :]
    error = sqrt(variance(older) / len(older) + variance(newer) / len(newer))
    return Mean(fmean(newer) - fmean(older), error, len(losses))
