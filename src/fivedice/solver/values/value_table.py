"""Filling the table of values: layer by layer from full cards back to the empty one, on all cores.

Cards with equally many filled boxes do not depend on each other, so the threads of a layer share one table without
locks; between layers they wait for each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from math import prod
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from fivedice.errors import IllegalError
from fivedice.solver.model import work_plan

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.model.dice_lattice import Lattice
    from fivedice.solver.values.value_kernels import Game, Scratch, Turn

Progress: TypeAlias = Callable[[int, int], None]  # cards done, cards in all

_MOST_BYTES = 1 << 32
_CARDS_A_JOB = 2048  # few enough that progress moves, enough that handing them out costs nothing


def fill(book: CompiledBook, progress: Progress | None = None) -> NDArray[np.float64]:
    """The value of every state, as [mask, flag, upper total]; what no card can be is not a number.

    A full card is worth the bonus if its upper total has earned it. An exception from `progress`, or Ctrl-C, stops
    the work at once and leaves nothing behind.
    """
    table = _empty_table(book)
    sweep = _Sweep(book, table, _threads())
    done = 0
    try:
        for masks in work_plan.layers(book):
            for job in as_completed(sweep.submit(masks)):
                done += job.result()
                if progress is not None:
                    progress(done, len(table) - 1)
    finally:
        sweep.end()
    return table


class _Sweep:
    """The threads, the arrays that they read, and a scratch area for each of them."""

    def __init__(self, book: CompiledBook, table: NDArray[np.float64], threads: int) -> None:
        from fivedice.solver.values import (
            value_kernels as kernels,  # here, because advice from a stored table does without numba
        )

        self._run = kernels.solve_masks
        self._book = book
        self._threads = threads
        self._arrays = table, _turn(book), _game(book)
        self._stop = np.zeros(1, dtype=np.uint8)
        self._scratch: SimpleQueue[Scratch] = SimpleQueue()
        for _ in range(threads):
            self._scratch.put(_scratch(book))
        self._pool = ThreadPoolExecutor(threads, "fivedice-solver")

    def submit(self, masks: NDArray[np.int64]) -> list[Future[int]]:
        """Deal out a layer like cards, so that every job gets easy and hard ones."""
        kinds = work_plan.kinds(self._book, masks)
        jobs = max(8 * self._threads, len(masks) // _CARDS_A_JOB)
        parts = [slice(first, None, jobs) for first in range(min(jobs, len(masks)))]
        return [self._pool.submit(self._work, masks[part].copy(), kinds[part].copy()) for part in parts]

    def end(self) -> None:
        self._stop[0] = 1
        self._pool.shutdown(cancel_futures=True)

    def _work(self, masks: NDArray[np.int64], kinds: NDArray[np.int64]) -> int:
        table, turn, game = self._arrays
        scratch = self._scratch.get()
        try:
            self._run(table, masks, kinds, turn, game, scratch, self._stop)
        finally:
            self._scratch.put(scratch)
        return len(masks)


def _threads() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _empty_table(book: CompiledBook) -> NDArray[np.float64]:
    if prod(book.shape) * 8 > _MOST_BYTES:
        size = " x ".join(map(str, book.shape))
        raise IllegalError(f"this book is too large to be solved: it has {size} states (cards, flags, upper totals)")
    table = np.full(book.shape, np.nan)
    table[-1] = 0.0
    table[-1, :, book.threshold] = book.bonus
    return table


def _turn(book: CompiledBook, lanes: int = work_plan.BLOCK) -> Turn:
    from fivedice.solver.values.value_kernels import Turn

    grid = book.lattice
    return Turn(
        faces=grid.faces,
        successors=_offsets(grid.successors.reshape(-1), grid, lanes),
        predecessors=_offsets(grid.predecessors, grid, lanes),
        groups=grid.groups,
        weights=grid.weights,
        rerolls=book.rolls - 1,
    )


def _offsets(rows: NDArray[np.integer[Any]], grid: Lattice, lanes: int) -> NDArray[np.unsignedinteger[Any]]:
    """Rows as places in the work area, in 16 bits where they fit: the tables share the cache with the rows."""
    places = rows.astype(np.uint32) * np.uint32(lanes)
    return places.astype(np.uint16) if grid.rows * lanes <= 1 << 16 else places


def _game(book: CompiledBook, lanes: int = work_plan.BLOCK) -> Game:
    from fivedice.solver.values.value_kernels import Game

    scores, blocks, ladder = work_plan.entries(book), work_plan.blocks(book), book.ladder
    return Game(
        boxes=book.boxes,
        width=_width(book),
        totals=np.arange(_width(book), dtype=np.float64),
        first_roll=book.lattice.first_roll,
        block_starts=blocks.starts,
        block_lanes=blocks.lanes,
        floors=blocks.floors,
        upper=book.upper,
        fixed_order=book.fixed_order,
        entry_starts=scores.starts,
        entry_rows=_offsets(scores.rows, book.lattice, lanes),
        entry_points=scores.points,
        entry_worths=scores.points.astype(np.float64),
        alike_rows=_offsets(book.lattice.alike, book.lattice, lanes),
        alike_points=book.alike,
        policy_box=book.policy_box,
        extra=book.extra,
        flag_after_extra=book.flag_after_extra,
        flag_after_points=book.flag_after_points,
        offers=ladder.offers,
        prices=ladder.prices,
        face_boxes=ladder.faces,
        applies=ladder.applies,
    )


def _scratch(book: CompiledBook) -> Scratch:
    from fivedice.solver.values.value_kernels import Scratch

    choices = book.lattice.faces * book.boxes
    return Scratch(
        work=_aligned(work_plan.BLOCK * book.lattice.rows),
        rows=_aligned(2 * book.boxes * _width(book)),
        alike_row=np.zeros(book.boxes, dtype=np.int64),
        places=np.zeros(choices, dtype=np.uint32),
        points=np.zeros(choices),
        values=_aligned(work_plan.BLOCK),
    )


def _width(book: CompiledBook) -> int:
    """Lanes of a padded row: the highest block may be read as far on as the highest upper score shifts it."""
    lanes = book.lanes + work_plan.BLOCK + work_plan.highest_upper(book)
    return -(-lanes // work_plan.BLOCK) * work_plan.BLOCK


def _aligned(size: int, kind: DTypeLike = np.float64) -> NDArray[Any]:
    """Zeros that begin where a cache line does, so that no block straddles two lines."""
    line = 64 // np.dtype(kind).itemsize
    room = np.zeros(size + line, dtype=kind)
    skip = -room.ctypes.data // room.itemsize % line
    return room[skip : skip + size]
