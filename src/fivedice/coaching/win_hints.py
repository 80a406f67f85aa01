"""One roll by both measures: the share of the win that each choice leaves, and its points.

With others the win is what is played for from the moment it matters: where the best choice for points gives away a
share that is worth telling, and in the last boxes. All of it is decided by these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.message import Chance, Message, message
from fivedice.solver.runtime.solve_limits import has_odds

if TYPE_CHECKING:
    from fivedice.game import Position
    from fivedice.solver import Advice, Solution
    from fivedice.solver.runtime.worker_threads import Progress
    from fivedice.solver.win import Win, WinAdvice

MATTERS = 0.01  # of the win: one game in a hundred
LAST_BOXES = 3  # from which on the points of a card are no longer the question
MOST_LANES = 400_000  # of an exact endgame while somebody waits: a fifth of a second of one core

# Only one has turns left; all play to win; the others for points; after this turn all do.
Assumed: TypeAlias = Literal["last", "all", "points", "turn"]


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a roll is worth in shares of the win, and what the best choice for points is worth in them."""

    options: tuple[WinAdvice, ...]  # best first
    best: WinAdvice  # of those that are as good the best for points
    by_points: WinAdvice  # the best for points; of those that are as good the best to win
    ahead: int  # points on the sheet more than the best of the others
    boxes: int  # that are still open
    others: int
    assumed: Assumed

    @property
    def agreed(self) -> bool:
        """Whether one choice is the best by both measures."""
        return self.by_points.best

    @property
    def given_up(self) -> float:
        """The share that the best choice for points gives away."""
        return 0.0 if self.agreed else self.best.share - self.by_points.share

    @property
    def decided(self) -> Literal["won", "lost"] | None:
        """Where no choice makes a difference to the win any more."""
        from fivedice.solver.solution import TIE  # numpy: only those who ask wait

        if self.best.share <= TIE:
            return "lost"
        return "won" if self.options[-1].share >= 1.0 - TIE else None

    @property
    def matters(self) -> bool:
        """Whether somebody who has not chosen is told what to do for the win."""
        return self.decided is None and (self.given_up >= MATTERS or self.boxes <= LAST_BOXES)

    @property
    def standing(self) -> Message:
        """You trail by 22 with 3 boxes left."""
        kind = "trail" if self.ahead < 0 else "lead" if self.ahead else "level"
        return message(f"coach.{kind}", points=abs(self.ahead), count=self.boxes)

    @property
    def assumption(self) -> Message:
        """What the shares rest on."""
        return message(f"coach.win-{self.assumed}", count=self.others)

    @property
    def chance(self) -> Chance:
        return Chance(self.best.share)


def can_win(position: Position) -> bool:
    """Whether there is anybody to win against, under rules for which that can be worked out."""
    return len(position.seats_in) > 1 and has_odds(position.book)


def stakes(
    position: Position, solution: Solution, *, most: int = MOST_LANES, progress: Progress | None = None
) -> Stakes:
    """Both measures of a roll on the table."""
    from fivedice.solver.win import win

    if position.roll is None:
        raise AssertionError(position)
    found = win(position, solution, most=most, progress=progress)
    points = solution.advise(position.card, position.roll, position.rolls_left)
    return compared(position, found, points)


def compared(position: Position, found: Win, points: Sequence[Advice]) -> Stakes:
    """Of what is as good by one measure, the best by the other is meant."""
    shares = tuple(found.advise())
    worth = {(each.keep, each.box): each for each in points}
    best = max((each for each in shares if each.best), key=lambda each: worth[each.keep, each.box].value)
    by_points = max((each for each in shares if worth[each.keep, each.box].best), key=lambda each: each.share)
    others = [position.cards[seat] for seat in position.seats_in if seat != position.seat]
    return Stakes(
        options=shares,
        best=by_points if by_points.best else best,
        by_points=by_points,
        ahead=position.card.total - max(card.total for card in others),
        boxes=position.card.marks.count(None),
        others=len(others),
        assumed="last" if all(card.is_full for card in others) else _ASSUMED[found.how],
    )


_ASSUMED: dict[str, Assumed] = {"exact": "all", "planned": "points", "this turn": "turn"}  # no sentence


def is_quick(position: Position, solution: Solution) -> bool:
    """Whether the stakes are a matter of milliseconds, by what is in memory."""
    from fivedice.analysis.race import is_ready

    return is_ready(position, solution)
