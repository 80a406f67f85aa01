"""Reading one table of a rule-book file: every value is asked for by name, type and bounds, and what nobody
asked for is refused. An error names the line where its key stands in the text, which `tomllib` does not tell.

The text is anybody's, so it is read from front to back and each character is looked at once: an expression that tries
again from where it stood can be kept busy for hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

from fivedice.errors import BookError, quote, shorten
from fivedice.message import Either, Message
from fivedice.rules.file.toml_writer import value_text

KeyPath: TypeAlias = tuple[str | int, ...]
Piece: TypeAlias = tuple[str, int]  # with its line

MOST_PARTS = 8  # of a key such as boxes.full_house.name: a book has three

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_QUOTES = frozenset("\"'")
_BLANK = frozenset(" \t\r#")
_OPENING, _CLOSING = frozenset("[{"), frozenset("]}")
_AROUND_KEYS = _OPENING | _CLOSING | frozenset("\n=,")


class LineMap:
    """Key paths to line numbers. A path inside a list of tables carries the index of its table."""

    def __init__(self, text: str) -> None:
        self._lines: dict[KeyPath, int] = {}
        self._table: KeyPath = ()
        self._tables_seen: dict[KeyPath, int] = {}
        for head, number in _heads(text):
            self._note(head, number)

    def find(self, path: KeyPath) -> int | None:
        """The line of the path, or of the nearest thing around it that stands in the text.

        What stands nowhere in it came with the book that the text extends. A table that is named only with what is in
        it, as in `[columns.first]`, begins there.
        """
        if path not in self._lines:
            inner = (line for known, line in self._lines.items() if known[: len(path)] == path)
            if (line := next(inner, None)) is not None:
                return line
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path or ("extends",))

    def _note(self, head: list[str], number: int) -> None:
        if head[0] == "[":
            self._enter(_parts(head), listed=head[:2] == ["[", "["])
            self._lines.setdefault(self._table, number)
        else:
            self._lines.setdefault((*self._table, *_parts(head)), number)

    def _enter(self, path: KeyPath, *, listed: bool) -> None:
        if listed:
            index = self._tables_seen.get(path, 0)
            self._tables_seen[path] = index + 1
            path = (*path, index)
        self._table = path


def line_of_long_key(text: str) -> int | None:
    """Where a key has more parts than `MOST_PARTS`: `tomllib` takes the cube of their number."""
    dots = 0
    for piece, line in _pieces(text):
        if piece in _AROUND_KEYS:
            dots = 0
        elif piece == ".":
            dots += 1
        if dots >= MOST_PARTS:
            return line
    return None


def line_of_longest_number(text: str) -> int | None:
    """Where the number stands that has too many digits for `tomllib`, which does not tell."""
    numbers = ((piece, line) for piece, line in _pieces(text) if piece[-1].isdigit())
    return max(numbers, default=("", None), key=lambda number: len(number[0]))[1]


def line_of_deepest(text: str) -> int | None:
    """Where lists and tables are nested deepest."""
    depth, deepest, found = 0, 0, None
    for piece, line in _pieces(text):
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if depth > deepest:
            deepest, found = depth, line
    return found


def _heads(text: str) -> Iterator[tuple[list[str], int]]:
    """What each statement says before its value: the header of a table, or a key."""
    head: list[str] = []
    depth, valued = 0, False
    for piece, line in _pieces(text):
        depth += (piece in _OPENING) - (piece in _CLOSING)
        if piece == "\n" and depth <= 0:
            head, depth, valued = [], 0, False
        elif not valued:
            head.append(piece)
            valued = piece == "=" or (piece == "]" and depth == 0)
            if valued:
                yield head, line


def _parts(head: Iterable[str]) -> KeyPath:
    words = [piece for piece in head if piece[0] in _BARE or piece[0] in _QUOTES]
    return tuple(word.strip("\"'") for word in words[:MOST_PARTS])


def _pieces(text: str) -> Iterator[Piece]:
    """Words, strings and single signs; blanks and comments are left out."""
    place, line = 0, 1
    while place < len(text):
        end = _end(text, place)
        piece = text[place:end]
        if piece[0] not in _BLANK:
            yield piece, line
        line += piece.count("\n")
        place = end


def _end(text: str, place: int) -> int:
    """Where the piece ends that begins at a place."""
    if text[place] in _QUOTES:
        return _end_of_string(text, place)
    if text[place] == "#":
        end = text.find("\n", place)
        return len(text) if end == -1 else end
    end = place + 1
    while text[place] in _BARE and end < len(text) and text[end] in _BARE:
        end += 1
    return end


def _end_of_string(text: str, place: int) -> int:
    """A short string that is never closed ends with its line."""
    mark = text[place]
    closing = mark * 3 if text.startswith(mark * 3, place) else mark
    place += len(closing)
    while place < len(text) and not text.startswith(closing, place):
        if text[place] == "\n" and closing == mark:
            return place
        place += 2 if text[place] == "\\" and mark == '"' else 1
    place += len(closing)
    while closing != mark and text.startswith(mark, place):  # a long string may end with quotation marks of its own
        place += 1
    return min(place, len(text))


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
        self.source = source
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

    def is_list(self, key: str) -> bool:
        return isinstance(self._values.get(key), list)

    def text(self, key: str, default: str | None = None, *, longest: int = 80) -> str:
        value: str = self._typed(key, str, default)
        if not 1 <= len(value.strip()) <= longest or not _is_plain(value):
            raise self.error(key, "rules.must-be-line", most=longest, value=quote(value))
        return value.strip()

    def prose(self, key: str, default: str | None = None) -> str:
        """Text that may be folded over several lines of the file."""
        value: str = self._typed(key, str, default)
        folded = " ".join(value.split())
        if len(folded) > _LONGEST_PROSE or not _is_plain(folded):
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
            raise self.error(key, "rules.out-of-range", low=low, high=high, value=_shown(value))
        return value

    def numbers(self, key: str, low: int, high: int, *, most: int) -> tuple[int, ...]:
        values: list[Any] = self._typed(key, list, None)
        if not _are_numbers(values, low, high, most):
            raise self.error(key, "rules.must-be-numbers", most=most, low=low, high=high, value=_shown(values))
        return tuple(values)

    def lists(self, key: str, low: int, high: int, *, most: int) -> tuple[tuple[int, ...], ...]:
        """A list of lists of numbers."""
        values: list[Any] = self._typed(key, list, None)
        right = (_are_numbers(value, low, high, most) for value in values)
        if not 1 <= len(values) <= most or not all(right):
            raise self.error(key, "rules.must-be-lists", most=most, low=low, high=high, value=_shown(values))
        return tuple(map(tuple, values))

    def words(self, key: str) -> tuple[str, ...]:
        values: list[Any] = self._typed(key, list, None)
        if not all(type(value) is str for value in values):
            raise self.error(key, "rules.must-be-texts", value=_shown(values))
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
        return Table(self.source, (*self.path, key), self._typed(key, dict, default))

    def tables(self, key: str, *, most: int) -> list[Table]:
        values: list[Any] = self._typed(key, list, [])
        if len(values) > most or not all(isinstance(value, dict) for value in values):
            raise self.error(key, "rules.must-be-tables", most=most)
        return [Table(self.source, (*self.path, key, place), value) for place, value in enumerate(values)]

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
        return self.source.error(path, Message(kind, {"key": _dotted(path)} | args))

    def _typed(self, key: str, kind: type, default: Any) -> Any:
        self._asked.add(key)
        value = self._values.get(key, default)
        if value is None:
            raise self.error(key, "rules.missing-key")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(key, _WRONG_TYPE[kind], value=_shown(value))
        return value

    def _unknown(self, key: str) -> BookError:
        from difflib import get_close_matches  # only ever needed on the way to an error

        known = sorted(self._asked)
        close = get_close_matches(key[:LONGEST_WORD], known)
        if close:
            return self.error(key, "rules.unknown-key-like", meant=quote(close[0]))
        return self.error(key, "rules.unknown-key", known=tuple(known))


# Marks that join the letters around them and show nothing: in emoji of several people, in flags of regions, in Persian.
_JOINING = dict.fromkeys((0x200C, 0x200D, *range(0xE0020, 0xE0080)))


def _is_plain(text: str) -> bool:
    """No control characters, no line breaks, nothing that turns the writing around; something to see in a name."""
    seen = text.translate(_JOINING)
    return seen.isprintable() and (bool(seen.strip()) or not text.strip())


def _shown(value: object) -> str:
    """A value as it may stand in a message: as the file writes it, not as Python does."""
    return quote(value) if isinstance(value, str) else shorten(value_text(value))


def _are_numbers(values: object, low: int, high: int, most: int) -> bool:
    if not isinstance(values, list) or not 1 <= len(values) <= most:
        return False
    return all(type(value) is int and low <= value <= high for value in values)


def _dotted(path: KeyPath) -> str:
    """As TOML writes it, with the steps of a list counted from 1."""
    return quote(".".join(str(part + 1) if isinstance(part, int) else part for part in path))
