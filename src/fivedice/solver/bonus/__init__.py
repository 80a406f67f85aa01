"""The chance of the upper bonus in every state under optimal play: one more sweep, which follows the moves that the
values choose. Made once a book, and kept beside its solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fivedice.solver.model import work_plan
from fivedice.solver.runtime.compile_watch import has_compiler
from fivedice.solver.runtime.solution_cache import TableCache
from fivedice.solver.values.saved_values import one_table
from fivedice.solver.values.turn_choices import tolerance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.odds.odds_kernels import Workspace
    from fivedice.solver.runtime.worker_threads import Progress
    from fivedice.solver.solution import Solution
    from fivedice.solver.values.value_kernels import Scratch

KIND = "bonus"
_CARDS_A_JOB = 512

_tables = TableCache(KIND)


def bonus_chances(solution: Solution, progress: Progress | None = None) -> NDArray[np.float64]:
    """[mask, flag, counted total]: the chance that the finished card has it. From memory, disk, or worked out."""
    book, values = solution.compiled, one_table(solution.table, solution.book)
    (table,) = _tables.get(solution.book.fingerprint, book.shape, lambda: (fill(book, values, progress),), progress)
    return table


def chances_if_possible(solution: Solution, progress: Progress | None = None) -> NDArray[np.float64] | None:
    """The same, or None where nothing can be worked out: a hint does without it."""
    found = known(solution)
    return bonus_chances(solution, progress) if found is None and has_compiler() else found


def known(solution: Solution) -> NDArray[np.float64] | None:
    """The table if it is at hand, in memory or on disk."""
    if solution.compiled.save_rolls:
        return None
    tables = _tables.known(solution.book.fingerprint, solution.compiled.shape)
    return None if tables is None else tables[0]


def fill(book: CompiledBook, values: NDArray[np.float64], progress: Progress | None = None) -> NDArray[np.float64]:
    """The table, from full cards back to the empty one."""
    from fivedice.solver.bonus import bonus_kernels as kernels  # only here, since it brings in numba
    from fivedice.solver.odds.forward_pass import kernel_tables, new_workspace
    from fivedice.solver.runtime.worker_threads import WorkerPool

    chances = np.full(book.shape, np.nan)
    chances[-1] = book.earned
    turns, game, outcomes = kernel_tables(book)
    slots = outcomes.alike + book.lattice.faces * book.boxes
    kinds, flag_kinds = (each(book, np.arange(len(values))) for each in (work_plan.kinds, work_plan.flag_kinds))
    common = outcomes, turns, game, tolerance(book)

    def new_area() -> tuple[Scratch, Workspace, NDArray[np.float64]]:
        return *new_workspace(book), np.zeros(work_plan.BLOCK * slots)

    done = 0
    with WorkerPool(new_area) as pool:

        def work(area: tuple[Scratch, Workspace, NDArray[np.float64]], masks: NDArray[np.int64]) -> int:
            kernels.bonus_masks(values, chances, masks, kinds[masks], flag_kinds[masks], *common, *area, pool.stop)
            return len(masks)

        for masks in work_plan.layers(book):
            jobs = max(4 * pool.threads, len(masks) // _CARDS_A_JOB)
            for count in pool.work(work, work_plan.dealt(masks, jobs)):
                done += count
                if progress is not None:
                    progress(done, len(values) - 1)
    chances.flags.writeable = False
    return chances
