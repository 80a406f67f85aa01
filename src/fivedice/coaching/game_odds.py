"""The odds of a game: what everyone may expect, who will win, and the score that a solo player wants to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.solver.runtime import solve_limits as limits

if TYPE_CHECKING:
    from fivedice.analysis.race import Race
    from fivedice.game import Position, Scorecard
    from fivedice.rules import RuleBook
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase
    from fivedice.solver.runtime.worker_threads import Progress


@dataclass(frozen=True, slots=True)
class Prospect:
    """The chance of a total or more, if the most points are played for."""

    chance: float


@dataclass(frozen=True, slots=True)
class Beat:
    """The total that beats the own best, and the chance of it."""

    target: int
    normal: Prospect  # if the most points are played for
    chased: float | None  # if that total is played for, once it is worked out


@dataclass(frozen=True, slots=True)
class GameOdds:
    """The odds of all seats, and of the score to beat where somebody plays alone."""

    race: Race
    beat: Beat | None = None


def to_beat(position: Position, solution: Solution, target: int, chase: Chase | None) -> Beat:
    """The odds of a score; those of playing for it too, if a chase is at hand."""
    return Beat(
        target, prospect(position, solution, target), None if chase is None else chased(position, chase, target)
    )


def prospect(position: Position, solution: Solution, target: int, *, progress: Progress | None = None) -> Prospect:
    """The chance of the seat on turn to end with `target` or more, exactly.

    Early in a game the book is prepared first, once: see `Solution.prepare`.
    """
    from fivedice.analysis.race import ending, seats_of

    end = ending(seats_of(position, solution)[position.seat], solution, progress)
    return Prospect(float(min(1.0, end.chances[end.totals >= target].sum())))


def chased(position: Position, chase: Chase, target: int) -> float:
    """The best chance that any play has."""
    if position.roll is None:
        return chase.chance(position.card, target)
    return chase.advise(position.card, position.roll, position.rolls_left, target)[0].value


def worth_chasing(card: Scorecard) -> bool:
    """Early in a game a chase takes long, and the most points are the best way to a high score anyway."""
    return limits.has_odds(card.book) and not limits.chase_takes_long(card.book, card.marks.count(None))


def boxes_to_chase(book: RuleBook) -> int:
    """How many boxes may be open for a chase that nobody has to wait long for."""
    return max(boxes for boxes in range(len(book.boxes) + 1) if not limits.chase_takes_long(book, boxes))
