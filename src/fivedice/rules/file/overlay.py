"""How a file that `extends` a book is laid over it: tables merge, anything else replaces, false removes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fivedice.rules.patterns import PATTERNS

_PATTERN_DETAILS = frozenset(name for pattern in PATTERNS.values() for name in pattern.details)
_REMOVABLE = frozenset({"boxes", "notes", "names"})


def overlay(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The base with the changes laid over it; notes about what was changed are dropped as untrue."""
    merged = _merge(base, changes)
    if "names" in base:
        merged = _merge({**base, "names": true_names(base, merged)}, changes)
    for section in _REMOVABLE & merged.keys():
        merged[section] = _without_false(merged[section])
    notes = merged.get("notes")
    if isinstance(notes, dict):
        merged["notes"] = {key: note for key, note in notes.items() if not _outdated(key, note, changes)}
    return merged


def true_names(base: Mapping[str, Any], merged: Mapping[str, Any]) -> dict[str, Any]:
    """Names in other languages of what is still called the same; the name of the base itself is not inherited."""
    return {
        language: {part: _still_called(base, merged, part, named.get(part, {})) for part in ("boxes", "sheet")}
        for language, named in base.get("names", {}).items()
    }


def _still_called(base: Mapping[str, Any], merged: Mapping[str, Any], part: str, names: Mapping[str, Any]) -> Any:
    before, after = base[part], merged.get(part)
    return {key: name for key, name in names.items() if _called(after, key) == _called(before, key)}


def _called(lines: Any, key: str) -> Any:
    line = lines.get(key) if isinstance(lines, dict) else None
    return line.get("name") if isinstance(line, dict) else line


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    if "pattern" in changes:  # a new pattern does not inherit the details of the old one
        merged = {key: value for key, value in merged.items() if key not in _PATTERN_DETAILS}
    if "name" in changes:  # nor a new name the short form of the old one
        merged.pop("short", None)
    for key, value in changes.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


def _without_false(entries: Any) -> Any:
    if not isinstance(entries, dict):
        return entries
    return {key: entry for key, entry in entries.items() if entry is not False}


def _outdated(key: str, note: Any, changes: Mapping[str, Any]) -> bool:
    """An inherited note explains a line of the base; once that line is changed it would be a lie."""
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
