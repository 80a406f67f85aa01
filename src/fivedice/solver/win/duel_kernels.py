# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `duels`: two players in turn, both playing to win. The steps of a turn are those of
`chase_kernels`.

A pair is a row of the player on turn and a row of the other. Its lanes are leads. While a pair is worked out they are
leads of the other, and hold the own share. Filling a box passes the turn, so the share after it is what the other
leaves, with the lead negated. Therefore a pair is stored as the turn before reads it. Its lanes are then leads of the
player on turn, from the lowest that matters, and hold the share of the player who is not on turn. Below them that
player has won, and above them lost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.chase.chase_kernels import leaf, list_alike
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import backwards, everywhere, lanes_in, larger, load, minus, store
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
    lows: np.ndarray  # [rows, rows]: the first lead of the player on turn
    counts: np.ndarray  # [rows, rows]: how many leads there are, in whole vectors


class Spans(NamedTuple):
    """How far each stretch is read: by the fewest and the most points, without extras."""

    least: np.ndarray  # [stretches]
    most: np.ndarray
    extras: np.ndarray  # [flags]: the most that may be paid in addition


@kernel
def _copy_shares(after, pairs, mine, theirs, low, begin, stop, target, workspace):
    """Fill a stretch, from place `begin` up to `stop`, with the share that the other leaves; `low` is the other's lead
    at place 0. The last vector may go too far.
    """
    step, to = lanes_in(after), workspace.stretches
    source = low - pairs.lows[theirs, mine]
    first, inside = pairs.offsets[theirs, mine] + source, max(begin, min(stop, -source))
    outside = max(inside, min(stop, pairs.counts[theirs, mine] - source))
    for place in range(begin, inside, step):
        store(to, target + place, everywhere(1.0))
    for place in range(inside, outside, step):
        store(to, target + place, load(after, first + place))
    for place in range(outside, stop, step):
        store(to, target + place, everywhere(0.0))


@kernel
def _lay_out(after, pairs, mover, row, other, low, lanes, available, stretches, spans, game, workspace):
    count, pad = stretches.slots.size, stretches.pad
    mask, flag, kind, total = mover.masks[row], mover.flags[row], mover.kinds[row], mover.totals[row]
    for place in range(count):
        slot = stretches.slots[place]
        box = game.slot_boxes[slot]
        if available >> box & 1:
            usual, paid = game.flag_after[flag, slot], game.flag_after_paid[flag, slot]
            begin, stop = pad - spans.most[place] - spans.extras[flag], pad - spans.least[place] + lanes
            rank = mover.ranks[kind | mover.kind_bits[box], min(total + stretches.shifts[place], mover.threshold)]
            first = mover.first_rows[mask | 1 << box, usual]
            if rank >= 0 and first >= 0:  # otherwise no roll leads there
                mine, target = first + rank - mover.next_row, place * stretches.width
                _copy_shares(after, pairs, mine, other, low - pad, begin, stop, target, workspace)
            first = mover.first_rows[mask | 1 << box, paid]
            if paid != usual and rank >= 0 and first >= 0:
                mine, target = first + rank - mover.next_row, (count + place) * stretches.width
                _copy_shares(after, pairs, mine, other, low - pad, begin, stop, target, workspace)


@kernel
def solve_pairs(after, here, rows, others, mover, next_pairs, pairs, stretches, spans, turn, game, workspace, stop):
    """Fill the shares of some rows of the player on turn, each against some rows of the other."""
    step, work = lanes_in(here), workspace.work
    for row in rows:
        available = available_boxes(game, mover.masks[row])
        choices = list_alike(game, mover.masks[row], mover.flags[row], available, stretches, workspace)
        for other in others:
            if stop[0]:
                return
            lanes, first = pairs.counts[row, other], pairs.offsets[row, other]
            if lanes == 0:
                continue
            low = 1 - pairs.lows[row, other] - lanes
            common = stretches, spans, game, workspace
            _lay_out(after, next_pairs, mover, row, other, low, lanes, available, *common)
            for base in range(0, lanes, step):
                leaf(game, available, choices, base, stretches, workspace)
                for _ in range(turn.rerolls):
                    down(work, turn.successors, turn.faces)
                    up(work, turn.predecessors, turn.groups)
                left = minus(everywhere(1.0), mean(work, game.first_roll, turn.weights))
                # rounding must not lift a share above a whole win
                store(here, first + lanes - step - base, backwards(larger(left, everywhere(0.0))))
