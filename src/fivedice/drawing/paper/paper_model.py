"""A sheet of paper as data. The PDF and the print view only render it.

It has no more than fits on paper and can be read and written in; errors name the limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from fivedice.errors import PaperError, quote

# A column needs 13 mm for three handwritten digits, and 20 mm in large print. The texts need the rest.
UPRIGHT_COLUMNS = 6  # more columns need landscape
MOST_COLUMNS = 12
MOST_COLUMNS_LARGE = 6
MOST_SHEETS = 12  # players with a sheet each
MOST_LEAVES = 24  # pages in one print; each takes a few tenths of a second


def most_columns(*, large: bool) -> int:
    return MOST_COLUMNS_LARGE if large else MOST_COLUMNS


def check_columns(count: int, things: Literal["games", "players"], *, large: bool) -> int:
    """Return a number of columns. Raise PaperError if they would be too narrow."""
    return _check(count, f"paper.columns-{things}{'-large' if large else ''}", most_columns(large=large))


def check_sheets(count: int) -> int:
    """Return a number of sheets. Raise PaperError if there are too many."""
    return _check(count, "paper.sheets", MOST_SHEETS)


def check_leaves(count: int) -> int:
    """Return a number of pages. Raise PaperError if there are too many."""
    if count > MOST_LEAVES:
        raise PaperError("paper.pages", count=count, most=MOST_LEAVES)
    return count


def _check(count: int, refusal: str, most: int) -> int:
    if type(count) is not int or not 1 <= count <= most:
        raise PaperError(refusal, most=most, count=quote(count))
    return count


TEXTS = ("document", "name", "date", "how")


class Paper(StrEnum):
    """The paper sizes of printers."""

    A4 = "a4"
    LETTER = "letter"


@dataclass(frozen=True, slots=True)
class Cell:
    """One field: its text, or room to write; and squares to tick for extra bonuses."""

    text: str = ""
    squares: int = 0
    ticks: int = 0  # how many of the squares are ticked


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the sheet across all columns.

    `kind` is that of a line of the card, or "ticks", "saved" or "match".
    """

    kind: str
    label: str
    cells: tuple[Cell, ...] = ()
    how: str = ""  # how to score, in a few words
    minimum: str = ""  # the points for an even course to the bonus
    face: int | None = None  # the face of an upper box, drawn as a die


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that stay together, such as a section."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: a game or a player. Without text it is a line to write a name on."""

    text: str = ""
    note: str = ""  # "winner"


@dataclass(frozen=True, slots=True)
class Leaf:
    """The page of one player, or of one game. `name` is None if the heads are the names."""

    name: str | None
    date: str
    heads: tuple[Head, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class SheetModel:
    """Everything that is printed."""

    title: str
    hint: str
    large: bool
    paper: Paper
    landscape: bool
    has_minimum: bool
    leaves: tuple[Leaf, ...]
    texts: Mapping[str, str]  # the texts on every page: TEXTS, and "for-bonus" above the minimums
    language: str
    inks: str = ""  # of the faces: see `pip_inks`

    @property
    def columns(self) -> int:
        """Return the number of columns of the widest page."""
        return max(len(leaf.heads) for leaf in self.leaves)
