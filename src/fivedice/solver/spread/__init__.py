"""The variance of every state under optimal play, and its chance of the upper bonus."""

from __future__ import annotations

from fivedice.solver.spread.spread_table import (
    BONUS_KIND,
    KIND,
    Followed,
    fill,
    follow,
    followed,
    known,
    mean_and_variance,
    spread,
)

__all__ = ["BONUS_KIND", "KIND", "Followed", "fill", "follow", "followed", "known", "mean_and_variance", "spread"]
