"""Submitted forms, and commands as received from a form or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from typing import Any, Literal

from litestar.datastructures import UploadFile

from fivedice.errors import quote
from fivedice.table.actions import commands as cmd
from fivedice.table.refusals import BadRequest
from fivedice.web.http.handling import Req


@dataclass(frozen=True, slots=True)
class Form:
    """The text fields of a form, each with all its values, and the content of an uploaded file."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    file: bytes | None = None

    def all(self, name: str) -> list[str]:
        return list(self.fields.get(name, ()))

    def last(self, name: str, otherwise: str = "") -> str:
        """Return the last value of a field, or `otherwise` if the field is missing."""
        return self.all(name)[-1] if name in self.fields else otherwise

    def ticked(self, name: str) -> bool:
        return self.last(name) == "yes"


async def form_of(request: Req) -> Form:
    found: dict[str, list[str]] = {}
    content = None
    for name, value in (await request.form()).multi_items():
        if isinstance(value, str):
            found.setdefault(name, []).append(value)
        elif isinstance(value, UploadFile) and name == "file" and value.filename:
            content = await value.read()
    return Form(found, content)


NAMES = tuple(cmd.COMMANDS)


@dataclass(frozen=True, slots=True)
class ChangeBody:
    """What a turn that was written should have been; without `dice`, `box` or `saved` that part stays."""

    game: int
    turn: int
    dice: str | None = None
    box: str | None = None
    saved: int | None = None
    points: int | None = None  # of a turn without dice

    def change(self) -> cmd.Change:
        dice = None if self.dice is None else faces(self.dice)
        return cmd.Change(self.game, self.turn, dice, self.box or None, self.saved, self.points)


@dataclass(frozen=True, slots=True)
class WasBody:
    """What a turn was when somebody changed it; `dice` are null where its points were all that was noted."""

    game: int
    turn: int
    dice: str | None = None
    points: int | None = None
    box: str = ""

    def was(self) -> cmd.Was:
        return cmd.Was(self.game, self.turn, None if self.dice is None else faces(self.dice), self.points, self.box)


@dataclass(frozen=True, slots=True)
class RollBody:
    """One roll of a turn: the dice by slot, and the slots, counted from 0, of those that stayed."""

    dice: str
    held: list[int] = field(default_factory=list)

    def roll(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return faces(self.dice), tuple(self.held)


@dataclass(frozen=True, slots=True)
class CommandBody:
    """A command with only the fields that it needs; `api.api_commands` describes the fields."""

    command: str  # any text, so that the error for an unknown command can list the known ones
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
    now: bool = False
    dice: str | None = None
    points: int | None = None
    last: bool = False
    saved: int = 0
    game: int | None = None
    turn: int | None = None
    first: int | None = None
    players: int | None = None
    changes: list[ChangeBody] = field(default_factory=list)
    was: list[WasBody] = field(default_factory=list)
    rolls: list[RollBody] = field(default_factory=list)
    answer: Literal["table", "changes"] = "table"

    def __post_init__(self) -> None:
        if self.command not in cmd.COMMANDS:
            raise BadRequest("web.unknown-command", command=quote(self.command), commands=NAMES)

    def command_of(self, who: str) -> cmd.Command:
        """Return the command of this person. Raise BadRequest if a field is missing."""
        wanted = cmd.COMMANDS[self.command]
        return wanted(who, **{each.name: self._read_field(each) for each in _asked_for(self.command)})

    def _read_field(self, wanted: Field[Any]) -> Any:
        """Return a field converted for the command. Raise BadRequest if it is missing."""
        value = getattr(self, wanted.name)
        if value is None and wanted.default is MISSING:
            raise BadRequest("web.command-needs", command=quote(self.command), field=quote(wanted.name))
        return _TOLD[wanted.name](value) if wanted.name in _TOLD else value


@cache
def _asked_for(command: str) -> tuple[Field[Any], ...]:
    """Return the fields of a command except the player. Cached because `fields` is slow."""
    return tuple(each for each in fields(cmd.COMMANDS[command]) if each.name != "player")


_TOLD: dict[str, Callable[[Any], Any]] = {
    "hold": tuple,
    "name": lambda name: name or None,  # a name is optional
    "dice": lambda text: None if text is None else faces(text),
    "rolls": lambda rolls: tuple(each.roll() for each in rolls),
    "was": lambda was: tuple(each.was() for each in was),
    "changes": lambda changes: tuple(each.change() for each in changes),
}


def from_form(name: str, form: Form) -> CommandBody:
    """Return a form as a command. Raise BadRequest for bad numbers; the table checks everything else."""
    return CommandBody(
        command=name,  # the route has checked it against NAMES
        version=_number(form, "version"),
        key=form.last("key") or None,
        seat=_number(form, "seat"),
        name=form.last("name"),
        color=form.last("color") or None,
        token=form.last("token") or None,
        text=form.last("text"),
        join_code=form.last("join") or None,
        level=form.last("level"),
        hold=[whole(slot, "hold") for slot in form.all("hold")],
        box=form.last("box"),
        agree={"yes": True, "no": False}.get(form.last("agree")),
        now=form.ticked("now"),
        dice=form.last("dice"),
        points=_number(form, "points"),
        last=form.ticked("last"),
        saved=_number(form, "saved") or 0,
        game=_number(form, "game"),
        turn=_number(form, "turn"),
        first=_number(form, "first"),
        players=_number(form, "players"),
    )


def faces(text: str) -> tuple[int, ...]:
    """Return dice typed as digits, with or without separators. Raise BadRequest for other characters."""
    digits = "".join(letter for letter in text if letter not in " ,.-")
    if not digits.isascii() or not (digits.isdecimal() or not digits):
        raise BadRequest("web.dice-are-digits", text=quote(text))
    return tuple(map(int, digits))


def _number(form: Form, name: str) -> int | None:
    return whole(form.last(name), name) if form.last(name) else None


def whole(text: str, name: str) -> int:
    """Return a form value as an int. Raise BadRequest unless it is 1 to 9 digits."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadRequest("web.not-a-whole-number", field=name, text=quote(text))
    return int(text)
