"""A rule book as the fields of a form. A field is named like the line of the file that it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from fivedice.message import Message, message
from fivedice.rules import SHIPPED, ActiveWhen, FaceBox, RuleBook, ScoreAs, Section, Start, Summed, TargetBoxes, shipped
from fivedice.rules.book_facts import joker_rule
from fivedice.rules.file.overlay import RawBook
from fivedice.rules.file.toml_writer import tables_of
from fivedice.rules.patterns import PATTERNS, Flag, Number, Numbers

Values: TypeAlias = dict[str, str]

RUNGS = 4  # of a ladder that is built by hand; the longest shipped one has three
NONE, OWN, FIXED = "none", "own", "fixed"
YES = "yes"
# A pattern's line for its dice, and what can be ticked besides.
DETAILS = {
    word: name
    for word, pattern in PATTERNS.items()
    for name, detail in pattern.details.items()
    if isinstance(detail, Number | Numbers)
}
FLAGS = {
    name: message(detail.label)
    for pattern in PATTERNS.values()
    for name, detail in pattern.details.items()
    if isinstance(detail, Flag)
}

BOX_FIELDS = ("on", "place", "name", "pattern", "dice", *FLAGS, "pays", "points", "section")

# The words of the choices, beside the values that the file has for them.
PATTERN_NAMES = {word: message(pattern.label) for word, pattern in PATTERNS.items()}
PAYS = {
    FIXED: message("web.pays-fixed"),
    str(Summed.ALL): message("web.pays-all"),
    str(Summed.MATCHING): message("web.pays-matching"),
}
SECTIONS = {str(Section.UPPER): message("web.section-upper"), str(Section.LOWER): message("web.section-lower")}
STARTS = {str(Start.ROLL_OFF): message("web.start-roll-off"), str(Start.DRAW): message("web.start-draw")}
REACHES = {
    "": message("web.step-none"),
    str(TargetBoxes.FACE): message("web.step-face"),
    str(TargetBoxes.UPPER): message("web.step-upper"),
    str(TargetBoxes.LOWER): message("web.step-lower"),
    str(TargetBoxes.ANY): message("web.step-any"),
}
PRICES = {
    str(ScoreAs.PLAIN): message("web.step-plain"),
    str(ScoreAs.JOKER): message("web.step-joker"),
    str(ScoreAs.ZERO): message("web.step-zero"),
}
FACE_BOXES = {
    str(FaceBox.EITHER): message("web.step-always"),
    str(FaceBox.OPEN): message("web.step-face-open"),
    str(FaceBox.FILLED): message("web.step-face-filled"),
}
APPLIES = {
    str(ActiveWhen.FILLED): message("web.steps-once-filled"),
    str(ActiveWhen.SCORED): message("web.steps-while-scored"),
}
PARTS = {"name": message("web.part-name"), "bonus": message("web.part-bonus"), "alike": message("web.part-alike")}


@dataclass(frozen=True, slots=True)
class Ladder:
    """A rule for further dice all alike that some shipped book has."""

    value: str
    sentence: Message
    book: RuleBook
    applies: str
    rungs: list[dict[str, str]]


@dataclass(slots=True)
class Draft:
    """A book in the making: what the fields show, and what is wrong with them."""

    origin: str  # what was started from: a shipped book or one of the house
    boxes: list[str]
    values: Values
    errors: dict[str, str] = field(default_factory=dict)

    def where(self, name: str) -> str | Message:
        """What a field belongs to, for a list of errors at the top of the page."""
        part, _, rest = name.partition(".")
        box = f"boxes.{rest.partition('.')[0]}.name"
        if part == "boxes":
            return self.values.get(box) or message("web.part-box")
        return PARTS.get(part, message("web.part-game"))


@cache
def ladders() -> tuple[Ladder, ...]:
    """Every joker rule of the shipped books, each once."""
    found: dict[object, Ladder] = {}
    for key in SHIPPED:
        book = shipped(key)
        if book.alike is not None and book.alike.joker_steps:
            rule, which = tables_of(book)["alike"], (book.alike.applies, book.alike.joker_steps)
            found.setdefault(which, Ladder(key, joker_rule(book), book, rule["applies"], rule["ladder"]))
    return tuple(found.values())


def draft_of(book: RuleBook, origin: str, name: str) -> Draft:
    """The form as it is shown first."""
    tables = tables_of(book)
    values = {key: str(tables[key]) for key in ("dice", "faces", "rolls", "start")}
    values |= {"name": name, "fixed_order": YES if book.fixed_order else "no"}
    values |= _bonus(tables.get("bonus")) | _alike(tables.get("alike"))
    for place, (key, box) in enumerate(tables["boxes"].items(), start=1):
        values |= {f"boxes.{key}.{name}": value for name, value in box_values(box, place).items()}
    return Draft(origin, list(tables["boxes"]), values | new_box())


def new_box() -> Values:
    """An empty line for one more box."""
    blank = {"name": "", "pattern": "groups", "dice": "", "pays": FIXED, "points": "", "section": str(Section.LOWER)}
    return {f"new.{name}": value for name, value in (blank | dict.fromkeys(FLAGS, "") | {"place": ""}).items()}


def box_values(box: Mapping[str, Any], place: int) -> Values:
    fixed = isinstance(box["points"], int)
    return {
        "on": YES,
        "place": str(place),
        "name": box["name"],
        "pattern": box["pattern"],
        "dice": written(box.get(DETAILS.get(box["pattern"], ""), "")),
        **{flag: YES if box.get(flag) else "" for flag in FLAGS},
        "pays": FIXED if fixed else box["points"],
        "points": str(box["points"]) if fixed else "",
        "section": box["section"],
    }


def written(dice: int | str | list[int]) -> str:
    """The numbers of a pattern as people write them: 3+2, 1+2+3+4+5, 4."""
    return "+".join(map(str, dice)) if isinstance(dice, list) else str(dice)


def _bonus(bonus: RawBook | None) -> Values:
    on = {"bonus.on": YES if bonus else ""}
    return on | {f"bonus.{name}": str((bonus or {}).get(name, "")) for name in ("threshold", "points")}


def _alike(alike: RawBook | None) -> Values:
    rule = alike or {"extra": 0, "repeat": True, "applies": str(ActiveWhen.FILLED), "ladder": []}
    known = (one.value for one in ladders() if (one.applies, one.rungs) == (rule["applies"], rule["ladder"]))
    values = {
        "alike.extra": str(rule["extra"]),
        "alike.repeat": YES if rule["repeat"] else "no",
        "alike.applies": rule["applies"],
        "alike.rule": next(known, OWN) if rule["ladder"] else NONE,
    }
    for number in range(RUNGS):
        rung = rule["ladder"][number] if number < len(rule["ladder"]) else {}
        blank = {"boxes": "", "worth": str(ScoreAs.PLAIN), "face_box": str(FaceBox.EITHER)}
        values |= {f"alike.ladder.{number}.{name}": value for name, value in (blank | rung).items()}
    return values
