"""The bot that plays to win: it plans every turn anew and is exact in the last rounds.

Its choice depends only on the cards of all players and its own dice, so every game can be replayed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.players.bots.human_like import Choice
from fivedice.players.bots.players import LevelBot, choice, pick_first_best

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fivedice.core.game import Position, Scorecard
    from fivedice.solver import Solution

MOST_DUEL = 900_000  # lanes of an exact ending: a fifth of a second on two cores
MOST_PLAN = 800_000  # lanes of a plan to the end


@dataclass(frozen=True, eq=False)
class Champion:
    """Takes the best share of the win and, of equal shares, the highest mean. Alone it plays for the mean."""

    points: LevelBot  # perfect play for points

    def choose(self, position: Position) -> Choice:
        """Return the dice to keep, or the box to fill."""
        weighed = self.points.weigh(position)
        best = self._best(position)
        return pick_first_best(weighed if best is None else [each for each in weighed if each[0] in best])

    def _best(self, position: Position) -> set[Choice] | None:
        from fivedice.solver.solution import TIE
        from fivedice.solver.win.turn_answers import evaluate_turn

        if len(position.seats_in) < 2:
            return None
        values = turn_to_win(position)
        if values is None:
            return None
        share, options = evaluate_turn(position, values)
        return {choice(keep, box) for keep, box, value in options if share - value <= TIE}


def turn_to_win(position: Position) -> NDArray[np.float64] | None:
    """Return the share of the win after every roll in every box, as [rolls, boxes]; None where odds take too long."""
    return _turn(position.cards, position.seats_in, position.seat)


@lru_cache(maxsize=64)  # every decision of a turn needs the same values
def _turn(cards: tuple[Scorecard, ...], seats: tuple[int, ...], seat: int) -> NDArray[np.float64] | None:
    from fivedice.core.dice import Keep
    from fivedice.core.game import Position
    from fivedice.solver.solution import solve
    from fivedice.solver.win.turn_answers import WorkLimits, answer_turn

    book = cards[seat].book
    out = frozenset(range(len(cards))) - set(seats)
    position = Position(cards, seat, Keep(()), book.rolls, out=out)
    solution = solve(book)
    if not has_odds(position, solution):
        return None
    return answer_turn(position, lambda: solution, WorkLimits(MOST_DUEL, MOST_PLAN)).values


def has_odds(position: Position, solution: Solution) -> bool:
    """Return whether the odds of all cards can be had in time, perhaps after preparing the book once."""
    return solution.is_preparable or all(
        position.cards[seat].marks.count(None) <= solution.quick_boxes for seat in position.seats_in
    )
