"""A rule book as the fields of a form. A field is named like the line of the file that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from fivedice.core.rules import (
    SHIPPED,
    ActiveWhen,
    FaceBox,
    Order,
    RuleBook,
    ScoreAs,
    Section,
    Start,
    Summed,
    TargetBoxes,
    shipped,
)
from fivedice.core.rules.book_facts import joker_rule
from fivedice.core.rules.book_tables import MAX_STEPS, MAX_TIERS
from fivedice.core.rules.overlay import RawBook
from fivedice.core.rules.patterns import PATTERNS, Flag, Number, Numbers, Part, Pattern
from fivedice.core.rules.toml_writer import tables_of
from fivedice.message import Message, message
from fivedice.text import name_of

Values: TypeAlias = dict[str, str]

RUNGS = 4  # steps of a ladder that is built by hand; the longest shipped one has three
TIERS = 3  # steps of a bonus that are shown; one with more shows them and room for another
NONE, OWN, FIXED, NAMED = "none", "own", "fixed", "boxes"
PLUS = "+"  # before the dice that are added to a number
YES = "yes"

# A box needs one pattern, or two at once. The fields of the second have this prefix.
ALSO = "also."
BOTH = next(pattern for pattern in PATTERNS.values() if Part() in pattern.details.values())
FIRST, SECOND = BOTH.details
SIMPLE: dict[str, type[Pattern]] = {word: pattern for word, pattern in PATTERNS.items() if pattern is not BOTH}


def _details(*kinds: type) -> dict[str, tuple[str, ...]]:
    """Return the lines of these kinds for each pattern."""
    return {
        word: tuple(name for name, detail in pattern.details.items() if isinstance(detail, kinds))
        for word, pattern in SIMPLE.items()
    }


def _labels() -> dict[str, Message]:
    details = (each for pattern in SIMPLE.values() for each in pattern.details.items())
    return {name: message(detail.label) for name, detail in details if isinstance(detail, Flag)}


DICE = _details(Number, Numbers)  # at most one per pattern, which the form calls `dice`
TICKS = _details(Flag)
FLAGS = _labels()
WITH_DICE = tuple(word for word, lines in DICE.items() if lines)
NEEDS = ("pattern", "dice", *FLAGS)
BOX_FIELDS = ("on", "place", "name", *NEEDS, *(f"{ALSO}{name}" for name in NEEDS), "pays", "points", "section")
BONUS_FIELDS = ("on", "name", "over", "threshold", "points")

# The labels of the choices, by their values in the file.
PATTERN_NAMES = {word: message(pattern.label) for word, pattern in SIMPLE.items()}
ALSO_NAMES = {"": message("web.needs-no-more")} | PATTERN_NAMES
# Hints for the dice of a pattern, by its line for them.
DICE_HINTS = {line: message(f"web.dice-{line}") for line in ("face", "sizes", "length", "faces", "total")}
PAYS = {
    FIXED: message("web.pays-fixed"),
    str(Summed.ALL): message("web.pays-all"),
    str(Summed.MATCHING): message("web.pays-matching"),
    f"{PLUS}{Summed.ALL}": message("web.pays-plus-all"),
    f"{PLUS}{Summed.MATCHING}": message("web.pays-plus-matching"),
}
WITH_NUMBER = tuple(value for value in PAYS if value == FIXED or value.startswith(PLUS))
SECTIONS = {str(Section.UPPER): message("web.section-upper"), str(Section.LOWER): message("web.section-lower")}
OVER = {over: message(f"web.over-{over}") for over in (str(Section.UPPER), str(Section.LOWER), NAMED)}
STARTS = {str(Start.ROLL_OFF): message("web.start-roll-off"), str(Start.DRAW): message("web.start-draw")}
ORDERS = {
    str(Order.FREE): message("web.order-free"),
    str(Order.UPPER_FIRST): message("web.order-upper-first"),
    str(Order.SHEET): message("web.order-sheet"),
}
REACHES = {"": message("web.step-none")} | {str(boxes): message(f"web.step-{boxes}") for boxes in TargetBoxes}
PRICES = {
    str(worth): message(f"web.step-{worth}") for worth in (ScoreAs.PLAIN, ScoreAs.JOKER, ScoreAs.WILD, ScoreAs.ZERO)
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
PARTS = {
    "name": message("web.part-name"),
    "bonus": message("web.part-bonus"),
    "bonuses": message("web.part-bonuses"),
    "new_bonus": message("web.part-bonuses"),
    "alike": message("web.part-alike"),
    "new": message("web.part-box"),
    "presets": message("web.part-presets"),
}


@dataclass(frozen=True, slots=True)
class JokerRule:
    """A joker rule of a shipped book."""

    value: str
    sentence: Message
    book: RuleBook
    applies: str
    rungs: list[dict[str, Any]]


@dataclass(slots=True)
class Draft:
    """Rules in the making: the values of the fields, and their errors."""

    origin: str  # the rules it started from: a shipped key or the address of house rules
    boxes: list[str]
    bonuses: list[str]  # besides the upper bonus
    values: Values
    errors: dict[str, str] = field(default_factory=dict)

    def where(self, name: str) -> str | Message:
        """Return the part that a field belongs to, for the list of errors at the top of the page."""
        part, _, rest = name.partition(".")
        thing = f"{part}.{rest.partition('.')[0]}.name"
        if part in {"boxes", "bonuses"} and self.values.get(thing):
            return self.values[thing]
        return PARTS.get(part, message("web.part-box" if part == "boxes" else "web.part-game"))

    def tiers(self, bonus: str) -> list[str]:
        """Return the fields of a bonus's steps, from the second on: the used ones and room for another."""
        used = [number for number in range(2, MAX_TIERS + 1) if self.values.get(f"{bonus}.tiers.{number}.from")]
        last = min(MAX_TIERS, max([TIERS, *(number + 1 for number in used)]))
        return [f"{bonus}.tiers.{number}" for number in range(2, last + 1)]

    def rungs(self) -> list[str]:
        """Return the fields of the ladder's steps: the used ones, and at least `RUNGS`."""
        used = [number for number in range(MAX_STEPS) if self.values.get(f"alike.ladder.{number}.boxes")]
        return [f"alike.ladder.{number}" for number in range(max([RUNGS, *(number + 1 for number in used)]))]


@cache
def ladders() -> tuple[JokerRule, ...]:
    """Return every joker rule of the shipped books, each once."""
    found: dict[object, JokerRule] = {}
    for key in SHIPPED:
        book = shipped(key)
        if book.alike is not None and book.alike.joker_steps:
            rule, which = tables_of(book)["alike"], (book.alike.applies, book.alike.joker_steps)
            found.setdefault(which, JokerRule(key, joker_rule(book), book, rule["applies"], rule["ladder"]))
    return tuple(found.values())


def with_flag(flag: str) -> tuple[str, ...]:
    """Return the patterns that have this flag."""
    return tuple(word for word, flags in TICKS.items() if flag in flags)


def draft_of(book: RuleBook, origin: str, name: str) -> Draft:
    """Return the form as it is shown first."""
    tables = tables_of(book)
    bonuses: RawBook = tables.get("bonuses", {})
    values = {key: str(tables[key]) for key in ("dice", "faces", "rolls", "start")}
    values |= {"name": name, "order": str(book.order), "save_rolls": YES if book.save_rolls else ""}
    values |= {"colours": ", ".join(map(format_dice, tables.get("colours", [])))}
    values |= {"bonus.on": YES if book.bonus else ""} | _tiers("bonus", tables.get("bonus", {}))
    values |= _alike(tables.get("alike"))
    for place, (key, box) in enumerate(tables["boxes"].items(), start=1):
        shown = box | {"name": name_of(book.box(key))}
        values |= {f"boxes.{key}.{name}": value for name, value in box_values(shown, place).items()}
    for key, bonus in bonuses.items():
        values |= _bonus(f"bonuses.{key}", bonus)
    return Draft(origin, list(tables["boxes"]), list(bonuses), values | new_box() | new_bonus(tables["boxes"]))


def new_box() -> Values:
    """Return the empty line for one more box."""
    blank = {"name": "", "place": "", "pays": FIXED, "points": "", "section": str(Section.LOWER)}
    blank |= {"pattern": "groups", "dice": "", f"{ALSO}pattern": "", f"{ALSO}dice": ""}
    flags = {f"{part}{flag}": "" for flag in FLAGS for part in ("", ALSO)}
    return {f"new.{name}": value for name, value in (blank | flags).items()}


def new_bonus(boxes: Iterable[str]) -> Values:
    """Return the empty line for one more bonus."""
    blank = dict.fromkeys(("name", "threshold", "points"), "") | {"over": str(Section.LOWER)}
    blank |= {f"tiers.{number}.{name}": "" for number in range(2, MAX_TIERS + 1) for name in ("from", "points")}
    blank |= {f"box.{box}": "" for box in boxes}
    return {f"new_bonus.{name}": value for name, value in blank.items()}


def box_values(box: Mapping[str, Any], place: int) -> Values:
    return {
        "on": YES,
        "place": str(place),
        "name": box["name"],
        "section": box["section"],
        **_points(box["points"]),
        **_needs(box.get(FIRST, box)),
        **{f"{ALSO}{name}": value for name, value in _needs(box.get(SECOND, {})).items()},
    }


def _points(points: int | str) -> Values:
    if isinstance(points, int):
        return {"pays": FIXED, "points": str(points)}
    constant, plus, dice = points.rpartition(PLUS)
    return {"pays": plus + dice.strip(), "points": constant.strip()}


def _needs(pattern: Mapping[str, Any]) -> Values:
    word = pattern.get("pattern", "")
    dice = "".join(format_dice(pattern[name]) for name in DICE.get(word, ()))
    return {"pattern": word, "dice": dice, **{flag: YES if pattern.get(flag) else "" for flag in FLAGS}}


def format_dice(dice: int | list[int]) -> str:
    """Return the numbers of a pattern as people write them: 3+2, 1+2+3+4+5, 4."""
    return "+".join(map(str, dice)) if isinstance(dice, list) else str(dice)


def _bonus(prefix: str, bonus: RawBook) -> Values:
    values = {"on": YES, "name": bonus["name"], "over": bonus.get("section", NAMED)}
    values |= {f"box.{box}": YES for box in bonus.get("boxes", [])}
    return {f"{prefix}.{name}": value for name, value in values.items()} | _tiers(prefix, bonus)


def _tiers(prefix: str, bonus: RawBook) -> Values:
    """Return the steps of a bonus; the first is in the line that every bonus has."""
    plain = [{"from": bonus.get("threshold", ""), "points": bonus.get("points", "")}]
    first, *higher = bonus.get("tiers", plain)
    values = {f"{prefix}.threshold": str(first["from"]), f"{prefix}.points": str(first["points"])}
    for number in range(2, MAX_TIERS + 1):
        tier = higher[number - 2] if number - 2 < len(higher) else {}
        values |= {f"{prefix}.tiers.{number}.{name}": str(tier.get(name, "")) for name in ("from", "points")}
    return values


def _alike(alike: RawBook | None) -> Values:
    rule = alike or {"extra": 0, "repeat": True, "applies": str(ActiveWhen.FILLED), "ladder": []}
    known = (one.value for one in ladders() if (one.applies, one.rungs) == (rule["applies"], rule["ladder"]))
    extra = rule["extra"]
    values = {
        "alike.extra": ", ".join(map(str, extra)) if isinstance(extra, list) else str(extra),
        "alike.at_most": str(rule.get("at_most", "")) if rule["repeat"] else "1",
        "alike.applies": rule["applies"],
        "alike.rule": next(known, OWN) if rule["ladder"] else NONE,
    }
    for number in range(MAX_STEPS):
        rung = rule["ladder"][number] if number < len(rule["ladder"]) else {}
        blank = {"boxes": "", "worth": str(ScoreAs.PLAIN), "face_box": str(FaceBox.EITHER), "extra": ""}
        values |= {f"alike.ladder.{number}.{name}": str(value) for name, value in (blank | rung).items()}
    return values
