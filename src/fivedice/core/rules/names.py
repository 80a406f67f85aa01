"""Names in other languages: those of shipped books from one file per language, those of house rules from their text.

A file is read when someone asks for its language. House rules have the names of each line that they did not rename.
"""

from __future__ import annotations

import tomllib
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

Names: TypeAlias = Mapping[str, str]  # names by language
NamePath: TypeAlias = tuple[str, ...]  # ("name",), ("rule",), or a part with a line: ("boxes", "aces")

LONGEST_SHORT = 8
PARTS = ("boxes", "short", "sheet")
_FOLDER = files("fivedice.core.rules") / "languages"


@cache
def name_languages() -> tuple[str, ...]:
    """Return the languages in which the shipped books have names."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir()))


@cache
def read_language(language: str) -> Mapping[str, Any]:
    """Return the tables of a language; they are empty for one without a file."""
    if language not in name_languages():
        return {}
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))


def find_name(language: str, books: tuple[str, ...], path: NamePath) -> str | None:
    """Return the name of a line in the first of these shipped books that has its own, or the name for all books."""
    tables = read_language(language)
    own = tables.get("books", {})
    return next(filter(None, (look_up(table, path) for table in (*(own.get(book) for book in books), tables))), None)


def look_up(table: Any, path: NamePath) -> Any:
    """Return what stands at a path of nested tables, or None. The tables may be anything."""
    for key in path:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


class _ByLanguage(Mapping[str, str]):
    """Names by language, found when one is asked for."""

    __slots__ = ()

    @abstractmethod
    def find(self, language: str) -> str | None:
        """Return the name in a language, or None."""

    @abstractmethod
    def languages(self) -> Iterator[str]:
        """Yield every language that may have a name."""

    def __getitem__(self, language: str) -> str:
        if (found := self.find(language)) is None:
            raise KeyError(language)
        return found

    def __iter__(self) -> Iterator[str]:
        return (language for language in dict.fromkeys(self.languages()) if self.find(language) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True, eq=False)
class LineNames(_ByLanguage):
    """The names of one line: those of its own text first, then those of the shipped books that it comes from."""

    own: Names
    books: tuple[str, ...] | None  # the nearest book first; None if the line was renamed
    path: NamePath

    def find(self, language: str) -> str | None:
        """Return the name in a language, or None."""
        name = self.own.get(language)
        return find_name(language, self.books, self.path) if name is None and self.books is not None else name

    def languages(self) -> Iterator[str]:
        yield from self.own
        yield from name_languages() if self.books is not None else ()


@dataclass(frozen=True, slots=True, eq=False)
class ShortNames(_ByLanguage):
    """The labels of a box for a narrow column: the short form, or the name if it is short, or the book's own label."""

    names: Names
    shorts: Names
    label: str

    def find(self, language: str) -> str | None:
        """Return the label in a language, or None if the box has no name in it."""
        name = self.names.get(language)
        if name is None:
            return None
        # A name that a family wrote does not have the short form of the shipped one.
        shorts = own_names(self.shorts) if language in own_names(self.names) else self.shorts
        return shorts.get(language) or (name if len(name) <= LONGEST_SHORT else self.label)

    def languages(self) -> Iterator[str]:
        yield from self.names


def own_names(names: Names) -> Names:
    """Return the names that stand in the text of the book itself."""
    return names.own if isinstance(names, LineNames) else names


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a book comes from: the shipped books that it is or extends, and the tables before and after its changes."""

    books: tuple[str, ...]
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def books_of(self, path: NamePath) -> tuple[str, ...] | None:
        """Return the shipped books whose names a line still has; none of them for a default name, None if renamed."""
        own = _path_in_book(path)
        if path[0] == "short":
            same = look_up(self.before, own) == look_up(self.after, own)
            return self.books_of(("boxes", path[1])) if same else None
        name = look_up(self.after, own)
        if name is None:
            return ()
        return self.books if self.books and name == look_up(self.before, own) else None


def _path_in_book(path: NamePath) -> NamePath:
    """Return where a book has what a path of names means."""
    part, *line = path
    own: dict[str, NamePath] = {"boxes": ("boxes", *line, "name"), "short": ("boxes", *line, "short")}
    return ("alike", "name") if part == "rule" else own.get(part, path)
