"""From a book, or from raw tables, to the TOML text of its file. What is written loads again as the same book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fivedice.rules.file.loader import RawBook
from fivedice.rules.file.to_tables import tables_of
from fivedice.rules.rule_book import RuleBook

_LONGEST_LINE = 110


def write_book(book: RuleBook) -> str:
    """The whole book as a file that stands alone, also where it was read from one that extends another."""
    return write_tables(tables_of(book))


def write_tables(tables: RawBook) -> str:
    """Raw tables as text: plain values first, as TOML wants it, then table after table."""
    return "\n".join(_lines((), tables)).strip() + "\n"


def _lines(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    inner = {key: value for key, value in table.items() if isinstance(value, dict)}
    plain = {key: value for key, value in table.items() if key not in inner}
    if path and (plain or not inner):
        yield ""
        yield f"[{'.'.join(map(_key, path))}]"
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in inner.items():
        yield from _lines((*path, key), value)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return _list([_value(item) for item in value])
    if isinstance(value, dict):  # only ever inside a list: a rung
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    return _text(value) if isinstance(value, str) else str(value)


def _list(items: list[str]) -> str:
    line = f"[{', '.join(items)}]"
    if len(line) <= _LONGEST_LINE:
        return line
    return "[\n" + "".join(f"  {item},\n" for item in items) + "]"


def _text(text: str) -> str:
    """A basic string on one line; what could end it, or is no plain character, is escaped."""
    return f'"{"".join(map(_character, text))}"'


def _character(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"
