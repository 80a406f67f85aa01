"""The values of a book that saves rolls: rolls that a turn does not use are available in later turns.

A state has one number more, the saved rolls. The values are stored in layers, one for each number of filled boxes, each
of them flat: by mask, flag, saved rolls and counted total. Only a range of totals is stored: from the highest that can
no longer earn the bonus, which stands for all below it, to the highest that the filled boxes can have.

A large layer is stored in single precision, which is right to a few hundred-thousandths of a point. The layers are
worked out in double precision, and small ones, including that of the empty card, are stored so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook

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
