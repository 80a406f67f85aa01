"""A command as it comes in, from a form or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from fivedice.errors import quote
from fivedice.table import commands as cmd
from fivedice.table.refusals import BadRequest
from fivedice.web.http.forms import Form

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


@dataclass(frozen=True, slots=True)
class ChangeBody:
    """What a turn that was written should have been; without `dice` or `box` that part stays."""

    game: int
    turn: int
    dice: str | None = None
    box: str | None = None

    def change(self) -> cmd.Change:
        return cmd.Change(self.game, self.turn, None if self.dice is None else faces(self.dice), self.box or None)


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

    def command_of(self, who: str) -> cmd.Command:
        """What this asks of the table, in this person's name."""
        if self.command in _SEAT_COMMANDS:
            return _SEAT_COMMANDS[self.command](who, self._given(self.seat, "seat"))
        return _COMMANDS[self.command](self, who)

    def answer(self, who: str) -> cmd.AnswerUndo:
        return cmd.AnswerUndo(who, self._given(self.agree, "agree"))

    def write(self, who: str) -> cmd.WriteTurn:
        game, turn = self._given(self.game, "game"), self._given(self.turn, "turn")
        return cmd.WriteTurn(who, game, turn, faces(self.dice), self.box)

    def correct(self, who: str) -> cmd.Correct:
        return cmd.Correct(who, tuple(each.change() for each in self.changes))

    def next_game(self, who: str) -> cmd.NextGame:
        return cmd.NextGame(who, self._given(self.game, "game"))

    def _given(self, value: Any, name: str) -> Any:
        if value is None:
            raise BadRequest("web.command-needs", command=quote(self.command), field=quote(name))
        return value


_COMMANDS: dict[str, Callable[[CommandBody, str], cmd.Command]] = {
    "sit": lambda body, who: cmd.SitDown(who, body.name, body.color, body.token, body.text),
    "bot": lambda body, who: cmd.SeatBot(who, body.level),
    "start": lambda body, who: cmd.StartGame(who, body.first),
    "roll": lambda body, who: cmd.RollDice(who, tuple(body.hold)),
    "enter": lambda body, who: cmd.EnterDice(who, faces(body.dice), tuple(body.hold), body.last),
    "withdraw": lambda _, who: cmd.Withdraw(who),
    "write": CommandBody.write,
    "correct": CommandBody.correct,
    "next": CommandBody.next_game,
    "score": lambda body, who: cmd.FillBox(who, body.box),
    "undo": lambda _, who: cmd.TakeBack(who),
    "answer": CommandBody.answer,
    "give-up": lambda _, who: cmd.GiveUp(who),
}
_SEAT_COMMANDS: dict[str, Callable[[str, int], cmd.Command]] = {
    "stand": cmd.StandUp,
    "leave": cmd.Leave,
    "return": cmd.ComeBack,
    "skip": cmd.SkipTurn,
    "dismiss": cmd.Dismiss,
}


def from_form(name: str, form: Form) -> CommandBody:
    """A form's fields as a command; numbers are checked, everything else is the table's to judge."""
    return CommandBody(
        command=name,  # type: ignore[arg-type]  # the route has compared it with NAMES
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
        dice=form.last("dice"),
        last=form.ticked("last"),
        game=_number(form, "game"),
        turn=_number(form, "turn"),
        first=_number(form, "first"),
    )


def faces(text: str) -> tuple[int, ...]:
    """Dice as people type them: digits, perhaps with something between them."""
    digits = "".join(letter for letter in text if letter not in " ,.-")
    if not digits.isascii() or not (digits.isdecimal() or not digits):
        raise BadRequest("web.dice-are-digits", text=quote(text))
    return tuple(map(int, digits))


def _number(form: Form, name: str) -> int | None:
    return whole(form.last(name), name) if form.last(name) else None


def whole(text: str, name: str) -> int:
    """A whole number that a form sent as text."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise BadRequest("web.not-a-whole-number", field=name, text=quote(text))
    return int(text)
