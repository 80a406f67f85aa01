"""The exact solver: `solve(book)` returns the optimal solo strategy for any rule book.

`model` turns the rules into arrays, `values` fills the table of values with compiled kernels, `runtime` stores it, and
`solution` answers questions. `odds`, `endings`, `bonus`, `chase` and `simulate` answer more than the mean.

Importing this package is cheap; numpy and the solver are loaded when one of these names is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fivedice.solver.solution import Advice, Solution, find_solution, solve

__all__ = ["Advice", "Solution", "find_solution", "solve"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fivedice.solver' has no attribute {name!r}")
    from fivedice.solver import solution

    return getattr(solution, name)
