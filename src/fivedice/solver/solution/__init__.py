"""A solved book, and the questions that it answers about cards and rolls."""

from __future__ import annotations

from fivedice.solver.solution.solved_book import (
    TIE,
    Advice,
    Option,
    Solution,
    check_turn,
    compiled_book,
    keeps_within,
    known,
    options,
    ranked,
    solve,
    state_of,
)

__all__ = [
    "TIE",
    "Advice",
    "Option",
    "Solution",
    "check_turn",
    "compiled_book",
    "keeps_within",
    "known",
    "options",
    "ranked",
    "solve",
    "state_of",
]
