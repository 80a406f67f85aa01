"""The file with which a phone gives advice by itself: the `compact_values` of a solved book."""

from __future__ import annotations

import numpy as np

from fivedice.core.rules import RuleBook
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime.solve_limits import fits_a_phone
from fivedice.solver.solution import known, solve
from fivedice.solver.values.compact_values import NOWHERE, compact


def packed_values(book: RuleBook, *, patient: bool = False) -> bytes | None:
    """Return the file, from a stored solution or, with `patient`, solved now.

    Return None if there is no solution, or if the file would be too large for a phone.
    """
    if not fits_a_phone(book) or max(compiled_book(book).shape[1:]) >= NOWHERE:
        return None
    solution = solve(book) if patient else known(book)
    if solution is None or not isinstance(solution.table, np.ndarray):
        return None
    return compact(solution.compiled, solution.table, book.fingerprint)
