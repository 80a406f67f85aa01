"""Filling the table of values: layer by layer from full cards back to the empty one, on all cores.

Cards with equally many filled boxes do not depend on each other, so the threads of a layer share one table without
locks; between layers they wait for each other.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from fivedice.errors import IllegalError
from fivedice.solver.model import work_plan
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.values.kernel_inputs import game_arrays, new_scratch, turn_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.values.value_kernels import Scratch

_CARDS_A_JOB = 2048  # few enough that progress moves, enough that handing them out costs nothing


def fill(book: CompiledBook, progress: Progress | None = None) -> NDArray[np.float64]:
    """The value of every state, as [mask, flag, upper total]; what no card can be is not a number.

    A full card is worth the bonus if its upper total has earned it. An exception from `progress`, or Ctrl-C, stops
    the work at once and leaves nothing behind.
    """
    from fivedice.solver.values.value_kernels import solve_masks  # here: advice from a stored table needs no numba

    table, turn, game = _empty_table(book), turn_arrays(book), game_arrays(book)
    kinds = work_plan.kinds(book, np.arange(len(table)))
    done = 0
    with WorkerPool(lambda: new_scratch(book)) as pool:

        def work(scratch: Scratch, masks: NDArray[np.int64]) -> int:
            solve_masks(table, masks, kinds[masks], turn, game, scratch, pool.stop)
            return len(masks)

        for masks in work_plan.layers(book):
            for count in pool.work(work, work_plan.dealt(masks, max(8 * pool.threads, len(masks) // _CARDS_A_JOB))):
                done += count
                if progress is not None:
                    progress(done, len(table) - 1)
    return table


def _empty_table(book: CompiledBook) -> NDArray[np.float64]:
    if prod(book.shape) * 8 > MOST_BYTES:
        raise IllegalError("solver.too-large", size=" × ".join(map(str, book.shape)))
    table = np.full(book.shape, np.nan)
    table[-1] = 0.0
    table[-1, :, book.threshold] = book.bonus
    return table
