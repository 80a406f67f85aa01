# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `duels`: two players in turn, both playing to win. The steps of a turn are those of
`chase_kernels`.

A pair is a row of the player on turn and a row of the other. Its lanes are leads of the other, from the lowest that
matters, and hold the share of the win that is left to the player on turn. Filling a box passes the turn, so the share
after it is 1 minus the other's share, with the lead negated. Leads below the lanes of a pair are won, and leads above
are lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.chase.chase_kernels import leaf, list_alike
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import lanes_in, store
from fivedice.solver.values.value_kernels import available_boxes, down, mean, up


class Mover(NamedTuple):
    """The rows of the player on turn; see `reachable_states`."""

    masks: np.ndarray  # [rows of this layer]
    flags: np.ndarray
    kinds: np.ndarray
    totals: np.ndarray
    first_rows: np.ndarray  # [masks, flags]
    ranks: np.ndarray  # [kinds, lanes]
    kind_bits: np.ndarray  # [boxes]
    next_row: int  # the first row of the next layer
    threshold: int


class Pairs(NamedTuple):
    """Where the lanes of pairs are, by the row of the player on turn and that of the other."""

    offsets: np.ndarray  # [rows, rows]
    lows: np.ndarray  # [rows, rows]: the first lead
    counts: np.ndarray  # [rows, rows]: how many leads there are


@kernel
def _swap_sides(after, pairs, mine, theirs, low, lanes, place, stretches, workspace):
    """Fill a stretch with the own share once the other is on turn, for leads from `low - pad` on."""
    first, begin, count = pairs.offsets[theirs, mine], pairs.lows[theirs, mine], pairs.counts[theirs, mine]
    target = place * stretches.width
    for step in range(stretches.pad + lanes):
        at = -(low - stretches.pad + step) - begin
        share = 1.0 if at >= count else 0.0
        if 0 <= at < count:
            share = 1.0 - after[first + at]
        workspace.stretches[target + step] = share


@kernel
def _lay_out(after, pairs, mover, row, other, low, lanes, available, stretches, game, workspace):
    count = stretches.slots.size
    mask, flag, kind, total = mover.masks[row], mover.flags[row], mover.kinds[row], mover.totals[row]
    for place in range(count):
        slot = stretches.slots[place]
        box = game.slot_boxes[slot]
        if available >> box & 1:
            usual, paid = game.flag_after[flag, slot], game.flag_after_paid[flag, slot]
            rank = mover.ranks[kind | mover.kind_bits[box], min(total + stretches.shifts[place], mover.threshold)]
            first = mover.first_rows[mask | 1 << box, usual]
            if rank >= 0 and first >= 0:  # otherwise no roll leads there
                _swap_sides(after, pairs, first + rank - mover.next_row, other, low, lanes, place, stretches, workspace)
            first = mover.first_rows[mask | 1 << box, paid]
            if paid != usual and rank >= 0 and first >= 0:
                mine = first + rank - mover.next_row
                _swap_sides(after, pairs, mine, other, low, lanes, count + place, stretches, workspace)


@kernel
def solve_pairs(after, here, rows, others, mover, next_pairs, pairs, stretches, turn, game, workspace, stop):
    """Fill the shares of some rows of the player on turn, each against all rows of the other."""
    step = lanes_in(here)
    for number in range(rows.size):
        row = rows[number]
        available = available_boxes(game, mover.masks[row])
        choices = list_alike(game, mover.masks[row], mover.flags[row], available, stretches, workspace)
        for other in range(others):
            if stop[0]:
                return
            count = pairs.counts[row, other]
            if count > 0:
                first = pairs.offsets[row, other]
                lanes = -(-count // step) * step
                low = pairs.lows[row, other]
                _lay_out(after, next_pairs, mover, row, other, low, lanes, available, stretches, game, workspace)
                for base in range(0, lanes, step):
                    leaf(game, available, choices, base, stretches, workspace)
                    for _ in range(turn.rerolls):
                        down(workspace.work, turn.successors, turn.faces)
                        up(workspace.work, turn.predecessors, turn.groups)
                    store(here, first + base, mean(workspace.work, game.first_roll, turn.weights))
                for lane in range(first, first + lanes):
                    here[lane] = min(here[lane], 1.0)  # rounding must not lift a share above a whole win
