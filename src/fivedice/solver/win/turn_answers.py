"""The share of the win after every roll in every box, for the player on turn, by the best method that is quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.game import Position, Scorecard
from fivedice.solver.chase import banked_points
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import Option, Solution, options, state_of
from fivedice.solver.values import turn_values
from fivedice.solver.win.duels import Duel, count_work
from fivedice.solver.win.one_turn_lookahead import ending, look
from fivedice.solver.win.opponents import shares, shares_left, trim_sure_wins
from fivedice.solver.win.plans import Plan, count_lanes

Floats: TypeAlias = "NDArray[np.float64]"

NOTHING = 1e-7  # totals whose worth is this close to 1 count as 1: they are as rare
_MOST_BOXES = 9  # beyond this even counting the work takes too long
_GRAIN = 1e-7  # a weight so small that it only decides between equal choices


class How(StrEnum):
    """What an answer assumes."""

    EXACT = "exact"  # all play to win, to the end
    PLANNED = "planned"  # the others play for points, and the plan does not react to them
    THIS_TURN = "this turn"  # no sentence: only this turn is played to win, and all later turns for points


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """How many lanes may be worked out."""

    duel: float  # half a microsecond of one core each
    plan: float


@dataclass(frozen=True, eq=False)
class TurnAnswer:
    """The values of a turn, and a function for the shares of the others, given the share of the player on turn."""

    how: How
    values: Floats  # [rolls, boxes]; -inf where illegal
    rest: Callable[[Position, float], Sequence[float]]


def answer_turn(
    position: Position, solution: Callable[[], Solution], limits: WorkLimits, progress: Progress | None = None
) -> TurnAnswer:
    """Return the values of the turn of a position. The game must not be over, and rolls must not be saved."""
    others = [position.cards[seat] for seat in position.seats_in if seat != position.seat]
    if all(card.is_full for card in others):
        # Only one player has turns left: a chase in which a tie counts as its share.
        plan = Plan(position.card, shares([{each.total: 1.0} for each in others]), progress)
        totals = [each.total for each in others]
        rest = [(total == max(totals)) / totals.count(max(totals)) for total in totals]
        return TurnAnswer(
            How.EXACT, plan.box_values(position.card), lambda _, share: [(1.0 - share) * each for each in rest]
        )
    if len(others) == 1 and _is_small(position.card, others[0], limits.duel):
        other = others[0]
        duel = Duel(compiled_book(other.book), *_pair(position.card, other), progress)
        return TurnAnswer(How.EXACT, duel.box_shares(), lambda _, share: [1.0 - share])
    known = solution()
    field = [ending(known, card, progress) for card in others]
    worth = shares(field)
    if _is_short(position.card, len(trim_sure_wins(worth, NOTHING)) - 1, limits.plan):
        return _answer_by_plan(position.card, field, worth, progress)
    return _answer_this_turn(position, known, progress)


def evaluate_turn(position: Position, values: Floats) -> tuple[float, list[Option]]:
    """Return the worth of the turn as it stands, and every option of the dice on the table."""
    book, grid = position.card.book, compiled_book(position.card.book).lattice
    if position.roll is not None:
        found = options(book, values, position.roll, position.rolls_left)
        return max(value for _, _, value in found), found
    return turn_values.turn_worth(grid, values.max(axis=1), position.dice.faces, position.rolls_left), []


def _is_small(card: Scorecard, other: Scorecard, most: float) -> bool:
    still = [each.marks.count(None) for each in (card, other)]
    if still[0] - still[1] not in {0, 1} or (not other.book.fixed_order and still[0] > _MOST_BOXES - 1):
        return False
    return count_work(compiled_book(other.book), *_pair(card, other)) <= most


def _is_short(card: Scorecard, last: int, most: float) -> bool:
    """Return whether a plan from a card takes only a moment."""
    if np.isinf(most):
        return True
    if not card.book.fixed_order and card.marks.count(None) > _MOST_BOXES:
        return False
    return count_lanes(card, last) <= most


def _pair(card: Scorecard, other: Scorecard) -> tuple[tuple[State, State], int]:
    return (state_of(card), state_of(other)), banked_points(other) - banked_points(card)


def _answer_by_plan(
    card: Scorecard, field: Sequence[Mapping[int, float]], worth: Floats, progress: Progress | None
) -> TurnAnswer:
    """Answer with the best plan against the others as they stand."""
    values = Plan(card, trim_sure_wins(worth, NOTHING), progress).box_values(card)

    def rest(position: Position, share: float) -> list[float]:
        """Return the shares of the others: how the worth grows if their share gets a small weight in the utility."""
        left = 1.0 - share
        if len(field) == 1:
            return [left]
        grains = [worth + _GRAIN * each for each in shares_left(field, len(worth))]
        grown = [evaluate_turn(position, Plan(card, each, progress).box_values(card))[0] - share for each in grains]
        return [max(0.0, each) * left / sum(max(0.0, other) for other in grown) for each in grown]

    return TurnAnswer(How.PLANNED, values, rest)


def _answer_this_turn(position: Position, solution: Solution, progress: Progress | None) -> TurnAnswer:
    """Answer with the best play of this turn."""
    ahead = look(position, solution, progress)
    place = position.seats_in.index(position.seat)

    def rest(here: Position, _: float) -> list[float]:
        return list(np.delete(ahead.to_win.at(here.dice, here.rolls_left), place).tolist())

    return TurnAnswer(How.THIS_TURN, ahead.own, rest)
