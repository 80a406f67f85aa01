"""How a file that `extends` a book changes it: tables are merged, other values replaced, and false removes.

`changes` is the inverse: what a file must say to turn one book into another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from fivedice.core.rules.names import PARTS, Origin
from fivedice.core.rules.patterns import PATTERNS
from fivedice.core.rules.rule_book import WHOLE_GAME

RawBook: TypeAlias = dict[str, Any]

_PATTERN_DETAILS = frozenset(name for pattern in PATTERNS.values() for name in pattern.details)
# Two ways to write the same rule: a file that uses the first does not inherit the second.
_INSTEAD = (
    ("tiers", "threshold"),
    ("tiers", "points"),
    ("threshold", "tiers"),
    ("order", "fixed_order"),
    ("fixed_order", "order"),
    ("at_most", "repeat"),
    ("repeat", "at_most"),
    ("section", "boxes"),
    ("boxes", "section"),
)
_REMOVABLE = frozenset({"boxes", "notes", "names", "bonuses"})


def overlay(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the base with the changes applied.

    Notes about changed lines are dropped, because they may be wrong now.
    """
    merged = _merge(base, changes)
    if "names" in base:
        merged = _merge({**base, "names": true_names(base, merged)}, changes)
    for section in _REMOVABLE & merged.keys():
        if isinstance(entries := merged[section], dict):
            merged[section] = {key: entry for key, entry in entries.items() if entry is not False}
    notes = merged.get("notes")
    if isinstance(notes, dict):
        merged["notes"] = {key: note for key, note in notes.items() if not _is_outdated(key, note, changes)}
    return merged


def true_names(base: Mapping[str, Any], merged: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names in other languages of lines whose own name is unchanged.

    The name of the base is not inherited.
    """
    origin = Origin((base["key"],), base, merged)
    return {
        language: {
            part: {line: name for line, name in named.get(part, {}).items() if origin.books_of((part, line))}
            for part in PARTS
        }
        for language, named in base.get("names", {}).items()
    }


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for one, other in _INSTEAD:
        if one in changes and other not in changes:
            merged.pop(other, None)
    if "pattern" in changes:  # a new pattern does not inherit the details of the old one
        merged = {key: value for key, value in merged.items() if key not in _PATTERN_DETAILS}
    if "name" in changes:  # a new name does not inherit the short form of the old one
        merged.pop("short", None)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


def _is_outdated(key: str, note: Any, changes: Mapping[str, Any]) -> bool:
    """Return whether an inherited note explains a line that has changed."""
    restated = key in changes.get("notes", {})
    about = note.get("about") if isinstance(note, dict) else None
    return not restated and isinstance(about, str) and _touches(changes, about.split("."))


def _touches(changes: Any, path: list[str]) -> bool:
    for part in path:
        if not isinstance(changes, Mapping):
            return True
        if part not in changes:
            return False
        changes = changes[part]
    return True


_PARTS = ("bonus", "alike")  # tables that a book may do without
_OF_ITSELF = frozenset({"format", "key", "name", "summary", "source", "variant"})
_UNSAID = {
    "same_face": False,
    "one_colour": False,
    "at_most": False,
    "short": False,
    "ours": False,
    "about": WHOLE_GAME,
    "captions": "plain",
    "upper_again": False,
}  # defaults of lines that may be missing
_UNSAID_OF_BOOK = {"order": "free", "save_rolls": False, "colours": False}  # the same for the top of the file


def changes(base: RawBook, wanted: RawBook) -> RawBook:
    """Return the tables that turn the base into the wanted book; both are whole books from `tables_of`."""
    found = {key: value for key, value in wanted.items() if (not isinstance(value, dict)) and base.get(key) != value}
    found |= {key: value for key, value in _UNSAID_OF_BOOK.items() if key in base.keys() - wanted.keys()}
    if found.get("fixed_order"):
        found.pop("order", None)  # the other way to write it
    for part in _PARTS:
        found |= _compare_part(part, base.get(part), wanted.get(part))
    found |= _nest_if_any("sheet", _compare_entry(base["sheet"], wanted["sheet"]))
    found |= _nest_if_any("boxes", _compare_entries(base["boxes"], wanted["boxes"]))
    found |= _nest_if_any("bonuses", _compare_entries(base.get("bonuses", {}), wanted.get("bonuses", {})))
    found |= _nest_if_any("names", _compare_entries(base.get("names", {}), wanted.get("names", {})))
    sequence = list(wanted["boxes"])
    if list(overlay(base, found)["boxes"]) != sequence:
        found["sequence"] = sequence
    # Last, because the changes above already drop the notes about them.
    found |= _nest_if_any("notes", _compare_notes(base["notes"], overlay(base, found)["notes"], wanted["notes"]))
    return found


def extension(base: RawBook, wanted: RawBook) -> RawBook:
    """Return the tables of a file that extends the base. Name, key and summary are never inherited: see the loader."""
    own = {key: wanted[key] for key in ("key", "name", "summary")}
    own |= {"source": wanted["source"]} if wanted["source"] else {}
    own |= {} if wanted["variant"] else {"variant": False}
    changed = {key: value for key, value in changes(base, wanted).items() if key not in _OF_ITSELF}
    return {"extends": base["key"]} | own | changed


def _nest_if_any(key: str, found: dict[str, Any]) -> dict[str, Any]:
    return {key: found} if found else {}


def _compare_part(key: str, base: dict[str, Any] | None, wanted: dict[str, Any] | None) -> dict[str, Any]:
    if base == wanted:
        return {}
    if wanted is None:
        return {key: False}
    return {key: wanted if base is None else _compare_entry(base, wanted)}


def _compare_entries(base: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the entries that are new or different, and false for those that are missing."""
    found = {key: _compare_entry(base.get(key, {}), entry) for key, entry in wanted.items() if base.get(key) != entry}
    return found | {key: False for key in base if key not in wanted}


def _compare_notes(base: dict[str, Any], kept: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the notes that differ, each complete: half of an old note could be wrong."""
    found = {
        key: note | _list_defaults(base.get(key, {}), note) for key, note in wanted.items() if kept.get(key) != note
    }
    return found | {key: False for key in kept if key not in wanted}


def _compare_entry(base: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what differs. A new pattern drops the details of the old one, and a new name the short form."""
    found = {key: value for key, value in wanted.items() if base.get(key) != value}
    if "name" in found and "short" in wanted:
        found["short"] = wanted["short"]
    unsaid = _list_defaults(base, wanted)
    return found | ({"short": False} if "short" in unsaid else {}) if "pattern" in found else found | unsaid


def _list_defaults(base: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the default of each line that the base has and the wanted book does not."""
    return {key: value for key, value in _UNSAID.items() if key in base.keys() - wanted.keys()}
