"""Carry the distributions of optimal play back, layer by layer, from full cards to the empty one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.model.reachable_states import ReachableStates, needs
from fivedice.solver.model.work_plan import BLOCK
from fivedice.solver.runtime.worker_threads import Progress, WorkerPool
from fivedice.solver.values.kernel_inputs import aligned_zeros
from fivedice.solver.values.turn_choices import tolerance

if TYPE_CHECKING:
    from fivedice.solver.endings.ending_kernels import EndingRows
    from fivedice.solver.odds.odds_kernels import OddsWorkspace
    from fivedice.solver.values.value_kernels import Scratch

    Area = tuple[Scratch, OddsWorkspace, NDArray[np.float64], NDArray[np.float64]]

_ROWS_A_JOB = 256


class SweepLayout:
    """Where the distributions of all states after `start` are, layer by layer; the first layer is that of the start.

    Only lengths are worked out here.
    """

    def __init__(self, book: CompiledBook, start: State = State(0, 0, 0)) -> None:  # noqa: B008 - it is frozen
        self.book = book
        self.reachable = ReachableStates(book, start)
        self.filled = start.mask.bit_count()  # filled boxes in the first layer
        self.head = -(-(2 + book.boxes) // BLOCK) * BLOCK  # in whole vectors

    @cached_property
    def cards(self) -> NDArray[np.int64]:
        """Return the mask, flag and kind of each card, as [cards, 3]."""
        cards = self.reachable.cards
        return np.stack([cards.masks, cards.flags, cards.kinds], axis=1)

    @cached_property
    def widths(self) -> NDArray[np.int64]:
        """Return the length of each row: its head, and the chances up to the most points still to come, as [rows]."""
        most = np.maximum(needs(self.reachable, 0).possible, 0)
        return self.head + -(-(most + 1) // BLOCK) * BLOCK

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Return where each row begins in its layer, as [rows]."""
        ends = np.cumsum(self.widths)
        begins = ends - self.widths
        counts = np.diff(np.append(self._first_rows, len(begins)))
        return begins - np.repeat(begins[self._first_rows], counts)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Return how many numbers each layer has, as [layers]."""
        return np.add.reduceat(self.widths, self._first_rows)

    @cached_property
    def _first_rows(self) -> NDArray[np.int64]:
        return self.reachable.cards.rows[self.reachable.cards.layers[:-1]]

    def cards_of(self, layer: int) -> NDArray[np.int64]:
        first, last = self.reachable.cards.layers[layer : layer + 2]
        return self.cards[first:last]

    def next_cards(self, masks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the masks and flags of all cards that follow these after one more box, as [cards, 2]."""
        after = {mask | 1 << box for mask in masks.tolist() for box in range(self.book.boxes) if not mask >> box & 1}
        found = np.array(sorted(after), dtype=np.int64)
        places, flags = np.nonzero(self.reachable.first_rows[found] >= 0)
        return np.stack([found[places], flags], axis=1)

    def rows(self, masks: NDArray[np.int64], flags: NDArray[np.int64], lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of states; -1 for states that play cannot reach."""
        firsts = self.reachable.first_rows[masks, flags]
        ranks = self.reachable.totals.ranks[self.reachable.kinds(masks), lanes]
        return np.where((firsts < 0) | (ranks < 0), -1, firsts + ranks)

    @cached_property
    def for_kernels(self) -> EndingRows:
        from fivedice.solver.endings.ending_kernels import EndingRows
        from fivedice.solver.odds.forward_pass import blocks_of

        reachable = self.reachable
        block_starts, bases, ranks = blocks_of(reachable)
        return EndingRows(
            first_rows=reachable.first_rows,
            ranks=reachable.totals.ranks,
            kind_bits=reachable.kind_bits,
            totals=reachable.totals.highest,
            starts=reachable.totals.starts,
            block_starts=block_starts,
            block_bases=bases,
            block_ranks=ranks,
            offsets=self.offsets,
            widths=self.widths,
            head=self.head,
            threshold=self.book.threshold,
            near=tolerance(self.book),
        )

    def full_cards(self) -> NDArray[np.float64]:
        """Return the last layer, in which only the bonuses count and are certain."""
        from fivedice.solver.endings.ending_kernels import BONUS

        reachable, book = self.reachable, self.book
        last, layer = len(self.sizes) - 1, np.zeros(int(self.sizes[-1]))
        begin = int(self._first_rows[last])
        flags = reachable.cards.flags[reachable.card_of_row()[begin:]]
        lanes = reachable.totals.highest[reachable.total_of_row()[begin:]]
        firsts = self.offsets[begin:]
        layer[firsts + BONUS] = book.earned[flags, lanes]
        layer[firsts + self.head + book.final[flags, lanes].astype(np.int64)] = 1.0
        return layer


layout_of = lru_cache(maxsize=8)(SweepLayout)


class Sweep:
    """The arrays that all threads read, and the workspace of each thread."""

    def __init__(self, layout: SweepLayout, values: NDArray[np.float64]) -> None:
        from fivedice.solver.endings import ending_kernels  # imported late because it needs numba
        from fivedice.solver.odds.forward_pass import kernel_tables

        self._kernels = ending_kernels
        self._layout, self._values = layout, values
        self._turn, self._game, self._outcomes = kernel_tables(layout.book)

    def new_area(self) -> Area:
        from fivedice.solver.odds.forward_pass import new_workspace

        book = self._layout.book
        slots = self._outcomes.alike + book.lattice.faces * book.boxes
        longest = int(self._layout.widths.max()) + 2 * BLOCK
        return *new_workspace(book), np.zeros(BLOCK * slots), aligned_zeros(longest)

    def run(
        self,
        after: NDArray[np.float64],
        here: NDArray[np.float64],
        cards: NDArray[np.int64],
        area: Area,
        stop: NDArray[np.uint8],
    ) -> None:
        """Fill the rows of some cards of one layer from those of the next."""
        tables = self._layout.for_kernels, self._outcomes, self._turn, self._game
        self._kernels.sweep(self._values, after, here, cards, *tables, *area, stop)

    def layers(self, last: int, progress: Progress | None = None) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yield all layers with their numbers, from that of full cards back to `last`; two are held at a time."""
        layout = self._layout
        after, full = layout.full_cards(), len(layout.sizes) - 1
        yield full, after
        total = int(layout.reachable.cards.layers[full] - layout.reachable.cards.layers[last])
        with WorkerPool(self.new_area, progress=progress, total=total) as pool:
            for number in range(full - 1, last - 1, -1):
                here, cards = np.empty(int(layout.sizes[number])), layout.cards_of(number)
                jobs = max(4 * pool.threads, len(cards) // _ROWS_A_JOB)

                def work(area: Area, some: NDArray[np.int64]) -> int:
                    self.run(after, here, some, area, pool.stop)  # noqa: B023 - all work of a layer ends within it
                    return len(some)

                pool.run(work, work_plan.deal(cards, jobs))
                yield number, here
                after = here
