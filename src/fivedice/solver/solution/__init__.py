"""A solved book, and the questions that it answers about cards and rolls."""

from __future__ import annotations

from fivedice.solver.solution.advice import TIE, Advice, Option, check_turn, keeps_within, options, ranked, state_of
from fivedice.solver.solution.solved_book import Solution, known, solve

__all__ = [
    "TIE",
    "Advice",
    "Option",
    "Solution",
    "check_turn",
    "keeps_within",
    "known",
    "options",
    "ranked",
    "solve",
    "state_of",
]
