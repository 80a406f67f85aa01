"""Read one table of a rule-book file: every value is requested by name, type and bounds, and other keys are refused.

An error names the line of its key, which `tomllib` does not report. The text may be hostile, so it is scanned once from
front to back: regular expressions that backtrack could run for hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

from fivedice.core.rules.toml_writer import value_text
from fivedice.errors import BookError, quote, shorten
from fivedice.message import Either, Message

KeyPath: TypeAlias = tuple[str | int, ...]
Piece: TypeAlias = tuple[str, int]  # a text with its line

MOST_PARTS = 8  # of a dotted key; a book needs three, as in boxes.full_house.name

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_QUOTES = frozenset("\"'")
_BLANK = frozenset(" \t\r#")
_OPENING, _CLOSING = frozenset("[{"), frozenset("]}")
_AROUND_KEYS = _OPENING | _CLOSING | frozenset("\n=,")


class LineMap:
    """Line numbers by key path. A path inside a list of tables includes the index of the table."""

    def __init__(self, text: str) -> None:
        self._lines: dict[KeyPath, int] = {}
        self._table: KeyPath = ()
        self._tables_seen: dict[KeyPath, int] = {}
        for head, number in _iterate_heads(text):
            if head[0] == "[":
                self._enter(_split_key(head), listed=head[:2] == ["[", "["])
                self._lines.setdefault(self._table, number)
            else:
                self._lines.setdefault((*self._table, *_split_key(head)), number)

    def find(self, path: KeyPath) -> int | None:
        """Return the line of the path, or of the nearest enclosing table in the text.

        A path that is not in the text comes from the extended book. A table that only appears as part of a longer name,
        as in `[columns.first]`, begins there.
        """
        if path not in self._lines:
            inner = (line for known, line in self._lines.items() if known[: len(path)] == path)
            if (line := next(inner, None)) is not None:
                return line
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path or ("extends",))

    def _enter(self, path: KeyPath, *, listed: bool) -> None:
        if listed:
            index = self._tables_seen.get(path, 0)
            self._tables_seen[path] = index + 1
            path = (*path, index)
        self._table = path


def line_of_long_key(text: str) -> int | None:
    """Return the line of a key with more than `MOST_PARTS` parts: `tomllib` needs cubic time for those."""
    dots = 0
    for piece, line in _iterate_pieces(text):
        if piece in _AROUND_KEYS:
            dots = 0
        elif piece == ".":
            dots += 1
        if dots >= MOST_PARTS:
            return line
    return None


def line_of_longest_number(text: str) -> int | None:
    """Return the line of the longest number, which has too many digits for `tomllib`."""
    numbers = ((piece, line) for piece, line in _iterate_pieces(text) if piece[-1].isdigit())
    return max(numbers, default=("", None), key=lambda number: len(number[0]))[1]


def line_of_deepest(text: str) -> int | None:
    """Return the line where lists and tables are nested deepest."""
    depth, deepest, found = 0, 0, None
    for piece, line in _iterate_pieces(text):
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if depth > deepest:
            deepest, found = depth, line
    return found


def _iterate_heads(text: str) -> Iterator[tuple[list[str], int]]:
    """Yield the part of each statement before its value: the header of a table, or a key."""
    head: list[str] = []
    depth, valued = 0, False
    for piece, line in _iterate_pieces(text):
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if piece == "\n" and depth <= 0:
            head, depth, valued = [], 0, False
        elif not valued:
            head.append(piece)
            valued = piece == "=" or (piece == "]" and depth == 0)
            if valued:
                yield head, line


def _split_key(head: Iterable[str]) -> KeyPath:
    words = [piece for piece in head if piece[0] in _BARE or piece[0] in _QUOTES]
    return tuple(word.strip("\"'") for word in words[:MOST_PARTS])


def _iterate_pieces(text: str) -> Iterator[Piece]:
    """Yield words, strings and single signs with their lines, without blanks and comments."""
    place, line = 0, 1
    while place < len(text):
        end = _find_end(text, place)
        piece = text[place:end]
        if piece[0] not in _BLANK:
            yield piece, line
        line += piece.count("\n")
        place = end


def _find_end(text: str, place: int) -> int:
    """Return where the piece ends that begins at a place."""
    if text[place] in _QUOTES:
        return _find_end_of_string(text, place)
    if text[place] == "#":
        end = text.find("\n", place)
        return len(text) if end == -1 else end
    end = place + 1
    while text[place] in _BARE and end < len(text) and text[end] in _BARE:
        end += 1
    return end


def _find_end_of_string(text: str, place: int) -> int:
    """Return where a string ends. A short string that is never closed ends with its line."""
    mark = text[place]
    closing = mark * 3 if text.startswith(mark * 3, place) else mark
    place += len(closing)
    while place < len(text) and not text.startswith(closing, place):
        if text[place] == "\n" and closing == mark:
            return place
        place += 2 if text[place] == "\\" and mark == '"' else 1
    place += len(closing)
    while closing != mark and text.startswith(mark, place):  # a long string may end with further quotation marks
        place += 1
    return min(place, len(text))


Choice = TypeVar("Choice", bound=StrEnum)

LONGEST_WORD = 80  # letters that are compared with known words, which are much shorter

_LONGEST_PROSE = 1000
_WRONG_TYPE = {
    str: "rules.must-be-text",
    int: "rules.must-be-number",
    bool: "rules.must-be-flag",
    dict: "rules.must-be-table",
    list: "rules.must-be-list",
}


class Source:
    """The text of a file, for errors with file and line."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._text = text

    def error(self, path: KeyPath, reason: Message) -> BookError:
        line = LineMap(self._text).find(path)  # built only for errors, which are rare
        return BookError(reason, file=self.file, line=line, path=path)


class TomlTable:
    """A TOML table that records which keys were requested."""

    def __init__(self, source: Source, path: KeyPath, values: dict[str, Any]) -> None:
        self.source = source
        self._values = values
        self._asked: set[str] = set()
        self.path = path

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self._values)

    def has(self, key: str) -> bool:
        """Return whether the key is given.

        It then counts as known, so that an error can suggest it for a misspelling.
        """
        self._asked.add(key)
        return key in self._values

    def is_on(self, key: str) -> bool:
        """Return whether the key is given and not false, which removes what would be inherited."""
        return self.has(key) and self._values[key] is not False

    def is_text(self, key: str) -> bool:
        return isinstance(self._values.get(key), str)

    def is_list(self, key: str) -> bool:
        return isinstance(self._values.get(key), list)

    def text(self, key: str, default: str | None = None, *, longest: int = 80) -> str:
        value: str = self._read(key, str, default)
        if not 1 <= len(value.strip()) <= longest or not _is_plain(value):
            raise self.error(key, "rules.must-be-line", most=longest, value=quote(value))
        return value.strip()

    def prose(self, key: str, default: str | None = None) -> str:
        """Return a text that may be folded over several lines."""
        value: str = self._read(key, str, default)
        folded = " ".join(value.split())
        if len(folded) > _LONGEST_PROSE or not _is_plain(folded):
            raise self.error(key, "rules.must-be-prose", most=_LONGEST_PROSE)
        return folded

    def word(self, key: str, allowed: Callable[[str], object], refusal: str) -> str:
        """Return a text of a certain form; `refusal` is the kind of the message for any other."""
        value: str = self._read(key, str, None)
        if not allowed(value):
            raise self.error(key, refusal, value=quote(value))
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self._read(key, int, default)
        if not low <= value <= high:
            raise self.error(key, "rules.out-of-range", low=low, high=high, value=_format_value(value))
        return value

    def numbers(self, key: str, low: int, high: int, *, most: int) -> tuple[int, ...]:
        values: list[Any] = self._read(key, list, None)
        if not _are_numbers(values, low, high, most):
            raise self.error(key, "rules.must-be-numbers", most=most, low=low, high=high, value=_format_value(values))
        return tuple(values)

    def lists(self, key: str, low: int, high: int, *, most: int) -> tuple[tuple[int, ...], ...]:
        """Return a list of lists of numbers."""
        values: list[Any] = self._read(key, list, None)
        right = (_are_numbers(value, low, high, most) for value in values)
        if not 1 <= len(values) <= most or not all(right):
            raise self.error(key, "rules.must-be-lists", most=most, low=low, high=high, value=_format_value(values))
        return tuple(map(tuple, values))

    def words(self, key: str) -> tuple[str, ...]:
        values: list[Any] = self._read(key, list, None)
        if not all(type(value) is str for value in values):
            raise self.error(key, "rules.must-be-texts", value=_format_value(values))
        return tuple(values)

    def flag(self, key: str, *, default: bool) -> bool:
        value: bool = self._read(key, bool, default)
        return value

    def choice(self, key: str, kind: type[Choice], default: Choice | None = None) -> Choice:
        return kind(self.one_of(key, tuple(kind), default))

    def one_of(self, key: str, options: tuple[str, ...], default: str | None = None) -> str:
        value: str = self._read(key, str, default)
        if value not in options:
            raise self.error(
                key,
                "rules.must-be-one-of",
                options=Either(tuple(quote(str(option)) for option in options)),
                value=quote(value),
            )
        return value

    def table(self, key: str, default: dict[str, Any] | None = None) -> TomlTable:
        return TomlTable(self.source, (*self.path, key), self._read(key, dict, default))

    def tables(self, key: str, *, most: int) -> list[TomlTable]:
        values: list[Any] = self._read(key, list, [])
        if len(values) > most or not all(isinstance(value, dict) for value in values):
            raise self.error(key, "rules.must-be-tables", most=most)
        return [TomlTable(self.source, (*self.path, key, place), value) for place, value in enumerate(values)]

    def named_tables(self) -> Iterator[tuple[str, TomlTable]]:
        """Yield every entry of this table, each a table itself."""
        for key in self._values:
            yield key, self.table(key)

    def finish(self) -> None:
        """Raise BookError for a key that was never requested."""
        for key in self._values:
            if key not in self._asked:
                raise self._unknown_key_error(key)

    def error(self, key: str | None, kind: str, **args: object) -> BookError:
        """Return an error for a line of this table, or for the table; the message may name it as {key}."""
        path = self.path if key is None else (*self.path, key)
        shown = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)  # list indexes from 1
        return self.source.error(path, Message(kind, {"key": quote(shown)} | args))

    def _read(self, key: str, kind: type, default: Any) -> Any:
        self._asked.add(key)
        value = self._values.get(key, default)
        if value is None:
            raise self.error(key, "rules.missing-key")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(key, _WRONG_TYPE[kind], value=_format_value(value))
        return value

    def _unknown_key_error(self, key: str) -> BookError:
        from difflib import get_close_matches  # needed only for errors

        known = sorted(self._asked)
        close = get_close_matches(key[:LONGEST_WORD], known)
        if close:
            return self.error(key, "rules.unknown-key-like", meant=quote(close[0]))
        return self.error(key, "rules.unknown-key", known=tuple(known))


# Invisible characters that join their neighbours, as in emoji of several people, flags of regions, and Persian.
_JOINING = dict.fromkeys((0x200C, 0x200D, *range(0xE0020, 0xE0080)))


def _is_plain(text: str) -> bool:
    """Return whether a text has only visible characters: no line breaks, control or direction marks."""
    seen = text.translate(_JOINING)
    return seen.isprintable() and (bool(seen.strip()) or not text.strip())


def _format_value(value: object) -> str:
    """Return a value for a message, as the file writes it and not as Python does."""
    return quote(value) if isinstance(value, str) else shorten(value_text(value))


def _are_numbers(values: object, low: int, high: int, most: int) -> bool:
    if not isinstance(values, list) or not 1 <= len(values) <= most:
        return False
    return all(type(value) is int and low <= value <= high for value in values)
