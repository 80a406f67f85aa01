# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `simulate`: playing many games at once. `game_batch` hands out the work and explains the method.

A game is two whole numbers: its state (mask, flag, lane, packed by the `_AT` constants) and its identity (total so far,
number). Games are sorted by block, that is, by all of the state but the last three bits of the lane. One turn of the
lattice gives the moves of a whole block, and all games in it are played before the next block.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from fivedice.solver.runtime.kernel_cache import kernel_with, njit
from fivedice.solver.runtime.vector_lanes import peek
from fivedice.solver.values.value_kernels import (
    available_boxes,
    changes_flag,
    down,
    leaf,
    list_alike,
    up,
)

# Functions that run for every game are inlined, and nothing here counts references (`_nrt`): the arrays outlive
# every call, nothing is allocated, and counting would take a hundred times as long as the games.
_inlined = njit(inline="always", error_model="numpy", _nrt=False)


_compiled = kernel_with(_nrt=False)

BLOCK_BITS = 3  # eight lanes are worked on together
FLAG_AT, MASK_AT = 16, 32
TOTAL_AT = 32
_LANE, _FLAG, _NUMBER = (1 << FLAG_AT) - 1, (1 << (MASK_AT - FLAG_AT)) - 1, (1 << TOTAL_AT) - 1

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_DIGITS = np.uint64(58)  # bits of a throw: multiplied by nine faces they still fit into 64 bits
_DIGITS_ALONE = np.uint64((1 << 58) - 1)
_UNIT = 1.0 / (1 << 53)


class View(NamedTuple):
    """How the players value boxes, see `outlook`, and how well they see."""

    table: np.ndarray
    masks: int  # the bits of a mask that the table distinguishes
    bias: np.ndarray
    blur: float


class GameTables(NamedTuple):
    """The dice and the sheet as games need them; rows are numbers of the lattice here."""

    throws: int
    dice: int
    successors: np.ndarray  # [first_roll * faces]
    sizes: np.ndarray  # [rows]: number of dice
    keep_starts: np.ndarray  # [rolls + 1]
    keep_rows: np.ndarray  # the keeps within each roll, without the roll itself
    points: np.ndarray  # [rolls * boxes]
    slots: np.ndarray  # [rolls * boxes]: see `book_arrays`
    alike_face: np.ndarray  # [rolls]: the common face counted from 1, or 0
    threshold: int
    floors: np.ndarray  # [masks]: lower totals are worth the same as this one, see `work_plan`
    tag: int  # mask of the low bits of a value that can hold a row number


class SimulationWorkspace(NamedTuple):
    """The arrays of one thread, in addition to the solver's scratch."""

    bits: np.ndarray  # the work area as whole numbers
    moves: np.ndarray  # [rerolls, rolls * lanes]: the best keep, or the roll itself to stop
    boxes: np.ndarray  # [rolls * lanes]: the best box
    keeps: np.ndarray  # [rerolls, first_roll * lanes]: the worth of every keep
    weights: np.ndarray  # of the options in one decision
    choices: np.ndarray
    sums: np.ndarray  # points by box, then the number of extras


@_inlined
def _mix(word):
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    return word ^ (word >> np.uint64(31))


@_inlined
def stream(seed, number):
    """Return the start of a game's random words."""
    return _mix(_mix(seed + _GOLDEN) ^ (np.uint64(number) * _GOLDEN))


@_inlined
def word(begin, place):
    """Return the random word of a place in the game, which depends on nothing else, so that order does not matter."""
    return _mix(begin + np.uint64(place + 1) * _GOLDEN)


@_inlined
def throw(row, table, faces, random):
    """Add the missing dice to a keep; one word is enough for all of them, as a fraction in base `faces`."""
    rest = random >> np.uint64(6)
    for _ in range(peek(table.sizes, row), table.dice):
        rest *= np.uint64(faces)
        row = peek(table.successors, row * faces + np.int64(rest >> _DIGITS))
        rest &= _DIGITS_ALONE
    return row


@_compiled
def count(games, rank, flags, blocks, tally):
    """Count the games of each block."""
    for number in range(games.shape[0]):
        tally[_bin(games[number, 0], rank, flags, blocks)] += 1
    return games.shape[0]


@_compiled
def sort(games, rank, flags, blocks, places, target):
    """Move every game to the place of its block; `places` advances as a block fills."""
    for number in range(games.shape[0]):
        place = _bin(games[number, 0], rank, flags, blocks)
        target[places[place], 0] = games[number, 0]
        target[places[place], 1] = games[number, 1]
        places[place] += 1
    return games.shape[0]


@_inlined
def _bin(state, rank, flags, blocks):
    card = rank[state >> MASK_AT] * flags + (state >> FLAG_AT & _FLAG)
    return card * blocks + ((state & _LANE) >> BLOCK_BITS)


@_compiled
def play(games, seed, turn_number, view, table, turn, game, scratch, workspace):
    """Play one turn of games that are sorted by block."""
    block = card = -1
    choices = available = 0
    for number in range(games.shape[0]):
        state = games[number, 0]
        if state >> BLOCK_BITS != block:
            block = state >> BLOCK_BITS
            if state >> FLAG_AT != card:
                card = state >> FLAG_AT
                available = available_boxes(game, state >> MASK_AT)
                _land(view, state >> MASK_AT, card & _FLAG, game, scratch)
                choices = list_alike(game, state >> MASK_AT, card & _FLAG, available, scratch)
            leaf(game, available, choices, (state & _LANE) >> BLOCK_BITS << BLOCK_BITS, scratch)
            _look(view.blur, turn, game.first_roll, table, scratch, workspace)
        begin = stream(seed, games[number, 1] & _NUMBER)
        roll, box = _turn(state, begin, turn_number, available, view.blur, table, turn, game, scratch, workspace)
        _write(games, number, roll, box, table, game, scratch, workspace)


@_compiled
def _land(view, mask, flag, game, scratch):
    """Do the same as `value_kernels.land` with the player's own outlook, which may be the same for all masks."""
    slots = game.slot_boxes.size
    for slot in range(slots):
        box = game.slot_boxes[slot]
        if mask >> box & 1:
            continue
        usual, paid = game.flag_after[flag, slot], game.flag_after_paid[flag, slot]
        after = (mask | 1 << box) & view.masks
        _land_box(view.table[after, usual], view.bias[box], slot, game, scratch)
        scratch.alike_row[slot] = slot
        if paid != usual:
            scratch.alike_row[slot] = slots + slot
            _land_box(view.table[after, paid], view.bias[box], slots + slot, game, scratch)


@_compiled
def _land_box(values, bias, row, game, scratch):
    target = scratch.rows[row * game.width : (row + 1) * game.width]
    last = values.size - 1
    for lane in range(last):
        target[lane] = values[lane] + game.totals[lane] + bias
    for lane in range(last, target.size):
        target[lane] = values[last] + game.totals[lane] + bias


@_compiled
def _look(blur, turn, first_roll, table, scratch, workspace):
    """Work out the rest of the turn for a block: for each number of rolls left, the best moves or the worth of all
    keeps.

    The best move is found with the best value: before the maxima are taken, every row writes its number into the lowest
    bits of its own value, so the largest value carries the number of its row. The error is smaller than any difference
    that matters.
    """
    workspace.boxes[:] = 0
    for left in range(turn.rerolls):
        down(scratch.work, turn.successors, turn.faces)
        if blur > 0.0:
            _copy(scratch.work, workspace.keeps[left])
        else:
            _sign(workspace.bits, table.tag)
        up(scratch.work, turn.predecessors, turn.groups)
        if blur == 0.0:
            _names(workspace.bits[first_roll << BLOCK_BITS :], table.tag, workspace.moves[left])


@_compiled
def _copy(work, keeps):
    for place in range(keeps.size):
        keeps[place] = work[place]


@_compiled
def _sign(bits, tag):
    for place in range(bits.size):
        bits[place] = (bits[place] & ~tag) | (place >> BLOCK_BITS)


@_compiled
def _names(bits, tag, moves):
    for place in range(moves.size):
        moves[place] = bits[place] & tag


@_inlined
def _turn(state, begin, turn_number, available, blur, table, turn, game, scratch, workspace):
    """Throw and choose until a box is chosen; return the roll, counted from the first, and the box."""
    row = 0
    for thrown in range(table.throws):
        place = 2 * (turn_number * table.throws + thrown)
        row = throw(row, table, turn.faces, word(begin, place))
        left = table.throws - 1 - thrown
        if blur > 0.0:
            unit = (word(begin, place + 1) >> np.uint64(11)) * _UNIT
            choice = _sample(state, row - game.first_roll, left, unit, available, blur, table, game, scratch, workspace)
        else:
            choice = _best(state, row - game.first_roll, left, game, workspace)
        if choice >= game.first_roll:
            break
        row = choice
    roll = row - game.first_roll
    if blur > 0.0:
        return roll, choice - game.first_roll
    return roll, _find_box(state, roll, available, table, game, scratch, workspace)


@_inlined
def _best(state, roll, left, game, workspace):
    """Return the row to keep; the roll itself, or a row past it, to stop.

    Where a roll is best left as it is, throwing again with one roll fewer may be just as good. So the moves for fewer
    rolls left are tried until one of them keeps dice.
    """
    lane = state & ((1 << BLOCK_BITS) - 1)
    for fewer in range(left - 1, -1, -1):
        choice = workspace.moves[fewer, (roll << BLOCK_BITS) + lane]
        if choice < game.first_roll:
            return np.int64(choice)
    return game.first_roll + roll


@_inlined
def _worth(state, roll, box, face, table, game, scratch):
    """Return the worth of a roll in a box as in the work area, that is, with counted points included."""
    points, row, extra = peek(table.points, roll * game.boxes + box), peek(table.slots, roll * game.boxes + box), 0
    if face:
        price, extra = scratch.prices[face - 1], scratch.extras[face - 1]
        points = game.alike_points[price, face - 1, box]
        row = game.alike_slots[price, face - 1, box]
        if changes_flag(extra, box, game.policy_box):
            row = scratch.alike_row[row]
    shift = points if game.counted >> box & 1 else 0
    return scratch.rows[row * game.width + (state & _LANE) + shift] + (points - shift + extra)


@_inlined
def _legal(face, available, scratch):
    return scratch.legal[face - 1] if face else available


@_inlined
def _find_box(state, roll, available, table, game, scratch, workspace):
    """Return the best box, worked out once per roll of a block and stored counted from 1; 0 means not yet known."""
    place = (roll << BLOCK_BITS) + (state & ((1 << BLOCK_BITS) - 1))
    if workspace.boxes[place] == 0:
        workspace.boxes[place] = 1 + _best_box(state, roll, available, table, game, scratch)
    return np.int64(workspace.boxes[place]) - 1


@_inlined
def _best_box(state, roll, available, table, game, scratch):
    face = peek(table.alike_face, roll)
    legal = _legal(face, available, scratch)
    best, chosen = -np.inf, 0
    for box in range(game.boxes):
        if legal >> box & 1:
            worth = _worth(state, roll, box, face, table, game, scratch)
            if worth > best:
                best, chosen = worth, box
    return chosen


@_inlined
def _sample(state, roll, left, unit, available, blur, table, game, scratch, workspace):
    """Return a random keep, or a box counted from the first roll on, better ones more likely."""
    options = 0
    face = peek(table.alike_face, roll)
    legal = _legal(face, available, scratch)
    for box in range(game.boxes):
        if legal >> box & 1:
            workspace.weights[options] = _worth(state, roll, box, face, table, game, scratch)
            workspace.choices[options] = game.first_roll + box
            options += 1
    if left > 0:
        lane = state & ((1 << BLOCK_BITS) - 1)
        for entry in range(table.keep_starts[roll], table.keep_starts[roll + 1]):
            workspace.choices[options] = table.keep_rows[entry]
            workspace.weights[options] = workspace.keeps[left - 1, (table.keep_rows[entry] << BLOCK_BITS) + lane]
            options += 1
    return workspace.choices[_pick(workspace.weights[:options], blur, unit)]


@_inlined
def _pick(worths, blur, unit):
    best, total = worths[0], 0.0
    for option in range(1, worths.size):
        best = max(best, worths[option])
    for option in range(worths.size):
        total += exp((worths[option] - best) / blur)
        worths[option] = total
    for option in range(worths.size):
        if unit * total < worths[option]:
            return option
    return worths.size - 1


@_inlined
def _write(games, number, roll, box, table, game, scratch, workspace):
    """Fill the box: store the new state and total of the game."""
    state = games[number, 0]
    mask, flag, lane = state >> MASK_AT, state >> FLAG_AT & _FLAG, state & _LANE
    face = peek(table.alike_face, roll)
    points, extra = peek(table.points, roll * game.boxes + box), 0
    if face:
        price, extra = scratch.prices[face - 1], scratch.extras[face - 1]
        points = game.alike_points[price, face - 1, box]
        slot = game.alike_slots[price, face - 1, box]
        changes = changes_flag(extra, box, game.policy_box)
        flag = game.flag_after_paid[flag, slot] if changes else game.flag_after[flag, slot]
    else:
        flag = game.flag_after[flag, peek(table.slots, roll * game.boxes + box)]
    if game.counted >> box & 1:
        lane = min(lane + points, table.threshold)
    mask |= 1 << box
    workspace.sums[box] += points
    workspace.sums[game.boxes] += extra > 0
    games[number, 0] = mask << MASK_AT | flag << FLAG_AT | max(lane, table.floors[mask])
    games[number, 1] += (points + extra) << TOTAL_AT
