"""A command as it comes in, from a form or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from litestar import Request
from litestar.datastructures import State

from fivedice.errors import quote
from fivedice.table import commands as ask
from fivedice.table.refusals import BadRequest

CommandName = Literal[
    "sit",
    "bot",
    "stand",
    "start",
    "roll",
    "enter",
    "withdraw",
    "write",
    "correct",
    "next",
    "score",
    "undo",
    "answer",
    "leave",
    "return",
    "skip",
    "dismiss",
    "give-up",
]
NAMES: tuple[str, ...] = get_args(CommandName)
Fields: TypeAlias = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class ChangeBody:
    """What a turn that was written should have been; without `dice` or `box` that part stays."""

    game: int
    turn: int
    dice: str | None = None
    box: str | None = None

    def change(self) -> ask.Change:
        return ask.Change(self.game, self.turn, None if self.dice is None else faces(self.dice), self.box or None)


@dataclass(frozen=True, slots=True)
class CommandBody:
    """A command, with only the fields that it needs.

    `version` is the version of the table that it was made for; roll, enter, withdraw, correct, score, undo, answer,
    skip and stand need it.
    `key` is any text of your own: a command that is sent again with the same key acts once.
    `hold` are the slots, counted from 0, of the dice that stay on the table in a roll.
    `text` is anything that you want to add to the dice when you sit down (they depend on it).
    `dice` are faces as digits: those that fell (enter; `last` if they are the final ones of the turn) or the final
    ones of a whole turn (write). `game` and `turn` are counted from 0. With real dice `first` says who begins (start).
    """

    command: CommandName
    version: int | None = None
    key: str | None = None
    seat: int | None = None
    name: str = ""
    color: str | None = None
    token: str | None = None
    text: str = ""
    join_code: str | None = None
    level: str = ""
    hold: list[int] = field(default_factory=list)
    box: str = ""
    agree: bool | None = None
    dice: str = ""
    last: bool = False
    game: int | None = None
    turn: int | None = None
    first: int | None = None
    changes: list[ChangeBody] = field(default_factory=list)

    def command_of(self, who: str) -> ask.Command:
        """What this asks of the table, in this person's name."""
        if self.command in _SEAT_COMMANDS:
            return _SEAT_COMMANDS[self.command](who, self._given(self.seat, "seat"))
        return _COMMANDS[self.command](self, who)

    def answer(self, who: str) -> ask.AnswerUndo:
        return ask.AnswerUndo(who, self._given(self.agree, "agree"))

    def write(self, who: str) -> ask.WriteTurn:
        game, turn = self._given(self.game, "game"), self._given(self.turn, "turn")
        return ask.WriteTurn(who, game, turn, faces(self.dice), self.box)

    def correct(self, who: str) -> ask.Correct:
        return ask.Correct(who, tuple(each.change() for each in self.changes))

    def next_game(self, who: str) -> ask.NextGame:
        return ask.NextGame(who, self._given(self.game, "game"))

    def _given(self, value: Any, name: str) -> Any:
        if value is None:
            raise BadRequest(f"The command {self.command!r} needs {name!r}.")
        return value


_COMMANDS: dict[str, Callable[[CommandBody, str], ask.Command]] = {
    "sit": lambda body, who: ask.SitDown(who, body.name, body.color, body.token, body.text),
    "bot": lambda body, who: ask.SeatBot(who, body.level),
    "start": lambda body, who: ask.StartGame(who, body.first),
    "roll": lambda body, who: ask.RollDice(who, tuple(body.hold)),
    "enter": lambda body, who: ask.EnterDice(who, faces(body.dice), tuple(body.hold), body.last),
    "withdraw": lambda _, who: ask.Withdraw(who),
    "write": CommandBody.write,
    "correct": CommandBody.correct,
    "next": CommandBody.next_game,
    "score": lambda body, who: ask.FillBox(who, body.box),
    "undo": lambda _, who: ask.TakeBack(who),
    "answer": CommandBody.answer,
    "give-up": lambda _, who: ask.GiveUp(who),
}
_SEAT_COMMANDS: dict[str, Callable[[str, int], ask.Command]] = {
    "stand": ask.StandUp,
    "leave": ask.Leave,
    "return": ask.ComeBack,
    "skip": ask.SkipTurn,
    "dismiss": ask.Dismiss,
}


async def fields_of(request: Request[Any, Any, State]) -> Fields:
    """The text fields of a form; files have no place here."""
    form = await request.form()
    found: Fields = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            found.setdefault(name, []).append(value)
    return found


def from_form(name: str, fields: Fields) -> CommandBody:
    """A form's fields as a command; numbers are checked, everything else is the table's to judge."""
    values = {field: texts[-1] for field, texts in fields.items()}
    return CommandBody(
        command=name,  # type: ignore[arg-type]  # the route has compared it with NAMES
        version=_number(values, "version"),
        key=values.get("key") or None,
        seat=_number(values, "seat"),
        name=values.get("name", ""),
        color=values.get("color"),
        token=values.get("token"),
        text=values.get("text", ""),
        join_code=values.get("join"),
        level=values.get("level", ""),
        hold=[whole(slot, "hold") for slot in fields.get("hold", [])],
        box=values.get("box", ""),
        agree={"yes": True, "no": False}.get(values.get("agree", "")),
        dice=values.get("dice", ""),
        last=values.get("last") == "yes",
        game=_number(values, "game"),
        turn=_number(values, "turn"),
        first=_number(values, "first"),
    )


def faces(text: str) -> tuple[int, ...]:
    """Dice as people type them: digits, perhaps with something between them."""
    digits = "".join(letter for letter in text if letter not in " ,.-")
    if not digits.isascii() or not (digits.isdecimal() or not digits):
        raise BadRequest(f"Dice are digits, such as 24466, not {quote(text)}.")
    return tuple(map(int, digits))


def _number(values: dict[str, str], name: str) -> int | None:
    return whole(values[name], name) if values.get(name) else None


def whole(text: str, name: str) -> int:
    """A whole number that a form sent as text."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadRequest(f"{name} must be a whole number, not {quote(text)}.")
    return int(text)
