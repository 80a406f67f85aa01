"""The values of a book that saves rolls: rolls that a turn does not use are available in later turns.

A state has one number more, the saved rolls. The values are stored in layers, one for each number of filled boxes, each
of them flat: by mask, flag, saved rolls and counted total. Only a range of totals is stored: from the highest that can
no longer earn the bonus, which stands for all below it, to the highest that the filled boxes can have.

A large layer is stored in single precision, which is right to a few hundred-thousandths of a point. The layers are
worked out in double precision, and small ones, including that of the empty card, are stored so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook
from fivedice.solver.runtime.solution_files import layer_type
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.values.kernel_inputs import aligned_zeros, game_arrays, new_scratch, turn_arrays

Layer: TypeAlias = NDArray[np.floating[Any]]
Whole: TypeAlias = "NDArray[np.int64]"


@dataclass(frozen=True, eq=False)
class Places:
    """Where the value of a state is in its layer."""

    kinds: Whole  # [masks]: see `work_plan`
    flag_kinds: Whole  # [masks]
    offsets: Whole  # [masks]: where the values of each begin
    floors: Whole  # [kinds]: the lowest total that is stored
    counts: Whole  # [kinds]: how many are stored
    saved: Whole  # [filled boxes + 1]: how many numbers of saved rolls there are
    sizes: Whole  # [filled boxes + 1]: sizes of the layers


@lru_cache(maxsize=8)
def places(book: CompiledBook) -> Places:
    masks = np.arange(book.full + 1)
    filled, kinds = np.bitwise_count(masks).astype(np.int64), work_plan.kinds(book, masks)
    floors = work_plan.blocks(book).floors
    highest = np.array([each.bit_length() - 1 for each in work_plan.totals_of(book, work_plan.counted_boxes(book))])
    counts = np.maximum(highest - floors, 0) + 1
    saved = np.array([1 + book.most_saved(count) for count in range(book.boxes + 1)])
    rows = book.flags * saved[filled] * counts[kinds]
    found = np.zeros(len(masks), dtype=np.bool_)
    found[np.concatenate([[book.full], *work_plan.layers(book)])] = True
    rows[~found] = 0
    offsets, sizes = np.zeros_like(rows), np.zeros(book.boxes + 1, dtype=np.int64)
    for count in range(book.boxes + 1):
        layer = np.flatnonzero(filled == count)
        offsets[layer] = np.cumsum(rows[layer]) - rows[layer]
        sizes[count] = rows[layer].sum()
    return Places(kinds, work_plan.flag_kinds(book, masks), offsets, floors, counts, saved, sizes)


class SavedValues:
    """The value of every state of a book that saves rolls."""

    def __init__(self, book: CompiledBook, layers: tuple[Layer, ...]) -> None:
        self.layers = layers
        self._places = places(book)

    @property
    def nbytes(self) -> int:
        """Return the memory that the values take, in bytes, without those that are mapped from disk."""
        return sum(layer.nbytes for layer in self.layers if not isinstance(layer, np.memmap))

    def at(self, masks: Whole, flags: Whole, lanes: Whole, saved: int) -> NDArray[np.float64]:
        """Return the values of states that have equally many boxes filled."""
        where = self._places
        filled = int(np.ravel(masks)[0]).bit_count() if np.size(masks) else 0
        kinds = where.kinds[masks]
        lane = np.clip(lanes - where.floors[kinds], 0, where.counts[kinds] - 1)
        place = where.offsets[masks] + (flags * where.saved[filled] + saved) * where.counts[kinds] + lane
        return np.asarray(self.layers[filled][place], dtype=np.float64)


Values: TypeAlias = NDArray[np.float64] | SavedValues  # [masks, flags, lanes], or with saved rolls


def one_table(values: Values, rules: RuleBook) -> NDArray[np.float64]:
    """Return the values as one table, as odds need it. Raises `IllegalError` where rolls are saved."""
    if isinstance(values, SavedValues):
        raise IllegalError("solver.saves-rolls", rules=rules)
    return values


if TYPE_CHECKING:
    from fivedice.solver.values.saved_kernels import Saved
    from fivedice.solver.values.value_kernels import Scratch

Keep = Callable[[int, Layer], Layer]  # stores a layer by its number, and returns the one to hold in its place

_CARDS_A_JOB = 256


def fill_layers(book: CompiledBook, progress: Progress | None = None, keep: Keep | None = None) -> tuple[Layer, ...]:
    """Return the values of all states, in a layer for each number of filled boxes."""
    from fivedice.solver.values.saved_kernels import solve_saved  # imported late because it needs numba

    where = places(book)
    most = 8 * int((where.sizes[1:] + where.sizes[:-1]).max())
    if most > MOST_BYTES:
        raise IllegalError("solver.too-much-memory", size=most / 1e9)
    windows = game_arrays(book)._replace(width=_width(book))  # shorter than rows of all totals
    arrays = turn_arrays(book), windows, _save_arrays(book, where)
    layer = _full_cards(book, where)
    layers = [_persist(book.boxes, layer, keep)]
    new_area = lambda: (new_scratch(book), aligned_zeros(work_plan.BLOCK * book.lattice.faces))  # noqa: E731
    with WorkerPool(new_area, progress=progress, total=int(work_steps(book).sum())) as pool:
        for masks in work_plan.layers(book):
            filled = book.boxes - len(layers)
            after, layer = layer, np.zeros(int(where.sizes[filled]))
            depths = int(where.saved[filled + 1]), int(where.saved[filled])

            def work(area: tuple[Scratch, NDArray[np.float64]], part: NDArray[np.int64]) -> int:
                solve_saved(after, layer, part, *depths, *arrays, *area, pool.stop)  # noqa: B023
                return int(_steps(book, part).sum())

            jobs = max(8 * pool.threads, len(masks) // _CARDS_A_JOB)
            pool.run(work, work_plan.deal(masks, jobs))
            layers.append(_persist(filled, layer, keep))
    return tuple(reversed(layers))


def work_steps(book: CompiledBook) -> NDArray[np.int64]:
    """Return the steps of a chain, each of eight totals, for the cards of every number of filled boxes, as [layers]."""
    return np.array([int(_steps(book, masks).sum()) for masks in work_plan.layers(book)])


def _steps(book: CompiledBook, masks: NDArray[np.int64]) -> NDArray[np.int64]:
    where = places(book)
    blocks = np.diff(work_plan.blocks(book).starts)[where.kinds[masks]]
    filled = np.bitwise_count(masks).astype(np.int64)
    return blocks * (book.rolls - 1 + where.saved[filled])


def _persist(filled: int, layer: NDArray[np.float64], keep: Keep | None) -> Layer:
    found: Layer = layer.astype(layer_type(layer.size), copy=False)
    return found if keep is None else keep(filled, found)


def _full_cards(book: CompiledBook, where: Places) -> NDArray[np.float64]:
    kind = int(where.kinds[book.full])
    lanes = np.minimum(where.floors[kind] + np.arange(where.counts[kind]), book.threshold)
    return np.repeat(book.final[:, None, lanes], where.saved[book.boxes], axis=1).reshape(-1)


def _width(book: CompiledBook) -> int:
    return -(-(work_plan.BLOCK + work_plan.highest_counted(book)) // work_plan.BLOCK) * work_plan.BLOCK


def _save_arrays(book: CompiledBook, where: Places) -> Saved:
    from fivedice.solver.values.saved_kernels import Saved

    reach = [max(book.points[box]) if book.counted >> box & 1 else 0 for box in range(book.boxes)]
    windows = np.array([work_plan.BLOCK + each for each in reach])
    return Saved(where.kinds, where.flag_kinds, where.offsets, where.floors, where.counts, windows)
