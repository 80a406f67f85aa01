# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `saved_rolls`: the values of books that save rolls.

With k rolls left, a roll is worth the better of two options: to score it, with k rolls saved; or its best keep,
followed by a roll with k - 1 rolls left. So all numbers of saved rolls of a card come out of one chain: with s saved, a
turn is the mean of its first rolls with `rerolls + s` left. One step of the chain is one leaf, one `down` and one `up`.
As more rolls are never worth less, the values of the step before may stay in place: they are never better.

The rows that a leaf reads begin at the block's own first total, not at 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import LANES, add, everywhere, larger, load, peek, store
from fivedice.solver.values.value_kernels import available_boxes, down, leaf_boxes, list_alike, mean, up


class Saved(NamedTuple):
    """Where the values are; see `saved_values`."""

    kinds: np.ndarray
    flag_kinds: np.ndarray
    offsets: np.ndarray
    floors: np.ndarray
    counts: np.ndarray
    windows: np.ndarray  # [boxes]: how many lanes are read, from the first of a block on


@kernel
def _land_window(after, first, floor, count, base, window, row, rows):
    """Copy the values from a total on, adding the total; past the last one, continue as far as any score can shift."""
    for step in range(window):
        place = min(max(base + step - floor, 0), count - 1)
        rows[row + step] = after[first + place] + (base + step)


@kernel
def _land_windows(after, depth, mask, flag, level, base, slot_boxes, flags, paid, where, width, scratch):
    """Fill a window for each slot of an open box, and one for all dice the same where they change the flag."""
    slots = slot_boxes.size
    for slot in range(slots):
        box = slot_boxes[slot]
        if mask >> box & 1:
            continue
        target = mask | 1 << box
        kind, window = where.kinds[target], where.windows[box]
        floor, count, first = where.floors[kind], where.counts[kind], where.offsets[target]
        usual, alike = flags[flag, slot], paid[flag, slot]
        at = first + (usual * depth + level) * count
        _land_window(after, at, floor, count, base, window, slot * width, scratch.rows)
        if alike != usual:
            at = first + (alike * depth + level) * count
            _land_window(after, at, floor, count, base, window, (slots + slot) * width, scratch.rows)


@kernel
def _dump(work, rows, zero_slots, available, width, first_roll):
    """Offer every roll a zero in some box, if that is better than its worth so far."""
    best = everywhere(-np.inf)
    for box in range(zero_slots.size):
        if available >> box & 1:
            best = larger(best, load(rows, zero_slots[box] * width))
    for at in range(LANES * first_roll, work.size, LANES):
        store(work, at, larger(load(work, at), best))


@kernel
def _alike(work, alike_rows, boxes, choices, scratch, before):
    """Set the worth of all dice the same, in place of the offers of `_dump` and the boxes; `before` has their worth
    before.
    """
    for face in range(alike_rows.size):
        best = load(before, LANES * face)
        for entry in range(face * boxes, face * boxes + choices):
            there = load(scratch.rows, peek(scratch.places, entry))
            best = larger(best, add(there, everywhere(peek(scratch.points, entry))))
        store(work, alike_rows[face], best)


@kernel
def _step(game, available, choices, scratch, before):
    """Offer every roll its best legal box."""
    work = scratch.work
    for face in range(game.alike_rows.size):
        store(before, LANES * face, load(work, game.alike_rows[face]))
    _dump(work, scratch.rows, game.zero_slots, available, game.width, game.first_roll)
    leaf_boxes(work, scratch.rows, game, available, 0)
    _alike(work, game.alike_rows, game.boxes, choices, scratch, before)


@kernel
def _chain(
    after, here, first, depth, mask, flag, base, lanes, steps, available, choices, turn, game, where, scratch, before
):
    """Fill one block of one card and flag, for every number of saved rolls."""
    work = scratch.work
    rolls = LANES * game.first_roll
    for at in range(rolls, work.size, LANES):
        store(work, at, everywhere(-np.inf))
    count = where.counts[where.kinds[mask]]
    for level in range(steps):
        if level:
            down(work, turn.successors, turn.faces)
        _land_windows(
            after, depth, mask, flag, level, base, game.slot_boxes, game.flag_after, game.flag_after_paid, where,
            game.width, scratch,
        )  # fmt: skip
        _step(game, available, choices, scratch, before)
        if level:
            up(work, turn.predecessors, turn.groups)
        if level >= turn.rerolls:
            store(scratch.values, 0, mean(work, game.first_roll, turn.weights))
            at = first + (level - turn.rerolls) * count
            for lane in range(lanes):
                here[at + lane] = scratch.values[lane] - (base + lane)


@kernel
def solve_saved(after, here, masks, saved_after, saved_here, turn, game, where, scratch, before, stop):
    """Fill a layer for some cards, from the layer with one more box filled."""
    for number in range(masks.size):
        if stop[0]:
            return
        mask = masks[number]
        kind, available = where.kinds[mask], available_boxes(game, mask)
        count, floor = where.counts[kind], where.floors[kind]
        flag_kind = where.flag_kinds[mask]
        for place in range(game.flag_starts[flag_kind], game.flag_starts[flag_kind + 1]):
            flag, source = game.flag_list[place], game.flag_sources[place]
            first = where.offsets[mask] + flag * saved_here * count
            if source != flag:
                begin = where.offsets[mask] + source * saved_here * count
                here[first : first + saved_here * count] = here[begin : begin + saved_here * count]
                continue
            for slot in range(game.slot_boxes.size):
                changes = game.flag_after[flag, slot] != game.flag_after_paid[flag, slot]
                scratch.alike_row[slot] = game.slot_boxes.size + slot if changes else slot
            choices = list_alike(game, mask, flag, available, scratch)
            for block in range(game.block_starts[kind], game.block_starts[kind + 1]):
                base = peek(game.block_lanes, block)
                lanes = min(LANES, floor + count - base)
                _chain(
                    after, here, first + base - floor, saved_after, mask, flag, base, lanes,
                    turn.rerolls + saved_here, available, choices, turn, game, where, scratch, before,
                )  # fmt: skip
