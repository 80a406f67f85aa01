"""`simulate`: many solo games at once, seeded and reproducible."""

from __future__ import annotations

from fivedice.solver.simulate.simulation import Simulation, check_games, simulate

__all__ = ["Simulation", "check_games", "simulate"]
