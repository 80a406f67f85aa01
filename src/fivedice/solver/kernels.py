"""The compiled core: arrays in, arrays out. Needs numba; imported only when something is solved.

Everything happens on blocks of eight lanes, that is, eight neighbouring upper totals of one card. The work area
holds one such block for every row of the lattice: 462 rows of 64 bytes for five dice, which stay in the first-level
cache together with the 16-bit index tables.

Inside a block all values are final upper points included (a lane's own total is added to it). So an upper box that
scores s is simply the same row read s lanes further on, with nothing to add.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from fivedice.solver.lanes import LANES, add, everywhere, larger, load, peek, store, times

_compiled = njit(nogil=True, cache=True, error_model="numpy")
_inlined = njit(inline="always")


class Turn(NamedTuple):
    """The lattice: what dice can do in a turn."""

    faces: int
    successors: np.ndarray
    predecessors: np.ndarray
    groups: np.ndarray
    weights: np.ndarray
    rerolls: int


class Game(NamedTuple):
    """What the dice are worth; see `plan` for the entries, `compile` for the rest."""

    first_roll: int
    blocks: np.ndarray
    block_starts: np.ndarray
    upper: int
    fixed_order: bool
    entry_starts: np.ndarray
    entry_rows: np.ndarray
    entry_points: np.ndarray
    alike_rows: np.ndarray
    alike_points: np.ndarray
    policy_box: int
    extra: np.ndarray
    flag_after_extra: np.ndarray
    flag_after_points: int
    offers: np.ndarray
    needs: np.ndarray
    prices: np.ndarray
    face_boxes: np.ndarray
    applies: np.ndarray


class Scratch(NamedTuple):
    """The room one thread works in."""

    work: np.ndarray
    rows: np.ndarray
    alike_rows: np.ndarray
    values: np.ndarray


@_compiled
def down(work, successors, faces):
    """The worth of a keep is the mean of what one more die makes of it."""
    if faces == 6:  # the same, with a count that the compiler knows: it unrolls the inner loop
        _down(work, successors, 6)
    else:
        _down(work, successors, faces)


@_inlined
def _down(work, successors, faces):
    share = everywhere(1.0 / faces)
    for row in range(successors.size // faces - 1, -1, -1):
        total = load(work, LANES * peek(successors, row * faces))
        for face in range(1, faces):
            total = add(total, load(work, LANES * peek(successors, row * faces + face)))
        store(work, LANES * row, times(total, share))


@_compiled
def up(work, predecessors, groups):
    """The best choice in a multiset is itself or the best with one die fewer."""
    at = 0
    for group in range(groups.shape[0]):
        start, stop, count = groups[group, 0], groups[group, 1], groups[group, 2]
        if count == 1:
            _up(work, predecessors, at, start, stop, 1)
        elif count == 2:
            _up(work, predecessors, at, start, stop, 2)
        elif count == 3:
            _up(work, predecessors, at, start, stop, 3)
        elif count == 4:
            _up(work, predecessors, at, start, stop, 4)
        else:
            _up(work, predecessors, at, start, stop, count)
        at += count * (stop - start)


@_inlined
def _up(work, predecessors, at, start, stop, count):
    for row in range(start, stop):
        best = load(work, LANES * row)
        for step in range(count):
            best = larger(best, load(work, LANES * peek(predecessors, at + step)))
        at += count
        store(work, LANES * row, best)


@_compiled
def mean(work, first_roll, weights):
    """The weighted mean over all rolls; four sums, so that one addition need not wait for the last."""
    rolls = weights.size
    nothing = everywhere(0.0)
    first, second, third, fourth = nothing, nothing, nothing, nothing
    whole = rolls - rolls % 4
    for roll in range(0, whole, 4):
        at = LANES * (first_roll + roll)
        first = add(first, times(load(work, at), everywhere(weights[roll])))
        second = add(second, times(load(work, at + LANES), everywhere(weights[roll + 1])))
        third = add(third, times(load(work, at + 2 * LANES), everywhere(weights[roll + 2])))
        fourth = add(fourth, times(load(work, at + 3 * LANES), everywhere(weights[roll + 3])))
    for roll in range(whole, rolls):
        first = add(first, times(load(work, LANES * (first_roll + roll)), everywhere(weights[roll])))
    return add(add(first, second), add(third, fourth))


@_compiled
def decide(game, mask, flag, face, available):
    """The legal boxes for all dice alike, and their price: the ladder, as in the rules."""
    box = game.policy_box
    filled = 1 if box >= 0 and mask >> box & 1 else 0
    if game.applies[flag, filled]:
        face_filled = game.face_boxes[face] & ~mask == 0
        for rung in range(game.needs.size):
            need = game.needs[rung]
            boxes = available & game.offers[rung, face]
            fits = need == 0 or (need == 2) == face_filled
            if fits and boxes:
                return boxes, game.prices[rung]
    return available, 0


@_compiled
def land(table, mask, flag, policy_flag, policy_box, rows):
    """The values after filling each open box, a row each: the lane's own total added, padded past the threshold."""
    lanes = table.shape[2]
    for box in range(rows.shape[0]):
        if mask >> box & 1:
            continue
        source = table[mask | 1 << box, policy_flag if box == policy_box else flag]
        for lane in range(lanes):
            rows[box, lane] = source[lane] + lane
        for lane in range(lanes, rows.shape[1]):
            rows[box, lane] = source[lanes - 1] + lane


@_compiled
def leaf(work, rows, alike_rows, game, mask, flag, base):
    """Score every roll in its best legal box, for the block of lanes from `base` on."""
    available = ~mask & ((1 << rows.shape[0]) - 1)
    if game.fixed_order:
        available &= -available
    _leaf_dump(work, rows, game, available, base)
    for box in range(rows.shape[0]):
        if available >> box & 1:
            if game.upper >> box & 1:
                _leaf_upper(work, rows[box], game, box, base)
            else:
                _leaf_lower(work, rows[box], game, box, base)
    for face in range(game.alike_rows.size):
        _leaf_alike(work, alike_rows, game, mask, flag, face, available, base)


@_compiled
def _leaf_dump(work, rows, game, available, base):
    """Any roll may go anywhere for nothing: a zero never beats the box's own score, so it is offered to all."""
    best = everywhere(-np.inf)
    for box in range(rows.shape[0]):
        if available >> box & 1:
            best = larger(best, load(rows[box], base))
    for row in range(game.first_roll, work.size // LANES):
        store(work, LANES * row, best)


@_compiled
def _leaf_upper(work, values, game, box, base):
    for entry in range(game.entry_starts[box], game.entry_starts[box + 1]):
        at = LANES * peek(game.entry_rows, entry)
        store(work, at, larger(load(work, at), load(values, base + peek(game.entry_points, entry))))


@_compiled
def _leaf_lower(work, values, game, box, base):
    here = load(values, base)
    for entry in range(game.entry_starts[box], game.entry_starts[box + 1]):
        at = LANES * peek(game.entry_rows, entry)
        points = everywhere(float(peek(game.entry_points, entry)))
        store(work, at, larger(load(work, at), add(here, points)))


@_compiled
def _leaf_alike(work, rows, game, mask, flag, face, available, base):
    """All dice alike: the ladder may narrow the choice and change the price, and an extra may be due."""
    boxes, price = decide(game, mask, flag, face, available)
    best = everywhere(-np.inf)
    for box in range(rows.shape[0]):
        if boxes >> box & 1:
            points = game.alike_points[price, face, box]
            shift = points if game.upper >> box & 1 else 0
            best = larger(best, add(load(rows[box], base + shift), everywhere(float(points - shift))))
    store(work, LANES * game.alike_rows[face], add(best, everywhere(float(game.extra[flag]))))


@_compiled
def solve_state(table, mask, flag, kind, turn, game, work, rows, alike_rows, values):
    """One card and flag: all its upper totals, a block at a time, into `values`."""
    for number in range(game.block_starts[kind], game.block_starts[kind + 1]):
        base = LANES * game.blocks[number]
        leaf(work, rows, alike_rows, game, mask, flag, base)
        for _ in range(turn.rerolls):
            down(work, turn.successors, turn.faces)
            up(work, turn.predecessors, turn.groups)
        store(values, base, mean(work, game.first_roll, turn.weights))
        for lane in range(base, min(base + LANES, table.shape[2])):
            table[mask, flag, lane] = values[lane] - lane


@_compiled
def solve_masks(table, masks, kinds, turn, game, scratch, stop):
    """Fill the table for some cards, all of them one box further from the end than those already filled."""
    for number in range(masks.size):
        if stop[0]:
            return
        mask = masks[number]
        filled = game.policy_box >= 0 and mask >> game.policy_box & 1
        for flag in range(table.shape[1] if filled else 1):
            land(table, mask, flag, 0, game.policy_box, scratch.rows)
            after = game.flag_after_extra[flag]
            land(table, mask, after, game.flag_after_points, game.policy_box, scratch.alike_rows)
            solve_state(
                table, mask, flag, kinds[number], turn, game, scratch.work, scratch.rows, scratch.alike_rows, scratch.values
            )
