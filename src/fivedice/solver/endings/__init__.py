"""The exact distribution of the final total from any state, also early in a game, within milliseconds.

Late in a game the chances are pushed forward from the card itself, as in `odds`. Early that would take seconds, so the
distributions of all states with many open boxes are worked out once per book, by one sweep from full cards back to the
empty one, and stored on disk with the solution; they are mapped, not read. Of the layers that are needed, every third
is stored; a card of a layer between has its rows worked out from the next one on demand.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.endings.backward_sweep import Sweep, SweepLayout, layout_of
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.odds import Finish, play_on
from fivedice.solver.runtime.solution_cache import MappedCache
from fivedice.solver.runtime.solution_files import save_layer
from fivedice.solver.values.turn_choices import Turnout, turnout

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

Table: TypeAlias = "NDArray[np.float64]"

_WORD = "ends"  # in the names of the files
QUICK = 200_000  # rows of the lattice times cards that may follow: some 30 ms of one core
PATIENT = 1_000_000  # the same where nothing can be prepared: a third of a second
STEP = 3  # one of this many layers is stored
MOST_STATES = 1 << 23  # in the table of values: beyond this even the sizes are not worked out
MOST_KEPT = 1 << 30  # bytes on disk
MOST_HELD = 1 << 31  # bytes of memory during the work: two layers


def layers_to_keep(book: CompiledBook) -> tuple[int, ...] | None:
    """Return the numbers of filled boxes whose distributions are stored, most boxes first; None if they take too much
    room.
    """
    for boxes in range(_open_boxes(book, QUICK), _open_boxes(book, PATIENT) + 1):
        layers = tuple(range(book.boxes - boxes, -1, -STEP)) if boxes < book.boxes else ()
        if not layers or _fits(book, layers):
            return layers
    return None


def _open_boxes(book: CompiledBook, most: int) -> int:
    """Return the number of open boxes up to which an answer takes no more than this much work."""
    return max(boxes for boxes in range(book.boxes + 1) if boxes == 0 or _work(book, boxes) <= most)


def _work(book: CompiledBook, boxes: int) -> int:
    cards = boxes + 1 if book.fixed_order else 1 << boxes
    return book.lattice.rows * cards * (1 + book.flags) // 2  # about half of the cards can have one flag only


def _fits(book: CompiledBook, layers: tuple[int, ...]) -> bool:
    if prod(book.shape) > MOST_STATES:
        return False
    sizes = 8 * layout_of(book).sizes
    return int(sizes[list(layers)].sum()) <= MOST_KEPT and int((sizes[1:] + sizes[:-1]).max()) <= MOST_HELD


class Endings:
    """The stored distributions of a book, and those between them."""

    def __init__(self, layout: SweepLayout, table: Table, layers: dict[int, Table]) -> None:
        self._layout = layout
        self._table = table
        self._layers = layers

    def finish(self, state: State, rolls: Table | None, rerolls: int) -> Finish:
        """Return how play ends, from the start of a turn or from the chances of all rolls in it."""
        if rolls is None:
            masks, flags, lanes = np.array([[state.mask], [state.flag], [state.upper]])
            nothing = np.zeros(1, dtype=np.int64)
            return self._mix(Turnout(np.ones(1), nothing, nothing, nothing, masks, flags, lanes))
        return self._mix(turnout(self._layout.book, self._table, state, rolls, rerolls))

    def _mix(self, first: Turnout) -> Finish:
        """Combine the distributions of the states that a turn may lead to."""
        layout, head, boxes = self._layout, self._layout.head, self._layout.book.boxes
        found = layout.rows(first.masks, first.flags, first.lanes)
        places, back = np.unique(np.stack([found, first.points + first.extras]), axis=1, return_inverse=True)
        chances = np.bincount(back.reshape(-1), first.chances)
        layer = self._layer_of(first.masks, first.flags)
        sums, ends = np.zeros(head), np.zeros(int((layout.widths[places[0]] + places[1]).max()) - head)
        for row, points, chance in zip(*places.tolist(), chances.tolist(), strict=True):
            here = layer[layout.offsets[row] : layout.offsets[row] + layout.widths[row]]
            sums += chance * here[:head]
            ends[points : points + len(here) - head] += chance * here[head:]
        means = sums[2 : 2 + boxes].copy()
        np.add.at(means, first.boxes, first.chances * first.points)
        return Finish(ends, float(sums[0]), means, float(sums[1] + first.chances @ (first.extras > 0)))

    def chances_to_come(
        self, masks: NDArray[np.int64], flags: NDArray[np.int64], lanes: NDArray[np.int64]
    ) -> list[Table]:
        """Return the chances of 0, 1, ... points to come, for each of some states with equally many filled boxes."""
        layout, layer = self._layout, self._layer_of(masks, flags)
        found = layout.rows(masks, flags, lanes)
        begins, ends = layout.offsets[found] + layout.head, layout.offsets[found] + layout.widths[found]
        return [layer[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]

    def _layer_of(self, masks: NDArray[np.int64], flags: NDArray[np.int64]) -> Table:
        cards = np.unique(np.stack([masks, flags], axis=1), axis=0)
        return self._layer(int(masks[0]).bit_count() - self._layout.filled, cards)

    def _layer(self, number: int, wanted: NDArray[np.int64]) -> Table:
        """Return a layer as far as its cards ([cards, 2]: mask and flag) are wanted: stored, or worked out from the
        next.
        """
        kept = self._layers.get(number)
        if kept is not None:
            return kept
        layout, sweep = self._layout, Sweep(self._layout, self._table)
        after = self._layer(number + 1, layout.next_cards(wanted[:, 0]))
        here = np.zeros(int(layout.sizes[number]))  # pages that are never written take no memory
        cards = np.concatenate([wanted, layout.reachable.kinds(wanted[:, 0])[:, None]], axis=1)
        sweep.run(after, here, cards, sweep.new_area(), np.zeros(1, dtype=np.uint8))
        return here


def endings_after(name: str, book: CompiledBook, table: Table, state: State) -> Endings:
    """Return the endings after a turn from a state: prepared ones, or worked out for this card alone.

    The latter takes milliseconds late in a game, and minutes early: see `is_quick`.
    """
    kept = None if is_quick(book, state.mask) else known(name, book, table)
    if kept is not None:
        return kept
    layout = SweepLayout(book, state)
    return Endings(layout, table, {len(layout.sizes) - 1: layout.full_cards()})


_kept = MappedCache(_WORD)


def prepare(name: str, book: CompiledBook, table: Table, progress: Progress | None = None) -> Endings | None:
    """Return the distributions of a book from memory, from disk, or worked out; None if it is too large.

    `name` is the fingerprint of the book.
    """
    layers = layers_to_keep(book)
    if not layers:
        return None
    layout = layout_of(book)

    def work() -> tuple[Table, ...]:
        found = {
            number: save_layer(name, number, here, _WORD)
            for number, here in Sweep(layout, table).layers(layers[-1], progress)
            if number in layers
        }
        return tuple(found[number] for number in layers)

    tables = _kept.get(name, _sizes(layout, layers), work, progress)
    return Endings(layout, table, dict(zip(layers, tables, strict=True)))


def known(name: str, book: CompiledBook, table: Table, *, read: bool = True) -> Endings | None:
    """Return the distributions if they are available; `read` also looks on disk and checks files, in half a second."""
    layers = layers_to_keep(book)
    if not layers:
        return None
    layout = layout_of(book)
    tables = _kept.known(name, _sizes(layout, layers)) if read else _kept.memory.get(name)
    return None if tables is None else Endings(layout, table, dict(zip(layers, tables, strict=True)))


def _sizes(layout: SweepLayout, layers: tuple[int, ...]) -> tuple[int, ...]:
    """Return numbers and sizes alternately, as the cache expects them."""
    return tuple(number for layer in layers for number in (layer, int(layout.sizes[layer])))


def is_quick(book: CompiledBook, mask: int) -> bool:
    """Return whether an answer needs no preparation. Where nothing can be prepared, a third of a second counts as
    quick.
    """
    return book.boxes - mask.bit_count() <= quick_boxes(book)


def quick_boxes(book: CompiledBook) -> int:
    """Return the number of open boxes up to which an answer needs no preparation."""
    layers = layers_to_keep(book)
    return book.boxes - layers[0] if layers else _open_boxes(book, PATIENT)


def finish(
    name: str,
    book: CompiledBook,
    table: Table,
    state: State,
    rolls: Table | None = None,
    rerolls: int = 0,
    progress: Progress | None = None,
) -> Finish:
    """Return how a game ends from a state, or within a turn: from prepared distributions, or pushed forward."""
    found = None if is_quick(book, state.mask) else known(name, book, table)
    if found is not None:
        return found.finish(state, rolls, rerolls)
    if rolls is None:
        rolls, rerolls = book.lattice.weights, book.rolls - 1
    return play_on(book, table, state, rolls, rerolls, progress)
