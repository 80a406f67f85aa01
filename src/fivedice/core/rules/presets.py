"""Popular house rules as changes to a book, which a form offers at one tap."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from fivedice.core.rules.catalog import SHIPPED, AnyBook, book as find_book, load_book
from fivedice.core.rules.loader import parse_toml
from fivedice.core.rules.overlay import RawBook, overlay
from fivedice.core.rules.playability import situations
from fivedice.core.rules.rule_book import RuleBook
from fivedice.core.rules.toml_writer import tables_of, write_tables
from fivedice.errors import BookError

_PRESETS = files("fivedice.core.rules") / "presets"

# In the order in which forms show them.
PRESETS = ("forced-joker", "free-joker", "bonus-chips", "upper-section-first", "yams", "points-on-top")


@dataclass(frozen=True, slots=True)
class Preset:
    """Changes to a book. Name and summary are translated as those of shipped books are: see `words.translate_text`."""

    key: str
    name: str
    summary: str
    lines: RawBook  # as in a file that extends a book
    dice: int | None  # the number of dice it requires; None is any number


@cache
def preset(key: str) -> Preset:
    """Return one of `PRESETS` by its key."""
    raw = parse_toml((_PRESETS / f"{key}.toml").read_text(encoding="utf-8"), f"{key}.toml")
    return Preset(key, raw["name"], " ".join(raw["summary"].split()), raw["lines"], raw.get("dice"))


def presets_for(book: AnyBook) -> tuple[Preset, ...]:
    """Return the presets that can be applied to rules and change how they are played.

    `book` is a key, a path or a `RuleBook`, here and in the functions below.
    """
    return _find_presets(find_book(book))


@lru_cache(maxsize=64)
def _find_presets(book: RuleBook) -> tuple[Preset, ...]:
    return tuple(each for each in map(preset, PRESETS) if _changes_play(each, book))


def _changes_play(preset: Preset, book: RuleBook) -> bool:
    if preset.dice not in (None, book.dice):
        return False
    try:
        changed = apply(preset, book)
    except BookError:  # it names boxes that the book does not have
        return False
    # In a fixed order the box for all dice the same may be the last, so that no other box is left.
    idle = changed.alike != book.alike and changed.alike is not None and next(situations(changed), None) is None
    return not idle and changed.fingerprint != book.fingerprint


def apply(preset: Preset, book: AnyBook) -> RuleBook:
    """Return house rules: the book with the preset applied. Raise BookError if it does not fit."""
    book = find_book(book)
    lines = lines_for(preset, book)
    if book.key in SHIPPED:
        return load_book(write_tables({"extends": book.key} | lines))
    return load_book(write_tables(overlay(tables_of(book), lines)))


def lines_for(preset: Preset, book: AnyBook) -> RawBook:
    """Return what a file that extends the book must say. The box for all dice the same differs between books."""
    book, lines = find_book(book), deepcopy(preset.lines)
    if not isinstance(alike := lines.get("alike"), dict):
        return lines
    if book.alike_box is not None:
        alike.setdefault("box", book.boxes[book.alike_box].key)
    steps = tables_of(book).get("alike", {}).get("ladder", [])
    if "extra" in alike and any("extra" in step for step in steps):  # one amount for all replaces those of the steps
        alike["ladder"] = [{key: value for key, value in step.items() if key != "extra"} for step in steps]
    return lines
