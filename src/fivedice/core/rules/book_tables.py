"""Read the parts of a rule book, each from its own table of the file."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

from fivedice.core.dice import MAX_FACE
from fivedice.core.rules.joker_steps import ActiveWhen, AlikePolicy, FaceBox, JokerStep, ScoreAs, TargetBoxes
from fivedice.core.rules.names import LONGEST_SHORT, PARTS, LineNames, NamePath, Names, Origin
from fivedice.core.rules.patterns import PATTERNS, Colours, Detail, Flag, Number, OfBook, Part, Pattern
from fivedice.core.rules.rule_book import (
    WHOLE_GAME,
    Bonus,
    Box,
    Captions,
    Layout,
    Note,
    Order,
    Section,
    Sheet,
    Summed,
    SumPlus,
    Tier,
)
from fivedice.core.rules.table_reader import TomlTable
from fivedice.errors import quote

MAX_BOXES = 30
MAX_POINTS = 1000
MAX_NOTES = 200
MAX_STEPS = 8
MAX_TIERS = 8
MAX_BONUSES = 8  # besides the upper bonus
MAX_EXTRAS = 30  # rising amounts, and payments: no card has more boxes
MAX_LANGUAGES = 50
LONGEST_LABEL = 40

Read = TypeVar("Read")

_is_box_key = re.compile(r"[a-z][a-z0-9_]{0,31}").fullmatch
_is_constant = re.compile(r"[0-9]{1,6}").fullmatch
_is_code = re.compile(r"[a-z0-9]{2}").fullmatch
_is_language = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}").fullmatch
# The default names of lines, as if they were in the file.
_LABELS = {
    "upper": "Upper section",  # no sentence
    "lower": "Lower section",  # no sentence
    "upper_total": "Upper total",  # no sentence
    "bonus": "Bonus",
    "upper_with_bonus": "Upper total with bonus",  # no sentence
    "extra": "Extra bonus",  # no sentence
    "lower_total": "Lower total",  # no sentence
    "grand_total": "Grand total",  # no sentence
}


class OtherNames:
    """The names of a book in other languages, from its `[names.…]` tables and from the books that it comes from."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._own: dict[NamePath, dict[str, str]] = {}

    def add(self, language: str, path: NamePath, name: str) -> None:
        self._own.setdefault(path, {})[language] = name

    def of(self, *path: str) -> Names:
        """Return the names of a line, or of the book: `of("boxes", "aces")`, `of("name")`."""
        return LineNames(self._own.get(path, {}), self._origin.books_of(path), path)


def read_optional(table: TomlTable, key: str, read: Callable[[TomlTable], Read]) -> Read | None:
    """Read a table that may be missing, or turned off with `key = false` if it would be inherited."""
    return read(table.table(key)) if table.is_on(key) else None


def read_names(table: TomlTable, origin: Origin) -> OtherNames:
    """Read the names in other languages, for boxes and lines that exist."""
    found, boxes = OtherNames(origin), table.table("boxes", {}).keys
    languages = list(table.table("names", {}).named_tables())
    if len(languages) > MAX_LANGUAGES:
        raise table.error("names", "rules.too-many-languages", most=MAX_LANGUAGES)
    for language, named in languages:
        if not _is_language(language):
            raise named.error(None, "rules.bad-language", value=quote(language))
        if named.has("name"):
            found.add(language, ("name",), named.text("name"))
        for part in PARTS:
            given, longest = named.table(part, {}), LONGEST_SHORT if part == "short" else LONGEST_LABEL
            for line in _LABELS if part == "sheet" else boxes:
                if given.has(line):
                    found.add(language, (part, line), given.text(line, longest=longest))
            given.finish()
        named.finish()
    return found


def read_order(table: TomlTable) -> Order:
    """Read the order of the boxes. Older files say `fixed_order = true` for "sheet"."""
    fixed = table.flag("fixed_order", default=False)
    order = table.choice("order", Order, Order.SHEET if fixed else Order.FREE)
    if fixed and order is not Order.SHEET:
        raise table.error("order", "rules.two-orders", value=quote(str(order)))
    return order


def read_colours(table: TomlTable) -> Colours:
    """Read the faces of each colour in ascending order. Raise BookError if a face has two colours."""
    if not table.is_on("colours"):
        return ()
    read = table.lists("colours", 1, MAX_FACE, most=MAX_FACE)
    faces = [face for colour in read for face in colour]
    if len(set(faces)) < len(faces):
        raise table.error("colours", "rules.face-of-two-colours")
    return tuple(sorted(tuple(sorted(colour)) for colour in read))


def read_boxes(table: TomlTable, others: OtherNames, colours: Colours) -> tuple[Box, ...]:
    entries = table.table("boxes")
    read = {key: _read_box(key, box, others, colours) for key, box in entries.named_tables()}
    if not 1 <= len(read) <= MAX_BOXES:
        raise table.error("boxes", "rules.number-of-boxes", most=MAX_BOXES, count=len(read))
    if not table.has("sequence"):
        return tuple(read.values())
    sequence = table.words("sequence")
    if sorted(sequence) != sorted(read):
        raise table.error("sequence", "rules.bad-sequence", boxes=tuple(read))
    return tuple(read[key] for key in sequence)


def _read_box(key: str, table: TomlTable, others: OtherNames, colours: Colours) -> Box:
    if not _is_box_key(key):
        raise table.error(None, "rules.bad-box-key", value=quote(key))
    box = Box(
        key=key,
        name=table.text("name", longest=LONGEST_LABEL),
        code=table.word("code", _is_code, "rules.bad-code"),
        section=table.choice("section", Section),
        pattern=_read_pattern(table, colours),
        points=_read_points(table),
        short=table.text("short", longest=LONGEST_SHORT) if table.is_on("short") else "",
        names=others.of("boxes", key),
        shorts=others.of("short", key),
    )
    table.finish()
    return box


def _read_pattern(table: TomlTable, colours: Colours, known: tuple[str, ...] = tuple(PATTERNS)) -> Pattern:
    pattern = PATTERNS[table.one_of("pattern", known)]
    return pattern(**{name: _read_detail(table, name, detail, colours) for name, detail in pattern.details.items()})


def _read_detail(table: TomlTable, name: str, detail: Detail, colours: Colours) -> object:
    if isinstance(detail, Flag):
        return table.flag(name, default=False)
    if isinstance(detail, Number):
        return table.number(name, detail.low, detail.high)
    if isinstance(detail, OfBook):
        return colours
    if isinstance(detail, Part):
        return _read_part(table.table(name), colours)
    return tuple(sorted(table.numbers(name, detail.low, detail.high, most=detail.most), reverse=detail.falling))


def _read_part(table: TomlTable, colours: Colours) -> Pattern:
    """Read a pattern that has no parts itself."""
    whole = (word for word, pattern in PATTERNS.items() if Part() not in pattern.details.values())
    part = _read_pattern(table, colours, tuple(whole))
    table.finish()
    return part


def _read_points(table: TomlTable) -> int | Summed | SumPlus:
    if not table.is_text("points"):
        return table.number("points", 1, MAX_POINTS)
    constant, plus, dice = table.text("points").partition("+")
    if not plus:
        return table.choice("points", Summed)
    if not _is_constant(constant.strip()) or dice.strip() not in tuple(Summed):
        raise table.error("points", "rules.bad-points", value=quote(table.text("points")))
    number = int(constant)
    if not 1 <= number <= MAX_POINTS:
        raise table.error("points", "rules.out-of-range", low=1, high=MAX_POINTS, value=quote(number))
    return SumPlus(number, Summed(dice.strip()))


def read_bonus(table: TomlTable) -> Bonus:
    """Read the upper bonus."""
    first, *higher = _read_tiers(table)
    table.finish()
    return Bonus(first.threshold, first.points, tuple(higher))


def read_more_bonuses(table: TomlTable) -> tuple[Bonus, ...]:
    """Read the further bonuses, over any boxes."""
    tables = list(table.table("bonuses", {}).named_tables())
    if len(tables) > MAX_BONUSES:
        _, beyond = tables[MAX_BONUSES]
        raise beyond.error(None, "rules.number-of-bonuses", most=MAX_BONUSES, count=len(tables))
    return tuple(_read_named_bonus(key, each) for key, each in tables)


def _read_named_bonus(key: str, table: TomlTable) -> Bonus:
    if not _is_box_key(key):
        raise table.error(None, "rules.bad-box-key", value=quote(key))
    name = table.text("name", longest=LONGEST_LABEL)
    section = None if table.has("boxes") else table.choice("section", Section)
    boxes = table.words("boxes") if section is None else ()
    if section is None and table.has("section"):
        raise table.error("boxes", "rules.one-too-many", other=quote("section"))
    first, *higher = _read_tiers(table)
    table.finish()
    return Bonus(first.threshold, first.points, tuple(higher), key, name, section, boxes)


def _read_tiers(table: TomlTable) -> list[Tier]:
    if not table.is_on("tiers"):
        return [Tier(table.number("threshold", 1, 10 * MAX_POINTS), table.number("points", 1, MAX_POINTS))]
    for other in ("threshold", "points"):
        if table.has(other):
            raise table.error("tiers", "rules.one-too-many", other=quote(other))
    tiers = [_read_tier(each) for each in table.tables("tiers", most=MAX_TIERS)]
    # If a higher tier paid less, a zero could be better than points. The solver assumes that it never is.
    rising = all(low.threshold < high.threshold and low.points <= high.points for low, high in pairwise(tiers))
    if not tiers or not rising:
        raise table.error("tiers", "rules.bad-tiers")
    return tiers


def _read_tier(table: TomlTable) -> Tier:
    tier = Tier(table.number("from", 1, 10 * MAX_POINTS), table.number("points", 1, MAX_POINTS))
    table.finish()
    return tier


def read_alike(table: TomlTable, others: OtherNames) -> AlikePolicy:
    if table.is_list("extra"):
        extra, *rising = table.numbers("extra", 0, MAX_POINTS, most=MAX_EXTRAS)
    else:
        extra, rising = table.number("extra", 0, MAX_POINTS, 0), []
    most = table.number("at_most", 1, MAX_EXTRAS) if table.is_on("at_most") else None
    read = AlikePolicy(
        box=table.text("box"),
        name=table.text("name", "Joker rules", longest=LONGEST_LABEL),
        extra=extra,
        repeat=table.flag("repeat", default=True) and most != 1,
        applies=table.choice("applies", ActiveWhen, ActiveWhen.FILLED),
        joker_steps=tuple(_read_step(step) for step in table.tables("ladder", most=MAX_STEPS)),
        rising=tuple(rising),
        at_most=None if most == 1 else most,
        names=others.of("rule"),
    )
    table.finish()
    return read


def _read_step(table: TomlTable) -> JokerStep:
    step = JokerStep(
        boxes=table.choice("boxes", TargetBoxes),
        worth=table.choice("worth", ScoreAs),
        face_box=table.choice("face_box", FaceBox, FaceBox.EITHER),
        extra=table.number("extra", 0, MAX_POINTS) if table.has("extra") else None,
    )
    table.finish()
    return step


def read_sheet(table: TomlTable, others: OtherNames) -> Sheet:
    read = Sheet(
        layout=table.choice("layout", Layout, Layout.PLAYERS),
        columns=table.number("columns", 1, 12, 6),
        **{line: table.text(line, usual, longest=LONGEST_LABEL) for line, usual in _LABELS.items()},
        names={line: others.of("sheet", line) for line in _LABELS},
        captions=table.choice("captions", Captions, Captions.PLAIN),
        upper_again=table.flag("upper_again", default=False),
    )
    table.finish()
    return read


def read_notes(table: TomlTable) -> tuple[Note, ...]:
    read = tuple(_read_note(key, note) for key, note in table.table("notes", {}).named_tables())
    if len(read) > MAX_NOTES:
        raise table.error("notes", "rules.number-of-notes", most=MAX_NOTES, count=len(read))
    return read


def _read_note(key: str, table: TomlTable) -> Note:
    note = Note(
        key=key,
        title=table.text("title"),
        text=table.prose("text"),
        ours=table.flag("ours", default=False),
        about=table.text("about", WHOLE_GAME),
    )
    table.finish()
    return note
