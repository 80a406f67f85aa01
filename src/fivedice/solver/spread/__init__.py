"""The variance of every state under optimal play, and its chance of the upper bonus: one more sweep, which follows
the moves that the values choose.

With the table of means it says, at once and from any card, how far a total may still stray. Made once a book, and
kept beside its solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fivedice.solver.model import work_plan
from fivedice.solver.runtime.solution_cache import TableCache
from fivedice.solver.values.saved_values import one_table
from fivedice.solver.values.turn_choices import tolerance, turnout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook, State
    from fivedice.solver.odds.odds_kernels import Workspace
    from fivedice.solver.runtime.worker_threads import Progress
    from fivedice.solver.solution import Solution
    from fivedice.solver.values.value_kernels import Scratch

KIND = "spread"
BONUS_KIND = "bonus"
_CARDS_A_JOB = 512


class Followed(NamedTuple):
    """Two tables of [mask, flag, counted total]."""

    variance: NDArray[np.float64]  # of the points still to come
    bonus: NDArray[np.float64]  # the chance that the finished card has the upper bonus


_tables = TableCache(KIND, BONUS_KIND)


def spread(solution: Solution, progress: Progress | None = None) -> NDArray[np.float64]:
    """[mask, flag, counted total]: the variance of the points still to come. From memory, disk, or worked out."""
    return follow(solution, progress).variance


def follow(solution: Solution, progress: Progress | None = None) -> Followed:
    """Both tables, from memory, disk, or worked out."""
    book, values = solution.compiled, one_table(solution.table, solution.book)
    tables = _tables.get(solution.book.fingerprint, book.shape, lambda: fill(book, values, progress), progress)
    return Followed(*tables)


def known(solution: Solution) -> NDArray[np.float64] | None:
    """The variances if they are at hand, in memory or on disk."""
    found = followed(solution)
    return None if found is None else found.variance


def followed(solution: Solution) -> Followed | None:
    """Both tables if they are at hand, in memory or on disk."""
    if solution.compiled.save_rolls:
        return None
    tables = _tables.known(solution.book.fingerprint, solution.compiled.shape)
    return None if tables is None else Followed(*tables)


def fill(book: CompiledBook, values: NDArray[np.float64], progress: Progress | None = None) -> Followed:
    """Both tables, from full cards back to the empty one."""
    from fivedice.solver.odds.forward_pass import kernel_tables, new_workspace
    from fivedice.solver.runtime.worker_threads import WorkerPool
    from fivedice.solver.spread import spread_kernels as kernels  # only here, since it brings in numba

    masks_and_flags, lanes = book.shape[:2], book.shape[2]
    spreads = np.full((*masks_and_flags, 2, lanes), np.nan)
    spreads[-1, :, 0], spreads[-1, :, 1] = 0.0, book.earned
    turns, game, outcomes = kernel_tables(book)
    slots = outcomes.alike + book.lattice.faces * book.boxes
    kinds, flag_kinds = (each(book, np.arange(len(values))) for each in (work_plan.kinds, work_plan.flag_kinds))
    common = outcomes, turns, game, tolerance(book)

    def new_area() -> tuple[Scratch, Workspace, NDArray[np.float64]]:
        return *new_workspace(book), np.zeros(work_plan.BLOCK * slots)

    done = 0
    with WorkerPool(new_area) as pool:

        def work(area: tuple[Scratch, Workspace, NDArray[np.float64]], masks: NDArray[np.int64]) -> int:
            kernels.spread_masks(values, spreads, masks, kinds[masks], flag_kinds[masks], *common, *area, pool.stop)
            return len(masks)

        for masks in work_plan.layers(book):
            jobs = max(4 * pool.threads, len(masks) // _CARDS_A_JOB)
            for count in pool.work(work, work_plan.dealt(masks, jobs)):
                done += count
                if progress is not None:
                    progress(done, len(values) - 1)
    return Followed(_frozen(spreads[:, :, 0]), _frozen(spreads[:, :, 1]))


def _frozen(table: NDArray[np.float64]) -> NDArray[np.float64]:
    table = np.ascontiguousarray(table)
    table.flags.writeable = False
    return table


def mean_and_variance(
    solution: Solution, state: State, rolls: NDArray[np.float64], rerolls: int
) -> tuple[float, float]:
    """Of the points still to come, from the chances of all rolls in mid-turn; bonuses are among them."""
    book, values = solution.compiled, one_table(solution.table, solution.book)
    out = turnout(book, values, state, rolls, rerolls)
    paid = out.points + out.extras + values[out.masks, out.flags, out.lanes]
    mean = float(out.chances @ paid)
    later = spread(solution)[out.masks, out.flags, out.lanes]
    return mean, float(out.chances @ ((paid - mean) ** 2 + later))
