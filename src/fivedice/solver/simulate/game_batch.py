"""Games that are played together, a turn at a time. Needs numba.

Before each turn the games are sorted by state, so that the moves of a block of neighbouring states are worked out once,
in the first-level cache, and serve all games in it. Every throw is a function of seed, game and place in the game, so
neither the order of the games nor the number of threads matters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll, keeps_of
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook
from fivedice.solver.runtime.worker_threads import WorkerPool
from fivedice.solver.simulate import simulate_kernels as kernels
from fivedice.solver.simulate.simulate_kernels import GameTables, SimulationWorkspace, View
from fivedice.solver.solution import Outlook
from fivedice.solver.values.kernel_inputs import alike_faces, game_arrays, new_scratch, turn_arrays
from fivedice.solver.values.value_kernels import Scratch

Games: TypeAlias = "NDArray[np.int64]"  # [games, 2]: state and identity, see the kernels
_Area: TypeAlias = "tuple[Scratch, SimulationWorkspace]"

_JOBS_A_THREAD = 8


class GameBatch:
    """Plays games with one outlook, blur and seed. Use it as a context: its threads end with it."""

    def __init__(self, seen: Outlook, blur: float, seed: int, threads: int | None) -> None:
        self._book = book = seen.compiled
        self._seed = np.uint64(seed)
        self._arrays = _view(seen, blur), _tables(book), turn_arrays(book), game_arrays(book)
        self._rank = _ranks(book)
        self._blocks = -(-book.lanes // work_plan.BLOCK)
        self._areas: list[_Area] = []
        self._pool = WorkerPool(self._new_area, threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.__exit__()

    @property
    def sums(self) -> NDArray[np.int64]:
        """Return the points by box in canonical order, then the number of extras."""
        total: NDArray[np.int64] = np.sum([workspace.sums for _, workspace in self._areas], axis=0)
        return total

    def play(self, first: int, totals: NDArray[np.int32], progress: Callable[[int], None]) -> int:
        """Play the games numbered from `first` on to their end, and return how many earned the upper bonus."""
        games = np.zeros((len(totals), 2), dtype=np.int64)
        games[:, 1] = np.arange(first, first + len(totals))
        spare = np.empty_like(games)
        for turn in range(self._book.boxes):
            if turn:
                self._sort(games, spare)
                games, spare = spare, games
            self._play_turn(games, turn)
            progress(len(totals) * (turn + 1) // self._book.boxes)
        return self._settle(games, first, totals)

    def _new_area(self) -> _Area:
        self._areas.append(_area(self._book))
        return self._areas[-1]

    def _play_turn(self, games: Games, turn: int) -> None:
        stretches = np.array_split(games, min(len(games), _JOBS_A_THREAD * self._pool.threads))

        def job(area: _Area, stretch: Games) -> int:
            kernels.play(stretch, self._seed, turn, *self._arrays, *area)
            return len(stretch)

        self._pool.run(job, stretches)

    def _sort(self, games: Games, target: Games) -> None:
        """Sort by counting: count each part of the games by block, work out where they go, and move them there."""
        shape = self._rank, self._book.flags, self._blocks
        bins = int(self._rank.max() + 1) * self._book.flags * self._blocks
        parts = np.array_split(games, self._pool.threads)
        tallies = np.zeros((len(parts), bins), dtype=np.int64)
        self._pool.run(lambda _, part: kernels.count(parts[part], *shape, tallies[part]), range(len(parts)))
        places = np.ascontiguousarray(np.cumsum(tallies.T).reshape(bins, len(parts)).T - tallies)
        self._pool.run(lambda _, part: kernels.sort(parts[part], *shape, places[part], target), range(len(parts)))

    def _settle(self, games: Games, first: int, totals: NDArray[np.int32]) -> int:
        lanes = games[:, 0] & (1 << kernels.FLAG_AT) - 1
        numbers = games[:, 1] & (1 << kernels.TOTAL_AT) - 1
        flags = games[:, 0] >> kernels.FLAG_AT & (1 << kernels.MASK_AT - kernels.FLAG_AT) - 1
        paid = self._book.final[flags, lanes].astype(np.int64)
        totals[numbers - first] = (games[:, 1] >> kernels.TOTAL_AT) + paid
        return int(self._book.earned[flags, lanes].sum())


def _ranks(book: CompiledBook) -> NDArray[np.int64]:
    """Return the place of each mask among the masks with the same number of filled boxes, as [masks]."""
    ranks = np.zeros(1 << book.boxes, dtype=np.int64)
    filled = np.bitwise_count(np.arange(len(ranks)))
    for count in range(book.boxes + 1):
        masks = np.flatnonzero(filled == count)
        ranks[masks] = np.arange(len(masks))
    return ranks


def _view(seen: Outlook, blur: float) -> View:
    table = np.ascontiguousarray(seen.table).view()
    table.flags.writeable = False  # like stored tables: for writable ones the kernels would be compiled again
    return View(table, len(table) - 1, seen.bias, float(blur))


def _tables(book: CompiledBook) -> GameTables:
    grid = book.lattice
    keeps = [[grid.row[keep.faces] for keep in keeps_of(Roll(roll))[:-1]] for roll in grid.rolls]
    masks = np.arange(1 << book.boxes)
    return GameTables(
        throws=book.rolls,
        dice=grid.dice,
        successors=grid.successors.reshape(-1),
        sizes=np.array([len(each) for each in grid.multisets], dtype=np.uint8),
        keep_starts=np.cumsum([0, *map(len, keeps)]),
        keep_rows=np.concatenate(keeps).astype(np.int64),
        points=book.plain.reshape(-1).astype(np.uint16),
        slots=book.slots.plain.reshape(-1).astype(np.uint16),
        alike_face=alike_faces(book),
        threshold=book.threshold,
        floors=work_plan.blocks(book).floors[work_plan.kinds(book, masks)],
        tag=(1 << grid.rows.bit_length()) - 1,
    )


def _area(book: CompiledBook) -> _Area:
    scratch, grid = new_scratch(book), book.lattice
    options = book.boxes + 2**grid.dice
    return scratch, SimulationWorkspace(
        bits=scratch.work.view(np.int64),
        moves=np.zeros((book.rolls - 1, len(grid.rolls) * work_plan.BLOCK), dtype=np.uint16),
        boxes=np.zeros(len(grid.rolls) * work_plan.BLOCK, dtype=np.uint8),
        keeps=np.zeros((book.rolls - 1, grid.first_roll * work_plan.BLOCK)),
        weights=np.zeros(options),
        choices=np.zeros(options, dtype=np.int64),
        sums=np.zeros(book.boxes + 1, dtype=np.int64),
    )
