"""Hints for the win, with several players: each choice has its share of the win and its points.

A player who has chosen no goal gets a hint for the win as soon as it matters: when the best choice for points costs a
noticeable share of the win, and in the last boxes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.coaching import hint_messages as messages
from fivedice.coaching.hint_messages import BEST, Reason, ReasonKind
from fivedice.core.game import judge
from fivedice.errors import IllegalMove
from fivedice.message import Chance, Message, message
from fivedice.solver.runtime.solve_limits import has_odds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fivedice.coaching.hints import Choice, Coaching
    from fivedice.coaching.training import Goal
    from fivedice.core.dice import Roll
    from fivedice.core.game import Position, Scorecard
    from fivedice.solver import Advice, Solution
    from fivedice.solver.runtime.worker_threads import Progress
    from fivedice.solver.win import Win, WinAdvice

MATTERS = 0.01  # a share of the win that is worth a hint: one game in a hundred
LAST_BOXES = 3  # with this many boxes open the win always matters
MOST_LANES = 400_000  # of an exact endgame while a player waits: a fifth of a second of one core

# Only one player has turns left; all play to win; the others play for points; all play for points after this turn.
Assumed: TypeAlias = Literal["last", "all", "points", "turn"]


def coach_with_others(
    solution: Solution,
    position: Position,
    goal: Goal,
    stakes: Stakes,
    *,
    best: int = BEST,
    bonuses: NDArray[np.float64] | None = None,
) -> Coaching:
    """Return a hint in a game of several players: for the win, or for points with a note about the win."""
    from fivedice.coaching.hints import coach

    if position.roll is None:
        raise IllegalMove("coach.roll-first")
    if stakes.decided is None and (goal.kind == "win" or (goal.kind == "auto" and stakes.matters)):
        return _coach_to_win(position.card, position.roll, stakes, best, chosen_by_coach=goal.kind == "auto")
    hint = coach(solution, position.card, position.roll, position.rolls_left, best=best, bonuses=bonuses)
    return replace(hint, notes=tuple(_win_notes(position.card, position.roll, stakes, goal)))


def _coach_to_win(card: Scorecard, roll: Roll, stakes: Stakes, best: int, *, chosen_by_coach: bool) -> Coaching:
    from fivedice.coaching.hints import Coaching, check_count

    check_count(best)
    others = [each for each in stakes.options if each != stakes.best]
    choices = tuple(_win_choice(card, roll, each) for each in (stakes.best, *others)[:best])
    reason = _win_reason(card, roll, stakes)
    return Coaching(
        choices=choices,
        reason=reason,
        about=messages.headline(card, roll, choices[0], reason, None),
        why=tuple(messages.explain_costs(choices, reason, "win")),
        ruled=messages.rule(judge(card, roll)),
        target=None,
        goal="win",
        notes=(*([message("coach.for-win")] if chosen_by_coach else ()), stakes.assumption),
    )


def _win_choice(card: Scorecard, roll: Roll, each: WinAdvice) -> Choice:
    from fivedice.coaching.hints import Choice

    label = messages.label(card, roll, each.keep, each.box)
    return Choice(each.keep, each.box, label, each.share, each.loss, each.best, now=0.0, aims=(), bonus=None)


def _win_reason(card: Scorecard, roll: Roll, stakes: Stakes) -> Reason:
    """Return the share of the best choice, and the best choice for points if that is another."""
    known = {"standing": stakes.standing, "chance": stakes.chance}
    if stakes.agreed:
        return Reason("win-agreed", known)
    other = stakes.by_points
    do = messages.option(card, roll, other.keep, other.box)
    kind: ReasonKind = "win" if stakes.given_up >= MATTERS else "win-nearly"
    return Reason(kind, {**known, "do": do, "other": Chance(other.share)})


def _win_notes(card: Scorecard, roll: Roll, stakes: Stakes, goal: Goal) -> Iterator[Message]:
    """Say what a hint for points means for the win."""
    if stakes.decided is not None:
        yield message(f"coach.win-{stakes.decided}")
        return
    known = {"chance": stakes.chance, "other": Chance(stakes.by_points.share)}
    if stakes.agreed:
        yield message("coach.also-win", **known)
    elif goal.kind == "points" and stakes.given_up >= MATTERS:
        best = stakes.best
        yield message("coach.not-to-win", **known, do=messages.option(card, roll, best.keep, best.box))
    else:
        yield message("coach.nearly-win", **known)
    yield stakes.assumption


@dataclass(frozen=True, slots=True)
class Stakes:
    """The share of the win that each choice for a roll leaves, and the share of the best choice for points."""

    options: tuple[WinAdvice, ...]  # best first
    best: WinAdvice  # of several equally good ones, the best for points
    by_points: WinAdvice  # the best for points; of several equally good ones, the best for the win
    ahead: int  # the lead in points over the best of the others
    boxes: int  # still open
    theirs: int | None  # open boxes of the other player; None if there are several
    others: int  # other players
    assumed: Assumed

    @property
    def agreed(self) -> bool:
        """Return whether the best choice for points is also the best for the win."""
        return self.by_points.best

    @property
    def given_up(self) -> float:
        """Return the share of the win that the best choice for points costs."""
        return 0.0 if self.agreed else self.best.share - self.by_points.share

    @property
    def decided(self) -> Literal["won", "lost"] | None:
        """Return whether the win is certain or lost whatever is chosen; None while choices matter."""
        from fivedice.solver.solution import TIE  # late, because it loads numpy

        if self.best.share <= TIE:
            return "lost"
        return "won" if self.options[-1].share >= 1.0 - TIE else None

    @property
    def matters(self) -> bool:
        """Return whether a player who has chosen no goal gets a hint for the win."""
        return self.decided is None and (self.given_up >= MATTERS or self.boxes <= LAST_BOXES)

    @property
    def standing(self) -> Message:
        """Say how the player stands: You trail by 22 with 3 boxes left. The other player has 4 boxes left."""
        kind = "trail" if self.ahead < 0 else "lead" if self.ahead else "level"
        own = message(f"coach.{kind}", points=abs(self.ahead), count=self.boxes)
        if self.theirs in {None, 0, self.boxes}:
            return own
        return message("coach.both-standings", standing=own, theirs=message("coach.theirs", count=self.theirs))

    @property
    def assumption(self) -> Message:
        """Say what the shares assume about the other players."""
        return message(f"coach.win-{self.assumed}", count=self.others)

    @property
    def chance(self) -> Chance:
        return Chance(self.best.share)


def can_win(position: Position) -> bool:
    """Return whether there are other players, and rules for which shares of the win can be computed."""
    return len(position.seats_in) > 1 and has_odds(position.book)


def stakes(
    position: Position, solution: Solution, *, most: int = MOST_LANES, progress: Progress | None = None
) -> Stakes:
    """Compute both measures of the roll in a position."""
    from fivedice.solver.win import win

    if position.roll is None:
        raise AssertionError(position)
    found = win(position, solution, most=most, progress=progress)
    points = solution.advise(position.card, position.roll, position.rolls_left)
    return compare(position, found, points)


def compare(position: Position, found: Win, points: Sequence[Advice]) -> Stakes:
    """Compare the choices by both measures. Where one measure ties, the other decides."""
    shares = tuple(found.advise())
    in_points = {(each.keep, each.box): each for each in points}
    best = max((each for each in shares if each.best), key=lambda each: in_points[each.keep, each.box].value)
    by_points = max((each for each in shares if in_points[each.keep, each.box].best), key=lambda each: each.share)
    others = [position.cards[seat] for seat in position.seats_in if seat != position.seat]
    return Stakes(
        options=shares,
        best=by_points if by_points.best else best,
        by_points=by_points,
        ahead=position.card.total - max(card.total for card in others),
        boxes=position.card.marks.count(None),
        theirs=others[0].marks.count(None) if len(others) == 1 else None,
        others=len(others),
        assumed="last" if all(card.is_full for card in others) else _ASSUMED[found.how],
    )


_ASSUMED: dict[str, Assumed] = {"exact": "all", "planned": "points", "this turn": "turn"}  # no sentence


def is_quick(position: Position, solution: Solution) -> bool:
    """Return whether the stakes take only milliseconds, because everything they need is in memory."""
    from fivedice.reports.race import is_ready

    return is_ready(position, solution)
