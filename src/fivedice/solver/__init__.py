"""The exact solver: `solve(book)` gives the optimal solo strategy of any rule book.

From a book to advice: `model` turns rules into arrays, `values` fills the table of values with compiled kernels,
`runtime` keeps it, and `solution` answers. `odds`, `endings`, `bonus`, `chase` and `simulate` ask for more than the
mean.

Loading this package is cheap; numpy and the solver are loaded with the first of these names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fivedice.solver.solution import Advice, Solution, solve

__all__ = ["Advice", "Solution", "solve"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fivedice.solver' has no attribute {name!r}")
    from fivedice.solver import solution

    return getattr(solution, name)
