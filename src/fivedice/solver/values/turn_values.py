"""One turn from one state, in numpy: enough to advise from a stored table without loading numba.

Values are those of the table: points still to come, the upper bonus among them even if it is already earned.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.rules.joker_steps import first_available
from fivedice.solver.model.book_arrays import CompiledBook, Lattice, State

# Masks, flags and lanes after a box, and the points it brings, extras included: what all that is worth.
Worth: TypeAlias = "Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], Any]"


def available_boxes(book: CompiledBook, mask: int) -> int:
    """The boxes that may be filled next, as a mask."""
    unfilled = book.full & ~mask
    return unfilled & -unfilled if book.fixed_order else unfilled


def legal_alike(book: CompiledBook, state: State, face: int) -> tuple[int, int]:
    """The legal boxes, as a mask, and their price when all dice show `face` (counted from 0)."""
    available, ladder = available_boxes(book, state.mask), book.ladder
    filled = book.policy_box >= 0 and state.mask >> book.policy_box & 1
    if ladder.applies[state.flag, int(filled)]:
        offers = ladder.offers[int(int(ladder.faces[face]) & ~state.mask != 0), face].tolist()
        rung = first_available(offers, available)
        if rung >= 0:
            return available & offers[rung], int(ladder.prices[rung])
    return available, 0


def box_values(book: CompiledBook, table: NDArray[np.float64], state: State) -> NDArray[np.float64]:
    """[rolls, boxes]: points scored now and expected later for every roll in every box; -inf where illegal."""
    return over_boxes(book, state, lambda masks, flags, lanes, points: points + table[masks, flags, lanes])


def over_boxes(book: CompiledBook, state: State, worth: Worth) -> NDArray[np.float64]:
    """[rolls, boxes]: the worth of every roll in every box; -inf where illegal."""
    values = np.full(book.plain.shape, -np.inf)
    boxes = _boxes(available_boxes(book, state.mask))
    values[:, boxes] = worth(*_filled(book, state, boxes, book.plain[:, boxes], state.flag, 0), book.plain[:, boxes])
    for face, row in enumerate(book.lattice.alike - book.lattice.first_roll):
        legal, price = legal_alike(book, state, face)
        boxes = _boxes(legal)
        points = book.alike[price, face, boxes]
        after = int(book.flag_after_extra[state.flag])
        filled = _filled(book, state, boxes, points, after, book.flag_after_points)
        values[row] = -np.inf
        values[row, boxes] = worth(*filled, points + book.extra[state.flag])
    return values


def keep_values(grid: Lattice, rolls: NDArray[np.float64]) -> NDArray[np.float64]:
    """[rows]: the worth of every keep, given that of every roll; the rolls themselves come last, unchanged."""
    values = np.empty(grid.rows)
    values[grid.first_roll :] = rolls
    for start, stop in reversed(sizes(grid)[:-1]):
        values[start:stop] = values[grid.successors[start:stop]].mean(axis=1)
    return values


def best_rolls(grid: Lattice, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """[rolls]: every roll with its best keep, or with what it is worth as it lies."""
    return best_rows(grid, values)[grid.first_roll :]


def best_rows(grid: Lattice, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """[rows]: the best of every multiset and all that lie in it."""
    best = values.copy()
    for (start, stop), predecessors in zip(sizes(grid)[1:], padded_predecessors(grid), strict=True):
        np.maximum(best[start:stop], best[predecessors].max(axis=1), out=best[start:stop])
    return best


def _filled(
    book: CompiledBook, state: State, boxes: NDArray[np.int64], points: NDArray[np.int64], flag: int, policy_flag: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Masks, flags and lanes once the boxes along the last axis are filled."""
    counted = points * (book.upper >> boxes & 1)
    lanes = np.minimum(state.upper + counted, book.threshold)
    flags = np.where(boxes == book.policy_box, policy_flag, flag)
    return state.mask | 1 << boxes, flags, lanes


def _boxes(mask: int) -> NDArray[np.int64]:
    return np.array([box for box in range(mask.bit_length()) if mask >> box & 1], dtype=np.int64)


@lru_cache(maxsize=8)
def sizes(grid: Lattice) -> tuple[tuple[int, int], ...]:
    """For each number of dice, its stretch of rows."""
    counts = np.bincount([len(multiset) for multiset in grid.multisets])
    stops = np.cumsum(counts).tolist()
    return tuple(zip([0, *stops[:-1]], stops, strict=True))


@lru_cache(maxsize=8)
def padded_predecessors(grid: Lattice) -> tuple[NDArray[np.uint16], ...]:
    """For each number of dice from 1 on, [rows, most]: rows with fewer predecessors repeat their last."""
    lists: list[NDArray[np.uint16]] = []
    at = 0
    for start, stop, count in grid.groups.tolist():
        lists += list(grid.predecessors[at : at + (stop - start) * count].reshape(-1, count))
        at += (stop - start) * count
    stretches = [lists[start - 1 : stop - 1] for start, stop in sizes(grid)[1:]]
    return tuple(_even(stretch) for stretch in stretches)


def _even(lists: list[NDArray[np.uint16]]) -> NDArray[np.uint16]:
    most = max(map(len, lists))
    return np.array([np.pad(each, (0, most - len(each)), mode="edge") for each in lists])
