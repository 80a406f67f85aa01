"""The chance of a total, from where the dice lie: what a solo player who wants to beat a score asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.analysis import futures
from fivedice.analysis.race import PATIENCE

if TYPE_CHECKING:
    from fivedice.game import Position
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase


@dataclass(frozen=True, slots=True)
class Prospect:
    """The chance of a total or more, if the most points are played for."""

    chance: float
    exact: bool  # else from a normal curve with the exact mean and spread


def prospect(position: Position, solution: Solution, target: int, *, exact: bool | None = None) -> Prospect:
    """For the seat on turn; exactly where a page can wait for it, unless told otherwise."""
    seat = futures.seats_of(position, solution)[position.seat]
    if exact is None:
        exact = futures.work(seat, solution) <= PATIENCE
    end = futures.exact(seat, solution) if exact else futures.normal(seat, solution)
    return Prospect(float(min(1.0, end.chances[end.totals >= target].sum())), exact or seat.card.is_full)


def chased(position: Position, chase: Chase, target: int) -> float:
    """The best chance that any play has."""
    if position.roll is None:
        return chase.chance(position.card, target)
    return chase.advise(position.card, position.roll, position.rolls_left, target)[0].value
