"""What somebody plays for, as they choose it: points, a total, the win; or the coach chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fivedice.errors import quote
from fivedice.table.refusals import BadRequest

Kind: TypeAlias = Literal["auto", "points", "win", "beat", "target"]
MOST_TARGET = 9999  # a total that is asked for; far beyond what any game ends with


@dataclass(frozen=True, slots=True)
class Goal:
    """`auto`: points, and with others the win from the moment it matters. `beat`: one more than the own best."""

    kind: Kind = "auto"
    target: int | None = None  # the total to reach

    @property
    def text(self) -> str:
        """As it is typed: points, win, 275."""
        return self.kind if self.target is None else str(self.target)


AUTO, POINTS, WIN, BEAT = Goal(), Goal("points"), Goal("win"), Goal("beat")
_NAMED = {goal.kind: goal for goal in (AUTO, POINTS, WIN, BEAT)}


def goal_of(text: str) -> Goal:
    """What somebody typed or chose: auto, points, win, beat, or a total."""
    typed = text.strip().lower()
    digits = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(MOST_TARGET))  # no number is too long
    if digits and 0 < int(typed) <= MOST_TARGET:
        return Goal("target", int(typed))
    if typed not in _NAMED:
        raise BadRequest("coach.which-aim", aim=quote(text))
    return _NAMED[typed]


def is_goal(text: str) -> bool:
    """Whether this can be chosen."""
    try:
        goal_of(text)
    except BadRequest:
        return False
    return True
