"""One turn from one state, in numpy: enough to advise from a stored table without loading numba.

Values are those of the table: points still to come, including bonuses even if they are already earned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules.joker_steps import first_available
from fivedice.solver.model.book_arrays import CompiledBook, Lattice, State
from fivedice.solver.values.saved_values import Values

# Returns the worth of masks, flags and lanes after a box, and of the points it brings, extras included.
Worth: TypeAlias = "Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], Any]"


def available_boxes(book: CompiledBook, mask: int) -> int:
    """Return the boxes that may be filled next, as a mask."""
    unfilled = book.full & ~mask
    if book.fixed_order:
        return unfilled & -unfilled
    return unfilled & book.first or unfilled


def legal_alike(book: CompiledBook, state: State, face: int) -> tuple[int, int]:
    """Return the legal boxes when all dice show `face` (from 0), as a mask, and the deciding rung (from 1), or 0."""
    available, ladder = available_boxes(book, state.mask), book.ladder
    filled = book.policy_box >= 0 and state.mask >> book.policy_box & 1
    if ladder.applies[state.flag, int(filled)]:
        offers = ladder.offers[int(int(ladder.faces[face]) & ~state.mask != 0), face].tolist()
        rung = first_available(offers, available)
        if rung >= 0:
            return available & offers[rung], rung + 1
    return available, 0


def alike_extras(book: CompiledBook, state: State) -> NDArray[np.int64]:
    """Return the extra paid in addition to the points when all dice show a face, as [faces]."""
    rungs = [legal_alike(book, state, face)[1] for face in range(book.lattice.faces)]
    return book.extra[state.flag, rungs]


def box_values(book: CompiledBook, table: Values, state: State, left: int = 0) -> NDArray[np.float64]:
    """Return the points scored now and expected later for every roll in every box, as [rolls, boxes]; -inf where
    illegal.

    `left` is the number of rolls left, which a book may save.
    """
    return over_boxes(
        book, state, lambda masks, flags, lanes, points: points + values_at(table, masks, flags, lanes, left)
    )


def leaves(book: CompiledBook, table: Values, state: State, left: int) -> NDArray[np.float64]:
    """Return the same for 0, 1, ... rolls left, as [levels, rolls, boxes]; one level where rolls are not saved."""
    levels = range(left + 1 if book.save_rolls else 1)
    return np.stack([box_values(book, table, state, level) for level in levels])


def values_at(
    table: Values, masks: NDArray[np.int64], flags: NDArray[np.int64], lanes: NDArray[np.int64], saved: int
) -> NDArray[np.float64]:
    """Return the values of states."""
    if isinstance(table, np.ndarray):
        return table[masks, flags, lanes]
    return table.at(masks, flags, lanes, saved)


def over_boxes(book: CompiledBook, state: State, worth: Worth) -> NDArray[np.float64]:
    """Return the worth of every roll in every box, as [rolls, boxes]; -inf where illegal."""
    values, slots = np.full(book.plain.shape, -np.inf), book.slots
    boxes = _boxes(available_boxes(book, state.mask))
    points, flags = book.plain[:, boxes], slots.usual[state.flag, slots.plain[:, boxes]]
    values[:, boxes] = worth(state.mask | 1 << boxes, flags, _lanes(book, state, boxes, points), points)
    for face, row in enumerate(book.lattice.alike - book.lattice.first_roll):
        legal, rung = legal_alike(book, state, face)
        boxes, price, extra = _boxes(legal), book.ladder.prices[rung], book.extra[state.flag, rung]
        points, flags = book.alike[price, face, boxes], _alike_flags(book, state, boxes, price, face, extra)
        values[row] = -np.inf
        values[row, boxes] = worth(state.mask | 1 << boxes, flags, _lanes(book, state, boxes, points), points + extra)
    return values


def keep_values(grid: Lattice, rolls: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the worth of every keep, given that of every roll, as [rows]; the rolls come last, unchanged.

    Further axes are independent, here and in `best_rolls`.
    """
    values = np.empty((grid.rows, *rolls.shape[1:]))
    values[grid.first_roll :] = rolls
    for start, stop in reversed(sizes(grid)[:-1]):
        values[start:stop] = values[grid.successors[start:stop]].mean(axis=1)
    return values


def turn_ahead(
    grid: Lattice, levels: NDArray[np.float64], left: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the worth of every keep ([rows]) with `left` rolls left, at least one, and of every roll with one fewer.

    `levels` has the worth of scoring each roll with 0, 1, ... rolls left; the last is for all higher numbers.
    """
    rolls = levels[0]
    for level in range(1, left):
        keeps = keep_values(grid, rolls)
        rolls = best_rolls(grid, with_rolls(grid, keeps, levels[min(level, len(levels) - 1)]))
    return keep_values(grid, rolls), rolls


def turn_worth(grid: Lattice, leaf: NDArray[np.float64], held: tuple[int, ...], throws: int) -> float:
    """Return the worth of a turn before a throw, with these dice held and `throws` throws left, given that of rolls."""
    keeps, _ = turn_ahead(grid, leaf[None], throws)
    return float(keeps[grid.row[held]])


def with_rolls(grid: Lattice, keeps: NDArray[np.float64], leaf: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rows with the rolls replaced by their worth when scored."""
    rows = keeps.copy()
    rows[grid.first_roll :] = leaf
    return rows


def best_rolls(grid: Lattice, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the worth of every roll with its best keep, or as it is, as [rolls]."""
    return best_rows(grid, values)[grid.first_roll :]


def best_rows(grid: Lattice, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the best of every multiset and all that are part of it, as [rows]."""
    best = values.copy()
    for (start, stop), predecessors in zip(sizes(grid)[1:], padded_predecessors(grid), strict=True):
        np.maximum(best[start:stop], best[predecessors].max(axis=1), out=best[start:stop])
    return best


def _alike_flags(
    book: CompiledBook, state: State, boxes: NDArray[np.int64], price: int, face: int, extra: int
) -> NDArray[np.int64]:
    """Return the flags after all dice the same, which change the flag in their own box, and where they are paid."""
    slots = book.slots.alike[price, face, boxes]
    changed = (boxes == book.policy_box) | (extra > 0)
    flags: NDArray[np.int64] = np.where(
        changed, book.slots.paid[state.flag, slots], book.slots.usual[state.flag, slots]
    )
    return flags


def _lanes(book: CompiledBook, state: State, boxes: NDArray[np.int64], points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the counted totals once the boxes along the last axis are filled."""
    found: NDArray[np.int64] = np.minimum(state.upper + points * (book.counted >> boxes & 1), book.threshold)
    return found


def _boxes(mask: int) -> NDArray[np.int64]:
    return np.array([box for box in range(mask.bit_length()) if mask >> box & 1], dtype=np.int64)


@lru_cache(maxsize=8)
def sizes(grid: Lattice) -> tuple[tuple[int, int], ...]:
    """Return the range of rows for each number of dice."""
    counts = np.bincount([len(multiset) for multiset in grid.multisets])
    stops = np.cumsum(counts).tolist()
    return tuple(zip([0, *stops[:-1]], stops, strict=True))


@lru_cache(maxsize=8)
def padded_predecessors(grid: Lattice) -> tuple[NDArray[np.uint16], ...]:
    """Return the predecessors for each number of dice from 1 on, as [rows, most]; shorter lists repeat their last."""
    lists: list[NDArray[np.uint16]] = []
    at = 0
    for start, stop, count in grid.groups.tolist():
        lists += list(grid.predecessors[at : at + (stop - start) * count].reshape(-1, count))
        at += (stop - start) * count
    padded = []
    for start, stop in sizes(grid)[1:]:
        most = max(map(len, lists[start - 1 : stop - 1]))
        padded.append(
            np.array([np.pad(each, (0, most - len(each)), mode="edge") for each in lists[start - 1 : stop - 1]])
        )
    return tuple(padded)
