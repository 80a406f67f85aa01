# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `odds`: optimal play as a flow of chances. See `turn_choices` for one turn of it in numpy.

`choose` works on blocks of eight counted totals, as `value_kernels` does: first it works out the values of a turn, then
it goes back through them with the chances of the rolls until each has reached a box. The result for a block are its
*outcomes*: for every box and points, and for every face of all dice the same in every box, the chance of each lane.

`push` then moves the points: a row has the chance of each number of points so far, and an outcome adds it, shifted, to
the row that it leads to. Each thread has its own target cards, so threads never wait and sums have a fixed order.

`bonus_masks` goes the other way, for `bonus`: to each outcome it adds the chance of the upper bonus in the state after
the box.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import LANES, add, everywhere, load, minus, part_if, peek, store, times
from fivedice.solver.values.value_kernels import (
    available_boxes,
    changes_flag,
    decide,
    down,
    land,
    leaf,
    list_alike,
    up,
)


class Flow(NamedTuple):
    """The arrays that stay constant while the chances flow; see `reachable_states` for the rows."""

    first_rows: np.ndarray  # [masks, flags]
    ranks: np.ndarray  # [kinds, lanes]
    kind_bits: np.ndarray  # [boxes]
    totals: np.ndarray  # counted totals of the rows of each kind, from starts[kind] on
    starts: np.ndarray  # [kinds + 1]
    offsets: np.ndarray  # [rows]: where 0 points would be in the array of a row's layer
    low: np.ndarray  # [rows]: the fewest points that have a chance
    high: np.ndarray  # [rows]: the most, or -1
    block_starts: np.ndarray  # [kinds + 1]
    block_bases: np.ndarray  # the first counted total of each block
    block_ranks: np.ndarray  # [blocks + 1]: its first row, counted as in `totals`
    threshold: int
    near: float  # values closer than this are equal


class Outcomes(NamedTuple):
    """How the outcomes of a block are numbered: first by box and points, then by face and box."""

    sheet: np.ndarray  # the boxes in the order of the sheet
    places: np.ndarray  # [rolls * boxes]: the outcome of a roll in a box
    points: np.ndarray  # [rolls * boxes]
    slots: np.ndarray  # [rolls * boxes]: see `book_arrays`
    starts: np.ndarray  # [boxes + 1]
    place_points: np.ndarray
    place_slots: np.ndarray
    alike_face: np.ndarray  # [rolls]: counted from 1, or 0
    alike: int  # the first outcome of all dice the same


class OddsWorkspace(NamedTuple):
    """The arrays of one thread, in addition to the solver's scratch."""

    leaf: np.ndarray  # [rolls * lanes]
    keeps: np.ndarray  # [rerolls, keeps * lanes]: their worth
    best: np.ndarray  # [rerolls, rows * lanes]: the best in them
    mass: np.ndarray  # [rows * lanes]
    filled: np.ndarray  # [rolls * lanes]: the chance that a roll is scored
    weight: np.ndarray  # [lanes]: the chances of the block's rows


@kernel
def look(turn, first_roll, scratch, workspace):
    """Work out the values of a turn, stage by stage, from the leaf in the work area on."""
    rolls = first_roll * LANES
    workspace.leaf[:] = scratch.work[rolls:]
    for stage in range(turn.rerolls):
        down(scratch.work, turn.successors, turn.faces)
        workspace.keeps[stage] = scratch.work[:rolls]
        up(scratch.work, turn.predecessors, turn.groups)
        workspace.best[stage] = scratch.work


@kernel
def settle(best, keeps, turn, first_roll, near, workspace):
    """Move the chance of every row to the choice made in it: itself, or a row with one die fewer, and so on."""
    at = turn.predecessors.size
    for group in range(turn.groups.shape[0] - 1, -1, -1):
        count = turn.groups[group, 2]
        for row in range(turn.groups[group, 1] - 1, turn.groups[group, 0] - 1, -1):
            at -= count
            is_roll = row >= first_roll
            own = load(workspace.leaf, LANES * (row - first_roll)) if is_roll else load(keeps, LANES * row)
            bar = minus(load(best, LANES * row), near)
            mass = load(workspace.mass, LANES * row)
            moving = minus(mass, part_if(own, bar, mass))
            stays = minus(mass, moving)
            for step in range(at, at + count):
                fewer = peek(turn.predecessors, step)
                part = part_if(load(best, fewer), bar, moving)
                store(workspace.mass, fewer, add(load(workspace.mass, fewer), part))
                moving = minus(moving, part)
            if is_roll:
                place = LANES * (row - first_roll)
                store(workspace.filled, place, add(load(workspace.filled, place), stays))
            else:
                store(workspace.mass, LANES * row, stays)


@kernel
def throw(turn, first_roll, mass):
    """Throw the dice that the keeps leave: turn the chances of keeps into those of rolls."""
    mass[first_roll * LANES :] = 0.0
    share = everywhere(1.0 / turn.faces)
    for row in range(first_roll):
        part = times(load(mass, LANES * row), share)
        for face in range(turn.faces):
            at = peek(turn.successors, row * turn.faces + face)
            store(mass, at, add(load(mass, at), part))
    mass[: first_roll * LANES] = 0.0


@kernel
def play(turn, first_roll, near, workspace):
    """Work out the chance of every roll to be scored."""
    workspace.filled[:] = 0.0
    workspace.mass[: first_roll * LANES] = 0.0
    for roll in range(turn.weights.size):
        store(workspace.mass, LANES * (first_roll + roll), everywhere(turn.weights[roll]))
    for stage in range(turn.rerolls - 1, -1, -1):
        settle(workspace.best[stage], workspace.keeps[stage], turn, first_roll, near, workspace)
        throw(turn, first_roll, workspace.mass)
    for place in range(workspace.filled.size):
        workspace.filled[place] += workspace.mass[first_roll * LANES + place]


@kernel
def fill_in(game, available, base, outcomes, near, scratch, workspace, found):
    """Score every roll in the first of its best boxes."""
    for roll in range(outcomes.alike_face.size):
        face = outcomes.alike_face[roll]
        legal, price, extra = available, 0, 0
        if face:
            legal, price, extra = scratch.legal[face - 1], scratch.prices[face - 1], scratch.extras[face - 1]
        bar = minus(load(workspace.leaf, LANES * roll), near)
        rest = load(workspace.filled, LANES * roll)
        for place in range(game.boxes):
            box = outcomes.sheet[place]
            if legal >> box & 1:
                if face:
                    points = game.alike_points[price, face - 1, box]
                    row = game.alike_slots[price, face - 1, box]
                    if changes_flag(extra, box, game.policy_box):
                        row = scratch.alike_row[row]
                    outcome = outcomes.alike + (face - 1) * game.boxes + box
                else:
                    points, row = outcomes.points[roll * game.boxes + box], outcomes.slots[roll * game.boxes + box]
                    outcome = outcomes.places[roll * game.boxes + box]
                shift = points if game.counted >> box & 1 else 0
                worth = float(points - shift + extra)
                value = add(load(scratch.rows, row * game.width + base + shift), everywhere(worth))
                part = part_if(value, bar, rest)
                store(found, LANES * outcome, add(load(found, LANES * outcome), part))
                rest = minus(rest, part)


@kernel
def weigh(layer, flow, first_row, kind, block, workspace):
    """Store the chances of the rows of a block, and return whether there are any."""
    workspace.weight[:] = 0.0
    any_row = False
    for place in range(flow.block_ranks[block], flow.block_ranks[block + 1]):
        row = first_row + place - flow.starts[kind]
        total = 0.0
        for at in range(flow.offsets[row] + flow.low[row], flow.offsets[row] + flow.high[row] + 1):
            total += layer[at]
        workspace.weight[flow.totals[place] - flow.block_bases[block]] = total
        any_row = any_row or total > 0.0
    return any_row


@kernel
def add_means(game, available, outcomes, found, scratch, workspace, means):
    """Add the points that the outcomes of a block bring to each box, and the number of extras."""
    for box in range(game.boxes):
        if available >> box & 1:
            for place in range(outcomes.starts[box], outcomes.starts[box + 1]):
                means[box] += outcomes.place_points[place] * _weighted_sum(found, place, workspace)
            for face in range(game.alike_rows.size):
                chance = _weighted_sum(found, outcomes.alike + face * game.boxes + box, workspace)
                means[box] += game.alike_points[scratch.prices[face], face, box] * chance
                means[game.boxes] += chance if scratch.extras[face] else 0.0


@kernel
def _weighted_sum(found, outcome, workspace):
    total = 0.0
    for lane in range(LANES):
        total += found[LANES * outcome + lane] * workspace.weight[lane]
    return total


@kernel
def choose(
    layer, values, cards, first_blocks, flow, outcomes, turn, game, scratch, workspace, found, means, first, step, stop
):
    """Work out the outcomes of every `step`th card (mask, flag, kind); they begin at `first_blocks` in `found`."""
    near = everywhere(flow.near)
    for card in range(first, cards.shape[0], step):
        mask, flag, kind = cards[card]
        available = available_boxes(game, mask)
        land(values, mask, flag, game, scratch)
        choices = list_alike(game, mask, flag, available, scratch)
        for block in range(flow.block_starts[kind], flow.block_starts[kind + 1]):
            if stop[0]:
                return
            here = found[first_blocks[card] + block - flow.block_starts[kind]]
            here[:] = 0.0
            if weigh(layer, flow, flow.first_rows[mask, flag], kind, block, workspace):
                base = flow.block_bases[block]
                leaf(game, available, choices, base, scratch)
                look(turn, game.first_roll, scratch, workspace)
                play(turn, game.first_roll, near, workspace)
                fill_in(game, available, base, outcomes, near, scratch, workspace, here)
                add_means(game, available, outcomes, here, scratch, workspace, means[card])


@kernel
def _move(layer, source, after, target, chance, points, flow):
    """Add a row, multiplied by a chance and shifted by the points, to the row that it leads to."""
    low, high = flow.low[source], flow.high[source]
    at, to = flow.offsets[source] + low, flow.offsets[target] + low + points
    factor = everywhere(chance)
    for step in range(0, high - low + 1, LANES):
        store(after, to + step, add(load(after, to + step), times(load(layer, at + step), factor)))
    flow.low[target] = min(flow.low[target], low + points)
    flow.high[target] = max(flow.high[target], high + points)


@kernel
def _push_box(layer, after, row, total, mask, flag, kind, box, lane, outcomes, game, flow, found):
    """Push the outcomes of one row in one box."""
    target, ranks = mask | 1 << box, flow.ranks[kind | flow.kind_bits[box]]
    counted = game.counted >> box & 1
    for place in range(outcomes.starts[box], outcomes.starts[box + 1]):
        chance = found[LANES * place + lane]
        if chance > 0.0:
            points = outcomes.place_points[place]
            first = flow.first_rows[target, game.flag_after[flag, outcomes.place_slots[place]]]
            rank = ranks[min(total + counted * points, flow.threshold)]
            _move(layer, row, after, first + rank, chance, points, flow)
    for face in range(game.alike_rows.size):
        chance = found[LANES * (outcomes.alike + face * game.boxes + box) + lane]
        if chance > 0.0:
            rung = decide(game.ladder, mask, flag, face, available_boxes(game, mask))[1]
            price, extra = game.prices[rung], game.extra[flag, rung]
            points = game.alike_points[price, face, box]
            changes = changes_flag(extra, box, game.policy_box)
            flags = game.flag_after_paid if changes else game.flag_after
            first = flow.first_rows[target, flags[flag, game.alike_slots[price, face, box]]]
            rank = ranks[min(total + counted * points, flow.threshold)]
            _move(layer, row, after, first + rank, chance, points + extra, flow)


@kernel
def push(layer, after, cards, first_blocks, flow, outcomes, game, found, owner, owners, stop):
    """Push the points of some cards to the target cards of this owner."""
    for card in range(cards.shape[0]):
        mask, flag, kind = cards[card]
        available = available_boxes(game, mask)
        for box in range(game.boxes):
            if stop[0]:
                return
            if available >> box & 1 and ((mask | 1 << box) * 0x9E3779B1 >> 16 & 0xFFFF) % owners == owner:
                for block in range(flow.block_starts[kind], flow.block_starts[kind + 1]):
                    here = found[first_blocks[card] + block - flow.block_starts[kind]]
                    for place in range(flow.block_ranks[block], flow.block_ranks[block + 1]):
                        row = flow.first_rows[mask, flag] + place - flow.starts[kind]
                        if flow.high[row] >= 0:
                            total = flow.totals[place]
                            lane = total - flow.block_bases[block]
                            _push_box(layer, after, row, total, mask, flag, kind, box, lane, outcomes, game, flow, here)


@kernel
def _add_lanes(found, outcome, points, known, here, base, threshold):
    """Add one outcome in all lanes of a block; `points` shift the counted total."""
    for lane in range(min(LANES, here.size - base)):
        chance = found[LANES * outcome + lane]
        if chance > 0.0:  # otherwise no card may follow, and its value is NaN
            here[base + lane] += chance * known[min(base + lane + points, threshold)]


@kernel
def _add_box(chances, mask, flag, box, base, outcomes, game, scratch, found):
    here, after, counted = chances[mask, flag], chances[mask | 1 << box], game.counted >> box & 1
    threshold = here.size - 1
    for outcome in range(outcomes.starts[box], outcomes.starts[box + 1]):
        known = after[game.flag_after[flag, outcomes.place_slots[outcome]]]
        _add_lanes(found, outcome, counted * outcomes.place_points[outcome], known, here, base, threshold)
    for face in range(game.alike_rows.size):
        outcome, price = outcomes.alike + face * game.boxes + box, scratch.prices[face]
        flags = game.flag_after_paid if changes_flag(scratch.extras[face], box, game.policy_box) else game.flag_after
        known = after[flags[flag, game.alike_slots[price, face, box]]]
        _add_lanes(found, outcome, counted * game.alike_points[price, face, box], known, here, base, threshold)


@kernel
def _bonus_state(values, chances, mask, flag, kind, outcomes, turn, game, near, scratch, workspace, found):
    """Fill one card and flag: all its counted totals, a block at a time."""
    available = available_boxes(game, mask)
    threshold = values.shape[2] - 1
    land(values, mask, flag, game, scratch)
    choices = list_alike(game, mask, flag, available, scratch)
    for number in range(game.block_starts[kind], game.block_starts[kind + 1]):
        base = peek(game.block_lanes, number)
        leaf(game, available, choices, base, scratch)
        look(turn, game.first_roll, scratch, workspace)
        play(turn, game.first_roll, near, workspace)
        found[:] = 0.0
        fill_in(game, available, base, outcomes, near, scratch, workspace, found)
        for lane in range(min(LANES, threshold + 1 - base)):
            chances[mask, flag, base + lane] = 0.0
        for box in range(game.boxes):
            if available >> box & 1:
                _add_box(chances, mask, flag, box, base, outcomes, game, scratch, found)
    floor = game.floors[kind]
    for lane in range(floor):
        chances[mask, flag, lane] = chances[mask, flag, floor]


@kernel
def bonus_masks(values, chances, masks, kinds, flag_kinds, outcomes, turn, game, close, scratch, area, found, stop):
    """Fill the chances of some cards, all with one open box more than the cards already filled."""
    near = everywhere(close)
    for number in range(masks.size):
        if stop[0]:
            return
        mask, kind, flag_kind = masks[number], kinds[number], flag_kinds[number]
        for place in range(game.flag_starts[flag_kind], game.flag_starts[flag_kind + 1]):
            flag, source = game.flag_list[place], game.flag_sources[place]
            if source == flag:
                _bonus_state(values, chances, mask, flag, kind, outcomes, turn, game, near, scratch, area, found)
            else:
                chances[mask, flag] = chances[mask, source]
