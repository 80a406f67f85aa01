"""The rows of a sheet, from the lines of its cards: `game.card` says which there are.

The few words beside each line are chosen by the data of the book, as short as printed pads have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from fivedice.game import LineKind, Scorecard, SheetLine, sheet_lines
from fivedice.game.card import par
from fivedice.message import Message, message
from fivedice.paper.paper_model import Block, Cell, Row
from fivedice.rules import FaceSum, RuleBook, Section, Summed
from fivedice.rules.book_facts import brief_rule
from fivedice.words import name_of, word


def tick_rule(book: RuleBook) -> Message:
    """How often a square may be ticked."""
    return message("paper.tick-each-time" if _repeats(book) else "paper.tick-once")


def tick_points(book: RuleBook) -> Message:
    extra = 0 if book.alike is None else book.alike.extra
    return message("paper.tick-scores-each" if _repeats(book) else "paper.tick-scores", points=extra)


def _repeats(book: RuleBook) -> bool:
    return book.alike is not None and book.alike.repeat


def foot(book: RuleBook) -> tuple[Message, ...]:
    """The line at the foot of the sheet."""
    found = [_way_to_bonus(book), message("paper.in-order") if book.fixed_order else None]
    return tuple(filter(None, found))


def _way_to_bonus(book: RuleBook) -> Message | None:
    if book.bonus is None:
        return None
    threshold, points = book.bonus.threshold, book.bonus.points
    each = _dice_of_each(book, threshold)
    if each is None:
        return message("paper.bonus-from", threshold=threshold, points=points)
    return message("paper.way-to-bonus", each=each, threshold=threshold, points=points)


def _dice_of_each(book: RuleBook, threshold: int) -> int | None:
    """How many dice of every face reach the bonus exactly, where such a number exists."""
    upper = [box for box in book.boxes if box.section is Section.UPPER]
    faces = [box.pattern.face for box in upper if isinstance(box.pattern, FaceSum) and box.points is Summed.MATCHING]
    if len(faces) < len(upper) or threshold % sum(faces):
        return None
    return threshold // sum(faces)


USUAL_SQUARES = 4  # further ticks are squeezed in, as the documents say


def blocks(cards: Sequence[Scorecard], *, match: bool) -> tuple[Block, ...]:
    """The sections of a sheet with one column a card; `match` adds a line for the total of all columns."""
    rows = [*_rows(cards), *([_match_row(cards)] if match else [])]
    starts = [place for place, row in enumerate(rows) if row.kind == LineKind.HEADING]
    ends = [*starts[1:], len(rows)]
    return tuple(Block(tuple(rows[start:end])) for start, end in zip(starts, ends, strict=True))


def _rows(cards: Sequence[Scorecard]) -> Iterator[Row]:
    book = cards[0].book
    for lines in zip(*map(sheet_lines, cards), strict=True):
        line = lines[0]
        if line.kind is LineKind.EXTRA:
            yield _ticks_row(book, name_of(line), cards)
        summed = _summed(book, line)
        cells = tuple(_cell(each, card, summed) for each, card in zip(lines, cards, strict=True))
        yield _row(book, line, () if line.kind is LineKind.HEADING else cells)


def _summed(book: RuleBook, line: SheetLine) -> int:
    """The mask of the boxes that a line adds up."""
    if line.kind is LineKind.GRAND:
        return book.full
    return book.upper if line.section is Section.UPPER else book.full & ~book.upper


def _cell(line: SheetLine, card: Scorecard, summed: int) -> Cell:
    """A sum stays blank until everything in it is known, so that a game can be finished by hand."""
    open_still = line.value is None or (line.kind is not LineKind.BOX and card.filled & summed != summed)
    return Cell() if open_still else Cell(str(line.value))


def _row(book: RuleBook, line: SheetLine, cells: tuple[Cell, ...]) -> Row:
    how, minimum = _beside(book, line)
    face = None
    if line.box is not None:
        pattern = book.box(line.box).pattern
        face = pattern.face if isinstance(pattern, FaceSum) else None
    label = word("paper.tick-points") if line.kind is LineKind.EXTRA else name_of(line)
    return Row(str(line.kind), label, cells, how, minimum, face)


def _beside(book: RuleBook, line: SheetLine) -> tuple[str, str]:
    """How to score, and the minimum for the bonus."""
    if line.box is not None:
        box = book.box(line.box)
        least = ceil(par(book, box))  # rounded up, so that the minimums together never fall short
        return str(brief_rule(box, book)), str(least) if least else ""
    if line.kind is LineKind.BONUS and book.bonus is not None:
        return word("paper.bonus", threshold=book.bonus.threshold, points=book.bonus.points), ""
    if line.kind is LineKind.EXTRA:
        return str(tick_points(book)), ""
    if line.role == "upper_total" and book.bonus is not None:
        return "", str(book.bonus.threshold)
    return "", ""


def _ticks_row(book: RuleBook, label: str, cards: Sequence[Scorecard]) -> Row:
    repeat = book.alike is not None and book.alike.repeat
    usual = USUAL_SQUARES if repeat else 1
    cells = tuple(Cell(squares=max(usual, card.bonuses), ticks=card.bonuses) for card in cards)
    return Row("ticks", label, cells, str(tick_rule(book)))


def _match_row(cards: Sequence[Scorecard]) -> Row:
    """One field below all columns."""
    known = all(card.is_full for card in cards)
    text = str(sum(card.total for card in cards)) if known else ""
    return Row("match", word("paper.all-games"), (Cell(text),))
