"""Reading the parts of a rule book, each from its own table of the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from fivedice.dice import MAX_DICE, MAX_FACE
from fivedice.errors import quote
from fivedice.rules.ladder import AlikePolicy, Applies, FaceBox, Price, Reach, Rung
from fivedice.rules.model import WHOLE_GAME, Bonus, Box, Layout, Note, Section, Sheet, Summed
from fivedice.rules.patterns import AllAlike, Anything, Exactly, FaceSum, Groups, Pattern, Run
from fivedice.rules.reader import Table

MAX_BOXES = 30
MAX_POINTS = 1000
MAX_NOTES = 200
MAX_ROLLS = 9
TALLY_CODE = "yb"  # how notation writes the extra payments; no box may be called so

Part = TypeVar("Part")

_is_box_key = re.compile(r"[a-z][a-z0-9_]{0,31}").fullmatch
_is_code = re.compile(r"[a-z0-9]{2}").fullmatch

_PATTERNS: dict[str, Callable[[Table], Pattern]] = {
    "face": lambda box: FaceSum(box.number("face", 1, MAX_FACE)),
    "groups": lambda box: Groups(_sizes(box), box.flag("same_face", default=False)),
    "run": lambda box: Run(box.number("length", 1, MAX_FACE)),
    "exactly": lambda box: Exactly(tuple(sorted(box.numbers("faces", 1, MAX_FACE, most=MAX_FACE)))),
    "alike": lambda _: AllAlike(),
    "anything": lambda _: Anything(),
}


def optional(table: Table, key: str, read: Callable[[Table], Part]) -> Part | None:
    """A table that may be missing, or turned off with `key = false` where it would be inherited."""
    if not table.has(key) or table.is_off(key):
        return None
    return read(table.table(key))


def boxes(table: Table) -> tuple[Box, ...]:
    entries = table.table("boxes")
    read = {key: _box(key, box) for key, box in entries.named_tables()}
    if not 1 <= len(read) <= MAX_BOXES:
        raise table.error("boxes", f"a book has 1 to {MAX_BOXES} boxes; this one has {len(read)}")
    if not table.has("sequence"):
        return tuple(read.values())
    sequence = table.words("sequence")
    if sorted(sequence) != sorted(read):
        raise table.error("sequence", f"'sequence' must name every box once: {', '.join(read)}")
    return tuple(read[key] for key in sequence)


def _box(key: str, table: Table) -> Box:
    if not _is_box_key(key):
        wanted = "lower-case letters, digits and underscores, such as 'full_house'"
        raise table.error(None, f"a box key must be {wanted}, not {quote(key)}")
    kind = table.word("pattern", _PATTERNS.__contains__, f"one of {', '.join(map(repr, _PATTERNS))}")
    box = Box(
        key=key,
        name=table.text("name", longest=40),
        code=table.word("code", _is_code, "two lower-case letters or digits, such as 'fh'"),
        section=table.choice("section", Section),
        pattern=_PATTERNS[kind](table),
        points=_points(table),
    )
    table.finish()
    return box


def _points(table: Table) -> int | Summed:
    if table.is_text("points"):
        return table.choice("points", Summed)
    return table.number("points", 1, MAX_POINTS)


def _sizes(table: Table) -> tuple[int, ...]:
    return tuple(sorted(table.numbers("sizes", 1, MAX_DICE, most=MAX_DICE), reverse=True))


def bonus(table: Table) -> Bonus:
    read = Bonus(table.number("threshold", 1, 10 * MAX_POINTS), table.number("points", 1, MAX_POINTS))
    table.finish()
    return read


def alike(table: Table) -> AlikePolicy:
    read = AlikePolicy(
        box=table.text("box"),
        name=table.text("name", "Joker rules", longest=40),
        extra=table.number("extra", 0, MAX_POINTS, 0),
        repeat=table.flag("repeat", default=True),
        applies=table.choice("applies", Applies, Applies.FILLED),
        ladder=tuple(_rung(rung) for rung in table.tables("ladder", most=8)),
    )
    table.finish()
    return read


def _rung(table: Table) -> Rung:
    rung = Rung(
        boxes=table.choice("boxes", Reach),
        worth=table.choice("worth", Price),
        face_box=table.choice("face_box", FaceBox, FaceBox.EITHER),
    )
    table.finish()
    return rung


def sheet(table: Table) -> Sheet:
    read = Sheet(
        layout=table.choice("layout", Layout, Layout.PLAYERS),
        columns=table.number("columns", 1, 12, 6),
        upper=table.text("upper", "Upper section", longest=40),
        lower=table.text("lower", "Lower section", longest=40),
        upper_total=table.text("upper_total", "Upper total", longest=40),
        bonus=table.text("bonus", "Bonus", longest=40),
        upper_with_bonus=table.text("upper_with_bonus", "Upper total with bonus", longest=40),
        extra=table.text("extra", "Extra bonus", longest=40),
        lower_total=table.text("lower_total", "Lower total", longest=40),
        grand_total=table.text("grand_total", "Grand total", longest=40),
    )
    table.finish()
    return read


def notes(table: Table) -> tuple[Note, ...]:
    read = tuple(_note(key, note) for key, note in table.table("notes", {}).named_tables())
    if len(read) > MAX_NOTES:
        raise table.error("notes", f"a book has at most {MAX_NOTES} notes; this one has {len(read)}")
    return read


def _note(key: str, table: Table) -> Note:
    note = Note(
        key=key,
        title=table.text("title"),
        text=table.prose("text"),
        ours=table.flag("ours", default=False),
        about=table.text("about", WHOLE_GAME),
    )
    table.finish()
    return note
