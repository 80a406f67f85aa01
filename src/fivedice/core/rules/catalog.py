"""The rules that come with Fivedice, and the functions that read house rules."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from fivedice.core.rules.loader import MAX_FILE, names_a_file, parse_book, parse_toml
from fivedice.core.rules.overlay import RawBook, overlay
from fivedice.core.rules.playability import situations
from fivedice.core.rules.rule_book import RuleBook
from fivedice.core.rules.table_reader import LONGEST_WORD, Source
from fivedice.core.rules.toml_writer import tables_of, write_tables
from fivedice.errors import BookError, MalformedError, UnknownBook, quote
from fivedice.message import Either, message

_BOOKS = files("fivedice.core.rules") / "books"

# In the order in which lists show them: the four main games, further games, then variants.
SHIPPED = (
    "yardzee",
    "yahtzee",
    "yatzy",
    "yahtzee-classic",
    "kniffel",
    "kismet",
    "yacht",
    "crag",
    "maxi-yatzy",
    "yahtzee-free-choice",
    "yahtzee-plain",
    "yatzy-forced",
    "maxi-yatzy-plain",
)
DEFAULT = "yahtzee"
# Keys that once meant other rules, with the key of those rules now: older records keep their rules.
RENAMED = {"maxi-yatzy": "maxi-yatzy-plain"}

_EXTENDS = re.compile(r"""^([ \t]*extends[ \t]*=[ \t]*)(["'])([a-z0-9-]+)\2""", re.MULTILINE)


AnyBook: TypeAlias = RuleBook | str | Path


def book(name: AnyBook) -> RuleBook:
    """Return rules by key, or house rules by the path of their TOML file. A `RuleBook` is returned as it is.

    Every public function that takes rules accepts the same. Raise UnknownBook for an unknown key, BookError for a file
    that cannot be played, MalformedError for anything else.

    >>> fd.book("yatzy").box("fh").name
    'Full House'
    """
    if isinstance(name, RuleBook):
        return name
    if not isinstance(name, str | Path):
        raise MalformedError("rules.not-a-book", given=quote(name))
    if name in SHIPPED:
        return shipped(str(name))
    if isinstance(name, Path) or names_a_file(name):
        return read_book(Path(name))
    raise _unknown_book_error(name)


def write_book(book: AnyBook) -> str:
    """Return the whole book as the text of a TOML file that stands alone, even if it extends another book.

    `book` is a key, a path or a `RuleBook`; the errors are those of `fd.book`.

    >>> fd.load_book(fd.write_book("yatzy")) == fd.book("yatzy")
    True
    """
    return find_book(book).text


find_book = book  # for functions with an argument of that name


@cache
def shipped(key: str) -> RuleBook:
    """Return the shipped book of a key. A key is never taken for a path. Raise UnknownBook if there is none."""
    return parse_book(_read_shipped(key), file=f"{key}.toml", base=_load_raw, is_shipped=True)


def played_by(key: str, fingerprint: str | None) -> RuleBook:
    """Return the shipped book of a key, or the one that had this key when something with this fingerprint was made."""
    now = shipped(key)
    if fingerprint is None or key not in RENAMED or fingerprint == now.fingerprint:
        return now
    then = shipped(RENAMED[key])
    return then if fingerprint == then.fingerprint else now


def extended_by(text: str) -> str | None:
    """Return the key that the text of house rules extends, if a search of the text finds one."""
    found = _EXTENDS.search(text)
    return None if found is None else found[3]


def extending(text: str, key: str) -> str:
    """Return the text with another key in the line `extends`."""
    return _EXTENDS.sub(lambda found: f"{found[1]}{found[2]}{key}{found[2]}", text, count=1)


def read_book(path: Path) -> RuleBook:
    """Return the house rules of the file at `path`. Raise BookError if it cannot be read or played."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read(MAX_FILE * 4)  # the loader refuses texts longer than MAX_FILE
    except OSError as error:
        raise BookError("rules.unreadable-file", file=str(path), why=error.strerror) from None
    except UnicodeDecodeError:
        raise BookError("rules.not-utf-8", file=str(path)) from None
    except ValueError:  # such as a path with a null byte
        raise BookError("rules.impossible-path", file=str(path)) from None
    return load_book(text, file=str(path))


def load_book(text: str, *, file: str = "<text>") -> RuleBook:
    r"""Return house rules from the text of a TOML file. `file` is the name for error messages.

    Raise BookError if they cannot be played, or use the key of a shipped book for other rules.

    >>> fd.load_book('extends = "yahtzee"\nrolls = 4').rolls
    4
    """
    read = load_kept(text, file=file)
    if read.key in SHIPPED and read.fingerprint != shipped(read.key).fingerprint:
        raise Source(file, text).error(("key",), message("rules.shipped-key", key=quote(read.key)))
    return read


def load_kept(text: str, *, file: str = "<text>") -> RuleBook:
    """Return house rules from a `text` that was accepted before, even if a shipped book has their key now.

    `file` is the name for error messages. Raise BookError if they cannot be played.
    """
    return parse_book(text, file=file, base=_load_raw)


@lru_cache(maxsize=len(SHIPPED))
def _read_shipped(key: str) -> str:
    if key not in SHIPPED:
        raise _unknown_book_error(key)
    return (_BOOKS / f"{key}.toml").read_text(encoding="utf-8")


def _load_raw(key: str) -> RawBook:
    """Return the tables of a shipped book, complete even if it extends another. The caller may change them."""
    return deepcopy(_parse_shipped(key))


@lru_cache(maxsize=len(SHIPPED))
def _parse_shipped(key: str) -> RawBook:
    raw = parse_toml(_read_shipped(key), f"{key}.toml")
    return overlay(_load_raw(raw["extends"]), raw) if "extends" in raw else raw


def _unknown_book_error(name: str) -> UnknownBook:
    from difflib import get_close_matches  # needed only for errors

    close = get_close_matches(name[:LONGEST_WORD], SHIPPED)
    if close:
        return UnknownBook("rules.unknown-book-like", book=quote(name), meant=quote(close[0]), known=Either(SHIPPED))
    return UnknownBook("rules.unknown-book", book=quote(name), known=Either(SHIPPED))


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
