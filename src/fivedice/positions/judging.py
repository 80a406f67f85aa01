"""Judge an answer: what it cost, the best move, and one sentence why. All values are those of `fd.solve`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalMove, MalformedError, quote
from fivedice.message import Message
from fivedice.text.squares import grade_of_loss

if TYPE_CHECKING:
    from fivedice.coaching.hints import Coaching
    from fivedice.solver import Solution

_MOVE = re.compile(r"(>)(-|[1-9]{1,8})|(=)([0-9a-z]{2})").fullmatch


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer cost, and the coach's answer to the same question."""

    position: Position
    move: Hold | Mark
    lost: float
    coaching: Coaching

    @property
    def grade(self) -> int:
        return grade_of_loss(self.lost)

    @property
    def best(self) -> Hold | Mark:
        first = self.coaching.choices[0]
        return Mark(str(first.box)) if first.keep is None else Hold(first.keep)

    @property
    def headline(self) -> Message:
        """Return the best move: Keep the two fours."""
        return self.coaching.about

    @property
    def why(self) -> Message:
        return self.coaching.reason.message


def judge_answer(solution: Solution, position: Position, move: Hold | Mark) -> Judgement:
    """Return what a move costs in a position. Raise IllegalMove if it is not possible."""
    from fivedice.coaching.hints import coach

    roll = position.roll
    if roll is None:
        raise IllegalMove("coach.roll-first")
    for option in solution.advise(position.card, roll, position.rolls_left):
        if option.move == move:
            return Judgement(position, move, option.loss, coach(solution, position, best=2))
    raise IllegalMove("coach.not-a-choice", move=write_move(position.book, move))


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
