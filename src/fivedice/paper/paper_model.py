"""A sheet of paper as data. The PDF and the print view are two renderings of it, and decide nothing.

It holds what fits on paper and can still be read and written in; refusals name the limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from fivedice.errors import PaperError, quote

# A column needs 13 mm for three digits by hand, and 20 mm in large print; the words beside them need the rest.
UPRIGHT_COLUMNS = 6  # more are laid on paper that is turned sideways
MOST_COLUMNS = 12
MOST_COLUMNS_LARGE = 6
MOST_SHEETS = 12  # players with a sheet each
MOST_LEAVES = 24  # in one print, so that it never takes long: a leaf is set in a few tenths of a second


def most_columns(*, large: bool) -> int:
    return MOST_COLUMNS_LARGE if large else MOST_COLUMNS


def checked_columns(count: int, things: Literal["games", "players"], *, large: bool) -> int:
    """A number of columns that somebody asked for, refused if they would be too narrow."""
    return _checked(count, f"paper.columns-{things}{'-large' if large else ''}", most_columns(large=large))


def checked_sheets(count: int) -> int:
    return _checked(count, "paper.sheets", MOST_SHEETS)


def checked_leaves(count: int) -> int:
    """Filled sheets take as many leaves as they need, within reason."""
    if count > MOST_LEAVES:
        raise PaperError("paper.pages", count=count, most=MOST_LEAVES)
    return count


def _checked(count: int, refusal: str, most: int) -> int:
    if type(count) is not int or not 1 <= count <= most:
        raise PaperError(refusal, most=most, count=quote(count))
    return count


TEXTS = ("document", "name", "date", "how")


class Paper(StrEnum):
    """The sizes of paper that printers hold."""

    A4 = "a4"
    LETTER = "letter"


@dataclass(frozen=True, slots=True)
class Cell:
    """One field: what stands in it, or room to write; and, where extras are counted, squares to tick."""

    text: str = ""
    squares: int = 0
    ticks: int = 0  # how many of the squares are ticked


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the sheet across all columns. `kind`: that of a line of the card, "ticks", "saved" or "match"."""

    kind: str
    label: str
    cells: tuple[Cell, ...] = ()
    how: str = ""  # how to score, in a few words
    minimum: str = ""  # what an even course to the bonus needs here
    face: int | None = None  # the face that an upper box counts, to be drawn as a die


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that stay together: the upper section, the lower section."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: a game or a player; without text it is a line to write a name on."""

    text: str = ""
    note: str = ""  # "winner"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What belongs to one player, or one round of players. `name` is None where the heads are the names."""

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
    texts: Mapping[str, str]  # what stands on every page: TEXTS, and "for-bonus" above the minimums
    language: str

    @property
    def columns(self) -> int:
        """The columns of the widest leaf."""
        return max(len(leaf.heads) for leaf in self.leaves)
