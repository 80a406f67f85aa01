"""One turn of optimal play from one state, in numpy: the chances of its results.

Of equally good choices the first is taken, in this order: fill a box (of several, the first on the sheet); otherwise
throw dice again, one at a time, always the lowest face that still leads to a best keep.
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
    """The possible results of a turn: an entry for every roll that may be scored."""

    chances: NDArray[np.float64]
    boxes: NDArray[np.int64]
    points: NDArray[np.int64]  # in the box
    extras: NDArray[np.int64]  # paid in addition
    masks: NDArray[np.int64]
    flags: NDArray[np.int64]
    lanes: NDArray[np.int64]


@lru_cache(maxsize=64)
def tolerance(book: CompiledBook) -> float:
    """Return the difference up to which values count as equal: the rounding of the solver and of `shipped_values`."""
    return max(5e-10, 1e-14 * highest(book, State(0, 0, 0))[0])


def turnout(
    book: CompiledBook, table: NDArray[np.float64], state: State, rolls: NDArray[np.float64], rerolls: int
) -> Turnout:
    """Play on from the chances of all rolls, with `rerolls` left."""
    values = turn_values.box_values(book, table, state)
    filled = scoring_chances(book.lattice, values.max(axis=1), rolls, rerolls, tolerance(book))
    return score_rolls(book, state, values, filled, leads(book, state), tolerance(book))


def score_rolls(
    book: CompiledBook,
    state: State,
    values: NDArray[np.float64],
    filled: NDArray[np.float64],
    led: Leads,
    near: float,
) -> Turnout:
    """Return the results of the rolls that are scored, each in the first of its best boxes."""
    chosen = np.flatnonzero(filled)
    boxes = first_best(book, values[chosen], near)
    flags, lanes, points = (each[chosen, boxes] for each in led)
    extras = np.zeros(len(book.plain), dtype=np.int64)
    extras[book.lattice.alike - book.lattice.first_roll] = turn_values.alike_extras(book, state)
    extras = extras[chosen]
    return Turnout(filled[chosen], boxes, points - extras, extras, state.mask | 1 << boxes, flags, lanes)


def throw_others(grid: Lattice, keep: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the chances of all rolls once the dice that are not kept are thrown, as [rolls]."""
    mass = np.zeros(grid.rows)
    mass[grid.row[keep]] = 1.0
    return _throw(grid, mass)


def certain_roll(grid: Lattice, roll: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the chances of all rolls when this one is on the table, as [rolls]."""
    chances = np.zeros(len(grid.rolls))
    chances[grid.row[roll] - grid.first_roll] = 1.0
    return chances


def sheet_order(book: CompiledBook) -> NDArray[np.int64]:
    """Return the boxes in the order of the sheet."""
    return np.argsort(book.order)


def first_best(book: CompiledBook, values: NDArray[np.float64], near: float) -> NDArray[np.int64]:
    """Return the first of the best boxes, as [rolls]."""
    order = sheet_order(book)
    best = values.max(axis=1, keepdims=True) - near
    first: NDArray[np.int64] = order[np.argmax(values[:, order] >= best, axis=1)]
    return first


def leads(book: CompiledBook, state: State) -> Leads:
    """Return the flag and lane after every roll in every box, and its points with extras; 0 where illegal.

    Each is [rolls, boxes].
    """
    found = (
        turn_values.over_boxes(book, state, lambda _masks, flags, _lanes, points: flags + 0 * points),
        turn_values.over_boxes(book, state, lambda _masks, _flags, lanes, points: lanes + 0 * points),
        turn_values.over_boxes(book, state, lambda _masks, _flags, _lanes, points: points),
    )
    flags, lanes, points = (np.where(np.isfinite(each), each, 0).astype(np.int64) for each in found)
    return flags, lanes, points


def scoring_chances(
    grid: Lattice, leaf: NDArray[np.float64], rolls: NDArray[np.float64], rerolls: int, near: float
) -> NDArray[np.float64]:
    """Return the chance that each roll is scored in the end, where `leaf` has the worth of scoring it, as [rolls]."""
    parts = scoring_chances_by_left(grid, lambda _: leaf, rolls, rerolls, near)
    found: NDArray[np.float64] = np.sum(list(parts.values()), axis=0)
    return found


def expected_measure(
    grid: Lattice, leaf: NDArray[np.float64], measure: NDArray[np.float64], rerolls: int, near: float
) -> NDArray[np.float64]:
    """Return the mean of a number that each scored roll has, after keeping each row, as [rows].

    The other dice are thrown, and play goes on as in `scoring_chances`. One walk backwards answers for all rows.
    """
    rolls = measure
    for own, best in _stages(grid, lambda _: leaf, rerolls):
        mine = turn_values.keep_values(grid, rolls)
        mine[grid.first_roll :] = measure
        rolls = _choose(grid, own, best, mine, near)[grid.first_roll :]
    return turn_values.keep_values(grid, rolls)


def follow_turn(
    grid: Lattice, leaf: NDArray[np.float64], measures: NDArray[np.float64], throws: int, near: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the same for several numbers at once, and for every moment of a turn with this many throws.

    The first is [throws, numbers, rows]: after keeping a row, with 1, 2, ... throws left, including the next one. The
    second is [throws, numbers, rolls]: with a roll on the table, and 0, 1, ... throws left.
    """
    held, rolled = np.empty((throws, len(measures), grid.rows)), np.empty((throws, *measures.shape))
    stages = _stages(grid, lambda _: leaf, throws - 1)
    for number, measure in enumerate(measures):
        rolled[0, number], held[0, number] = measure, turn_values.keep_values(grid, measure)
        for left, (own, best) in enumerate(stages, 1):
            mine = held[left - 1, number].copy()
            mine[grid.first_roll :] = measure
            rolled[left, number] = _choose(grid, own, best, mine, near)[grid.first_roll :]
            held[left, number] = turn_values.keep_values(grid, rolled[left, number])
    return held, rolled


def _choose(
    grid: Lattice, own: NDArray[np.float64], best: NDArray[np.float64], mine: NDArray[np.float64], near: float
) -> NDArray[np.float64]:
    """Return for every row the number of the choice made in it: the reverse of `_settle`, with the same choices."""
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
    grid: Lattice, leaf: Callable[[int], NDArray[np.float64]], rerolls: int
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return the worth of every row as it is, and of the best choice in it, for 1, 2, ... rerolls left."""
    stages = []
    rolls = leaf(0)
    for left in range(1, rerolls + 1):
        own = turn_values.with_rolls(grid, turn_values.keep_values(grid, rolls), leaf(left))
        best = turn_values.best_rows(grid, own)
        stages.append((own, best))
        rolls = best[grid.first_roll :]
    return stages


def _settle(
    grid: Lattice, own: NDArray[np.float64], best: NDArray[np.float64], mass: NDArray[np.float64], near: float
) -> None:
    """Move the chance of every row to the choice made in it: itself, or a row with one die fewer, and so on."""
    layers = zip(turn_values.sizes(grid)[1:], turn_values.padded_predecessors(grid), strict=True)
    for (start, stop), predecessors in reversed(list(layers)):
        bar = best[start:stop] - near
        moving = np.where(own[start:stop] >= bar, 0.0, mass[start:stop])
        mass[start:stop] -= moving
        for fewer in predecessors.T:
            part = np.where(best[fewer] >= bar, moving, 0.0)
            np.add.at(mass, fewer, part)
            moving -= part


def _throw(grid: Lattice, mass: NDArray[np.float64]) -> NDArray[np.float64]:
    """Throw the dice that the keeps leave, and return the chances of rolls; rolls already scored do not count."""
    mass = mass.copy()
    mass[grid.first_roll :] = 0.0
    for start, stop in turn_values.sizes(grid)[:-1]:
        np.add.at(mass, grid.successors[start:stop], mass[start:stop, None] / grid.faces)
    return mass[grid.first_roll :]


def scoring_chances_by_left(
    grid: Lattice, leaf: Callable[[int], NDArray[np.float64]], rolls: NDArray[np.float64], rerolls: int, near: float
) -> dict[int, NDArray[np.float64]]:
    """Return the chances as in `scoring_chances`, by the number of rerolls left, where saved rerolls have a worth."""
    done = {}
    for left, (own, best) in reversed(list(enumerate(_stages(grid, leaf, rerolls), 1))):
        mass = np.zeros(grid.rows)
        mass[grid.first_roll :] = rolls
        _settle(grid, own, best, mass, near)
        done[left] = mass[grid.first_roll :].copy()
        rolls = _throw(grid, mass)
    return done | {0: rolls}


def join_turnouts(parts: list[Turnout]) -> Turnout:
    """Join several ways to end a turn."""
    return Turnout(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Turnout)))
