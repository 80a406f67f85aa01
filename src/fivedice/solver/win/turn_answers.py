"""What every roll in every box leaves to the player on turn who plays to win: the best of the ways that is quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.game import Position, Scorecard
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import Option, Solution, options, state_of
from fivedice.solver.values import turn_values
from fivedice.solver.win.duels import Duel, work_of
from fivedice.solver.win.field import cut, shares, shares_left
from fivedice.solver.win.looking import ending, look
from fivedice.solver.win.plans import Plan, banked, lanes_of

Floats: TypeAlias = "NDArray[np.float64]"

NOTHING = 1e-7  # highest totals that are worth all but this are worth all: of their own they are as rare
_MOST_BOXES = 9  # beyond this the work is not even counted
_GRAIN = 1e-7  # so little that it changes no decision but those that are as good


class How(StrEnum):
    """What an answer assumes."""

    EXACT = "exact"  # all play to win, to the end
    PLANNED = "planned"  # the others play on for points, and the answer to them is not looked at again
    THIS_TURN = "this turn"  # no sentence: the one on turn plays this turn to win, and everybody for points after it


@dataclass(frozen=True, slots=True)
class Limits:
    """How many lanes may be worked out."""

    duel: float  # half a microsecond of one core each
    plan: float


@dataclass(frozen=True, eq=False)
class Answer:
    """All that a turn needs, and what it leaves to the others if it is worth so much as it stands."""

    how: How
    values: Floats  # [rolls, boxes]; -inf where illegal
    rest: Callable[[Position, float], Sequence[float]]


def answered(
    position: Position, solution: Callable[[], Solution], limits: Limits, progress: Progress | None = None
) -> Answer:
    """The turn of a position, whatever dice lie on the table; the game is not over. Rolls must not be saved."""
    others = [position.cards[seat] for seat in position.seats_in if seat != position.seat]
    if all(card.is_full for card in others):
        return _last(position.card, others, progress)
    if len(others) == 1 and _is_small(position.card, others[0], limits.duel):
        return _duel(position.card, others[0], progress)
    known = solution()
    field = [ending(known, card, progress) for card in others]
    worth = shares(field)
    if _is_short(position.card, len(cut(worth, NOTHING)) - 1, limits.plan):
        return _planned(position.card, field, worth, progress)
    return _this_turn(position, known, progress)


def turn_of(position: Position, values: Floats) -> tuple[float, list[Option]]:
    """What the turn is worth as it stands, and every option of the dice on the table."""
    book, grid = position.card.book, compiled_book(position.card.book).lattice
    if position.roll is not None:
        found = options(book, values, position.roll, position.rolls_left)
        return max(value for _, _, value in found), found
    return turn_values.turn_worth(grid, values.max(axis=1), position.dice.faces, position.rolls_left), []


def _is_small(card: Scorecard, other: Scorecard, most: float) -> bool:
    still = [each.marks.count(None) for each in (card, other)]
    if still[0] - still[1] not in {0, 1} or (not other.book.fixed_order and still[0] > _MOST_BOXES - 1):
        return False
    return work_of(compiled_book(other.book), *_pair(card, other)) <= most


def _is_short(card: Scorecard, last: int, most: float) -> bool:
    """Whether a plan from a card takes a moment only."""
    if np.isinf(most):
        return True
    if not card.book.fixed_order and card.marks.count(None) > _MOST_BOXES:
        return False
    return lanes_of(card, last) <= most


def _pair(card: Scorecard, other: Scorecard) -> tuple[tuple[State, State], int]:
    return (state_of(card), state_of(other)), banked(other) - banked(card)


def _last(card: Scorecard, others: Sequence[Scorecard], progress: Progress | None) -> Answer:
    """Only one player has turns left: a chase, in which a tie counts for what it is worth."""
    plan = Plan(card, shares([{each.total: 1.0} for each in others]), progress)
    totals = [each.total for each in others]
    rest = [(total == max(totals)) / totals.count(max(totals)) for total in totals]
    return Answer(How.EXACT, plan.box_values(card), lambda _, share: [(1.0 - share) * each for each in rest])


def _duel(card: Scorecard, other: Scorecard, progress: Progress | None) -> Answer:
    duel = Duel(compiled_book(other.book), *_pair(card, other), progress)
    return Answer(How.EXACT, duel.box_shares(), lambda _, share: [1.0 - share])


def _planned(card: Scorecard, field: Sequence[Mapping[int, float]], worth: Floats, progress: Progress | None) -> Answer:
    """The best answer to the others as they stand."""
    values = Plan(card, cut(worth, NOTHING), progress).box_values(card)

    def rest(position: Position, share: float) -> list[float]:
        """What the plan leaves to each: how its worth grows with a utility that has a grain of theirs in it."""
        left = 1.0 - share
        if len(field) == 1:
            return [left]
        grains = [worth + _GRAIN * each for each in shares_left(field, len(worth))]
        grown = [turn_of(position, Plan(card, each, progress).box_values(card))[0] - share for each in grains]
        return [max(0.0, each) * left / sum(max(0.0, other) for other in grown) for each in grown]

    return Answer(How.PLANNED, values, rest)


def _this_turn(position: Position, solution: Solution, progress: Progress | None) -> Answer:
    """The best for this turn."""
    ahead = look(position, solution, progress)
    place = position.seats_in.index(position.seat)

    def rest(here: Position, _: float) -> list[float]:
        return list(np.delete(ahead.to_win.at(here.dice, here.rolls_left), place).tolist())

    return Answer(How.THIS_TURN, ahead.own, rest)
