"""Filling the chances of all rows of a chase: layer by layer from full cards back to the start, on all cores."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fivedice.errors import IllegalError
from fivedice.solver.model import work_plan
from fivedice.solver.model.reachable_states import ROUND, Needs
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.values.kernel_inputs import aligned, game_arrays, turn_arrays

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from fivedice.solver.chase.chase_kernels import Rows, Slots, Workspace
    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.model.reachable_states import ReachableStates

_CARDS_A_JOB = 16


def fill_chase_table(
    reachable: ReachableStates, bounds: Needs, kind: DTypeLike, progress: Progress | None = None
) -> NDArray[Any]:
    """The chances of all rows. Progress counts needs; an exception from it, or Ctrl-C, stops the work at once."""
    table = _empty_table(reachable, bounds, kind)
    chase = _ChaseFill(reachable, bounds, table)
    done, total = 0, chase.lanes(np.arange(reachable.cards.layers[-2]))
    with WorkerPool(chase.new_workspace) as pool:
        for layer in chase.layers():
            for lanes in pool.work(lambda workspace, cards: chase.run(cards, workspace, pool.stop), layer):
                done += lanes
                if progress is not None:
                    progress(done, total)
    return table


def _empty_table(reachable: ReachableStates, bounds: Needs, kind: DTypeLike) -> NDArray[Any]:
    size = int(bounds.offsets[-1]) * np.dtype(kind).itemsize
    if size > MOST_BYTES:
        raise IllegalError("solver.chase-too-large", size=size / 1e9)
    table = np.zeros(bounds.offsets[-1], dtype=kind)
    first, last = reachable.cards.rows[reachable.cards.layers[-2]], reachable.cards.rows[-1]
    for row in range(first, last):  # of full cards: what the bonus brings is certain
        table[bounds.offsets[row] : bounds.offsets[row + 1]][: max(0, bounds.possible[row])] = 1.0
    return table


class _ChaseFill:
    """The arrays that all threads read, and what each works in."""

    def __init__(self, reachable: ReachableStates, bounds: Needs, table: NDArray[Any]) -> None:
        from fivedice.solver.chase import chase_kernels  # here, because it brings in numba

        self._kernels = chase_kernels
        self._reachable = reachable
        self._table = table
        self._offsets = bounds.offsets
        self._lanes = 64 // table.itemsize
        longest = int(np.diff(bounds.offsets).max(initial=0)) + ROUND
        self._rows = _rows(reachable, bounds)
        self._slots = _slots(reachable.book, longest)
        self._turn = turn_arrays(reachable.book, self._lanes)._replace(
            weights=reachable.book.lattice.weights.astype(table.dtype)
        )
        self._game = game_arrays(reachable.book, self._lanes)

    def layers(self) -> Iterator[list[NDArray[np.int64]]]:
        """From nearly full cards back to the start, each layer dealt out in small parts."""
        bounds = self._reachable.cards.layers
        for start, stop in reversed(list(pairwise(bounds[:-1]))):
            jobs = -(-(stop - start) // _CARDS_A_JOB)
            yield [np.arange(start + first, stop, jobs) for first in range(jobs)]

    def lanes(self, cards: NDArray[np.int64]) -> int:
        rows = self._reachable.cards.rows
        return int((self._offsets[rows[cards + 1]] - self._offsets[rows[cards]]).sum())

    def run(self, cards: NDArray[np.int64], workspace: Workspace, stop: NDArray[np.uint8]) -> int:
        every = self._reachable.cards
        chosen = every.masks[cards], every.flags[cards], every.kinds[cards]
        self._kernels.solve_cards(
            self._table, *chosen, self._rows, self._slots, self._turn, self._game, workspace, stop
        )
        return self.lanes(cards)

    def new_workspace(self) -> Workspace:
        book, slots = self._reachable.book, self._slots
        return self._kernels.Workspace(
            work=aligned(self._lanes * book.lattice.rows, self._table.dtype),
            slots=np.ones(2 * len(slots.boxes) * slots.width, dtype=self._table.dtype),
            places=np.zeros(book.lattice.faces * book.boxes, dtype=np.uint32),
        )


def _rows(reachable: ReachableStates, bounds: Needs) -> Rows:
    from fivedice.solver.chase.chase_kernels import Rows

    return Rows(
        first_rows=reachable.first_rows,
        ranks=reachable.totals.ranks,
        kind_bits=reachable.kind_bits,
        starts=reachable.totals.starts,
        totals=reachable.totals.highest,
        offsets=bounds.offsets,
        threshold=reachable.book.threshold,
    )


def _slots(book: CompiledBook, longest: int) -> Slots:
    """One for every box and every number of upper points; a lower box has one slot only."""
    from fivedice.solver.chase.chase_kernels import Slots

    shifts = [_shifts(book, box) for box in range(book.boxes)]
    number = {
        pair: place for place, pair in enumerate((box, each) for box in range(book.boxes) for each in shifts[box])
    }
    pad = min(longest, -(-_highest(book) // ROUND) * ROUND)
    width = pad + longest
    entries = work_plan.entries(book)
    box_of_entry = np.repeat(np.arange(book.boxes), np.diff(entries.starts))
    scored = zip(box_of_entry.tolist(), entries.points.tolist(), strict=True)
    places = [number[box, _shift(book, box, points)] * width + pad - min(points, pad) for box, points in scored]
    alike = [
        [[number[box, _shift(book, box, points)] for box, points in enumerate(row)] for row in price]
        for price in book.alike.tolist()
    ]
    return Slots(
        width=width,
        pad=pad,
        boxes=np.array([box for box, _ in number]),
        shifts=np.array([shift for _, shift in number]),
        zero=np.array([number[box, 0] for box in range(book.boxes)]),
        entry_places=np.array(places, dtype=np.uint32),
        alike=np.array(alike),
    )


def _shift(book: CompiledBook, box: int, points: int) -> int:
    return points if book.upper >> box & 1 else 0


def _shifts(book: CompiledBook, box: int) -> list[int]:
    return sorted({_shift(book, box, points) for points in work_plan.possible_points(book, box)})


def _highest(book: CompiledBook) -> int:
    return int(max(book.plain.max(), book.alike.max() + book.extra.max()))
