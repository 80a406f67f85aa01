"""Three players in turn, all playing to win, exactly, where boxes are filled in a fixed order.

The player on turn plays for the highest share. With three players that leaves some choices open: a player who can no
longer win may still decide who does. As everywhere in this solver, the first of equal choices is then taken: fill the
box, otherwise throw dice again one at a time, the lowest face first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.model.work_plan import BLOCK
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.values.kernel_inputs import aligned_zeros, turn_arrays
from fivedice.solver.values.turn_choices import leads
from fivedice.solver.values.turn_values import available_boxes
from fivedice.solver.win.duels import Side

if TYPE_CHECKING:
    from fivedice.solver.win.trio_kernels import Area, Leads, Scores

_Whole = NDArray[np.int64]
_NEAR = 1e-13  # shares closer than this are equal


def trio(book: CompiledBook, progress: Progress | None = None) -> tuple[float, float, float]:
    """Return the shares of the first, the second and the third player of a whole game."""
    from fivedice.solver.win import trio_kernels as kernels

    side = Side(book, State(0, 0, 0))
    turns = 3 * book.boxes
    after, after_offsets = _final_shares(side)
    turn, first_roll = turn_arrays(book), book.lattice.first_roll
    with WorkerPool(lambda: _area(book)) as pool:
        for number in range(turns - 1, -1, -1):
            # How many boxes the player on turn `step` turns later has filled: one per round of three turns.
            one, two, three = (((number + step) // 3) for step in range(3))
            first, ahead = _leads(side, one, two), _leads(side, two, three)
            last = _leads(side, three, one + 1)
            offsets, size = _places(first, ahead)
            here, scores = np.zeros((kernels.PLAYERS, size)), _scores(side, one)
            common = first, ahead, last, offsets, after_offsets, scores, turn, first_roll, _NEAR

            def work(area: Area, rows: _Whole) -> int:
                kernels.solve_triples(after, here, rows, *common, area, pool.stop)  # noqa: B023 - ends within the turn
                return 0

            jobs = min(side.rows(one), 4 * pool.threads)
            pool.run(work, [np.arange(part, side.rows(one), jobs) for part in range(jobs)])
            after, after_offsets = here, offsets
            if progress is not None:
                progress(turns - number, turns)
    return float(after[0, 0]), float(after[1, 0]), float(after[2, 0])


def _leads(side: Side, behind: int, leading: int) -> Leads:
    """Return the leads of the rows of one layer over those of another."""
    from fivedice.solver.win.trio_kernels import Leads

    these, those = side.layer(behind), side.layer(leading)
    lows = side.least[those][None, :] - side.most[these][:, None]
    highs = side.most[those][None, :] - side.least[these][:, None]
    return Leads(lows, highs - lows + 1)


def _places(first: Leads, ahead: Leads) -> tuple[_Whole, int]:
    """Return where the lanes of each triple begin, and how many lanes there are.

    Raises `IllegalError` if they need too much memory.
    """
    widths = -(-first.counts // BLOCK) * BLOCK
    sizes = widths[:, :, None] * ahead.counts[None, :, :]
    ends = np.cumsum(sizes.reshape(-1))
    if 48 * int(ends[-1]) > MOST_BYTES:
        raise IllegalError("solver.duel-too-large", size=48 * float(ends[-1]) / 1e9)
    return (ends - sizes.reshape(-1)).reshape(sizes.shape), int(ends[-1])


def _final_shares(side: Side) -> tuple[NDArray[np.float64], _Whole]:
    """Return the shares when all cards are full: the highest total wins, and ties are split."""
    full = len(side.starts) - 2
    first, bonuses = _leads(side, full, full), side.bonuses()
    offsets, size = _places(first, first)
    found = np.zeros((3, size))
    for one, two, three in np.ndindex(offsets.shape):
        count, many = int(first.counts[one, two]), int(first.counts[two, three])
        width = -(-count // BLOCK) * BLOCK
        lead = (first.lows[one, two] + np.arange(count))[None, :] + bonuses[two] - bonuses[one]
        more = (first.lows[two, three] + np.arange(many))[:, None] + bonuses[three] - bonuses[two]
        totals = np.stack([np.zeros_like(lead + more), lead + 0 * more, lead + more])
        top = totals == totals.max(axis=0)
        for player in range(3):
            block = np.zeros((many, width))
            block[:, :count] = top[player] / top.sum(axis=0)
            found[player, offsets[one, two, three] :][: block.size] = block.reshape(-1)
    return found, offsets


def _scores(side: Side, layer: int) -> Scores:
    """Return the result of every roll in every row: with one box to fill there is no choice."""
    from fivedice.solver.win.trio_kernels import Scores

    book, reachable = side.reachable.book, side.reachable
    mover = side.mover(layer)
    found = []
    for mask, flag, total in zip(mover.masks.tolist(), mover.flags.tolist(), mover.totals.tolist(), strict=True):
        box = available_boxes(book, mask).bit_length() - 1
        flags, lanes, points = (each[:, box] for each in leads(book, State(mask, total, flag)))
        after = np.full(len(flags), mask | 1 << box)
        ranks = reachable.totals.ranks[reachable.kinds(after), lanes]
        rows = reachable.first_rows[after, flags] + ranks - mover.next_row
        found.append(np.unique(np.stack([rows, points]), axis=1, return_inverse=True))
    most = max(pairs.shape[1] for pairs, _ in found)
    padded = [np.pad(pairs, ((0, 0), (0, most - pairs.shape[1]))) for pairs, _ in found]
    return Scores(
        pairs=np.array([pairs.shape[1] for pairs, _ in found]),
        rows=np.stack([pairs[0] for pairs in padded]),
        points=np.stack([pairs[1] for pairs in padded]),
        of_roll=np.stack([back.reshape(-1) for _, back in found]),
    )


def _area(book: CompiledBook) -> Area:
    from fivedice.solver.win.trio_kernels import PLAYERS, Area

    grid, rolls = book.lattice, len(book.plain)
    shapes = BLOCK * grid.rows, BLOCK * rolls, BLOCK * rolls
    return Area(*(aligned_zeros(PLAYERS * size).reshape(PLAYERS, size) for size in shapes))
