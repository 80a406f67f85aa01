"""The exact solver: `solve(book)` gives the optimal solo strategy of any rule book.

From a book to advice: `compile` turns rules into arrays, `sweep` fills the table of values with the compiled
`kernels`, `store` keeps it, `query` answers. `exact` is the slow reference that shares nothing with them.
"""

from __future__ import annotations

from fivedice.solver.solution.solved_book import Advice, Solution, solve

__all__ = ["Advice", "Solution", "solve"]
