"""Reading the fields of the form: what can be read is, and every field that cannot says why. Then from a draft to
a file that can be played, or to errors beside the fields that are to blame.

Names that a file needs and no person should have to think of, keys and codes, are made from what is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from fivedice.errors import BookError, quote
from fivedice.rules import SHIPPED, TALLY_CODE, RuleBook, load_book, shipped
from fivedice.rules.book_facts import differences
from fivedice.rules.file.overlay import RawBook, changes, extension, overlay, true_names
from fivedice.rules.file.toml_writer import tables_of, write_tables
from fivedice.rules.joker_steps import FaceBox
from fivedice.rules.patterns import PATTERNS, Flag, Number, Numbers
from fivedice.web.house_rules.form_fields import (
    BOX_FIELDS,
    DETAILS,
    FIXED,
    NONE,
    RUNGS,
    YES,
    Draft,
    Values,
    ladders,
    new_box,
)
from fivedice.web.http.forms import Form
from fivedice.words import word

MOST_BOXES = 40  # lines that are looked at; a book may have fewer, which the loader says


def draft_from(form: Form, origin: str, known: Values) -> Draft:
    """What was sent, over the fields that the form has; a box that is no longer ticked stays on the form."""
    boxes = list(dict.fromkeys(form.all("box")))[:MOST_BOXES]
    names = {*known, *(f"boxes.{key}.{name}" for key in boxes for name in BOX_FIELDS)}
    values = {name: form.last(name).strip() for name in names}
    return Draft(origin, boxes, values)


class Reading:
    """Reads the fields of one draft; whatever cannot be read is noted and stood in for."""

    def __init__(self, draft: Draft, started: RawBook) -> None:
        self._draft = draft
        self._started = started

    def tables(self) -> RawBook:
        name = self._value("name")
        boxes = self._boxes()
        head = {"key": book_key(name), "name": name, "variant": True, "start": self._value("start")}
        head |= {key: self._number(key) for key in ("dice", "faces", "rolls")}
        wanted = self._started | head | {"fixed_order": self._value("fixed_order") == YES, "boxes": boxes}
        if "names" in wanted:
            wanted["names"] = true_names(self._started, wanted)
        for part, table in (("bonus", self._bonus()), ("alike", self._alike(boxes))):
            wanted.pop(part, None)
            wanted |= {} if table is None else {part: table}
        return wanted

    def _bonus(self) -> RawBook | None:
        if self._value("bonus.on") != YES:
            return None
        return {name: self._number(f"bonus.{name}") for name in ("threshold", "points")}

    def _alike(self, boxes: RawBook) -> RawBook | None:
        extra = self._number("alike.extra") if self._value("alike.extra") else 0
        applies, rungs = self._ladder()
        if not extra and not rungs:
            return None
        before: RawBook = self._started.get("alike", {"box": "", "name": word("web.joker-rules")})
        alike = [key for key, box in boxes.items() if box["pattern"] == "alike"]
        if not alike:
            self._wrong("alike.rule", word("web.needs-alike-box"))
        box = before["box"] if before["box"] in alike else next(iter(alike), "")
        repeat = self._value("alike.repeat") == YES
        return before | {"box": box, "extra": extra, "repeat": repeat, "applies": applies, "ladder": rungs}

    def _ladder(self) -> tuple[str, list[dict[str, str]]]:
        rule = self._value("alike.rule")
        known = {one.value: (one.applies, one.rungs) for one in ladders()}
        if rule == NONE or rule in known:
            return known.get(rule, (self._value("alike.applies"), []))
        rungs = [self._rung(number) for number in range(RUNGS) if self._value(f"alike.ladder.{number}.boxes")]
        if not rungs:
            self._wrong("alike.rule", word("web.no-own-steps"))
        return self._value("alike.applies"), rungs

    def _rung(self, number: int) -> dict[str, str]:
        rung = {name: self._value(f"alike.ladder.{number}.{name}") for name in ("boxes", "worth", "face_box")}
        return {name: value for name, value in rung.items() if value != FaceBox.EITHER}

    def _boxes(self) -> RawBook:
        kept = [key for key in self._draft.boxes if self._value(f"boxes.{key}.on") == YES]
        places = {key: self._number(f"boxes.{key}.place") for key in kept}
        codes = {key: box["code"] for key, box in self._started["boxes"].items()}
        boxes = {}
        for key in sorted(kept, key=lambda key: places[key]):
            codes.setdefault(key, box_code(self._value(f"boxes.{key}.name"), set(codes.values())))
            boxes[key] = self._box(key, codes[key])
        if not boxes:
            self._wrong("boxes", word("web.needs-a-box"))
        return boxes

    def _box(self, key: str, code: str) -> dict[str, Any]:
        field = f"boxes.{key}"
        pattern, pays = self._value(f"{field}.pattern"), self._value(f"{field}.pays")
        head = {"name": self._value(f"{field}.name"), "code": code, "section": self._value(f"{field}.section")}
        points = self._number(f"{field}.points") if pays == FIXED else pays
        return head | {"pattern": pattern} | self._details(key, pattern) | {"points": points}

    def _details(self, key: str, pattern: str) -> dict[str, Any]:
        """The lines that the pattern has besides; a flag is told if it is ticked, or if the box has told it before."""
        details = PATTERNS[pattern].details if pattern in PATTERNS else {}
        told: dict[str, Any] = self._started["boxes"].get(key, {})
        read: dict[str, Any] = {}
        for name, detail in details.items():
            ticked = self._value(f"boxes.{key}.{name}") == YES
            if isinstance(detail, Flag):
                read |= {name: ticked} if ticked or name in told else {}
            elif isinstance(detail, Number):
                read[name] = self._number(f"boxes.{key}.dice")
            elif isinstance(detail, Numbers):
                read[name] = self._dice(f"boxes.{key}.dice")
        return read

    def _dice(self, field: str) -> list[int]:
        """Numbers of one digit with anything usual between them: 3+2, 1 2 3, 12345."""
        text = self._value(field)
        digits = re.sub(r"[\s+,;./-]", "", text)
        if not (digits.isascii() and digits.isdecimal()):
            self._wrong(field, word("web.pattern-digits", text=quote(text)))
            return [1]
        return [int(digit) for digit in digits]

    def _number(self, field: str) -> int:
        text = self._value(field)
        if text.isascii() and text.isdecimal() and len(text) <= 6:
            return int(text)
        self._wrong(field, word("web.number-wrong", text=quote(text)) if text else word("web.number-missing"))
        return 1

    def _value(self, field: str) -> str:
        return self._draft.values.get(field, "")

    def _wrong(self, field: str, sentence: str) -> None:
        self._draft.errors.setdefault(field, sentence)


_LONGEST_NAME = (
    200  # that is looked at; the loader refuses shorter ones, and sorting accents takes the square of their number
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def book_key(name: str) -> str:
    """A key that looks like the name; those of the shipped books stay theirs."""
    slug = _slug(name, "-", 30)
    key = slug if slug[:1].isalpha() else f"our-{slug or 'rules'}"
    return f"{key}-house" if key in SHIPPED else key


def box_key(name: str, taken: Collection[str]) -> str:
    """A key for a new box that no other has."""
    slug = _slug(name, "_", 24)
    key = slug if slug[:1].isalpha() else f"box_{slug or 'new'}"
    number = 2
    while key in taken:
        key, number = f"{key.rstrip('0123456789').rstrip('_')}_{number}", number + 1
    return key


def _slug(name: str, between: str, longest: int) -> str:
    """The letters of a name without their accents, and nothing but one sign between the words."""
    name = name[:_LONGEST_NAME]
    plain = normalize("NFKD", re.sub("['\u2019]", "", name)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", between, plain).strip(between)[:longest].strip(between)


def box_code(name: str, taken: Collection[str]) -> str:
    """Two letters for notation: the first of the name and another one of it, or the first pair that is free."""
    letters = [letter for letter in name.lower() if letter in _LETTERS] or ["x"]
    wanted = [letters[0] + other for other in (*letters[1:], *_LETTERS)]
    every = [one + other for one in _LETTERS for other in _LETTERS]
    free: list[str] = [code for code in wanted + every if code not in taken and code != TALLY_CODE]
    return free[0]


_LONGEST_SUMMARY = 1000


@dataclass(frozen=True, slots=True)
class Built:
    """A draft that can be played."""

    text: str
    book: RuleBook


def build(draft: Draft, start: RuleBook) -> Built | None:
    """The book of the draft, or None with the errors written beside its fields."""
    _take_in_new_box(draft)
    wanted = Reading(draft, tables_of(start)).tables()
    if draft.errors:
        return None
    base = draft.origin if draft.origin in SHIPPED else start.extends
    try:
        return _built(_with_true_notes(wanted, start), None if base is None else shipped(base))
    except BookError as error:
        draft.errors[_field(error.path, draft)] = error.reason
        return None


def _with_true_notes(wanted: RawBook, start: RuleBook) -> RawBook:
    """Notes about lines that were changed are dropped, as they are when a file changes them."""
    started = tables_of(start)
    told = {key: value for key, value in changes(started, wanted).items() if key != "notes"}
    return wanted | {"notes": overlay(started, told)["notes"]}


def _built(wanted: RawBook, base: RuleBook | None) -> Built:
    """Told as changes to the shipped book, where there is one below; the summary says what they are about."""
    if base is None:
        return _read(wanted)
    told = [str(row.topic) for row in differences(_read(wanted).book, base)]
    summary = word("web.rules-differ", base=base, topics=tuple(told)) if told else word("web.rules-same", base=base)
    own = {"summary": summary[:_LONGEST_SUMMARY], "source": ""}
    return _read(extension(tables_of(base), wanted | own))


def _read(tables: RawBook) -> Built:
    text = write_tables(tables)
    return Built(text, load_book(text))


def _take_in_new_box(draft: Draft) -> None:
    """A line that was filled in for one more box becomes a box like the others."""
    name = draft.values.get("new.name", "")
    if not name:
        return
    key = box_key(name, draft.boxes)
    fields = {part: draft.values[f"new.{part}"] for part in BOX_FIELDS if part != "on"}
    fields |= {"on": YES, "place": fields["place"] or str(_last_place(draft) + 1)}
    draft.values |= {f"boxes.{key}.{part}": value for part, value in fields.items()} | new_box()
    draft.boxes.append(key)


def _last_place(draft: Draft) -> int:
    places = (draft.values[f"boxes.{box}.place"] for box in draft.boxes)
    return max((int(place) for place in places if place.isascii() and place.isdecimal()), default=0)


def _field(path: tuple[str | int, ...], draft: Draft) -> str:
    """The field that stands for a line of the file."""
    match path:
        case ("boxes", key, *rest):
            detail = str(rest[0]) if rest else "name"
            shown = {"code": "name"} | dict.fromkeys(DETAILS.values(), "dice")
            return f"boxes.{key}.{shown.get(detail, detail)}"
        case ("alike", "extra"):
            return "alike.extra"
        case ("alike", *_):
            return "alike.rule"
        case ("key",):
            return "name"
        case ("boxes" | "sequence",):
            return "boxes"
    name = ".".join(map(str, path))
    return name if name in draft.values else "name"
