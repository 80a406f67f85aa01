"""The chance of the upper bonus in every state under optimal play.

It takes one more sweep, which follows the moves that the values choose. It is made once per book and stored with its
solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fivedice.solver.model import work_plan
from fivedice.solver.runtime.compile_watch import has_compiler
from fivedice.solver.runtime.solution_cache import SolvedTables
from fivedice.solver.values.saved_values import one_table
from fivedice.solver.values.turn_choices import tolerance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.odds.odds_kernels import OddsWorkspace
    from fivedice.solver.runtime.worker_threads import Progress
    from fivedice.solver.solution import Solution
    from fivedice.solver.values.value_kernels import Scratch

KIND = "bonus"
_CARDS_A_JOB = 512

_tables = SolvedTables(KIND)


def bonus_chances(solution: Solution, progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the chance of the bonus on the finished card, as [mask, flag, counted total]: cached, stored, or worked
    out.
    """
    book, values = solution.compiled, one_table(solution.table, solution.book)
    (table,) = _tables.get(solution.book.fingerprint, book.shape, lambda: (fill(book, values, progress),), progress)
    return table


def chances_if_possible(solution: Solution, progress: Progress | None = None) -> NDArray[np.float64] | None:
    """Return the same, or None if it is not stored and cannot be worked out here: a hint does without it."""
    found = known(solution)
    return bonus_chances(solution, progress) if found is None and has_compiler() else found


def known(solution: Solution) -> NDArray[np.float64] | None:
    """Return the table if it is in memory or on disk, else None."""
    if solution.compiled.save_rolls:
        return None
    tables = _tables.known(solution.book.fingerprint, solution.compiled.shape)
    return None if tables is None else tables[0]


def fill(book: CompiledBook, values: NDArray[np.float64], progress: Progress | None = None) -> NDArray[np.float64]:
    """Work out the table, from full cards back to the empty one."""
    from fivedice.solver.odds import odds_kernels as kernels  # imported late because it needs numba
    from fivedice.solver.odds.forward_pass import kernel_tables, new_workspace
    from fivedice.solver.runtime.worker_threads import WorkerPool

    chances = np.full(book.shape, np.nan)
    chances[-1] = book.earned
    turns, game, outcomes = kernel_tables(book)
    slots = outcomes.alike + book.lattice.faces * book.boxes
    kinds, flag_kinds = (each(book, np.arange(len(values))) for each in (work_plan.kinds, work_plan.flag_kinds))
    common = outcomes, turns, game, tolerance(book)

    def new_area() -> tuple[Scratch, OddsWorkspace, NDArray[np.float64]]:
        return *new_workspace(book), np.zeros(work_plan.BLOCK * slots)

    with WorkerPool(new_area, progress=progress, total=len(values) - 1) as pool:

        def work(area: tuple[Scratch, OddsWorkspace, NDArray[np.float64]], masks: NDArray[np.int64]) -> int:
            kernels.bonus_masks(values, chances, masks, kinds[masks], flag_kinds[masks], *common, *area, pool.stop)
            return len(masks)

        for masks in work_plan.layers(book):
            jobs = max(4 * pool.threads, len(masks) // _CARDS_A_JOB)
            pool.run(work, work_plan.deal(masks, jobs))
    chances.flags.writeable = False
    return chances
