"""Reading one table of a rule-book file: every value is asked for by name, type and bounds, and what nobody
asked for is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, TypeVar

from fivedice.errors import BookError, quote
from fivedice.message import Either, Message
from fivedice.rules.file.line_numbers import KeyPath, LineMap

Choice = TypeVar("Choice", bound=StrEnum)

LONGEST_WORD = 80  # that is compared with those we know, which are so much shorter that a longer one is like none

_LONGEST_PROSE = 1000
_WRONG_TYPE = {
    str: "rules.must-be-text",
    int: "rules.must-be-number",
    bool: "rules.must-be-flag",
    dict: "rules.must-be-table",
    list: "rules.must-be-list",
}


class Source:
    """The text that is being read, for errors that name file and line."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._text = text

    def error(self, path: KeyPath, reason: Message) -> BookError:
        line = LineMap(self._text).find(path)  # only now: nearly all books are right
        return BookError(reason, file=self.file, line=line, path=path)


class Table:
    """A TOML table that remembers what has been asked of it."""

    def __init__(self, source: Source, path: KeyPath, values: dict[str, Any]) -> None:
        self._source = source
        self._values = values
        self._asked: set[str] = set()
        self.path = path

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._values)

    def has(self, key: str) -> bool:
        """Whether the key is given; asking makes it a known one, so that a misspelling of it can be put right."""
        self._asked.add(key)
        return key in self._values

    def is_off(self, key: str) -> bool:
        """Whether the key says false where a table could stand."""
        return self._values.get(key) is False

    def is_text(self, key: str) -> bool:
        return isinstance(self._values.get(key), str)

    def text(self, key: str, default: str | None = None, *, longest: int = 80) -> str:
        value: str = self._typed(key, str, default)
        if not 1 <= len(value.strip()) <= longest or not value.isprintable():
            raise self.error(key, "rules.must-be-line", most=longest, value=quote(value))
        return value.strip()

    def prose(self, key: str, default: str | None = None) -> str:
        """Text that may be folded over several lines of the file."""
        value: str = self._typed(key, str, default)
        folded = " ".join(value.split())
        if len(folded) > _LONGEST_PROSE or not folded.isprintable():
            raise self.error(key, "rules.must-be-prose", most=_LONGEST_PROSE)
        return folded

    def word(self, key: str, allowed: Callable[[str], object], refusal: str) -> str:
        """A text of a certain form; `refusal` is the kind of the message for any other."""
        value: str = self._typed(key, str, None)
        if not allowed(value):
            raise self.error(key, refusal, value=quote(value))
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self._typed(key, int, default)
        if not low <= value <= high:
            raise self.error(key, "rules.out-of-range", low=low, high=high, value=quote(value))
        return value

    def numbers(self, key: str, low: int, high: int, *, most: int) -> tuple[int, ...]:
        values: list[Any] = self._typed(key, list, None)
        if not 1 <= len(values) <= most or not all(type(v) is int and low <= v <= high for v in values):
            raise self.error(key, "rules.must-be-numbers", most=most, low=low, high=high, value=quote(values))
        return tuple(values)

    def words(self, key: str) -> tuple[str, ...]:
        values: list[Any] = self._typed(key, list, None)
        if not all(type(value) is str for value in values):
            raise self.error(key, "rules.must-be-texts", value=quote(values))
        return tuple(values)

    def flag(self, key: str, *, default: bool) -> bool:
        value: bool = self._typed(key, bool, default)
        return value

    def choice(self, key: str, kind: type[Choice], default: Choice | None = None) -> Choice:
        return kind(self.one_of(key, tuple(kind), default))

    def one_of(self, key: str, options: tuple[str, ...], default: str | None = None) -> str:
        value: str = self._typed(key, str, default)
        if value not in options:
            raise self.error(
                key,
                "rules.must-be-one-of",
                options=Either(tuple(quote(str(option)) for option in options)),
                value=quote(value),
            )
        return value

    def table(self, key: str, default: dict[str, Any] | None = None) -> Table:
        return Table(self._source, (*self.path, key), self._typed(key, dict, default))

    def tables(self, key: str, *, most: int) -> list[Table]:
        values: list[Any] = self._typed(key, list, [])
        if len(values) > most or not all(isinstance(value, dict) for value in values):
            raise self.error(key, "rules.must-be-tables", most=most)
        return [Table(self._source, (*self.path, key, place), value) for place, value in enumerate(values)]

    def named_tables(self) -> Iterator[tuple[str, Table]]:
        """Every entry of this table, each a table of its own."""
        for key in self._values:
            yield key, self.table(key)

    def finish(self) -> None:
        """Refuse keys that nobody has asked for."""
        for key in self._values:
            if key not in self._asked:
                raise self._unknown(key)

    def error(self, key: str | None, kind: str, **args: object) -> BookError:
        """What is wrong with a line of this table, or with the table; the message may name it as {key}."""
        path = self.path if key is None else (*self.path, key)
        return self._source.error(path, Message(kind, {"key": _dotted(path)} | args))

    def _typed(self, key: str, kind: type, default: Any) -> Any:
        self._asked.add(key)
        value = self._values.get(key, default)
        if value is None:
            raise self.error(key, "rules.missing-key")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(key, _WRONG_TYPE[kind], value=quote(value))
        return value

    def _unknown(self, key: str) -> BookError:
        from difflib import get_close_matches  # only ever needed on the way to an error

        known = sorted(self._asked)
        close = get_close_matches(key[:LONGEST_WORD], known, n=1)
        if close:
            return self.error(key, "rules.unknown-key-like", meant=quote(close[0]))
        return self.error(key, "rules.unknown-key", known=tuple(known))


def _dotted(path: KeyPath) -> str:
    """As TOML writes it, with the steps of a list counted from 1."""
    return quote(".".join(str(part + 1) if isinstance(part, int) else part for part in path))
