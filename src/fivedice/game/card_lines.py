"""A card as the lines of its sheet, in the order in which the document prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from fivedice.game.card import Scorecard, Totals
from fivedice.rules import Names, RuleBook, Section


class LineKind(StrEnum):
    """What a line of the sheet is, so that an edge can set it apart."""

    HEADING = "heading"
    BOX = "box"
    BONUS = "bonus"
    EXTRA = "extra"
    TOTAL = "total"
    GRAND = "grand"


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line: its label and, unless it is a heading or an open box, its number.

    `role` is the key of the box, or the line of `[sheet]` in the file, such as "upper_total". The grand total stands
    below the last section.
    """

    kind: LineKind
    section: Section
    role: str
    name: str  # in the book's own language
    value: int | None = None
    names: Names = field(default_factory=dict, compare=False, repr=False)  # in other languages

    @property
    def label(self) -> str:
        return self.name

    @property
    def box(self) -> str | None:
        """The key of the box, if this is the line of one."""
        return self.role if self.kind is LineKind.BOX else None


def sheet_lines(card: Scorecard) -> tuple[SheetLine, ...]:
    """The whole column of one player."""
    totals = card.totals
    return (*_upper(card, totals), *_lower(card, totals))


def _upper(card: Scorecard, totals: Totals) -> Iterator[SheetLine]:
    book = card.book
    if not book.upper:
        return
    yield _line(book, LineKind.HEADING, Section.UPPER, "upper")
    yield from _boxes(card, Section.UPPER)
    yield _line(book, LineKind.TOTAL, Section.UPPER, "upper_total", totals.upper)
    if book.bonus is not None:
        yield _line(book, LineKind.BONUS, Section.UPPER, "bonus", totals.bonus)
        yield _line(book, LineKind.TOTAL, Section.UPPER, "upper_with_bonus", totals.upper_with_bonus)


def _lower(card: Scorecard, totals: Totals) -> Iterator[SheetLine]:
    book = card.book
    if book.upper != book.full:
        yield _line(book, LineKind.HEADING, Section.LOWER, "lower")
        yield from _boxes(card, Section.LOWER)
        if pays_extra(book):
            yield _line(book, LineKind.EXTRA, Section.LOWER, "extra", totals.extra)
        yield _line(book, LineKind.TOTAL, Section.LOWER, "lower_total", totals.lower)
    last = Section.UPPER if book.upper == book.full else Section.LOWER
    yield _line(book, LineKind.GRAND, last, "grand_total", totals.grand)


def _line(book: RuleBook, kind: LineKind, section: Section, role: str, value: int | None = None) -> SheetLine:
    label = book.labels[role]
    return SheetLine(kind, section, role, label.name, value, label.names)


def _boxes(card: Scorecard, section: Section) -> Iterator[SheetLine]:
    for box, points in zip(card.book.boxes, card.marks, strict=True):
        if box.section is section:
            yield SheetLine(LineKind.BOX, section, box.key, box.name, points, box.names)


def pays_extra(book: RuleBook) -> bool:
    return book.alike is not None and book.alike.extra > 0
