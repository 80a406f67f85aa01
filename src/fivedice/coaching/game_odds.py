"""The odds of a game: expected totals, chances of winning, and the chance of the score to beat for one player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.solver.runtime import solve_limits as limits

if TYPE_CHECKING:
    from fivedice.core.game import Position, Scorecard
    from fivedice.core.rules import AnyBook, RuleBook
    from fivedice.reports.race import Race
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase
    from fivedice.solver.runtime.worker_threads import Progress


@dataclass(frozen=True, slots=True)
class Prospect:
    """The `chance` of a total or more, if the player plays for the most points: see `fd.prospect`."""

    chance: float


@dataclass(frozen=True, slots=True)
class Beat:
    """The total that beats the player's own best, and its chances."""

    target: int
    normal: Prospect  # if the player plays for the most points
    chased: float | None  # if the player plays for that total, once it is computed


@dataclass(frozen=True, slots=True)
class GameOdds:
    """The odds of all seats, and of the score to beat for a player who plays alone."""

    race: Race
    beat: Beat | None = None


def to_beat(position: Position, solution: Solution, target: int, chase: Chase | None) -> Beat:
    """Return the odds of a score; with a chase also those of playing for it."""
    if chase is None:
        chance = None
    elif position.roll is None:
        chance = chase.chance(position.card, target)
    else:
        chance = chase.advise(position.card, position.roll, position.rolls_left, target)[0].value
    return Beat(target, prospect(position, solution, target), chance)


def prospect(
    position: Position, solution: Solution | AnyBook, target: int, *, progress: Progress | None = None
) -> Prospect:
    """Return the exact chance that the player on turn ends with `target` points or more, playing for the most points.

    `solution` is that of the position's book, or that book. `progress` is called with the steps done and all steps.
    Early in a game the book is prepared first, once: see `Solution.prepare`. Raises `MissingExtra` without the extra
    `solver`, and `IllegalCard` for the solution of another book.

    >>> sheet = "1s:0,2s:0,3s:0,4s:0,5s:0,6s:0,os:0,es:20,ls:0,hs:0,3k:0,13:0"
    >>> round(fd.prospect(fd.read_position(f"crag {sheet} 0 466 1"), "crag", 70).chance, 3)
    0.167
    """
    from fivedice.reports.race import ending, seats_of
    from fivedice.solver import find_solution  # late: the terminal starts without the solver

    solution = find_solution(solution)
    end = ending(seats_of(position, solution)[position.seat], solution, progress)
    return Prospect(float(min(1.0, end.chances[end.totals >= target].sum())))


def is_worth_chasing(card: Scorecard) -> bool:
    """Return whether a chase is quick enough. Early in a game it is not, and playing for points serves as well."""
    return limits.has_odds(card.book) and not limits.chase_takes_long(card.book, card.marks.count(None))


def boxes_to_chase(book: RuleBook) -> int:
    """Return how many boxes may be open so that a chase does not take long."""
    return max(boxes for boxes in range(len(book.boxes) + 1) if not limits.chase_takes_long(book, boxes))
