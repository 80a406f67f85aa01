"""One turn of optimal play from one state, in numpy: the chances of what it leaves.

Of equally good things to do the first is done, in this order: fill a box (of several, the first on the sheet); else
put dice back into the cup, one at a time, always the lowest face that still leads to a best keep.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.model.book_arrays import CompiledBook, Lattice, State
from fivedice.solver.model.reachable_states import highest
from fivedice.solver.values import turn_values

Leads: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]"


@dataclass(frozen=True, eq=False)
class Turnout:
    """What may come of a turn: an entry for every roll that may be filled in."""

    chances: NDArray[np.float64]
    boxes: NDArray[np.int64]
    points: NDArray[np.int64]  # in the box
    extras: NDArray[np.int64]  # beside it
    masks: NDArray[np.int64]
    flags: NDArray[np.int64]
    lanes: NDArray[np.int64]


@lru_cache(maxsize=64)
def tolerance(book: CompiledBook) -> float:
    """Values that differ by less are equal, and differ by rounding alone: that of `shipped_values` too."""
    return max(5e-10, 1e-14 * highest(book, State(0, 0, 0))[0])


def turnout(
    book: CompiledBook, table: NDArray[np.float64], state: State, rolls: NDArray[np.float64], rerolls: int
) -> Turnout:
    """Play on from the chances of all rolls, with `rerolls` left."""
    values = turn_values.box_values(book, table, state)
    filled = filled_in(book.lattice, values.max(axis=1), rolls, rerolls, tolerance(book))
    return settled(book, state, values, filled, leads(book, state), tolerance(book))


def settled(
    book: CompiledBook,
    state: State,
    values: NDArray[np.float64],
    filled: NDArray[np.float64],
    led: Leads,
    near: float,
) -> Turnout:
    """What comes of the rolls that are filled in, each in the first of its best boxes."""
    chosen = np.flatnonzero(filled)
    boxes = first_best(book, values[chosen], near)
    flags, lanes, points = (each[chosen, boxes] for each in led)
    extras = np.zeros(len(book.plain), dtype=np.int64)
    extras[book.lattice.alike - book.lattice.first_roll] = turn_values.alike_extras(book, state)
    extras = extras[chosen]
    return Turnout(filled[chosen], boxes, points - extras, extras, state.mask | 1 << boxes, flags, lanes)


def thrown(grid: Lattice, keep: tuple[int, ...]) -> NDArray[np.float64]:
    """[rolls]: the chances of all rolls once the other dice are thrown."""
    mass = np.zeros(grid.rows)
    mass[grid.row[keep]] = 1.0
    return _thrown(grid, mass)


def lying(grid: Lattice, roll: tuple[int, ...]) -> NDArray[np.float64]:
    """[rolls]: the chances of all rolls when one lies on the table."""
    chances = np.zeros(len(grid.rolls))
    chances[grid.row[roll] - grid.first_roll] = 1.0
    return chances


def sheet_order(book: CompiledBook) -> NDArray[np.int64]:
    """The boxes as they stand on the sheet."""
    return np.argsort(book.order)


def first_best(book: CompiledBook, values: NDArray[np.float64], near: float) -> NDArray[np.int64]:
    """[rolls]: the first of the best boxes."""
    order = sheet_order(book)
    best = values.max(axis=1, keepdims=True) - near
    first: NDArray[np.int64] = order[np.argmax(values[:, order] >= best, axis=1)]
    return first


def leads(book: CompiledBook, state: State) -> Leads:
    """[rolls, boxes] each: flag and lane after a roll in a box, and points with the extra; 0 where illegal."""
    found = (
        turn_values.over_boxes(book, state, lambda _masks, flags, _lanes, points: flags + 0 * points),
        turn_values.over_boxes(book, state, lambda _masks, _flags, lanes, points: lanes + 0 * points),
        turn_values.over_boxes(book, state, lambda _masks, _flags, _lanes, points: points),
    )
    flags, lanes, points = (np.where(np.isfinite(each), each, 0).astype(np.int64) for each in found)
    return flags, lanes, points


def filled_in(
    grid: Lattice, leaf: NDArray[np.float64], rolls: NDArray[np.float64], rerolls: int, near: float
) -> NDArray[np.float64]:
    """[rolls]: the chance that a roll is filled in at last, if `leaf` says what each is worth then."""
    stages = _stages(grid, leaf, rerolls)
    done = np.zeros_like(rolls)
    for own, best in reversed(stages):
        mass = np.zeros(grid.rows)
        mass[grid.first_roll :] = rolls
        _settle(grid, own, best, mass, near)
        done += mass[grid.first_roll :]
        rolls = _thrown(grid, mass)
    return done + rolls


def expected(
    grid: Lattice, leaf: NDArray[np.float64], measure: NDArray[np.float64], rerolls: int, near: float
) -> NDArray[np.float64]:
    """[rows]: what to expect of a number that each filled in roll has, if a row is kept, its others are thrown, and
    play goes on as in `filled_in`. One walk backwards answers for all rows.
    """
    rolls = measure
    for own, best in _stages(grid, leaf, rerolls):
        mine = turn_values.keep_values(grid, rolls)
        mine[grid.first_roll :] = measure
        rolls = _chosen(grid, own, best, mine, near)[grid.first_roll :]
    return turn_values.keep_values(grid, rolls)


def followed(
    grid: Lattice, leaf: NDArray[np.float64], measures: NDArray[np.float64], throws: int, near: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same for several numbers at once and for every moment of a turn, in which dice are thrown so often.

    [throws, numbers, rows]: if a row is kept, its others are thrown, and 1, 2, ... throws are left, this one included;
    [throws, numbers, rolls]: if a roll lies on the table, and 0, 1, ... throws are left.
    """
    held, lying = np.empty((throws, len(measures), grid.rows)), np.empty((throws, *measures.shape))
    stages = _stages(grid, leaf, throws - 1)
    for number, measure in enumerate(measures):
        lying[0, number], held[0, number] = measure, turn_values.keep_values(grid, measure)
        for left, (own, best) in enumerate(stages, 1):
            mine = held[left - 1, number].copy()
            mine[grid.first_roll :] = measure
            lying[left, number] = _chosen(grid, own, best, mine, near)[grid.first_roll :]
            held[left, number] = turn_values.keep_values(grid, lying[left, number])
    return held, lying


def _chosen(
    grid: Lattice, own: NDArray[np.float64], best: NDArray[np.float64], mine: NDArray[np.float64], near: float
) -> NDArray[np.float64]:
    """For every row the number of what is chosen in it: the reverse of `_settle`, with the same choices."""
    found = mine.copy()
    for (start, stop), predecessors in zip(
        turn_values.sizes(grid)[1:], turn_values.padded_predecessors(grid), strict=True
    ):
        bar = best[start:stop] - near
        open_ = own[start:stop] < bar
        for fewer in predecessors.T:
            taken = open_ & (best[fewer] >= bar)
            found[start:stop][taken] = found[fewer][taken]
            open_ &= ~taken
    return found


def _stages(
    grid: Lattice, leaf: NDArray[np.float64], rerolls: int
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """For 1, 2, ... rerolls left: the worth of every row as it lies, and of the best in it."""
    stages = []
    rolls = leaf
    for _ in range(rerolls):
        own = turn_values.keep_values(grid, rolls)
        own[grid.first_roll :] = leaf
        best = turn_values.best_rows(grid, own)
        stages.append((own, best))
        rolls = best[grid.first_roll :]
    return stages


def _settle(
    grid: Lattice, own: NDArray[np.float64], best: NDArray[np.float64], mass: NDArray[np.float64], near: float
) -> None:
    """Move the chance of every row to what is chosen in it: itself, or a row with one die fewer, and so on."""
    layers = zip(turn_values.sizes(grid)[1:], turn_values.padded_predecessors(grid), strict=True)
    for (start, stop), predecessors in reversed(list(layers)):
        bar = best[start:stop] - near
        moving = np.where(own[start:stop] >= bar, 0.0, mass[start:stop])
        mass[start:stop] -= moving
        for fewer in predecessors.T:
            part = np.where(best[fewer] >= bar, moving, 0.0)
            np.add.at(mass, fewer, part)
            moving -= part


def _thrown(grid: Lattice, mass: NDArray[np.float64]) -> NDArray[np.float64]:
    """[rolls]: throw the dice that the keeps leave; rolls that are already filled in do not count."""
    mass = mass.copy()
    mass[grid.first_roll :] = 0.0
    for start, stop in turn_values.sizes(grid)[:-1]:
        np.add.at(mass, grid.successors[start:stop], mass[start:stop, None] / grid.faces)
    return mass[grid.first_roll :]


def filled_by_left(
    grid: Lattice, leaf: Callable[[int], NDArray[np.float64]], rolls: NDArray[np.float64], rerolls: int, near: float
) -> dict[int, NDArray[np.float64]]:
    """As `filled_in`, where a roll is worth more the more rerolls are left: the chances for each number of them."""
    stages, values = [], leaf(0)
    for left in range(1, rerolls + 1):
        own = turn_values.keep_values(grid, values)
        own[grid.first_roll :] = leaf(left)
        best = turn_values.best_rows(grid, own)
        stages.append((left, own, best))
        values = best[grid.first_roll :]
    done = {}
    for left, own, best in reversed(stages):
        mass = np.zeros(grid.rows)
        mass[grid.first_roll :] = rolls
        _settle(grid, own, best, mass, near)
        done[left] = mass[grid.first_roll :].copy()
        rolls = _thrown(grid, mass)
    return done | {0: rolls}


def joined(parts: list[Turnout]) -> Turnout:
    """Several ways to end a turn as one."""
    return Turnout(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Turnout)))
