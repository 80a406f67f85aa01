"""`chase`: the strategy that maximises the chance of reaching a total."""

from __future__ import annotations

from fivedice.solver.chase.target_chase import Chase, chase

__all__ = ["Chase", "chase"]
