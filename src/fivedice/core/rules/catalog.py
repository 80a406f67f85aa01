"""The rules that come with Fivedice, and the functions that read house rules."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from fivedice.core.rules.loader import MAX_FILE, names_a_file, parse_book, parse_toml
from fivedice.core.rules.overlay import RawBook, overlay
from fivedice.core.rules.rule_book import RuleBook
from fivedice.core.rules.table_reader import LONGEST_WORD, Source
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
