# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `bonus`: the chance of the upper bonus under optimal play.

The turn is played as in `odds_kernels`: values first, then back through them with the chances of the rolls until each
has reached a box. The state after the box then adds its own chance.
"""

from __future__ import annotations

from fivedice.solver.odds.odds_kernels import fill_in, look, play
from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import LANES, everywhere, peek
from fivedice.solver.values.value_kernels import available_boxes, changes_flag, land, leaf, list_alike


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
