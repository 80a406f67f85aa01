"""The exact solver: `solve(book)` gives the optimal solo strategy of any rule book.

From a book to advice: `model` turns rules into arrays, `values` fills the table of values with compiled kernels,
`runtime` keeps it, and `solution` answers. `odds`, `endings`, `bonus`, `chase` and `simulate` ask for more than the
mean.
"""

from __future__ import annotations

from fivedice.solver.solution import Advice, Solution, solve

__all__ = ["Advice", "Solution", "solve"]
