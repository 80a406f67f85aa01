"""A card as the lines of its sheet, in the order in which the document prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fivedice.game.card import Scorecard
from fivedice.rules import RuleBook, Section


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
    """One line: its label and, unless it is a heading or an open box, its number."""

    kind: LineKind
    label: str
    value: int | None = None
    box: str | None = None


def sheet_lines(card: Scorecard) -> tuple[SheetLine, ...]:
    """The whole column of one player."""
    return (*_upper(card), *_lower(card))


def _upper(card: Scorecard) -> Iterator[SheetLine]:
    book, sheet, totals = card.book, card.book.sheet, card.totals
    if not book.upper:
        return
    yield SheetLine(LineKind.HEADING, sheet.upper)
    yield from _boxes(card, Section.UPPER)
    yield SheetLine(LineKind.TOTAL, sheet.upper_total, totals.upper)
    if book.bonus is not None:
        yield SheetLine(LineKind.BONUS, sheet.bonus, totals.bonus)
        yield SheetLine(LineKind.TOTAL, sheet.upper_with_bonus, totals.upper_with_bonus)


def _lower(card: Scorecard) -> Iterator[SheetLine]:
    book, sheet, totals = card.book, card.book.sheet, card.totals
    if book.upper != book.full:
        yield SheetLine(LineKind.HEADING, sheet.lower)
        yield from _boxes(card, Section.LOWER)
        if pays_extra(book):
            yield SheetLine(LineKind.EXTRA, sheet.extra, totals.extra)
        yield SheetLine(LineKind.TOTAL, sheet.lower_total, totals.lower)
    yield SheetLine(LineKind.GRAND, sheet.grand_total, totals.grand)


def _boxes(card: Scorecard, section: Section) -> Iterator[SheetLine]:
    for box, points in zip(card.book.boxes, card.marks, strict=True):
        if box.section is section:
            yield SheetLine(LineKind.BOX, box.name, points, box.key)


def pays_extra(book: RuleBook) -> bool:
    return book.alike is not None and book.alike.extra > 0
