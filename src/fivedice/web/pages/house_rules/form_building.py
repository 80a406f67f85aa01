"""From a draft to a file that can be played, or to errors of its fields."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from fivedice.core.rules import SHIPPED, RuleBook, load_book, shipped
from fivedice.core.rules.book_facts import differences
from fivedice.core.rules.overlay import RawBook, changes, extension, overlay
from fivedice.core.rules.toml_writer import tables_of, write_tables
from fivedice.errors import BookError
from fivedice.text import word
from fivedice.web.pages.house_rules.form_fields import (
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
    draft_of,
    new_bonus,
    new_box,
)
from fivedice.web.pages.house_rules.form_reading import Reading, filled_rungs, filled_tiers, line_key

LinePath: TypeAlias = tuple[str | int, ...]  # of a file, as in `BookError.path`
_LONGEST_SUMMARY = 1000
_MOST_ERRORS = 8  # that are shown at once


@dataclass(frozen=True, slots=True)
class Built:
    """A draft that can be played."""

    text: str
    book: RuleBook


def build(draft: Draft, start: RuleBook) -> Built | None:
    """Return the book of the draft; None if it has errors, which are then in `draft.errors`."""
    _take_in_new_box(draft)
    _take_in_new_bonus(draft)
    built = _try_to_build(draft, start)
    if built is None:
        _find_more_errors(draft, start)
    return built


def _find_more_errors(draft: Draft, start: RuleBook) -> None:
    """Note the errors that remain once the fields known to be wrong are as they were at the start."""
    before = draft_of(start, draft.origin, draft.values["name"]).values
    trial, found = replace(draft, values=dict(draft.values), errors={}), dict(draft.errors)
    seen = set(found)
    while found and len(draft.errors) < _MOST_ERRORS:
        for field in found:
            if field in before:
                trial.values[field] = before[field]
            else:  # of a new box or bonus, which is left out
                trial.values[f"{field.rpartition('.')[0]}.on"] = ""
        trial.errors.clear()
        _try_to_build(trial, start)
        found = {field: error for field, error in trial.errors.items() if field not in seen}
        seen |= found.keys()
        parts = set(map(_part, draft.errors))  # a further error of the same part may follow from the first
        draft.errors |= {field: error for field, error in found.items() if _part(field) not in parts}


def _part(field: str) -> str:
    """Return the box, bonus or single field that a field belongs to."""
    return ".".join(field.split(".")[: 2 if field.startswith(("boxes.", "bonuses.")) else 1])


def _try_to_build(draft: Draft, start: RuleBook) -> Built | None:
    """Return the book of the draft; None after noting what is wrong first."""
    wanted = Reading(draft, start).tables()
    if draft.errors:
        return None
    base = draft.origin if draft.origin in SHIPPED else start.extends
    try:
        return _build_extension(_read(wanted).book, start, None if base is None else shipped(base))
    except BookError as error:
        kind = _IN_THE_FORM.get(error.message.kind)
        draft.errors[_field(error, draft)] = error.reason if kind is None else word(kind, **error.message.args)
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
    """Return the field for the line of the file that is wrong, or for the nearest line around it."""
    if error.message.kind == "rules.sums-itself":
        return f"boxes.{error.path[1]}.pays"
    fields = _fields_by_line(draft)
    around = (error.path[:end] for end in range(len(error.path), 0, -1))
    return next((fields[line] for line in around if line in fields), "name")


def _fields_by_line(draft: Draft) -> dict[LinePath, str]:
    fields: dict[LinePath, str] = {(name,): name for name in draft.values if "." not in name}
    fields |= {("boxes",): "boxes", ("sequence",): "boxes", ("alike",): "alike.rule"}
    fields |= {("alike", name): f"alike.{name}" for name in ("extra", "at_most")}
    for number, rung in enumerate(filled_rungs(draft)):
        fields["alike", "ladder", number, "extra"] = f"{rung}.extra"
    fields |= _bonus_fields(("bonus",), draft)
    for key in draft.bonuses:
        fields |= _bonus_fields(("bonuses", key), draft)
    for key in draft.boxes:
        fields |= _box_fields(key, draft)
    return fields


def _bonus_fields(bonus: tuple[str, ...], draft: Draft) -> dict[LinePath, str]:
    field = ".".join(bonus)
    fields: dict[LinePath, str] = {(*bonus, name): f"{field}.{name}" for name in BONUS_FIELDS}
    fields |= {bonus: f"{field}.threshold", (*bonus, "section"): f"{field}.over", (*bonus, "boxes"): f"{field}.over"}
    fields |= {(*bonus, "tiers"): f"{field}.tiers.2.from", (*bonus, "tiers", 0): f"{field}.threshold"}
    fields[*bonus, "tiers", 0, "points"] = f"{field}.points"
    for number, tier in enumerate(filled_tiers(draft, field), start=1):
        fields |= {(*bonus, "tiers", number, name): f"{tier}.{name}" for name in ("from", "points")}
    return fields


def _box_fields(key: str, draft: Draft) -> dict[LinePath, str]:
    box, field = ("boxes", key), f"boxes.{key}"
    pays = draft.values.get(f"{field}.pays", "")
    fields: dict[LinePath, str] = {box: f"{field}.name", (*box, "section"): f"{field}.section"}
    fields[*box, "points"] = f"{field}.points" if pays in PAYS else f"{field}.pays"
    for place, part in ((box, ALSO), (box, ""), ((*box, FIRST), ""), ((*box, SECOND), ALSO)):
        asked = f"{field}.{part}"
        pattern = draft.values.get(f"{asked}pattern", "")
        fields.setdefault(place, f"{asked}dice" if DICE.get(pattern) else f"{asked}pattern")
        fields[*place, "pattern"] = f"{asked}pattern"
        fields |= {(*place, detail): f"{asked}{detail}" for detail in TICKS.get(pattern, ())}
        fields |= {(*place, detail): f"{asked}dice" for detail in DICE.get(pattern, ())}
    return fields
