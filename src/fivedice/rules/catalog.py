"""The books that come with Fivedice, and the way to anyone's own."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from fivedice.errors import BookError, MalformedError, UnknownBook, quote
from fivedice.message import Either, message
from fivedice.rules.file.loader import MAX_FILE, names_a_file, parse_book, parse_toml
from fivedice.rules.file.overlay import RawBook, overlay
from fivedice.rules.file.table_reader import LONGEST_WORD, Source
from fivedice.rules.rule_book import RuleBook

_BOOKS = files("fivedice.rules") / "books"

# The order in which people are shown the books: the four documents, the games beside them, then the variants.
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
DEFAULT = "yahtzee"  # where nobody has chosen yet
# Keys that once meant other rules, and the key of those rules now. What was made with them keeps its rules.
RENAMED = {"maxi-yatzy": "maxi-yatzy-plain"}

_EXTENDS = re.compile(r"""^([ \t]*extends[ \t]*=[ \t]*)(["'])([a-z0-9-]+)\2""", re.MULTILINE)


AnyBook: TypeAlias = RuleBook | str | Path


def book(name: AnyBook) -> RuleBook:
    """Shipped rules by their key, or house rules by the path of their TOML file. A `RuleBook` is given back.

    Everything that takes a book takes the same.

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
    raise _unknown(name)


def write_book(book: AnyBook) -> str:
    """The whole book as the text of a file that stands alone, also where it was read from one that extends another."""
    return find_book(book).text


find_book = book  # for functions with an argument of that name


@cache
def shipped(key: str) -> RuleBook:
    """One of our own books; a name is never taken for a path here."""
    return parse_book(_text(key), file=f"{key}.toml", base=_raw)


def played_by(key: str, fingerprint: str | None) -> RuleBook:
    """The shipped book of a key, or the one that had the key when something with this fingerprint was made."""
    now = shipped(key)
    if fingerprint is None or key not in RENAMED or fingerprint == now.fingerprint:
        return now
    then = shipped(RENAMED[key])
    return then if fingerprint == then.fingerprint else now


def extended_by(text: str) -> str | None:
    """The key that a text of house rules extends, as far as one can see without reading it all."""
    found = _EXTENDS.search(text)
    return None if found is None else found[3]


def extending(text: str, key: str) -> str:
    """The same text with another key in the line that says what it extends."""
    return _EXTENDS.sub(lambda found: f"{found[1]}{found[2]}{key}{found[2]}", text, count=1)


def read_book(path: Path) -> RuleBook:
    """Load a house book from a file."""
    return load_book(_read(path), file=str(path))


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read(MAX_FILE * 4)  # hardly more than a book can have, however large the file is
    except OSError as error:
        raise BookError("rules.unreadable-file", file=str(path), why=error.strerror) from None
    except UnicodeDecodeError:
        raise BookError("rules.not-utf-8", file=str(path)) from None
    except ValueError:  # such as one with a null byte
        raise BookError("rules.impossible-path", file=str(path)) from None


def load_book(text: str, *, file: str = "<text>") -> RuleBook:
    r"""House rules from the text of a TOML file; what cannot be played raises `BookError`.

    The keys of the shipped books stay theirs.

    >>> fd.load_book('extends = "yahtzee"\nrolls = 4').rolls
    4
    """
    read = load_kept(text, file=file)
    if read.key in SHIPPED and read.fingerprint != shipped(read.key).fingerprint:
        raise Source(file, text).error(("key",), message("rules.shipped-key", key=quote(read.key)))
    return read


def load_kept(text: str, *, file: str = "<text>") -> RuleBook:
    """Load a house book that was accepted before: a later version may have taken its key for a book of its own."""
    return parse_book(text, file=file, base=_raw)


@lru_cache(maxsize=len(SHIPPED))
def _text(key: str) -> str:
    if key not in SHIPPED:
        raise _unknown(key)
    return (_BOOKS / f"{key}.toml").read_text(encoding="utf-8")


def _raw(key: str) -> RawBook:
    """The raw tables of a shipped book, laid over those of the book that it extends: the caller's own."""
    return deepcopy(_parsed(key))


@lru_cache(maxsize=len(SHIPPED))
def _parsed(key: str) -> RawBook:
    raw = parse_toml(_text(key), f"{key}.toml")
    return overlay(_raw(raw["extends"]), raw) if "extends" in raw else raw


def _unknown(name: str) -> UnknownBook:
    from difflib import get_close_matches  # only ever needed on the way to an error

    close = get_close_matches(name[:LONGEST_WORD], SHIPPED)
    if close:
        return UnknownBook("rules.unknown-book-like", book=quote(name), meant=quote(close[0]), known=Either(SHIPPED))
    return UnknownBook("rules.unknown-book", book=quote(name), known=Either(SHIPPED))
