# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `chase`: the best chance of every need. The steps of a turn are those of `value_kernels`.

Here a block is a vector of neighbouring needs of one row. Before a row is worked on, the rows that may follow it are
copied into *stretches*, one for each slot and each number of counted points it can add: first 1 for needs that are
already met, then the chances of the row, then 0. So scoring s points reads a stretch s lanes further to the left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import everywhere_as, lanes_in, larger, load, peek, store
from fivedice.solver.values.value_kernels import available_boxes, changes_flag, decide, down, mean, up


class ChaseRows(NamedTuple):
    """Where the rows are; see `reachable_states` for their meaning."""

    first_rows: np.ndarray  # [masks, flags]
    ranks: np.ndarray  # [kinds, lanes]
    kind_bits: np.ndarray  # [boxes]
    starts: np.ndarray  # [kinds + 1]
    totals: np.ndarray  # counted totals of the rows of each kind
    offsets: np.ndarray  # [rows + 1]: where the chances of each row begin
    skips: np.ndarray  # [rows]: how many of the lowest needs are not asked for, in whole vectors
    threshold: int


class Stretches(NamedTuple):
    """Where the leaf finds the chances after a box; places count from the start of all stretches."""

    width: int
    pad: int  # lanes of needs that are met, and the longest shift to the left
    slots: np.ndarray  # [stretches]: see `book_arrays`
    shifts: np.ndarray  # [stretches]: counted points
    zero: np.ndarray  # [boxes]: the stretch for no points
    dump: bool  # whether every roll may take zero in any box, as more points are never worse; else zeros are entries
    entry_places: np.ndarray  # for each entry of the game: the place that it reads
    alike: np.ndarray  # [prices, faces, boxes]: the stretch for all dice the same


class ChaseWorkspace(NamedTuple):
    """The arrays of one thread."""

    work: np.ndarray
    stretches: np.ndarray
    places: np.ndarray  # [faces * boxes]: where all dice the same may go


@kernel
def lay_out(table, mask, flag, kind, total, available, lanes, rows, stretches, game, workspace):
    """Fill the stretches of the open boxes; a second set is for all dice the same, where their flag differs."""
    count = stretches.slots.size
    for place in range(count):
        slot = stretches.slots[place]
        box = game.slot_boxes[slot]
        if available >> box & 1:
            usual, paid = game.flag_after[flag, slot], game.flag_after_paid[flag, slot]
            rank = rows.ranks[kind | rows.kind_bits[box], min(total + stretches.shifts[place], rows.threshold)]
            _copy(table, mask | 1 << box, usual, rank, place, lanes, rows, stretches, workspace)
            if paid != usual:
                _copy(table, mask | 1 << box, paid, rank, count + place, lanes, rows, stretches, workspace)


@kernel
def _copy(table, mask, flag, rank, place, lanes, rows, stretches, workspace):
    card = rows.first_rows[mask, flag]
    if card < 0 or rank < 0:  # no roll leads there
        return
    first = rows.offsets[card + rank]
    known = min(lanes, rows.offsets[card + rank + 1] - first)
    target = place * stretches.width + stretches.pad
    step = lanes_in(table)
    for lane in range(0, known, step):
        store(workspace.stretches, target + lane, load(table, first + lane))
    for lane in range(known, lanes, step):
        store(workspace.stretches, target + lane, everywhere_as(table, 0.0))


@kernel
def list_alike(game, mask, flag, available, stretches, workspace):
    """List the places for all dice the same, face by face, and return the length of each list.

    A face with fewer choices repeats its first.
    """
    choices = 0
    for box in range(game.boxes):
        choices += available >> box & 1
    for face in range(game.alike_rows.size):
        legal, rung = decide(game.ladder, mask, flag, face, available)
        at = face * game.boxes
        for box in range(game.boxes):
            if legal >> box & 1:
                workspace.places[at] = _alike_place(game, flag, face, rung, box, stretches)
                at += 1
        for spare in range(at, face * game.boxes + choices):
            workspace.places[spare] = workspace.places[face * game.boxes]
    return choices


@kernel
def _alike_place(game, flag, face, rung, box, stretches):
    price, extra = game.prices[rung], game.extra[flag, rung]
    place = stretches.alike[price, face, box]
    slot = stretches.slots[place]
    if changes_flag(extra, box, game.policy_box) and game.flag_after_paid[flag, slot] != game.flag_after[flag, slot]:
        place += stretches.slots.size
    points = game.alike_points[price, face, box] + extra
    return place * stretches.width + stretches.pad - min(points, stretches.pad)


@kernel
def leaf(game, available, alike_choices, base, stretches, workspace):
    """Store the best chance of every roll, for the block of needs from `base` on."""
    work = workspace.work
    best = everywhere_as(work, 0.0)
    for box in range(game.boxes):
        if stretches.dump and available >> box & 1:
            best = larger(best, load(workspace.stretches, stretches.zero[box] * stretches.width + stretches.pad + base))
    for row in range(game.first_roll, work.size // lanes_in(work)):
        store(work, lanes_in(work) * row, best)
    for slot in range(game.slot_boxes.size):
        if available >> game.slot_boxes[slot] & 1:
            _leaf_slot(work, game, slot, base, stretches, workspace)
    for face in range(game.alike_rows.size):
        best = everywhere_as(work, 0.0)
        for entry in range(face * game.boxes, face * game.boxes + alike_choices):
            best = larger(best, load(workspace.stretches, base + peek(workspace.places, entry)))
        store(work, game.alike_rows[face], best)


@kernel
def _leaf_slot(work, game, slot, base, stretches, workspace):
    for entry in range(game.entry_starts[slot], game.entry_starts[slot + 1]):
        at = peek(game.entry_rows, entry)
        store(work, at, larger(load(work, at), load(workspace.stretches, base + peek(stretches.entry_places, entry))))


@kernel
def solve_row(table, first, skip, lanes, available, choices, turn, game, stretches, workspace):
    """Fill all needs of one row, a block at a time; rounding must not lift a chance above 1."""
    step = lanes_in(table)
    for base in range(skip, lanes, step):
        leaf(game, available, choices, base, stretches, workspace)
        for _ in range(turn.rerolls):
            down(workspace.work, turn.successors, turn.faces)
            up(workspace.work, turn.predecessors, turn.groups)
        store(table, first + base, mean(workspace.work, game.first_roll, turn.weights))
        for lane in range(first + base, first + base + step):
            if table[lane] > 1.0:
                table[lane] = 1.0


@kernel
def solve_cards(table, masks, flags, kinds, rows, stretches, turn, game, workspace, stop):
    """Fill the rows of some cards, all with one open box more than the cards already filled."""
    for card in range(masks.size):
        mask, flag, kind = masks[card], flags[card], kinds[card]
        available = available_boxes(game, mask)
        choices = list_alike(game, mask, flag, available, stretches, workspace)
        for rank in range(rows.starts[kind + 1] - rows.starts[kind]):
            if stop[0]:
                return
            row = rows.first_rows[mask, flag] + rank
            first, lanes = rows.offsets[row], rows.offsets[row + 1] - rows.offsets[row]
            if lanes > 0:
                total = rows.totals[rows.starts[kind] + rank]
                lay_out(table, mask, flag, kind, total, available, lanes, rows, stretches, game, workspace)
                solve_row(table, first, rows.skips[row], lanes, available, choices, turn, game, stretches, workspace)
