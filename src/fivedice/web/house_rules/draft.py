"""From a draft to a file that can be played, or to errors beside the fields that are to blame."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.errors import BookError
from fivedice.rules import SHIPPED, RuleBook, load_book, shipped
from fivedice.rules.book_diff import differences
from fivedice.rules.file.extension import changes, extension
from fivedice.rules.file.loader import RawBook
from fivedice.rules.file.overlay import overlay
from fivedice.rules.file.to_tables import tables_of
from fivedice.rules.file.toml_writer import write_tables
from fivedice.web.house_rules.form_fields import BOX_FIELDS, DETAILS, YES, Draft, new_box
from fivedice.web.house_rules.form_reading import Reading, box_key
from fivedice.words import word

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
