# mypy: ignore-errors
# (Numba infers the types from the arguments, and checks them when it compiles.)
"""The compiled part of `trios`: three players in turn, all playing to win, with a fixed order of boxes.

A triple has a row of the player on turn, of the next, and of the last. Its lanes are the leads of the next over the
player on turn, once for each lead of the last over the next. Every lane has three shares: that of the player on turn,
who chooses by it, and those of the two others, which follow the choice. Of equal choices the first is taken, in the
order of `turn_choices`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fivedice.solver.runtime.kernel_cache import kernel
from fivedice.solver.runtime.vector_lanes import LANES, add, either, everywhere, larger, load, minus, peek, store, times

PLAYERS = 3


class Leads(NamedTuple):
    """The possible leads of one row over another, by the row that is behind and the row that leads."""

    lows: np.ndarray  # [rows, rows]
    counts: np.ndarray  # [rows, rows]


class Scores(NamedTuple):
    """The results of the rolls of a row: distinct pairs of a next row and points."""

    pairs: np.ndarray  # [rows]: how many pairs there are
    rows: np.ndarray  # [rows, pairs]: rows of the next layer
    points: np.ndarray  # [rows, pairs]
    of_roll: np.ndarray  # [rows, rolls]: the pair of each roll


class Area(NamedTuple):
    """The arrays of one thread: a block of lanes for every row of the lattice and every share."""

    work: np.ndarray  # [players, rows * lanes]
    leaf: np.ndarray  # [players, rolls * lanes]
    scored: np.ndarray  # [players, pairs * lanes]


@kernel
def _score(after, offsets, row, two, three, lead, base, ahead, last, scores, area):
    """Fill in the shares after every pair of `scores`, when the next player is on turn, for a block of leads from
    `base` on.
    """
    width = -(-ahead.counts[two, three] // LANES) * LANES
    inside = lead - ahead.lows[two, three]
    for pair in range(scores.pairs[row]):
        target, points = scores.rows[row, pair], scores.points[row, pair]
        begin, low, count = offsets[two, three, target], last.lows[three, target], last.counts[three, target]
        for lane in range(LANES):
            at = points - (base + lane) - lead - low
            place = LANES * pair + lane
            if 0 <= at < count:
                here = begin + at * width + inside
                area.scored[0, place] = after[2, here]
                area.scored[1, place] = after[0, here]
                area.scored[2, place] = after[1, here]
            else:  # no game leads here
                for player in range(PLAYERS):
                    area.scored[player, place] = 0.0


@kernel
def _down(turn, area):
    """Do the same as `value_kernels.down`, for all shares."""
    share = everywhere(1.0 / turn.faces)
    for player in range(PLAYERS):
        work = area.work[player]
        for row in range(turn.successors.size // turn.faces - 1, -1, -1):
            total = load(work, peek(turn.successors, row * turn.faces))
            for face in range(1, turn.faces):
                total = add(total, load(work, peek(turn.successors, row * turn.faces + face)))
            store(work, LANES * row, times(total, share))


@kernel
def _up(turn, near, area):
    """Take in every row the choice that is best for the player on turn, with the shares that it leaves."""
    own, two, three = area.work[0], area.work[1], area.work[2]
    at = 0
    for group in range(turn.groups.shape[0]):
        count = turn.groups[group, 2]
        for row in range(turn.groups[group, 0], turn.groups[group, 1]):
            mine = load(own, LANES * row)
            best = mine
            for step in range(at, at + count):
                best = larger(best, load(own, peek(turn.predecessors, step)))
            bar = minus(best, near)
            last = peek(turn.predecessors, at + count - 1)
            first, second, third = load(own, last), load(two, last), load(three, last)
            for step in range(at + count - 2, at - 1, -1):
                fewer = peek(turn.predecessors, step)
                value = load(own, fewer)
                first = either(value, bar, value, first)
                second = either(value, bar, load(two, fewer), second)
                third = either(value, bar, load(three, fewer), third)
            store(two, LANES * row, either(mine, bar, load(two, LANES * row), second))
            store(three, LANES * row, either(mine, bar, load(three, LANES * row), third))
            store(own, LANES * row, either(mine, bar, mine, first))
            at += count


@kernel
def _play(turn, first_roll, row, near, scores, area):
    """Play a turn from its end back to the first throw."""
    rolls = turn.weights.size
    for player in range(PLAYERS):
        for roll in range(rolls):
            block = load(area.scored[player], LANES * scores.of_roll[row, roll])
            store(area.leaf[player], LANES * roll, block)
            store(area.work[player], LANES * (first_roll + roll), block)
    for _ in range(turn.rerolls):
        _down(turn, area)
        for player in range(PLAYERS):
            area.work[player, LANES * first_roll :] = area.leaf[player]
        _up(turn, near, area)


@kernel
def _solve_leads(
    after, here, one, two, three, first, ahead, last, begin, following, scores, turn, first_roll, near, area
):
    """Fill all leads of one triple."""
    width = -(-first.counts[one, two] // LANES) * LANES
    for step in range(ahead.counts[two, three]):
        lead = ahead.lows[two, three] + step
        for base in range(0, width, LANES):
            low = first.lows[one, two] + base
            _score(after, following, one, two, three, lead, low, ahead, last, scores, area)
            _play(turn, first_roll, one, near, scores, area)
            for player in range(PLAYERS):
                total = everywhere(0.0)
                for roll in range(turn.weights.size):
                    block = load(area.work[player], LANES * (first_roll + roll))
                    total = add(total, times(block, everywhere(turn.weights[roll])))
                store(here[player], begin + step * width + base, total)


@kernel
def solve_triples(
    after, here, rows, first, ahead, last, offsets, following, scores, turn, first_roll, close, area, stop
):
    """Fill the shares of some rows of the player on turn with all rows of the others.

    `first` has the leads of the next over the player on turn, `ahead` those of the last over the next, and `last` those
    of the player on turn, with one box more filled, over the last.
    """
    near = everywhere(close)
    common = first, ahead, last
    for number in range(rows.size):
        one = rows[number]
        for two in range(first.counts.shape[1]):
            for three in range(ahead.counts.shape[1]):
                if stop[0]:
                    return
                begin = offsets[one, two, three]
                rest = begin, following, scores, turn, first_roll, near, area
                _solve_leads(after, here, one, two, three, *common, *rest)
