"""Judge an answer: what it cost, the best move, and one sentence why.

All values are those of `fd.solve`, and of `fd.win` in a position of two players: those are played for the win.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.coaching.hint_messages import is_tiny, percentage_points, points
from fivedice.coaching.training import WIN
from fivedice.coaching.win_hints import coach_with_others, stakes
from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalMove, MalformedError, quote
from fivedice.message import Chance, Message, Series, message
from fivedice.players.bots.players import choice
from fivedice.text.squares import grade_of_loss

if TYPE_CHECKING:
    from fivedice.coaching.hints import Coaching
    from fivedice.coaching.win_hints import Stakes
    from fivedice.solver import Solution

_MOVE = re.compile(r"(>)(-|[1-9]{1,8})|(=)([0-9a-z]{2})").fullmatch


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer cost, and the coach's answer to the same question."""

    position: Position
    move: Hold | Mark
    lost: float  # points; with `share`, percentage points
    coaching: Coaching
    share: float | None = None  # the odds to win after the move, if the position is played for the win

    @property
    def grade(self) -> int:
        return grade_of_loss(self.lost)

    @property
    def cost(self) -> Message:
        """Return what the move cost: 2.1 points lost."""
        if not self.lost:
            return message("coach.train-best")
        if is_tiny(self.lost, "points"):  # one decimal is shown of points and of percentage points
            return message("coach.train-costs-little")
        cost = points(self.lost) if self.share is None else percentage_points(self.lost / 100)
        return message("coach.train-costs", cost=cost)

    @property
    def best(self) -> Hold | Mark:
        return choice(self.coaching.choices[0].keep, self.coaching.choices[0].box)

    @property
    def yours(self) -> Message:
        """Return what the player did, and the odds to win after it if the win counts."""
        if isinstance(self.move, Mark):
            did = message("coach.train-yours-box", box=self.position.book.box(self.move.box))
        else:
            keep = self.move.keep
            did = message("coach.train-yours-keep", dice=keep) if keep else message("coach.train-yours-all")
        return did if self.share is None else message("coach.train-odds", yours=did, chance=Chance(self.share))

    @property
    def headline(self) -> Message:
        """Return the best move: Keep the two fours."""
        return self.coaching.about

    @property
    def why(self) -> Message:
        return self.coaching.reason.message


def judge_answer(solution: Solution, position: Position, move: Hold | Mark) -> Judgement:
    """Return what a move costs in a position. Raise IllegalMove if it is not possible."""
    if position.roll is None:
        raise IllegalMove("coach.roll-first")
    found = stakes(position, solution) if len(position.cards) > 1 else None
    if found is not None:
        for each in found.options:
            if choice(each.keep, each.box) == move:
                return Judgement(position, move, 100 * each.loss, explain(solution, position, found), each.share)
    else:
        for option in solution.advise(position.card, position.roll, position.rolls_left):
            if option.move == move:
                return Judgement(position, move, option.loss, explain(solution, position))
    raise IllegalMove("coach.not-a-choice", move=write_move(position.book, move))


def explain(solution: Solution, position: Position, found: Stakes | None = None) -> Coaching:
    """Return the coach's answer: for points, or for the win in a position of two players."""
    from fivedice.coaching.hints import coach

    if len(position.cards) == 1:
        return coach(solution, position, best=2)
    return coach_with_others(solution, position, WIN, found or stakes(position, solution), best=2)


def describe_standing(position: Position) -> tuple[Message, ...]:
    """Return who leads in a position of two players, with both totals, and what the other player has open."""
    if len(position.cards) == 1:
        return ()
    own, other = position.cards
    ahead = own.total - other.total
    still = (box for box, score in zip(other.book.boxes, other.marks, strict=True) if score is None)
    kind = f"coach.train-{'trail' if ahead < 0 else 'lead' if ahead else 'level'}"
    leads = message(kind, points=abs(ahead), own=own.total, theirs=other.total)
    return leads, message("coach.train-theirs", boxes=Series(tuple(still)))


def check_answer(position: Position, move: Hold | Mark) -> None:
    """Raise IllegalMove if a move is not possible, without looking at values."""
    position.check(move)
    if isinstance(move, Hold) and len(move.keep) == position.book.dice:
        raise IllegalMove("coach.train-keeps-all")


def write_move(book: RuleBook, move: Hold | Mark) -> str:
    """Return a move as in the notation of a turn: `>44` keeps two fours, `=fh` scores a Full House."""
    return f"={book.box(move.box).code}" if isinstance(move, Mark) else f">{move.keep}"


def read_move(book: RuleBook, text: str) -> Hold | Mark:
    """Return the move of a text. Raise MalformedError if it cannot be read, IllegalError for an unknown box."""
    found = _MOVE(text)
    if found is None:
        raise MalformedError("coach.train-bad-move", text=quote(text))
    return Hold(Keep.parse(found[2])) if found[1] else Mark(book.box(found[4]).key)
