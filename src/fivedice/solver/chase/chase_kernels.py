# mypy: ignore-errors
# (Numba infers the types from the arrays that come in, and checks them when it compiles.)
"""The best chance of every need: the compiled part of `chase`. The steps of a turn are those of `value_kernels`.

Here a block is a vector of neighbouring needs of one row. Before a row is worked on, the rows that it may lead to
are laid out in *stretches*, one for each slot and each number of counted points it can add: certainty for needs that
are already met, then the row's chances, then nothing. So scoring s points reads a stretch s lanes further to the left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import everywhere_as, lanes_in, larger, load, peek, store
from fivedice.solver.values.value_kernels import available_boxes, changes_flag, decide, down, mean, up


class Rows(NamedTuple):
    """Where the rows lie; see `reachable_states` for what they are."""

    first_rows: np.ndarray  # [masks, flags]
    ranks: np.ndarray  # [kinds, lanes]
    kind_bits: np.ndarray  # [boxes]
    starts: np.ndarray  # [kinds + 1]
    totals: np.ndarray  # counted totals of the rows of each kind
    offsets: np.ndarray  # [rows + 1]: where the chances of each row begin
    skips: np.ndarray  # [rows]: so many of them nobody asks for, in whole vectors
    threshold: int


class Stretches(NamedTuple):
    """Where the leaf finds what follows a box; places count from the start of all of them."""

    width: int
    pad: int  # lanes of certainty, and the longest way to the left
    slots: np.ndarray  # [stretches]: see `book_arrays`
    shifts: np.ndarray  # [stretches]: counted points
    zero: np.ndarray  # [boxes]: the stretch for no points
    dump: bool  # any roll may be offered every box for nothing, since points are never worse; else zeros are entries
    entry_places: np.ndarray  # for each entry of the game: what it scores
    alike: np.ndarray  # [prices, faces, boxes]: the stretch for all dice alike


class Workspace(NamedTuple):
    """What one thread works in."""

    work: np.ndarray
    stretches: np.ndarray
    places: np.ndarray  # [faces * boxes]: where all dice alike may go


@kernel
def lay_out(table, mask, flag, kind, total, available, lanes, rows, stretches, game, workspace):
    """Fill the stretches of the open boxes; a second set holds where all dice alike lead, where their flag differs."""
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
    """Where all dice alike may go, face by face. A face with fewer choices repeats its first."""
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
    """The best chance of every roll, for the block of needs from `base` on."""
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
    """All needs of one row, a block at a time; rounding must not lift a chance above certainty."""
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
    """Fill the rows of some cards, all of them one box further from the end than those already filled."""
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
