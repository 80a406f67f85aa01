"""The variance of every state under optimal play, and its chance of the upper bonus: one more sweep, which follows
the moves that the values choose.

With the table of means it says, at once and from any card, how far a total may still stray. Made once a book, and
kept beside its solution.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fivedice.solver.model import work_plan
from fivedice.solver.runtime import table_store
from fivedice.solver.runtime.process_lock import alone
from fivedice.solver.runtime.sized_cache import Kept
from fivedice.solver.values import turn_values
from fivedice.solver.values.turn_choices import tolerance, turnout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.odds.odds_kernels import Room
    from fivedice.solver.solution.solved_book import Solution
    from fivedice.solver.values.value_kernels import Scratch
    from fivedice.solver.values.value_table import Progress

KIND = "spread"
BONUS_KIND = "bonus"
_CARDS_A_JOB = 512


class Followed(NamedTuple):
    """Two tables of [mask, flag, upper total]."""

    variance: NDArray[np.float64]  # of the points still to come
    bonus: NDArray[np.float64]  # the chance that the finished card has the upper bonus


_memory: MutableMapping[str, Followed] = Kept(lambda found: found.variance.nbytes + found.bonus.nbytes)
_locks: dict[str, Lock] = {}


def spread(solution: Solution, progress: Progress | None = None) -> NDArray[np.float64]:
    """[mask, flag, upper total]: the variance of the points still to come. From memory, disk, or worked out."""
    return follow(solution, progress).variance


def follow(solution: Solution, progress: Progress | None = None) -> Followed:
    """Both tables, from memory, disk, or worked out."""
    name = solution.book.fingerprint
    with _locks.setdefault(name, Lock()):
        return followed(solution) or _memory.setdefault(name, _worked_out(solution, progress))


def _worked_out(solution: Solution, progress: Progress | None) -> Followed:
    """Filled and stored, unless another process did both while we waited for it."""
    name = solution.book.fingerprint
    with alone(name, progress):
        found = followed(solution)
        if found is None:
            found = fill(solution.compiled, solution.table, progress)
            table_store.save(name, found.variance, KIND)
            table_store.save(name, found.bonus, BONUS_KIND)
        return found


def known(solution: Solution) -> NDArray[np.float64] | None:
    """The variances if they are at hand, in memory or on disk."""
    found = followed(solution)
    return None if found is None else found.variance


def followed(solution: Solution) -> Followed | None:
    """Both tables if they are at hand, in memory or on disk."""
    name, shape = solution.book.fingerprint, solution.compiled.shape
    found = _memory.get(name)
    if found is not None:
        return found
    variance, bonus = (table_store.load(name, shape, kind) for kind in (KIND, BONUS_KIND))
    return None if variance is None or bonus is None else _memory.setdefault(name, Followed(variance, bonus))


def fill(book: CompiledBook, values: NDArray[np.float64], progress: Progress | None = None) -> Followed:
    """Both tables, from full cards back to the empty one."""
    from fivedice.solver.odds.forward_pass import furniture, machinery
    from fivedice.solver.runtime.worker_threads import Crew
    from fivedice.solver.spread import spread_kernels as kernels  # only here, since it brings in numba

    masks_and_flags, lanes = book.shape[:2], book.shape[2]
    spreads = np.full((*masks_and_flags, 2, lanes), np.nan)
    spreads[-1] = 0.0
    spreads[-1, :, 1, book.threshold] = book.bonus > 0
    turns, game, outcomes = machinery(book)
    slots = outcomes.alike + book.lattice.faces * book.boxes
    close = tolerance(book)

    def furnish() -> tuple[Scratch, Room, NDArray[np.float64]]:
        return *furniture(book), np.zeros(work_plan.BLOCK * slots)

    done = 0
    with Crew(furnish) as crew:

        def work(area: tuple[Scratch, Room, NDArray[np.float64]], masks: NDArray[np.int64]) -> int:
            kinds = work_plan.kinds(book, masks)
            kernels.spread_masks(values, spreads, masks, kinds, outcomes, turns, game, close, *area, crew.stop)
            return len(masks)

        for masks in work_plan.layers(book):
            jobs = min(len(masks), max(4 * crew.threads, len(masks) // _CARDS_A_JOB))
            for count in crew.work(work, [masks[first::jobs].copy() for first in range(jobs)]):
                done += count
                if progress is not None:
                    progress(done, len(values) - 1)
    return Followed(_frozen(spreads[:, :, 0]), _frozen(spreads[:, :, 1]))


def _frozen(table: NDArray[np.float64]) -> NDArray[np.float64]:
    table = np.ascontiguousarray(table)
    table.flags.writeable = False
    return table


def mean_and_variance(
    solution: Solution, state: turn_values.State, rolls: NDArray[np.float64], rerolls: int
) -> tuple[float, float]:
    """Of the points still to come, from the chances of all rolls in mid-turn; the upper bonus is among them."""
    book = solution.compiled
    out = turnout(book, solution.table, state, rolls, rerolls)
    paid = out.points + out.extras + solution.table[out.masks, out.flags, out.lanes]
    mean = float(out.chances @ paid)
    later = spread(solution)[out.masks, out.flags, out.lanes]
    return mean, float(out.chances @ ((paid - mean) ** 2 + later))
