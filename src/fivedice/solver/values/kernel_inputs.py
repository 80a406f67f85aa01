"""The arrays that the kernels read and work in, and the table of values that they fill, on all cores.

The table is filled layer by layer, from full cards back to the empty one. Cards with equally many filled boxes do not
depend on each other, so the threads of a layer share one table without locks; between layers they wait for each other.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from fivedice.errors import IllegalError
from fivedice.solver.model import work_plan
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from fivedice.solver.model.book_arrays import CompiledBook, Lattice
    from fivedice.solver.values.value_kernels import ScoreArrays, Scratch, TurnArrays


def turn_arrays(book: CompiledBook, lanes: int = work_plan.BLOCK) -> TurnArrays:
    from fivedice.solver.values.value_kernels import TurnArrays

    grid = book.lattice
    return TurnArrays(
        faces=grid.faces,
        successors=_offsets(grid.successors.reshape(-1), grid, lanes),
        predecessors=_offsets(grid.predecessors, grid, lanes),
        groups=grid.groups,
        weights=grid.weights,
        rerolls=book.rolls - 1,
    )


def _offsets(rows: NDArray[np.integer[Any]], grid: Lattice, lanes: int) -> NDArray[np.unsignedinteger[Any]]:
    """Return rows as places in the work area, in 16 bits where they fit: the tables share the cache with the rows."""
    places = rows.astype(np.uint32) * np.uint32(lanes)
    return places.astype(np.uint16) if grid.rows * lanes <= 1 << 16 else places


def game_arrays(book: CompiledBook, lanes: int = work_plan.BLOCK, *, zeros: bool = False) -> ScoreArrays:
    from fivedice.solver.values.value_kernels import Rungs, ScoreArrays

    scores, blocks, flags = work_plan.entries(book, zeros=zeros), work_plan.blocks(book), work_plan.flags(book)
    slots, ladder = book.slots, book.ladder
    return ScoreArrays(
        boxes=book.boxes,
        width=_width(book),
        totals=np.arange(_width(book), dtype=np.float64),
        first_roll=book.lattice.first_roll,
        block_starts=blocks.starts,
        block_lanes=blocks.lanes,
        floors=blocks.floors,
        flag_starts=flags.starts,
        flag_list=flags.flags,
        flag_sources=flags.sources,
        counted=book.counted,
        fixed_order=book.fixed_order,
        first=book.first,
        slot_boxes=slots.boxes,
        zero_slots=slots.zero,
        entry_starts=scores.starts,
        entry_rows=_offsets(scores.rows, book.lattice, lanes),
        entry_points=scores.points,
        entry_worths=scores.points.astype(np.float64),
        alike_rows=_offsets(book.lattice.alike, book.lattice, lanes),
        alike_points=book.alike,
        alike_slots=slots.alike,
        policy_box=book.policy_box,
        extra=book.extra,
        flag_after=slots.usual,
        flag_after_paid=slots.paid,
        prices=ladder.prices,
        ladder=Rungs(book.policy_box, ladder.applies, ladder.faces, ladder.offers),
    )


def new_scratch(book: CompiledBook) -> Scratch:
    from fivedice.solver.values.value_kernels import Scratch

    choices, slots = book.lattice.faces * book.boxes, len(book.slots.boxes)
    return Scratch(
        work=aligned_zeros(work_plan.BLOCK * book.lattice.rows),
        rows=aligned_zeros(2 * slots * _width(book)),
        alike_row=np.zeros(slots, dtype=np.int64),
        places=np.zeros(choices, dtype=np.uint32),
        points=np.zeros(choices),
        legal=np.zeros(book.lattice.faces, dtype=np.int64),
        prices=np.zeros(book.lattice.faces, dtype=np.int64),
        extras=np.zeros(book.lattice.faces, dtype=np.int64),
        values=aligned_zeros(work_plan.BLOCK),
    )


def _width(book: CompiledBook) -> int:
    """Return the lanes of a padded row: the highest block is read as far on as the highest counted score shifts it."""
    lanes = book.lanes + work_plan.BLOCK + work_plan.highest_counted(book)
    return -(-lanes // work_plan.BLOCK) * work_plan.BLOCK


def aligned_zeros(size: int, kind: DTypeLike = np.float64) -> NDArray[Any]:
    """Return zeros that begin at a cache line, so that no block straddles two lines."""
    line = 64 // np.dtype(kind).itemsize
    numbers = np.zeros(size + line, dtype=kind)
    skip = -numbers.ctypes.data // numbers.itemsize % line
    return numbers[skip : skip + size]


def alike_faces(book: CompiledBook) -> NDArray[np.uint8]:
    """Return the face that all dice show, counted from 1, or 0, as [rolls]."""
    faces = np.zeros(len(book.plain), dtype=np.uint8)
    faces[book.lattice.alike - book.lattice.first_roll] = np.arange(1, book.lattice.faces + 1)
    return faces


_CARDS_A_JOB = 2048  # few enough that progress moves, enough that handing them out takes no time


def fill(book: CompiledBook, progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the value of every state, as [mask, flag, counted total]; NaN for cards that cannot be.

    A full card is worth the bonuses that it has earned. An exception from `progress`, or Ctrl-C, stops the work at once
    and leaves nothing behind.
    """
    from fivedice.solver.values.value_kernels import solve_masks  # imported late: stored tables need no numba

    if prod(book.shape) * 8 > MOST_BYTES:
        raise IllegalError("solver.too-large", size=" × ".join(map(str, book.shape)))
    table, turn, game = np.full(book.shape, np.nan), turn_arrays(book), game_arrays(book)
    table[-1] = book.final
    kinds, flag_kinds = (each(book, np.arange(len(table))) for each in (work_plan.kinds, work_plan.flag_kinds))
    with WorkerPool(lambda: new_scratch(book), progress=progress, total=len(table) - 1) as pool:

        def work(scratch: Scratch, masks: NDArray[np.int64]) -> int:
            solve_masks(table, masks, kinds[masks], flag_kinds[masks], turn, game, scratch, pool.stop)
            return len(masks)

        for masks in work_plan.layers(book):
            pool.run(work, work_plan.deal(masks, max(8 * pool.threads, len(masks) // _CARDS_A_JOB)))
    return table
