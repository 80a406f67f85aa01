"""Reading the fields of the form; every field that cannot be read gets an error. Keys and codes are made from names."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any
from unicodedata import normalize

from fivedice.core.rules import SHIPPED, TALLY_CODE, Order, RuleBook
from fivedice.core.rules.joker_steps import FaceBox
from fivedice.core.rules.overlay import RawBook, true_names
from fivedice.core.rules.patterns import PATTERNS, Flag, Number, Numbers
from fivedice.core.rules.toml_writer import tables_of
from fivedice.errors import quote
from fivedice.text import name_of, word
from fivedice.web.http.forms import Form
from fivedice.web.pages.house_rules.form_fields import (
    ALSO,
    BONUS_FIELDS,
    BOTH,
    BOX_FIELDS,
    FIRST,
    FIXED,
    NAMED,
    NONE,
    PLUS,
    SECOND,
    YES,
    Draft,
    Values,
    ladders,
)

MOST_BOXES = 40  # lines that are read; the loader allows fewer, and says so
MOST_BONUSES = 10
_BETWEEN = r"[\s+,;./&-]"  # separators that people write between the numbers of dice


def draft_from(form: Form, origin: str, known: Values) -> Draft:
    """Return the values that were sent for the fields of the form. A box that is not ticked stays on it."""
    boxes = list(dict.fromkeys(form.all("box")))[:MOST_BOXES]
    bonuses = list(dict.fromkeys(form.all("bonus")))[:MOST_BONUSES]
    names = {*known, *(f"boxes.{key}.{name}" for key in boxes for name in BOX_FIELDS)}
    tiers = [name.removeprefix("bonus.") for name in known if name.startswith("bonus.tiers.")]
    names |= {f"bonuses.{key}.{name}" for key in bonuses for name in (*BONUS_FIELDS, *tiers)}
    names |= {f"{bonus}.box.{box}" for bonus in (*map("bonuses.{}".format, bonuses), "new_bonus") for box in boxes}
    values = {name: form.last(name).strip() for name in names}
    return Draft(origin, boxes, bonuses, values)


class Reading:
    """Reads the fields of one draft. A value that cannot be read is noted as an error and replaced."""

    def __init__(self, draft: Draft, start: RuleBook) -> None:
        self._draft = draft
        self._names = {box.key: (name_of(box), box.name) for box in start.boxes}
        self._started = tables_of(start)

    def tables(self) -> RawBook:
        name = self._value("name")
        boxes = self._boxes()
        head = {"key": book_key(name), "name": name, "variant": True, "start": self._value("start")}
        head |= {key: self._number(key) for key in ("dice", "faces", "rolls")}
        wanted = self._started | head | {"fixed_order": self._value("order") == Order.SHEET, "boxes": boxes}
        if "names" in wanted:
            wanted["names"] = true_names(self._started, wanted)
        parts = {
            "order": self._order(),
            "save_rolls": self._value("save_rolls") == YES,
            "colours": self._colours(),
            "bonus": self._tiers("bonus") if self._is_ticked("bonus.on") else None,
            "bonuses": {
                key: self._other_bonus(key) for key in self._draft.bonuses if self._is_ticked(f"bonuses.{key}.on")
            },
            "alike": self._alike(boxes),
        }
        return {key: value for key, value in (wanted | parts).items() if value or key not in parts}

    def _order(self) -> str:
        """Return the order, unless the older line `fixed_order` expresses it."""
        order = self._value("order")
        return "" if order in {Order.FREE, Order.SHEET} else order

    def _colours(self) -> list[list[int]]:
        """Return the colours: a plus joins the numbers of one colour, a comma separates colours, as in 1+6, 2+5."""
        numbers = re.split(r"[+/&-]", self._value("colours"))
        groups = re.split(r"[\s,;]+", "+".join(number.strip() for number in numbers))
        return [self._digits(group, "colours", "web.colours-digits") for group in groups if group]

    def _other_bonus(self, key: str) -> RawBook:
        field = f"bonuses.{key}"
        over = self._value(f"{field}.over")
        boxes = [box for box in self._draft.boxes if self._is_ticked(f"{field}.box.{box}")]
        if over == NAMED and not boxes:
            self._note_error(f"{field}.over", word("web.bonus-needs-boxes"))
        counted = {"boxes": boxes} if over == NAMED else {"section": over}
        return {"name": self._value(f"{field}.name")} | counted | self._tiers(field)

    def _tiers(self, field: str) -> RawBook:
        """Return one amount, or several steps of which the highest reached is paid."""
        first = {"threshold": self._number(f"{field}.threshold"), "points": self._number(f"{field}.points")}
        higher = [
            {name: self._number(f"{tier}.{name}") for name in ("from", "points")}
            for tier in filled_tiers(self._draft, field)
        ]
        if not higher:
            return first
        return {"tiers": [{"from": first["threshold"], "points": first["points"]}, *higher]}

    def _alike(self, boxes: RawBook) -> RawBook | None:
        extras = self._extras()
        applies, rungs = self._ladder()
        if not any(extras) and not rungs:
            return None
        before: RawBook = self._started.get("alike", {"box": "", "name": word("web.joker-rules")})
        alike = [key for key, box in boxes.items() if box["pattern"] == "alike"]
        if not alike:
            self._note_error("alike.rule", word("web.needs-alike-box"))
        box = before["box"] if before["box"] in alike else next(iter(alike), "")
        rule = {"box": box, "name": before["name"], "extra": extras if len(extras) > 1 else extras[0]}
        return rule | self._limit() | {"applies": applies, "ladder": rungs}

    def _extras(self) -> list[int]:
        """Return one amount for every extra bonus, or rising ones: 100, 200, 300."""
        text = self._value("alike.extra")
        amounts = re.split(r"[\s,;+]+", text) if text else ["0"]
        extras = [self._parse_int("alike.extra", amount, "web.amounts-wrong", text) for amount in amounts if amount]
        return extras or [0]

    def _limit(self) -> RawBook:
        most = self._number("alike.at_most") if self._value("alike.at_most") else None
        if most is None or most == 1:
            return {"repeat": most is None}
        return {"repeat": True, "at_most": most}

    def _ladder(self) -> tuple[str, list[dict[str, Any]]]:
        rule = self._value("alike.rule")
        known = {one.value: (one.applies, one.rungs) for one in ladders()}
        if rule == NONE or rule in known:
            return known.get(rule, (self._value("alike.applies"), []))
        rungs = [self._rung(field) for field in filled_rungs(self._draft)]
        if not rungs:
            self._note_error("alike.rule", word("web.no-own-steps"))
        return self._value("alike.applies"), rungs

    def _rung(self, field: str) -> dict[str, Any]:
        rung = {name: self._value(f"{field}.{name}") for name in ("boxes", "worth", "face_box")}
        step: dict[str, Any] = {name: value for name, value in rung.items() if value != FaceBox.EITHER}
        return step | ({"extra": self._number(f"{field}.extra")} if self._value(f"{field}.extra") else {})

    def _boxes(self) -> RawBook:
        kept = [key for key in self._draft.boxes if self._is_ticked(f"boxes.{key}.on")]
        places = {key: self._number(f"boxes.{key}.place") for key in kept}
        codes = {key: box["code"] for key, box in self._started["boxes"].items()}
        boxes = {}
        for key in sorted(kept, key=lambda key: places[key]):
            if key not in codes:
                codes[key] = box_code(self._value(f"boxes.{key}.name"), {*codes.values(), *kept})
            boxes[key] = self._box(key, codes[key])
        if not boxes:
            self._note_error("boxes", word("web.needs-a-box"))
        return boxes

    def _box(self, key: str, code: str) -> dict[str, Any]:
        field = f"boxes.{key}"
        head = {"name": self._name(key), "code": code, "section": self._value(f"{field}.section")}
        head |= {"short": short} if (short := self._short(key, head["name"])) else {}
        return head | self._needs(field) | {"points": self._points(field)}

    def _name(self, key: str) -> str:
        """Return the name of a box; its own name if the form still has it in the reader's language."""
        written = self._value(f"boxes.{key}.name")
        shown, own = self._names.get(key, (written, written))
        return own if written == shown else written

    def _short(self, key: str, name: str) -> str | None:
        """Return the short name of a box that still has its name."""
        before = self._started["boxes"].get(key, {})
        return before.get("short") if before.get("name") == name else None

    def _points(self, field: str) -> int | str:
        pays = self._value(f"{field}.pays")
        if pays != FIXED and not pays.startswith(PLUS):
            return pays
        number = self._number(f"{field}.points")
        return number if pays == FIXED else f"{number} {PLUS} {pays.removeprefix(PLUS)}"

    def _needs(self, field: str) -> dict[str, Any]:
        """Return one pattern, or two that the dice must meet at once."""
        first = self._pattern(f"{field}.")
        if not self._value(f"{field}.{ALSO}pattern"):
            return first
        return {"pattern": BOTH.word, FIRST: first, SECOND: self._pattern(f"{field}.{ALSO}")}

    def _pattern(self, field: str) -> dict[str, Any]:
        pattern = self._value(f"{field}pattern")
        details = PATTERNS[pattern].details if pattern in PATTERNS else {}
        read: dict[str, Any] = {"pattern": pattern}
        for name, detail in details.items():
            if isinstance(detail, Flag):
                read[name] = self._is_ticked(f"{field}{name}")
            elif isinstance(detail, Number):
                dice = self._value(f"{field}dice")
                read[name] = self._parse_int(f"{field}dice", dice, "web.pattern-one-number", dice)
            elif isinstance(detail, Numbers):
                read[name] = self._digits(self._value(f"{field}dice"), f"{field}dice", "web.pattern-digits")
        return read

    def _digits(self, text: str, field: str, wrong: str) -> list[int]:
        """Return numbers of one digit, with any usual separator: 3+2, 1 2 3, 12345."""
        digits = re.sub(_BETWEEN, "", text)
        if not (digits.isascii() and digits.isdecimal()):
            self._note_error(field, word(wrong, text=quote(text)))
            return [1]
        return [int(digit) for digit in digits]

    def _number(self, field: str) -> int:
        text = self._value(field)
        return self._parse_int(field, text, "web.number-wrong" if text else "web.number-missing", text)

    def _parse_int(self, field: str, number: str, wrong: str, text: str) -> int:
        """Return a whole number; errors quote `text`, everything that was written in the field."""
        if number.isascii() and number.isdecimal() and len(number) <= 6:
            return int(number)
        self._note_error(field, word(wrong, text=quote(text)))
        return 1

    def _is_ticked(self, field: str) -> bool:
        return self._value(field) == YES

    def _value(self, field: str) -> str:
        return self._draft.values.get(field, "")

    def _note_error(self, field: str, sentence: str) -> None:
        self._draft.errors.setdefault(field, sentence)


def filled_tiers(draft: Draft, bonus: str) -> list[str]:
    """Return the fields of a bonus's steps, from the second on, that are filled in."""
    return [
        tier for tier in draft.tiers(bonus) if draft.values.get(f"{tier}.from") or draft.values.get(f"{tier}.points")
    ]


def filled_rungs(draft: Draft) -> list[str]:
    return [rung for rung in draft.rungs() if draft.values.get(f"{rung}.boxes")]


_LONGEST_NAME = 200  # characters that are read: normalizing accents takes quadratic time
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def book_key(name: str) -> str:
    """Return a key that looks like the name, but not one of a shipped book."""
    slug = _slug(name, "-", 30)
    key = slug if slug[:1].isalpha() else f"our-{slug or 'rules'}"
    return f"{key}-house" if key in SHIPPED else key


def line_key(name: str, taken: Collection[str], otherwise: str) -> str:
    """Return a new key for a box or bonus; `otherwise` begins the key of a name without letters."""
    slug = _slug(name, "_", 24)
    key = slug if slug[:1].isalpha() else f"{otherwise}_{slug or 'new'}"
    number = 2
    while key in taken:
        key, number = f"{key.rstrip('0123456789').rstrip('_')}_{number}", number + 1
    return key


def _slug(name: str, between: str, longest: int) -> str:
    """Return the letters of a name without accents, with one separator between the words."""
    name = name[:_LONGEST_NAME]
    plain = normalize("NFKD", re.sub("['\u2019]", "", name)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", between, plain).strip(between)[:longest].strip(between)


def box_code(name: str, taken: Collection[str]) -> str:
    """Return two letters for notation: the first of the name and another of it, or the first free pair."""
    letters = [letter for letter in name.lower() if letter in _LETTERS] or ["x"]
    wanted = [letters[0] + other for other in (*letters[1:], *_LETTERS)]
    every = [one + other for one in _LETTERS for other in _LETTERS]
    free: list[str] = [code for code in wanted + every if code not in taken and code != TALLY_CODE]
    return free[0]
