"""`odds`: the exact distribution of the final total when the mean is played for."""

from __future__ import annotations

from fivedice.solver.odds.final_odds import Odds, play_on, totals

__all__ = ["Odds", "play_on", "totals"]
