"""The players, and their goal: the points on their own sheet, or the win alone."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from fivedice.core.game import Position
from fivedice.errors import IllegalError, quote
from fivedice.message import Either

MOST_PLAYERS = 12

Goal: TypeAlias = Literal["points", "win"]


def agent_names(players: int) -> list[str]:
    if not 1 <= players <= MOST_PLAYERS:
        raise IllegalError("bots.learning-players", least=1, most=MOST_PLAYERS, players=quote(players))
    return [f"player_{seat}" for seat in range(players)]


def check_goal(goal: str) -> Goal:
    """Return the goal. Raise IllegalError if it is unknown."""
    if goal not in get_args(Goal):
        raise IllegalError("bots.learning-goal", known=Either(get_args(Goal)), goal=quote(goal))
    return "win" if goal == "win" else "points"


def shares(position: Position) -> list[float]:
    """Return the payoff of each seat if only the win counts. The sum is 0; a sole winner of two gets 1."""
    outcome, seats = position.standing, len(position.cards)
    won = len(outcome.winners)
    return [seats * (seat in outcome.winners) / won - 1.0 for seat in range(seats)]
