"""A command as it comes in, from a form or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

from fivedice.table import commands as ask
from fivedice.table.refusals import BadRequest

CommandName = Literal[
    "sit", "bot", "stand", "start", "roll", "score", "undo", "answer", "leave", "return", "skip", "dismiss"
]
NAMES: tuple[str, ...] = get_args(CommandName)


@dataclass(frozen=True, slots=True)
class CommandBody:
    """A command. `version` is needed by roll, score and undo; `key` makes a retry harmless."""

    command: CommandName
    version: int | None = None
    key: str | None = None
    seat: int = 0
    name: str = ""
    color: str | None = None
    token: str | None = None
    join_code: str | None = None
    level: str = ""
    hold: list[int] = field(default_factory=list)
    box: str = ""
    agree: bool = False

    def command_of(self, who: str) -> ask.Command:
        """What this asks of the table, in this person's name."""
        match self.command:
            case "sit":
                return ask.SitDown(who, self.name, self.color, self.token)
            case "bot":
                return ask.SeatBot(who, self.level)
            case "start":
                return ask.StartGame(who)
            case "roll":
                return ask.RollDice(who, tuple(self.hold))
            case "score":
                return ask.FillBox(who, self.box)
            case "undo":
                return ask.TakeBack(who)
            case "answer":
                return ask.AnswerUndo(who, self.agree)
        return _SEAT_COMMANDS[self.command](who, self.seat)


_SEAT_COMMANDS: dict[str, Callable[[str, int], ask.Command]] = {
    "stand": ask.StandUp,
    "leave": ask.Leave,
    "return": ask.ComeBack,
    "skip": ask.SkipTurn,
    "dismiss": ask.Dismiss,
}


def from_form(name: str, values: dict[str, str], hold: list[str]) -> CommandBody:
    """A form's fields as a command; numbers are checked, everything else is the table's to judge."""
    return CommandBody(
        command=name,  # type: ignore[arg-type]  # the route has compared it with NAMES
        version=_number(values, "version"),
        key=values.get("key") or None,
        seat=_number(values, "seat") or 0,
        name=values.get("name", ""),
        color=values.get("color"),
        token=values.get("token"),
        join_code=values.get("join"),
        level=values.get("level", ""),
        hold=[whole(slot, "hold") for slot in hold],
        box=values.get("box", ""),
        agree=values.get("agree") == "yes",
    )


def _number(values: dict[str, str], name: str) -> int | None:
    return whole(values[name], name) if values.get(name) else None


def whole(text: str, name: str) -> int:
    """A whole number that a form sent as text."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadRequest(f"{name} must be a whole number, not {text[:40]!r}.")
    return int(text)
