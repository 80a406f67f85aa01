"""From a draft to a file that can be played, or to errors of its fields."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.errors import BookError
from fivedice.rules import SHIPPED, RuleBook, load_book, shipped
from fivedice.rules.book_facts import differences
from fivedice.rules.file.overlay import RawBook, changes, extension, overlay
from fivedice.rules.file.toml_writer import tables_of, write_tables
from fivedice.web.house_rules.form_fields import (
    ALSO,
    BONUS_FIELDS,
    BOX_FIELDS,
    DICE,
    FIRST,
    PAYS,
    SECOND,
    TICKS,
    YES,
    Draft,
    new_bonus,
    new_box,
)
from fivedice.web.house_rules.form_names import line_key
from fivedice.web.house_rules.form_reading import Reading, filled_rungs, filled_tiers
from fivedice.words import word

_LONGEST_SUMMARY = 1000


@dataclass(frozen=True, slots=True)
class Built:
    """A draft that can be played."""

    text: str
    book: RuleBook


def build(draft: Draft, start: RuleBook) -> Built | None:
    """Return the book of the draft; None if it has errors, which are then in `draft.errors`."""
    _take_in_new_box(draft)
    _take_in_new_bonus(draft)
    wanted = Reading(draft, tables_of(start)).tables()
    if draft.errors:
        return None
    base = draft.origin if draft.origin in SHIPPED else start.extends
    try:
        return _build_extension(_read(wanted).book, start, None if base is None else shipped(base))
    except BookError as error:
        draft.errors[_field(error, draft)] = _reason(error)
        return None


# Errors of a file, in the terms of the form.
_IN_THE_FORM = {
    "rules.out-of-range": "web.field-range",
    "rules.must-be-line": "web.field-line",
    "rules.must-be-numbers": "web.field-numbers",
    "rules.must-be-lists": "web.colours-digits",
    "rules.sums-itself": "web.field-sums",
    "rules.no-colours": "web.field-colours",
    "rules.face-of-two-colours": "web.field-two-colours",
    "rules.bad-tiers": "web.field-tiers",
    "rules.no-legal-box": "web.field-no-legal-box",
}


def _reason(error: BookError) -> str:
    kind = _IN_THE_FORM.get(error.message.kind)
    return error.reason if kind is None else word(kind, **error.message.args)


def _build_extension(book: RuleBook, start: RuleBook, base: RuleBook | None) -> Built:
    """Return the rules as changes to the shipped book `base`, if there is one; the summary names the changes."""
    wanted = _with_true_notes(tables_of(book), start)
    if base is None:
        return _read(wanted)
    topics = [str(row.topic) for row in differences(book, base)]
    summary = word("web.rules-differ", base=base, topics=tuple(topics)) if topics else word("web.rules-same", base=base)
    own = {"summary": summary[:_LONGEST_SUMMARY], "source": ""}
    return _read(extension(tables_of(base), wanted | own))


def _with_true_notes(wanted: RawBook, start: RuleBook) -> RawBook:
    """Return the rules without notes about lines that were changed, as when a file changes them."""
    started = tables_of(start)
    changed = {key: value for key, value in changes(started, wanted).items() if key != "notes"}
    return wanted | {"notes": overlay(started, changed)["notes"]}


def _read(tables: RawBook) -> Built:
    text = write_tables(tables)
    return Built(text, load_book(text))


def _take_in_new_box(draft: Draft) -> None:
    """Add the box that was entered in the empty line to the other boxes."""
    name = draft.values.get("new.name", "")
    if not name:
        return
    key = line_key(name, draft.boxes, "box")
    fields = {part: draft.values[f"new.{part}"] for part in BOX_FIELDS if part != "on"}
    fields |= {"on": YES, "place": fields["place"] or str(_last_place(draft) + 1)}
    draft.values |= {f"boxes.{key}.{part}": value for part, value in fields.items()} | new_box()
    draft.boxes.append(key)


def _take_in_new_bonus(draft: Draft) -> None:
    name = draft.values.get("new_bonus.name", "")
    if not name:
        return
    key = line_key(name, draft.bonuses, "bonus")
    blank = new_bonus(draft.boxes)
    fields = {field.removeprefix("new_bonus."): draft.values.get(field, "") for field in blank}
    draft.values |= {f"bonuses.{key}.{part}": value for part, value in (fields | {"on": YES}).items()} | blank
    draft.bonuses.append(key)


def _last_place(draft: Draft) -> int:
    places = (draft.values[f"boxes.{box}.place"] for box in draft.boxes)
    return max((int(place) for place in places if place.isascii() and place.isdecimal()), default=0)


def _field(error: BookError, draft: Draft) -> str:
    """Return the field for a line of the file."""
    match error.path:
        case ("boxes", key, *rest):
            return f"boxes.{key}.{_box_field(str(key), [str(part) for part in rest], error, draft)}"
        case ("bonus", *rest):
            return _tier_field("bonus", rest, draft)
        case ("bonuses", key, *rest):
            return _tier_field(f"bonuses.{key}", rest, draft)
        case ("alike", *rest):
            return _alike_field(rest, draft)
        case ("boxes" | "sequence",):
            return "boxes"
    name = ".".join(map(str, error.path))
    return name if name in draft.values else "name"


def _alike_field(line: list[str | int], draft: Draft) -> str:
    match line:
        case ["ladder", int(number), "extra"] if number < len(filled_rungs(draft)):
            return f"{filled_rungs(draft)[number]}.extra"
        case ["extra" | "at_most" as name]:
            return f"alike.{name}"
    return "alike.rule"


def _box_field(key: str, line: list[str], error: BookError, draft: Draft) -> str:
    match line:
        case [part, *rest] if part in {FIRST, SECOND}:
            return _part_field(key, ALSO if part == SECOND else "", rest, draft)
        case ["points"] if error.message.kind == "rules.sums-itself" or _value(draft, key, "pays") not in PAYS:
            return "pays"
        case [detail]:
            return _needs_field(key, ["", ALSO], detail, draft)
    return "name"


def _value(draft: Draft, key: str, name: str) -> str:
    return draft.values.get(f"boxes.{key}.{name}", "")


def _part_field(key: str, part: str, line: list[str], draft: Draft) -> str:
    """Return the field for one of two patterns; the error does not always name the line."""
    if line:
        return _needs_field(key, [part], line[0], draft)
    return part + ("dice" if DICE.get(_value(draft, key, f"{part}pattern")) else "pattern")


def _needs_field(key: str, parts: list[str], detail: str, draft: Draft) -> str:
    """Return the field for a detail of one of these patterns."""
    for part in parts:
        pattern = _value(draft, key, f"{part}pattern")
        if detail in DICE.get(pattern, ()):
            return f"{part}dice"
        if detail in TICKS.get(pattern, ()):
            return part + detail
    return parts[0] + "pattern" if detail == "pattern" else {"code": "name"}.get(detail, detail)


def _tier_field(bonus: str, line: list[str | int], draft: Draft) -> str:
    first = {"from": "threshold"}
    match line:
        case ["tiers", 0, str(name)]:
            return f"{bonus}.{first.get(name, name)}"
        case ["tiers", int(number), str(name)] if number <= len(filled_tiers(draft, bonus)):
            return f"{filled_tiers(draft, bonus)[number - 1]}.{name}"
        case ["tiers"]:
            return f"{bonus}.tiers.2.from"
        case ["section" | "boxes"]:
            return f"{bonus}.over"
        case [str(name)] if name in BONUS_FIELDS:
            return f"{bonus}.{name}"
    return f"{bonus}.threshold"
