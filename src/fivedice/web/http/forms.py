"""Submitted forms, and commands as received from a form or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

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
    """What a turn was when someone changed it; `dice` are null where its points were all that was noted."""

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
    """A command with only the fields that it needs, each with its description in the API."""

    command: str  # any text, so that the error for an unknown command can list the known ones
    version: Annotated[
        int | None, "The version of the table that the command was made for. An older one is refused as stale."
    ] = None
    key: Annotated[
        str | None, "Any text of your own: a command that is sent twice with it acts once, and another one is refused."
    ] = None
    seat: Annotated[int | None, "The seat, counted from 0."] = None
    name: Annotated[str, "A name on the sheet; without one it is “Player 1” and so on."] = ""
    color: Annotated[str | None, "The colour of the seat; one that is taken is replaced."] = None
    token: Annotated[str | None, "The mark of the seat; one that is taken is replaced."] = None
    text: Annotated[str, "Any text. The dice depend on it, so no one can have chosen them."] = ""
    join_code: Annotated[str | None, "The last part of an invitation link, needed unless you have a seat."] = None
    level: Annotated[str, "How well the bot plays; GET /api/bots describes each level."] = ""
    hold: Annotated[list[int], "The slots, counted from 0 from the left, of the dice to keep."] = field(
        default_factory=list
    )
    box: Annotated[str, "The key of a box, as the rules name it: GET /api/books/{key}."] = ""
    agree: Annotated[bool | None, "Whether you agree."] = None
    now: Annotated[bool, "Start without people who said no or are away."] = False
    dice: Annotated[str | None, "Faces as digits, from the left."] = None
    points: Annotated[int | None, "The points of a turn without dice; with dice they are compared."] = None
    last: Annotated[bool, "Whether these are the final dice of the turn, whatever was rolled before."] = False
    saved: Annotated[int, "How many rolls the turn left over, in rules that save them."] = 0
    game: Annotated[int | None, "The game on the sheet, counted from 0."] = None
    turn: Annotated[int | None, "The turn of the game, counted from 0."] = None
    first: Annotated[int | None, "With real dice: the seat that begins, counted from 0."] = None
    players: Annotated[int | None, "The number of players at which the game starts by itself; null if it does not."] = (
        None
    )
    changes: Annotated[list[ChangeBody], "Written turns, and what they should have been."] = field(default_factory=list)
    was: Annotated[list[WasBody], "What those turns were before, instead of a version."] = field(default_factory=list)
    rolls: Annotated[list[RollBody], "The rolls of the turn one by one, if they are noted."] = field(
        default_factory=list
    )
    answer: Annotated[
        Literal["table", "changes"],
        "`changes` for a program that tracks the table itself: the answer has the new events, not the table.",
    ] = "table"

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
        return _CONVERTERS[wanted.name](value) if wanted.name in _CONVERTERS else value


@cache
def _asked_for(command: str) -> tuple[Field[Any], ...]:
    """Return the fields of a command except the player. Cached because `fields` is slow."""
    return tuple(each for each in fields(cmd.COMMANDS[command]) if each.name != "player")


_CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "hold": tuple,
    "name": lambda name: name or None,  # a name is optional
    "dice": lambda text: None if text is None else faces(text),
    "rolls": lambda rolls: tuple(each.roll() for each in rolls),
    "was": lambda was: tuple(each.was() for each in was),
    "changes": lambda changes: tuple(each.change() for each in changes),
}


def from_form(name: str, form: Form) -> CommandBody:
    """Return a form as a command. Raise BadRequest for bad numbers; the table checks everything else."""
    found = {field: read(form, field) for field, read in _FORM_FIELDS.items()}
    found |= {"dice": form.last("dice"), "join_code": form.last("join") or None}
    return CommandBody(name, **found)  # the route has checked the name against NAMES


def faces(text: str) -> tuple[int, ...]:
    """Return dice typed as digits, with or without separators. Raise BadRequest for other characters."""
    digits = "".join(letter for letter in text if letter not in " ,.-")
    if not digits.isascii() or not (digits.isdecimal() or not digits):
        raise BadRequest("web.dice-are-digits", text=quote(text))
    return tuple(map(int, digits))


def _number(form: Form, name: str) -> int | None:
    return parse_int(form.last(name), name) if form.last(name) else None


def parse_int(text: str, name: str) -> int:
    """Return a form value as an int. Raise BadRequest unless it is 1 to 9 digits."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadRequest("web.not-a-whole-number", field=name, text=quote(text))
    return int(text)


# How a form has a value of each type.
_READERS: dict[Any, Callable[[Form, str], Any]] = {
    str: Form.last,
    str | None: lambda form, name: form.last(name) or None,
    int: lambda form, name: _number(form, name) or 0,
    int | None: _number,
    list[int]: lambda form, name: [parse_int(each, name) for each in form.all(name)],
    bool: Form.ticked,
    bool | None: lambda form, name: {"yes": True, "no": False}.get(form.last(name)),
}
_FORM_FIELDS = {
    name: _READERS[kind] for name, kind in get_type_hints(CommandBody).items() if kind in _READERS and name != "command"
}
