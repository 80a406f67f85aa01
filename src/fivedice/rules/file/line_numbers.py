"""Where in a TOML text a key stands, so that an error can name the line. `tomllib` does not tell."""

from __future__ import annotations

import re
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_ASSIGNMENT = re.compile(
    r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
_LONG_QUOTES = re.compile(r'"""|\'\'\'')


class LineMap:
    """Key paths to line numbers. A path inside a list of tables carries the index of its table."""

    def __init__(self, text: str) -> None:
        self._lines: dict[KeyPath, int] = {}
        self._table: KeyPath = ()
        self._tables_seen: dict[KeyPath, int] = {}
        inside_long_string = False
        for number, line in enumerate(text.split("\n"), start=1):
            if not inside_long_string:
                self._note(line, number)
            if len(_LONG_QUOTES.findall(line)) % 2:
                inside_long_string = not inside_long_string

    def find(self, path: KeyPath) -> int | None:
        """The line of the path, or of the nearest thing around it that stands in the text.

        What stands nowhere in it came with the book that the text extends.
        """
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path or ("extends",))

    def _note(self, line: str, number: int) -> None:
        header = _HEADER.match(line)
        assignment = _ASSIGNMENT.match(line)
        if header is not None:
            self._enter(header[2], listed=header[1] == "[[")
            self._lines.setdefault(self._table, number)
        elif assignment is not None:
            self._lines.setdefault((*self._table, *_parts(assignment[1])), number)

    def _enter(self, name: str, *, listed: bool) -> None:
        path: KeyPath = _parts(name)
        if listed:
            index = self._tables_seen.get(path, 0)
            self._tables_seen[path] = index + 1
            path = (*path, index)
        self._table = path


def _parts(name: str) -> KeyPath:
    return tuple(part.strip("\"'") for part in _PART.findall(name))
