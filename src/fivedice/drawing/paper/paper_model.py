"""A sheet of paper as data. The PDF and the print view only render it.

It has no more than fits on paper and can be read and written in; errors name the limit. The short texts next to a row,
how to score and the minimum for the bonus, are derived from the rules. They are as short as on printed pads; if the
rules ask for the words of their card, they use those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Literal

from fivedice.core.game import LineKind, SheetLine
from fivedice.core.game.card import par
from fivedice.core.rules import (
    AlikePolicy,
    AllAlike,
    Anything,
    Bonus,
    Box,
    Captions,
    FaceSum,
    Groups,
    RuleBook,
    Run,
    Summed,
)
from fivedice.core.rules.book_facts import brief_rule
from fivedice.errors import PaperError, quote
from fivedice.message import Either, Message, Series, message
from fivedice.text import word

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


def tick_rule(policy: AlikePolicy) -> Message:
    """Say how often a square may be ticked."""
    if policy.most is None:
        return message("paper.tick-each-time")
    return message("paper.tick-once") if policy.most == 1 else message("paper.tick-up-to", most=policy.most)


def tick_points(policy: AlikePolicy) -> Message:
    """Say what the ticks are worth: always the same, in turn, or as the rules have it for the box."""
    amounts = sorted({*policy.extras, *(step.extra for step in policy.joker_steps if step.extra)} - {0})
    if policy.pays_by_step:
        return message("paper.tick-scores-each", points=Either(tuple(amounts)))
    if policy.rising:
        return message("paper.tick-scores-in-turn", points=Series(policy.extras))
    return message("paper.tick-scores" if policy.most == 1 else "paper.tick-scores-each", points=policy.extra)


def describe_line(book: RuleBook, line: SheetLine) -> tuple[str, str]:
    """Return how to score a line, and its minimum for the bonus."""
    if line.box is not None:
        box = book.box(line.box)
        least = ceil(par(book, box))  # rounded up, so that the minimums together never fall short
        return str(_describe_box(box, book)), str(least) if least else ""
    if line.kind is LineKind.BONUS:
        return _describe_bonus(book, find_bonus(book, line)), ""
    if line.kind is LineKind.EXTRA and book.alike is not None:
        return str(tick_points(book.alike)), ""
    if line.role == "upper_total" and book.bonus is not None:
        return "", str(book.bonus.threshold)
    return "", ""


def minimum_heading(book: RuleBook) -> str:
    """Return the heading of the minimums."""
    return word("paper.card-minimum" if _has_card_words(book) else "paper.for-bonus")


def find_bonus(book: RuleBook, line: SheetLine) -> Bonus:
    """Return the bonus of a line."""
    return next(bonus for bonus in book.bonuses if bonus.role == line.role)


def _has_card_words(book: RuleBook) -> bool:
    return book.sheet.captions is Captions.CARD


def _describe_box(box: Box, book: RuleBook) -> Message:
    return (_box_on_card(box, book) if _has_card_words(book) else None) or brief_rule(box, book)


def _box_on_card(box: Box, book: RuleBook) -> Message | None:
    """Return the words of the printed card for a box, or None if the card has no such box."""
    match box.pattern, box.points:
        case FaceSum(), Summed.MATCHING:
            return message("paper.card-count", box=box)
        case Groups(sizes=(_,), one_colour=False), Summed.ALL:
            return message("paper.card-all-dice")
        case Groups(sizes=(3, 2), one_colour=False), int(points):
            return message("rules.brief-fixed-alone", points=points)
        case Run(length=length), int(points):
            return message("paper.card-sequence", length=length, points=points)
        case AllAlike(), int(points):
            return message("paper.card-alike", dice=book.dice, points=points)
        case Anything(), Summed.ALL:
            return message("paper.card-any", dice=book.dice)
    return None


def _describe_bonus(book: RuleBook, bonus: Bonus) -> str:
    """Say what a bonus asks for and pays. The upper bonus needs no list of boxes."""
    if bonus.higher:
        tiers = [message("paper.tier", threshold=tier.threshold, points=tier.points) for tier in bonus.tiers]
        rule = message("paper.tiers", tiers=Series(tuple(tiers)))
    else:
        kind = "paper.card-bonus" if _has_card_words(book) and bonus is book.bonus else "paper.bonus"
        rule = message(kind, threshold=bonus.threshold, points=bonus.points)
    over = tuple(box for box in book.boxes if box.key in bonus.boxes)
    return word("paper.bonus-over", boxes=over, rule=rule) if over else str(rule)
