"""What is wrong with a text of house rules, as a page shows it: the place, the reason, the way out."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.errors import BookError
from fivedice.message import Message, message
from fivedice.rules.file import loader
from fivedice.table.house_rules_text import BadBook

_AROUND = 2  # lines that are shown before and after the one to blame
_LONGEST_LINE = 160


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text around the place."""

    number: int
    text: str
    to_blame: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything a person needs to put it right."""

    reason: Message
    way_out: Message
    line: int | None
    caret: int | None  # how many characters stand before the place, where that is known
    lines: tuple[Line, ...]


def problem_of(refused: BadBook) -> Problem:
    error = refused.error
    if error.line is None:
        return _problem(error, refused.text, message("web.rules-shorten"))
    kind = "web.rules-not-toml" if error.message.kind == loader.NOT_TOML else "web.rules-change"
    return _problem(error, refused.text, message(kind))


def not_text(data: bytes, error: UnicodeDecodeError) -> Problem:
    """A file that is no UTF-8: a picture, a spreadsheet, or text from an old editor."""
    before = data[: error.start]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    found = BookError("rules.bad-byte", line=line, column=column, byte=f"{data[error.start]:#04x}")
    return _problem(found, readable(data), message("web.rules-not-text"))


def readable(data: bytes) -> str:
    """As much of a file as can be read, so that nothing has to be chosen twice."""
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")


def _problem(error: BookError, text: str, way_out: Message) -> Problem:
    lines = text.replace("\r\n", "\n").split("\n")
    number = error.line
    if number is None or number > len(lines):
        return Problem(error.message, way_out, number, None, ())
    first, last = max(1, number - _AROUND), min(len(lines), number + _AROUND)
    shown = tuple(Line(each, lines[each - 1][:_LONGEST_LINE], each == number) for each in range(first, last + 1))
    caret = None if error.column is None or error.column > _LONGEST_LINE else error.column - 1
    return Problem(error.message, way_out, number, caret, shown)
