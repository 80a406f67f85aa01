# mypy: ignore-errors
# (Numba infers the types from the arrays that come in, and checks them when it compiles.)
"""What is still to come under optimal play, beside its mean: the compiled part of `spread`.

The turn is played as in `odds_kernels`: values first, then back through them with the chances of the rolls, until
each has come to a box. What a box leads to then adds its own variance and the square of its distance from the mean,
and its own chance of the upper bonus.
"""

from __future__ import annotations

from fivedice.solver.odds.odds_kernels import fill_in, look, play
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import LANES, everywhere, peek
from fivedice.solver.values.value_kernels import available_boxes, land, leaf, list_alike


@kernel
def _add_lanes(found, slot, points, brings, means, known, here, spread, bonus, base, threshold):
    """One outcome, in all lanes of a block; `points` move the upper total, `brings` is all that is paid."""
    for lane in range(min(LANES, here.size - base)):
        chance = found[LANES * slot + lane]
        if chance > 0.0:
            upper = min(base + lane + points, threshold)
            off = brings + means[upper] - here[base + lane]
            spread[base + lane] += chance * (off * off + known[0, upper])
            bonus[base + lane] += chance * known[1, upper]


@kernel
def _add_box(values, spreads, mask, flag, box, base, outcomes, game, scratch, found, threshold):
    here, spread, bonus = values[mask, flag], spreads[mask, flag, 0], spreads[mask, flag, 1]
    after, upper, own = mask | 1 << box, game.upper >> box & 1, box == game.policy_box
    then = 0 if own else flag
    means, known = values[after, then], spreads[after, then]
    for slot in range(outcomes.starts[box], outcomes.starts[box + 1]):
        points = outcomes.slot_points[slot]
        _add_lanes(found, slot, upper * points, points, means, known, here, spread, bonus, base, threshold)
    then = game.flag_after_points if own else game.flag_after_extra[flag]
    means, known = values[after, then], spreads[after, then]
    for face in range(game.alike_rows.size):
        slot = outcomes.alike + face * game.boxes + box
        points = game.alike_points[scratch.prices[face], face, box]
        brings = points + game.extra[flag]
        _add_lanes(found, slot, upper * points, brings, means, known, here, spread, bonus, base, threshold)


@kernel
def _spread_state(values, spreads, mask, flag, kind, outcomes, turn, game, near, scratch, workspace, found):
    """One card and flag: all its upper totals, a block at a time."""
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
        fill_in(game, flag, available, base, outcomes, near, scratch, workspace, found)
        for lane in range(min(LANES, threshold + 1 - base)):
            spreads[mask, flag, :, base + lane] = 0.0
        for box in range(game.boxes):
            if available >> box & 1:
                _add_box(values, spreads, mask, flag, box, base, outcomes, game, scratch, found, threshold)
    floor = game.floors[kind]
    for lane in range(floor):
        spreads[mask, flag, :, lane] = spreads[mask, flag, :, floor]


@kernel
def spread_masks(values, spreads, masks, kinds, outcomes, turn, game, close, scratch, workspace, found, stop):
    """Fill the variances of some cards, all of them one box further from the end than those already filled."""
    near = everywhere(close)
    for number in range(masks.size):
        if stop[0]:
            return
        mask = masks[number]
        filled = game.policy_box >= 0 and mask >> game.policy_box & 1
        for flag in range(values.shape[1] if filled else 1):
            _spread_state(
                values, spreads, mask, flag, kinds[number], outcomes, turn, game, near, scratch, workspace, found
            )
