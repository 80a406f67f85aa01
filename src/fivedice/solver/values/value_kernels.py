# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled core: arrays in, arrays out. Needs numba; imported only when something is solved.

The steps of a turn (`leaf`, `down`, `up`, `mean`) work on one block. Beyond the leaf they do not depend on the meaning
of its lanes, so that they also fill other tables than that of the mean.

Everything happens on blocks of eight lanes, that is, eight neighbouring counted totals of one card. The work area holds
one such block for every row of the lattice: 462 rows of 64 bytes for five dice, which stay in the first-level cache
together with the 16-bit index tables. These name a row by its place in the work area: eight times its number.

Inside a block all values include the counted points (a lane's own total is added to it). So a counted box that scores s
is the same row read s lanes further on, with nothing to add.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.core.rules.joker_steps import first_available
from fivedice.solver.runtime.kernel_cache import kernel, njit
from fivedice.solver.runtime.vector_lanes import (
    LANES,
    add,
    everywhere,
    everywhere_as,
    lanes_in,
    larger,
    load,
    peek,
    store,
    times,
)

inlined = njit(inline="always")
_first_available = inlined(first_available)


class TurnArrays(NamedTuple):
    """The lattice: the dice of a turn."""

    faces: int
    successors: np.ndarray
    predecessors: np.ndarray
    groups: np.ndarray
    weights: np.ndarray
    rerolls: int


class Rungs(NamedTuple):
    """Where all dice the same may go; apart from `ScoreArrays`, as a call counts references to each array it gets."""

    policy_box: int
    applies: np.ndarray
    face_boxes: np.ndarray
    offers: np.ndarray


class ScoreArrays(NamedTuple):
    """The scoring; see `work_plan` for the entries, and `book_arrays` for the rest."""

    boxes: int
    width: int
    totals: np.ndarray
    first_roll: int
    block_starts: np.ndarray
    block_lanes: np.ndarray
    floors: np.ndarray
    flag_starts: np.ndarray
    flag_list: np.ndarray
    flag_sources: np.ndarray
    counted: int
    fixed_order: bool
    first: int
    slot_boxes: np.ndarray
    zero_slots: np.ndarray
    entry_starts: np.ndarray
    entry_rows: np.ndarray
    entry_points: np.ndarray
    entry_worths: np.ndarray
    alike_rows: np.ndarray
    alike_points: np.ndarray
    alike_slots: np.ndarray
    policy_box: int
    extra: np.ndarray
    flag_after: np.ndarray
    flag_after_paid: np.ndarray
    prices: np.ndarray
    ladder: Rungs


class Scratch(NamedTuple):
    """The arrays of one thread."""

    work: np.ndarray
    rows: np.ndarray
    alike_row: np.ndarray  # [slots]: the row of the values after all dice the same, if they change the flag
    places: np.ndarray
    points: np.ndarray
    legal: np.ndarray  # [faces]: where all dice the same may go, and at what price: see `list_alike`
    prices: np.ndarray
    extras: np.ndarray
    values: np.ndarray


@kernel
def down(work, successors, faces):
    """Set the worth of every keep to the mean over one more die."""
    if faces == 6:  # the same with a constant, so that the compiler unrolls the inner loop
        _down(work, successors, 6)
    else:
        _down(work, successors, faces)


@inlined
def _down(work, successors, faces):
    share = everywhere_as(work, 1.0 / faces)
    for row in range(successors.size // faces - 1, -1, -1):
        total = load(work, peek(successors, row * faces))
        for face in range(1, faces):
            total = add(total, load(work, peek(successors, row * faces + face)))
        store(work, lanes_in(work) * row, times(total, share))


@kernel
def up(work, predecessors, groups):
    """Set every multiset to its best choice: itself, or the best with one die fewer."""
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


@inlined
def _up(work, predecessors, at, start, stop, count):
    for row in range(start, stop):
        best = load(work, lanes_in(work) * row)
        for step in range(count):
            best = larger(best, load(work, peek(predecessors, at + step)))
        at += count
        store(work, lanes_in(work) * row, best)


@kernel
def mean(work, first_roll, weights):
    """Return the weighted mean over all rolls; four sums, so that one addition need not wait for the last."""
    rolls = weights.size
    nothing, lanes = everywhere_as(work, 0.0), lanes_in(work)
    first, second, third, fourth = nothing, nothing, nothing, nothing
    whole = rolls - rolls % 4
    for roll in range(0, whole, 4):
        at = lanes * (first_roll + roll)
        first = add(first, times(load(work, at), everywhere_as(work, weights[roll])))
        second = add(second, times(load(work, at + lanes), everywhere_as(work, weights[roll + 1])))
        third = add(third, times(load(work, at + 2 * lanes), everywhere_as(work, weights[roll + 2])))
        fourth = add(fourth, times(load(work, at + 3 * lanes), everywhere_as(work, weights[roll + 3])))
    for roll in range(whole, rolls):
        first = add(first, times(load(work, lanes * (first_roll + roll)), everywhere_as(work, weights[roll])))
    return add(add(first, second), add(third, fourth))


@kernel
def available_boxes(game, mask):
    """Return the boxes that may be filled next, as a mask."""
    unfilled = ~mask & ((1 << game.boxes) - 1)
    if game.fixed_order:
        return unfilled & -unfilled
    first = unfilled & game.first
    return first or unfilled


@kernel
def decide(ladder, mask, flag, face, available):
    """Return the legal boxes for all dice the same, and the deciding rung, counted from 1; 0 if no rung decides."""
    box = ladder.policy_box
    filled = 1 if box >= 0 and mask >> box & 1 else 0
    if ladder.applies[flag, filled]:
        offers = ladder.offers[1 if ladder.face_boxes[face] & ~mask else 0, face]
        rung = _first_available(offers, available)
        if rung >= 0:
            return available & offers[rung], rung + 1
    return available, 0


@inlined
def changes_flag(extra, box, policy_box):
    """Return whether all dice the same change the flag more than other rolls: in their own box, and where they are
    paid.
    """
    return extra > 0 or box == policy_box


@kernel
def land(table, mask, flag, game, scratch):
    """Copy the values after filling each open box, a padded row for each slot, and note the rows for all dice the same.

    Those differ where the dice change the flag: by an extra that is paid, or by points in the policy's box.
    """
    slots = game.slot_boxes.size
    for slot in range(slots):
        box = game.slot_boxes[slot]
        if mask >> box & 1:
            continue
        usual, paid = game.flag_after[flag, slot], game.flag_after_paid[flag, slot]
        scratch.alike_row[slot] = slot
        _land_box(table[mask | 1 << box, usual], slot, game, scratch)
        if paid != usual:
            scratch.alike_row[slot] = slots + slot
            _land_box(table[mask | 1 << box, paid], slots + slot, game, scratch)


@kernel
def _land_box(values, row, game, scratch):
    """Copy the values, add the lane's own total, and continue past the threshold as far as any score can shift."""
    lanes = values.size
    whole = lanes - lanes % LANES
    first = row * game.width
    for lane in range(0, whole, LANES):
        store(scratch.rows, first + lane, add(load(values, lane), load(game.totals, lane)))
    for lane in range(whole, game.width):
        scratch.rows[first + lane] = values[min(lane, lanes - 1)] + game.totals[lane]


@kernel
def list_alike(game, mask, flag, available, scratch):
    """List where all dice the same may go and for how much, face by face: once per card, for all its blocks.

    A face with fewer choices repeats its first, so that all lists have the one length that is returned.
    """
    choices = 0
    for box in range(game.boxes):
        choices += available >> box & 1
    for face in range(game.alike_rows.size):
        legal, rung = decide(game.ladder, mask, flag, face, available)
        price, extra = game.prices[rung], game.extra[flag, rung]
        scratch.legal[face], scratch.prices[face], scratch.extras[face] = legal, price, extra
        first = at = face * game.boxes
        points, slots = game.alike_points[price, face], game.alike_slots[price, face]
        for box in range(game.boxes):
            if legal >> box & 1:
                shift = points[box] if game.counted >> box & 1 else 0
                row = slots[box]
                if changes_flag(extra, box, game.policy_box):
                    row = scratch.alike_row[row]
                scratch.places[at] = row * game.width + shift
                scratch.points[at] = points[box] - shift + extra
                at += 1
        for spare in range(at, first + choices):
            scratch.places[spare] = scratch.places[first]
            scratch.points[spare] = scratch.points[first]
    return choices


@kernel
def leaf(game, available, alike_choices, base, scratch):
    """Score every roll in its best legal box, for the block of lanes from `base` on."""
    work, rows = scratch.work, scratch.rows
    _leaf_dump(work, rows, game, available, base)
    leaf_boxes(work, rows, game, available, base)
    _leaf_alike(game, alike_choices, base, scratch)


@kernel
def leaf_boxes(work, rows, game, available, base):
    """Offer every roll the boxes in which it scores."""
    for slot in range(game.slot_boxes.size):
        box = game.slot_boxes[slot]
        if available >> box & 1:
            if game.counted >> box & 1:
                _leaf_counted(work, rows, game, slot, base)
            else:
                _leaf_other(work, rows, game, slot, base)


@kernel
def _leaf_dump(work, rows, game, available, base):
    """Offer every roll a zero in any open box: it never beats the box's own score, so it can be offered to all."""
    best = everywhere(-np.inf)
    for box in range(game.boxes):
        if available >> box & 1:
            best = larger(best, load(rows, game.zero_slots[box] * game.width + base))
    for row in range(game.first_roll, work.size // LANES):
        store(work, LANES * row, best)


@kernel
def _leaf_counted(work, rows, game, slot, base):
    here = slot * game.width + base
    for entry in range(game.entry_starts[slot], game.entry_starts[slot + 1]):
        at = peek(game.entry_rows, entry)
        store(work, at, larger(load(work, at), load(rows, here + peek(game.entry_points, entry))))


@kernel
def _leaf_other(work, rows, game, slot, base):
    here = load(rows, slot * game.width + base)
    for entry in range(game.entry_starts[slot], game.entry_starts[slot + 1]):
        at = peek(game.entry_rows, entry)
        points = everywhere(peek(game.entry_worths, entry))
        store(work, at, larger(load(work, at), add(here, points)))


@kernel
def _leaf_alike(game, choices, base, scratch):
    for face in range(game.alike_rows.size):
        best = everywhere(-np.inf)
        for entry in range(face * game.boxes, face * game.boxes + choices):
            there = load(scratch.rows, base + peek(scratch.places, entry))
            best = larger(best, add(there, everywhere(peek(scratch.points, entry))))
        store(scratch.work, game.alike_rows[face], best)


@kernel
def solve_state(table, mask, flag, kind, turn, game, scratch):
    """Fill one card and flag: all its counted totals, a block at a time."""
    available = available_boxes(game, mask)
    land(table, mask, flag, game, scratch)
    choices = list_alike(game, mask, flag, available, scratch)
    values = table[mask, flag]
    for number in range(game.block_starts[kind], game.block_starts[kind + 1]):
        base = peek(game.block_lanes, number)
        leaf(game, available, choices, base, scratch)
        for _ in range(turn.rerolls):
            down(scratch.work, turn.successors, turn.faces)
            up(scratch.work, turn.predecessors, turn.groups)
        store(scratch.values, 0, mean(scratch.work, game.first_roll, turn.weights))
        for lane in range(min(LANES, values.size - base)):
            values[base + lane] = scratch.values[lane] - (base + lane)
    floor = game.floors[kind]
    for lane in range(floor):
        values[lane] = values[floor]


@kernel
def solve_masks(table, masks, kinds, flag_kinds, turn, game, scratch, stop):
    """Fill the table for some cards, all with one open box more than the cards already filled."""
    for number in range(masks.size):
        if stop[0]:
            return
        mask, flag_kind = masks[number], flag_kinds[number]
        for place in range(game.flag_starts[flag_kind], game.flag_starts[flag_kind + 1]):
            flag, source = game.flag_list[place], game.flag_sources[place]
            if source == flag:
                solve_state(table, mask, flag, kinds[number], turn, game, scratch)
            else:
                for lane in range(table.shape[2]):
                    table[mask, flag, lane] = table[mask, source, lane]
