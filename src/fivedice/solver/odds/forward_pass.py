"""Push the chances of optimal play forward, layer by layer, from the first turn to the full cards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.solver.model.book_arrays import CompiledBook
from fivedice.solver.model.reachable_states import ReachableStates, scored_since
from fivedice.solver.model.work_plan import BLOCK
from fivedice.solver.odds import Finish as Finish, odds_kernels as kernels
from fivedice.solver.odds.odds_kernels import Flow, OddsWorkspace, Outcomes
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.values.kernel_inputs import aligned_zeros, alike_faces, game_arrays, new_scratch, turn_arrays
from fivedice.solver.values.turn_choices import Turnout, sheet_order, tolerance
from fivedice.solver.values.value_kernels import ScoreArrays, Scratch, TurnArrays

Cards: TypeAlias = "NDArray[np.int64]"  # [cards, 3]: mask, flag and kind

_BLOCKS_AT_ONCE = 1024  # blocks whose outcomes are held until they are pushed on: a dozen megabytes


def finish(
    reachable: ReachableStates, table: NDArray[np.float64], first: Turnout, progress: Progress | None = None
) -> Finish:
    """Play on to the end after the first turn."""
    forward = _ForwardPass(reachable, table)
    layer = forward.first_layer(first)
    done, total = 0, len(reachable.cards.masks)
    with WorkerPool(lambda: new_workspace(reachable.book)) as pool:
        for number, cards in forward.layers():
            after = forward.empty(number + 1)
            for chunk in forward.chunks(cards):
                forward.run(pool, layer, after, chunk)
                done += len(chunk)
                if progress is not None:
                    progress(done, total)
            layer = after
    return forward.collect(layer)


class _ForwardPass:
    def __init__(self, reachable: ReachableStates, table: NDArray[np.float64]) -> None:
        self._reachable = reachable
        self._table = table
        self._book = reachable.book
        self._least, most = scored_since(reachable)
        self._widths = ((most - self._least) // BLOCK + 2) * BLOCK  # in whole vectors, and one more for overruns
        self.flow = _flow(reachable, self._widths, self._least)
        firsts = self._reachable.cards.rows[self._reachable.cards.layers[:-1]]
        layers = 8 * np.add.reduceat(self._widths, firsts)
        size = int((layers[1:] + layers[:-1]).max())
        if size > MOST_BYTES:
            raise IllegalError("solver.odds-too-large", size=size / 1e9)
        self._turn, self._game, self._outcomes = kernel_tables(reachable.book)
        self._means = np.zeros(reachable.book.boxes + 1)
        cards = reachable.cards
        self._cards = np.stack([cards.masks, cards.flags, cards.kinds], axis=1)

    def empty(self, layer: int) -> NDArray[np.float64]:
        """Return an array for all points of all rows of a layer; pages that are never written take no memory."""
        first, last = (self._reachable.cards.rows[card] for card in self._reachable.cards.layers[layer : layer + 2])
        return np.zeros(int(self._widths[first:last].sum()))

    def first_layer(self, first: Turnout) -> NDArray[np.float64]:
        """Return the second layer as the first turn leaves it."""
        reachable, flow, layer = self._reachable, self.flow, self.empty(1)
        rows = (
            reachable.first_rows[first.masks, first.flags]
            + reachable.totals.ranks[reachable.kinds(first.masks), first.lanes]
        )
        points = first.points + first.extras
        np.add.at(layer, flow.offsets[rows] + points, first.chances)
        np.minimum.at(flow.low, rows, points)
        np.maximum.at(flow.high, rows, points)
        np.add.at(self._means, first.boxes, first.chances * first.points)
        self._means[-1] += first.chances @ (first.extras > 0)
        return layer

    def layers(self) -> Iterator[tuple[int, Cards]]:
        """Yield all layers but the first, which is played already, and the last, whose cards are full."""
        for number, (start, stop) in enumerate(pairwise(self._reachable.cards.layers[1:-1]), 1):
            yield number, self._cards[start:stop]

    def chunks(self, cards: Cards) -> Iterator[Cards]:
        ends = np.cumsum(np.diff(self.flow.block_starts)[cards[:, 2]])
        cuts = np.searchsorted(ends, np.arange(_BLOCKS_AT_ONCE, ends[-1], _BLOCKS_AT_ONCE))
        return (part for part in np.split(cards, cuts) if len(part))

    def run(self, pool: WorkerPool[Any], layer: NDArray[np.float64], after: NDArray[np.float64], cards: Cards) -> None:
        """Work out the outcomes of all cards, and then push the points."""
        blocks = np.diff(self.flow.block_starts)[cards[:, 2]]
        firsts = np.cumsum(blocks) - blocks
        slots = self._outcomes.alike + self._book.lattice.faces * self._book.boxes
        found = np.empty((int(blocks.sum()), BLOCK * slots))
        means = np.zeros((len(cards), len(self._means)))
        game, flow, outcomes, stop = self._game, self.flow, self._outcomes, pool.stop

        def choose(workspace: tuple[Scratch, OddsWorkspace], first: int) -> int:
            # Whole arrays, not slices: a slice of one row has another type, for which the kernel is compiled again.
            area = *workspace, found, means, first, jobs, stop
            kernels.choose(layer, self._table, cards, firsts, flow, outcomes, self._turn, game, *area)
            return 0

        def push(_: object, owner: int) -> int:
            kernels.push(layer, after, cards, firsts, flow, outcomes, game, found, owner, pool.threads, stop)
            return 0

        jobs = min(len(cards), 4 * pool.threads)
        pool.run(choose, range(jobs))
        pool.run(push, range(pool.threads))
        self._means += means.sum(axis=0)

    def collect(self, layer: NDArray[np.float64]) -> Finish:
        """Gather the rows of the full cards."""
        reachable, book = self._reachable, self._book
        start = int(reachable.cards.rows[reachable.cards.layers[-2]])
        last = self._least + self._widths
        chances, bonus = np.zeros(int(last[start:].max() + book.final.max())), 0.0
        flags, lanes = (
            reachable.cards.flags[reachable.card_of_row()],
            reachable.totals.highest[reachable.total_of_row()],
        )
        for row in range(start, len(last)):
            end, first = (flags[row], lanes[row]), self.flow.offsets[row]
            found = layer[first + self._least[row] : first + last[row]]
            paid = self._least[row] + int(book.final[end])
            chances[paid : paid + len(found)] += found
            bonus += float(found.sum()) * book.earned[end]
        return Finish(chances, bonus / float(chances.sum()), self._means[:-1], float(self._means[-1]))


def new_workspace(book: CompiledBook) -> tuple[Scratch, OddsWorkspace]:
    """Return the arrays that one thread needs to play turns."""
    grid, rerolls = book.lattice, book.rolls - 1
    rolls = len(grid.rolls)
    return new_scratch(book), OddsWorkspace(
        leaf=aligned_zeros(BLOCK * rolls),
        keeps=np.zeros((rerolls, BLOCK * grid.first_roll)),
        best=np.zeros((rerolls, BLOCK * grid.rows)),
        mass=aligned_zeros(BLOCK * grid.rows),
        filled=aligned_zeros(BLOCK * rolls),
        weight=aligned_zeros(BLOCK),
    )


def _flow(reachable: ReachableStates, widths: NDArray[np.int64], least: NDArray[np.int64]) -> Flow:
    totals, rows = reachable.totals, len(widths)
    begins = np.cumsum(widths) - widths
    firsts = reachable.cards.rows[reachable.cards.layers[:-1]]
    counts = np.diff(np.append(firsts, rows))
    block_starts, bases, ranks = blocks_of(reachable)
    return Flow(
        first_rows=reachable.first_rows,
        ranks=totals.ranks,
        kind_bits=reachable.kind_bits,
        totals=totals.highest,
        starts=totals.starts,
        offsets=begins - np.repeat(begins[firsts], counts) - least,
        low=np.full(rows, np.iinfo(np.int64).max),
        high=np.full(rows, -1),
        block_starts=block_starts,
        block_bases=bases,
        block_ranks=ranks,
        threshold=reachable.book.threshold,
        near=tolerance(reachable.book),
    )


def blocks_of(reachable: ReachableStates) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for each kind the fewest blocks that cover its totals: their number, first totals and first rows."""
    starts, bases, ranks = [0], list[int](), list[int]()
    for first, last in pairwise(reachable.totals.starts.tolist()):
        for place in range(first, last):
            total = int(reachable.totals.highest[place])
            if place == first or total >= bases[-1] + BLOCK:
                bases.append(total)
                ranks.append(place)
        starts.append(len(bases))
    return np.array(starts), np.array(bases), np.array([*ranks, len(reachable.totals.highest)])


@lru_cache(maxsize=8)
def kernel_tables(book: CompiledBook) -> tuple[TurnArrays, ScoreArrays, Outcomes]:
    return turn_arrays(book), game_arrays(book), _outcomes(book)


def _outcomes(book: CompiledBook) -> Outcomes:
    boxes = range(book.boxes)
    distinct = [np.unique(book.plain[:, box]) for box in boxes]
    follows = [book.slots.plain[np.argmax(book.plain[:, box] == each), box] for box in boxes for each in distinct[box]]
    starts = np.cumsum([0, *map(len, distinct)])
    places = [starts[box] + np.searchsorted(distinct[box], book.plain[:, box]) for box in boxes]
    return Outcomes(
        sheet=sheet_order(book),
        places=np.stack(places, axis=1).reshape(-1),
        points=book.plain.reshape(-1),
        starts=starts,
        place_points=np.concatenate(distinct),
        place_slots=np.array(follows),
        slots=book.slots.plain.reshape(-1),
        alike_face=alike_faces(book).astype(np.int64),
        alike=int(starts[-1]),
    )
