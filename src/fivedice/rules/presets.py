"""House rules that many people know, as lines to lay over a book: what a form offers at one tap."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from fivedice.errors import BookError
from fivedice.rules.catalog import SHIPPED, load_book
from fivedice.rules.file.loader import parse_toml
from fivedice.rules.file.overlay import RawBook, overlay
from fivedice.rules.file.toml_writer import tables_of, write_tables
from fivedice.rules.playability import situations
from fivedice.rules.rule_book import RuleBook

_PRESETS = files("fivedice.rules") / "presets"

# The order in which people are shown them.
PRESETS = ("forced-joker", "free-joker", "bonus-chips", "upper-section-first", "yams", "points-on-top")


@dataclass(frozen=True, slots=True)
class Preset:
    """Its name and summary are texts of the catalogue, as those of shipped books are: see `words.said`."""

    key: str
    name: str
    summary: str
    lines: RawBook  # as they would stand in a file that extends a book
    dice: int | None  # how many it is made for; None is any number


@cache
def preset(key: str) -> Preset:
    """One of `PRESETS`."""
    raw = parse_toml((_PRESETS / f"{key}.toml").read_text(encoding="utf-8"), f"{key}.toml")
    return Preset(key, raw["name"], " ".join(raw["summary"].split()), raw["lines"], raw.get("dice"))


@lru_cache(maxsize=64)
def presets_for(book: RuleBook) -> tuple[Preset, ...]:
    """Those that can be laid over a book, and change how it is played."""
    return tuple(each for each in map(preset, PRESETS) if _changes(each, book))


def _changes(preset: Preset, book: RuleBook) -> bool:
    if preset.dice not in (None, book.dice):
        return False
    try:
        changed = apply(preset, book)
    except BookError:  # it speaks of boxes that the book does not have
        return False
    # In a fixed order all dice the same may have the last box, with nothing left for another one.
    idle = changed.alike != book.alike and changed.alike is not None and next(situations(changed), None) is None
    return not idle and changed.fingerprint != book.fingerprint


def apply(preset: Preset, book: RuleBook) -> RuleBook:
    """The book with the preset laid over it, as a house book. `BookError` where it does not fit."""
    lines = lines_for(preset, book)
    if book.key in SHIPPED:
        return load_book(write_tables({"extends": book.key} | lines))
    return load_book(write_tables(overlay(tables_of(book), lines)))


def lines_for(preset: Preset, book: RuleBook) -> RawBook:
    """What to write into a file that extends the book. All dice the same have a box of another name in some books."""
    lines = deepcopy(preset.lines)
    if not isinstance(alike := lines.get("alike"), dict):
        return lines
    if book.alike_box is not None:
        alike.setdefault("box", book.boxes[book.alike_box].key)
    told = tables_of(book).get("alike", {}).get("ladder", [])
    if "extra" in alike and any("extra" in rung for rung in told):  # one amount for all, instead of each rung's own
        alike["ladder"] = [{key: value for key, value in rung.items() if key != "extra"} for rung in told]
    return lines
