"""`simulate`: many solo games at once, seeded and reproducible."""

from __future__ import annotations

from fivedice.solver.simulate.simulation import Progress, Simulation, check_games, simulate

__all__ = ["Progress", "Simulation", "check_games", "simulate"]
