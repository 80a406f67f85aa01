# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `endings`: the distributions of all points still to come under optimal play.

A row consists of its *head* and its chances. The head has the chance of the upper bonus, the number of extras to come,
and the mean points of each box. The chances are those of 0, 1, ... points. A turn is played as in `odds_kernels`, and
each of its outcomes adds the row that it leads to, shifted by its points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.odds.odds_kernels import fill_in, look, play
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import LANES, add, everywhere, load, store, times
from fivedice.solver.values.value_kernels import available_boxes, changes_flag, land, leaf, list_alike

BONUS, EXTRAS, BOXES = 0, 1, 2  # places in the head; from the last on, one for each box


class EndingRows(NamedTuple):
    """Where the rows are; see `reachable_states` for their meaning."""

    first_rows: np.ndarray  # [masks, flags]
    ranks: np.ndarray  # [kinds, lanes]
    kind_bits: np.ndarray  # [boxes]
    totals: np.ndarray  # counted totals of the rows of each kind, from starts[kind] on
    starts: np.ndarray  # [kinds + 1]
    block_starts: np.ndarray  # [kinds + 1]
    block_bases: np.ndarray  # the first counted total of each block
    block_ranks: np.ndarray  # [blocks + 1]: its first row, counted as in `totals`
    offsets: np.ndarray  # [rows]: where each begins in the array of its layer
    widths: np.ndarray  # [rows]: its head and chances, in whole vectors
    head: int
    threshold: int
    near: float  # values closer than this are equal


@kernel
def _add_row(after, first, width, head, points, chance, sums):
    """Add a row, multiplied by a chance, to a sum of rows, with its chances shifted by the points."""
    factor = everywhere(chance)
    for step in range(0, head, LANES):
        store(sums, step, add(load(sums, step), times(load(after, first + step), factor)))
    for step in range(head, width, LANES):
        place = points + step
        store(sums, place, add(load(sums, place), times(load(after, first + step), factor)))


@kernel
def _add_box(after, total, mask, flag, kind, box, lane, rows, outcomes, game, scratch, found, sums):
    """Add the outcomes of one row in one box."""
    target, ranks = mask | 1 << box, rows.ranks[kind | rows.kind_bits[box]]
    counted = game.counted >> box & 1
    for outcome in range(outcomes.starts[box], outcomes.starts[box + 1]):
        chance = found[LANES * outcome + lane]
        if chance > 0.0:
            points = outcomes.place_points[outcome]
            row = rows.first_rows[target, game.flag_after[flag, outcomes.place_slots[outcome]]]
            row += ranks[min(total + counted * points, rows.threshold)]
            _add_row(after, rows.offsets[row], rows.widths[row], rows.head, points, chance, sums)
            sums[BOXES + box] += chance * points
    for face in range(game.alike_rows.size):
        chance = found[LANES * (outcomes.alike + face * game.boxes + box) + lane]
        if chance > 0.0:
            price, extra = scratch.prices[face], scratch.extras[face]
            points = game.alike_points[price, face, box]
            flags = game.flag_after_paid if changes_flag(extra, box, game.policy_box) else game.flag_after
            row = rows.first_rows[target, flags[flag, game.alike_slots[price, face, box]]]
            row += ranks[min(total + counted * points, rows.threshold)]
            _add_row(after, rows.offsets[row], rows.widths[row], rows.head, points + extra, chance, sums)
            sums[BOXES + box] += chance * points
            sums[EXTRAS] += chance if extra else 0.0


@kernel
def sweep(values, after, here, cards, rows, outcomes, turn, game, scratch, workspace, found, sums, stop):
    """Fill the rows of some cards (mask, flag, kind), all with one open box more than those in `after`."""
    near = everywhere(rows.near)
    for card in range(cards.shape[0]):
        mask, flag, kind = cards[card]
        available = available_boxes(game, mask)
        land(values, mask, flag, game, scratch)
        choices = list_alike(game, mask, flag, available, scratch)
        for block in range(rows.block_starts[kind], rows.block_starts[kind + 1]):
            if stop[0]:
                return
            base = rows.block_bases[block]
            leaf(game, available, choices, base, scratch)
            look(turn, game.first_roll, scratch, workspace)
            play(turn, game.first_roll, near, workspace)
            found[:] = 0.0
            fill_in(game, available, base, outcomes, near, scratch, workspace, found)
            for place in range(rows.block_ranks[block], rows.block_ranks[block + 1]):
                row = rows.first_rows[mask, flag] + place - rows.starts[kind]
                total, first, width = rows.totals[place], rows.offsets[row], rows.widths[row]
                sums[: width + LANES] = 0.0
                for box in range(game.boxes):
                    if available >> box & 1:
                        lane = total - base
                        _add_box(after, total, mask, flag, kind, box, lane, rows, outcomes, game, scratch, found, sums)
                for step in range(0, width, LANES):
                    store(here, first + step, load(sums, step))
