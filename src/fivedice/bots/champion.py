"""The bot that plays to win: planned anew in every turn, and exact in the last rounds.

What it chooses follows from the cards of all who play and its own dice, so every game can be replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.bots.people import Choice
from fivedice.bots.players import Player, choice, first_of_the_best

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fivedice.game import Position, Scorecard
    from fivedice.solver import Solution

MOST_DUEL = 900_000  # lanes of an exact ending, a fifth of a second of two cores
MOST_PLAN = 800_000  # the same of a plan to the end


@dataclass(frozen=True, eq=False)
class Champion:
    """Takes the best share of the win; of equal ones, the highest mean. Alone it takes that, as perfect play does."""

    points: Player  # of perfect play

    def choose(self, position: Position) -> Choice:
        """What to do with the dice on the table: hold some and throw the others, or fill a box."""
        weighed = self.points.weigh(position)
        best = self._best(position)
        return first_of_the_best(weighed if best is None else [each for each in weighed if each[0] in best])

    def _best(self, position: Position) -> set[Choice] | None:
        from fivedice.solver.solution import TIE
        from fivedice.solver.win.turn_answers import turn_of

        if len(position.seats_in) < 2:
            return None
        values = turn_to_win(position)
        if values is None:
            return None
        share, options = turn_of(position, values)
        return {choice(keep, box) for keep, box, value in options if share - value <= TIE}


def turn_to_win(position: Position) -> NDArray[np.float64] | None:
    """[rolls, boxes]: what every roll in every box leaves of the win; None where the odds cannot be had in time."""
    return _turn(position.cards, position.seats_in, position.seat)


@lru_cache(maxsize=64)  # every decision of a turn asks for the same
def _turn(cards: tuple[Scorecard, ...], seats: tuple[int, ...], seat: int) -> NDArray[np.float64] | None:
    from fivedice.dice import Keep
    from fivedice.game import Position
    from fivedice.solver.solution import solve
    from fivedice.solver.win.turn_answers import Limits, answered

    book = cards[seat].book
    out = frozenset(range(len(cards))) - set(seats)
    position = Position(cards, seat, Keep(()), book.rolls, out=out)
    solution = solve(book)
    if not has_odds(position, solution):
        return None
    return answered(position, lambda: solution, Limits(MOST_DUEL, MOST_PLAN)).values


def has_odds(position: Position, solution: Solution) -> bool:
    """Whether how all cards end is known in time, by what the rules are; that may have to be prepared first."""
    return solution.is_preparable or all(
        position.cards[seat].marks.count(None) <= solution.quick_boxes for seat in position.seats_in
    )
