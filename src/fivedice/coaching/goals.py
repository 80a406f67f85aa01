"""The goals that a player can choose for hints: points, a total, the win, or automatic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fivedice.errors import quote
from fivedice.table.refusals import BadRequest

Kind: TypeAlias = Literal["auto", "points", "win", "beat", "target"]
MOST_TARGET = 9999  # far above the total of any game


@dataclass(frozen=True, slots=True)
class Goal:
    """`auto` is points, and with several players the win once it matters. `beat` is one more than the own best."""

    kind: Kind = "auto"
    target: int | None = None  # the total to reach

    @property
    def text(self) -> str:
        """Return the goal as it is typed: points, win, 275."""
        return self.kind if self.target is None else str(self.target)


AUTO, POINTS, WIN, BEAT = Goal(), Goal("points"), Goal("win"), Goal("beat")
_NAMED = {goal.kind: goal for goal in (AUTO, POINTS, WIN, BEAT)}


def parse_goal(text: str) -> Goal:
    """Parse a goal: auto, points, win, beat, or a total. Raise BadRequest for any other text."""
    typed = text.strip().lower()
    digits = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(MOST_TARGET))
    if digits and 0 < int(typed) <= MOST_TARGET:
        return Goal("target", int(typed))
    if typed not in _NAMED:
        raise BadRequest("coach.which-aim", aim=quote(text))
    return _NAMED[typed]


def is_goal(text: str) -> bool:
    """Return whether a text is a goal."""
    try:
        parse_goal(text)
    except BadRequest:
        return False
    return True
