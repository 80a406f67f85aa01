"""A scorecard: what each box holds, and how many extra bonuses were paid beside it; its lines, and its pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from fivedice.dice import Roll, rolls
from fivedice.errors import IllegalCard, quote
from fivedice.message import Either, Message, Signed, message
from fivedice.rules import Box, Names, RuleBook, ScoreAs, Section

if TYPE_CHECKING:
    from fivedice.game.legality import Entry, Ruling


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums at the foot of a sheet, in the order in which the documents lay them out."""

    upper: int
    bonus: int
    upper_with_bonus: int
    lower_boxes: int  # the lower boxes alone
    extra: int  # the extra bonuses beside them
    lower: int
    grand: int


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One player's column. `marks` follows the order of the sheet; None is an open box."""

    book: RuleBook
    marks: tuple[int | None, ...]
    bonuses: int = 0

    @classmethod
    def empty(cls, book: RuleBook) -> Scorecard:
        return cls(book, (None,) * len(book.boxes))

    @classmethod
    def of(cls, book: RuleBook, marks: Mapping[str, int], bonuses: int = 0) -> Scorecard:
        """A card from its filled boxes, checked: `Scorecard.of(book, {"fours": 12}, bonuses=0)`.

        A zero is accepted in every box; other points must be some that the box can give.
        """
        held: list[int | None] = [None] * len(book.boxes)
        for name, points in marks.items():
            place = book.index[book.box(name).key]
            if held[place] is not None:
                raise IllegalCard("game.filled-twice", box=book.boxes[place], entry=quote(name))
            held[place] = _checked_points(book, place, points)
        card = cls(book, tuple(held), bonuses)
        _check_bonuses(card)
        _check_order(card)
        return card

    @property
    def filled(self) -> int:
        """The mask of filled boxes."""
        return sum(1 << place for place, points in enumerate(self.marks) if points is not None)

    @property
    def is_full(self) -> bool:
        return None not in self.marks

    @property
    def alike_scored(self) -> bool:
        """Whether the box for all dice alike holds points now."""
        place = self.book.alike_box
        return place is not None and bool(self.marks[place])

    @property
    def upper_total(self) -> int:
        return self._sum(Section.UPPER)

    @property
    def upper_bonus(self) -> int:
        bonus = self.book.bonus
        return bonus.points if bonus is not None and self.upper_total >= bonus.threshold else 0

    @property
    def extra_total(self) -> int:
        return self.bonuses * self.book.alike.extra if self.book.alike is not None else 0

    @property
    def lower_total(self) -> int:
        """The lower boxes with the extra bonuses."""
        return self._sum(Section.LOWER) + self.extra_total

    @property
    def total(self) -> int:
        return self.upper_total + self.upper_bonus + self.lower_total

    @property
    def totals(self) -> Totals:
        upper, bonus, boxes = self.upper_total, self.upper_bonus, self._sum(Section.LOWER)
        lower = boxes + self.extra_total
        return Totals(upper, bonus, upper + bonus, boxes, self.extra_total, lower, upper + bonus + lower)

    def held(self, box: str) -> int | None:
        """What a box holds, or None while it is open."""
        return self.marks[self.book.index[self.book.box(box).key]]

    def ruling(self, roll: Roll) -> Ruling:
        """Every box with its points or the reason why it is closed."""
        from fivedice.game.legality import judge  # legality reads cards, so it comes after them

        return judge(self, roll)

    def options(self, roll: Roll) -> dict[str, Entry]:
        """The legal boxes for this roll and what each would be worth."""
        return self.ruling(roll).legal

    def write(self, place: int, points: int, *, bonus: bool) -> Scorecard:
        """The card with one more box filled. Asks no questions: legality has been asked before."""
        marks = (*self.marks[:place], points, *self.marks[place + 1 :])
        return replace(self, marks=marks, bonuses=self.bonuses + bonus)

    def _sum(self, section: Section) -> int:
        boxes = zip(self.book.boxes, self.marks, strict=True)
        return sum(points for box, points in boxes if points and box.section is section)


def _checked_points(book: RuleBook, place: int, points: object) -> int:
    if type(points) is int and (points == 0 or points in possible_points(book, place)):
        return points
    possible = Either(tuple(sorted(possible_points(book, place) | {0})))
    raise IllegalCard("game.impossible-points", box=book.boxes[place], points=quote(points), possible=possible)


@lru_cache(maxsize=1024)
def possible_points(book: RuleBook, place: int) -> frozenset[int]:
    """Everything that some roll scores in this box, by itself or, where the book has one, as a joker."""
    worths = [book.worth(roll) for roll in rolls(book.dice, book.faces)]
    plain = {worth.plain[place] for worth in worths}
    return frozenset(plain | {worth.joker[place] for worth in worths} if _has_joker(book) else plain)


def _has_joker(book: RuleBook) -> bool:
    return book.alike is not None and any(step.worth is ScoreAs.JOKER for step in book.alike.joker_steps)


def _check_bonuses(card: Scorecard) -> None:
    """Each extra bonus came with a roll that filled another box, while the box held its points."""
    count, policy = card.bonuses, card.book.alike
    if type(count) is not int or count < 0:
        raise IllegalCard("game.bad-number-of-extras", count=quote(count))
    if count == 0:
        return
    if policy is None or policy.extra == 0:
        raise IllegalCard("game.no-extras", book=card.book, count=count)
    if not card.alike_scored:
        raise IllegalCard("game.extra-needs-points", box=card.book.box(policy.box))
    most = min(card.filled.bit_count() - 1, count if policy.repeat else 1)
    if count > most:
        raise IllegalCard("game.too-many-extras", count=count, most=most)


def _check_order(card: Scorecard) -> None:
    """Where boxes are filled from the top, no open box may stand above a filled one."""
    filled = [points is not None for points in card.marks]
    if card.book.fixed_order and sorted(filled, reverse=True) != filled:
        raise IllegalCard("game.gap", book=card.book, box=card.book.boxes[filled.index(False)])


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


class BonusStatus(StrEnum):
    """Where the bonus stands."""

    REACHED = "reached"
    OPEN = "open"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Pace:
    """How far ahead of an even course to the bonus a card is; negative is behind."""

    status: BonusStatus
    ahead: int

    @property
    def message(self) -> Message:
        """In a word: +3, on pace, out of reach."""
        if self.status is BonusStatus.OPEN:
            ahead = message("game.bonus-ahead", ahead=Signed(self.ahead))
            return ahead if self.ahead else message("game.bonus-on-pace")
        return message("game.bonus-reached" if self.status is BonusStatus.REACHED else "game.bonus-lost")

    def __str__(self) -> str:
        return str(self.message)


def bonus_pace(card: Scorecard) -> Pace | None:
    """The pace of a card, or None where the book has no bonus."""
    bonus = card.book.bonus
    if bonus is None:
        return None
    upper = [(box, points) for box, points in zip(card.book.boxes, card.marks, strict=True) if _counts(box)]
    ahead = round(sum(points - par(card.book, box) for box, points in upper if points is not None))
    if card.upper_total >= bonus.threshold:
        return Pace(BonusStatus.REACHED, ahead)
    most = card.upper_total + sum(card.book.highest(box) for box, points in upper if points is None)
    return Pace(BonusStatus.OPEN if most >= bonus.threshold else BonusStatus.LOST, ahead)


def par(book: RuleBook, box: Box) -> float:
    """What a box gives on an even course: the same number of dice in every upper box."""
    return _pars(book).get(box.key, 0)


@lru_cache(maxsize=256)  # every view of every table asks; house books come and go
def _pars(book: RuleBook) -> dict[str, float]:
    """The par of every box that counts towards the bonus."""
    if book.bonus is None:
        return {}
    upper = {box.key: book.highest(box) for box in book.boxes if _counts(box)}
    return {key: book.bonus.threshold * highest / sum(upper.values()) for key, highest in upper.items()}


def _counts(box: Box) -> bool:
    return box.section is Section.UPPER
