"""Where in a TOML text a key stands, so that an error can name the line. `tomllib` does not tell.

The text is anybody's, so it is read from front to back and each character is looked at once: an expression that tries
again from where it stood can be kept busy for hours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

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

        What stands nowhere in it came with the book that the text extends.
        """
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
        return len(text) if end < 0 else end
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
    if closing != mark:  # a long string may end with one or two quotation marks of its own
        place += text.startswith(mark, place) + text.startswith(mark * 2, place)
    return min(place, len(text))
