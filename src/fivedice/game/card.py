"""A scorecard: what each box holds, and how many extra bonuses were paid beside it; its lines, and its pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, reduce
from itertools import compress, repeat
from operator import itemgetter, or_
from typing import TYPE_CHECKING, TypeAlias

from fivedice.dice import AnyDice, Roll, rolls
from fivedice.errors import IllegalCard, quote
from fivedice.game.drafts import draft_of
from fivedice.message import Either, Message, Signed, message
from fivedice.rules import AlikePolicy, AnyBook, Box, Names, RuleBook, ScoreAs, Section, Tier, book as find_book

if TYPE_CHECKING:
    from fivedice.game.legality import Entry, Ruling


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums at the foot of a sheet, in the order in which the documents lay them out."""

    upper: int
    bonus: int  # those below the upper section
    upper_with_bonus: int
    lower_boxes: int  # the lower boxes alone
    extra: int  # the extra bonuses beside them
    lower: int
    grand: int
    bonuses: tuple[int, ...] = ()  # each of the book's, those below the lower section among them


@dataclass(frozen=True, slots=True, repr=False)
class Scorecard:
    """One player's column, as a value. `marks` follows the order of the sheet; None is an open box.

    >>> card = fd.Scorecard.of(fd.book("yahtzee"), {"fours": 12, "full_house": 25})
    >>> card.total, card.held("fours"), card.held("chance")
    (37, 12, None)
    """

    book: RuleBook
    marks: tuple[int | None, ...]
    bonuses: int = 0
    saved: int = 0  #: rolls kept for later, before the turn that is being played
    extra: int | None = None  #: what the bonuses came to, only where their number does not tell
    filled: int = field(init=False, compare=False, repr=False)  #: the mask of filled boxes: every roll asks

    def __post_init__(self) -> None:
        object.__setattr__(self, "filled", _mask_of(self.marks))

    @classmethod
    def empty(cls, book: AnyBook) -> Scorecard:
        """A card on which nothing is written."""
        rules = find_book(book)
        return cls(rules, (None,) * len(rules.boxes))

    @classmethod
    def of(
        cls, book: AnyBook, marks: Mapping[str, int], bonuses: int = 0, *, saved: int = 0, extra: int | None = None
    ) -> Scorecard:
        """A card from its filled boxes, checked: `Scorecard.of(book, {"fours": 12}, bonuses=0)`.

        A zero is accepted in every box; other points must be some that the box can give.
        """
        rules = find_book(book)
        held: list[int | None] = [None] * len(rules.boxes)
        for name, points in marks.items():
            place = rules.place(name)
            if held[place] is not None:
                raise IllegalCard("game.filled-twice", box=rules.boxes[place], entry=quote(name))
            held[place] = _checked_points(rules, place, points)
        card = cls(rules, tuple(held), bonuses, saved, extra)
        _check_bonuses(card)
        _check_extra(card)
        _check_saved(card)
        _check_order(card)
        return card

    def __repr__(self) -> str:
        marks = zip(self.book.boxes, self.marks, strict=True)
        held = ",".join(f"{box.code}:{points}" for box, points in marks if points is not None) or "-"
        rarely = f" bonuses={self.bonuses}" * bool(self.bonuses) + f" saved={self.saved}" * bool(self.saved)
        return f"<Scorecard {self.book.key} {held}{rarely}>"

    def __str__(self) -> str:
        """The sheet, to be read."""
        from fivedice.game.sheet_shown import sheet_text  # which reads cards, so it comes after them

        return sheet_text((self,), ("",))

    def _repr_svg_(self) -> str:
        from fivedice.game.sheet_shown import card_svg

        return card_svg(self)

    @property
    def is_full(self) -> bool:
        """Whether no box is open."""
        return None not in self.marks

    @property
    def alike_scored(self) -> bool:
        """Whether the box for all dice alike holds points now."""
        place = self.book.alike_box
        return place is not None and bool(self.marks[place])

    @property
    def upper_total(self) -> int:
        """The upper boxes without their bonus."""
        return sum(filter(None, compress(self.marks, self.book.in_upper)))

    @property
    def upper_bonus(self) -> int:
        """What the upper section has earned beside its boxes."""
        return self.totals.bonus

    @property
    def bonus_total(self) -> int:
        """All that is paid for totals of boxes."""
        return sum(self.totals.bonuses)

    @property
    def extra_total(self) -> int:
        """What further dice all alike have paid."""
        if self.extra is not None:
            return self.extra
        return 0 if self.book.alike is None else self.book.alike.paid(self.bonuses)

    def counted(self, mask: int) -> int:
        """The points of the boxes of a mask."""
        return sum(points for place, points in enumerate(self.marks) if points and mask >> place & 1)

    @property
    def lower_total(self) -> int:
        """The lower boxes with the extra bonuses."""
        return self.totals.lower

    @property
    def total(self) -> int:
        """The grand total, bonuses included."""
        return self.totals.grand

    @property
    def totals(self) -> Totals:
        """All sums at the foot of the sheet."""
        return _totals(self)

    def paid(self, upper: int) -> tuple[int, ...]:
        """What each bonus of the book pays."""
        book = self.book
        first = () if book.bonus is None else (book.bonus.pays(upper),)
        if not book.more_bonuses:
            return first
        return *first, *(bonus.pays(self.counted(book.bonus_mask(bonus))) for bonus in book.more_bonuses)

    def held(self, box: str) -> int | None:
        """What a box holds, or None while it is open."""
        return self.marks[self.book.place(box)]

    def ruling(self, roll: AnyDice) -> Ruling:
        """Every box with its points or the reason why it is closed."""
        from fivedice.game.legality import judge  # legality reads cards, so it comes after them

        return judge(self, Roll.read(roll))

    def options(self, roll: AnyDice) -> dict[str, Entry]:
        """The legal boxes for this roll, by key, and what each would be worth.

        >>> fd.Scorecard.empty("yatzy").options("24466")["two_pairs"].points
        20
        """
        return self.ruling(roll).legal

    def write(self, place: int, points: int, *, bonus: int, saved: int = 0) -> Scorecard:
        """The card with one more box filled, an extra paid and rolls left over. Asks no questions: legality did."""
        book, draft = self.book, _Draft()
        by_step = bonus and book.alike is not None and book.alike.pays_by_step
        draft.book = book
        draft.marks = (*self.marks[:place], points, *self.marks[place + 1 :])
        draft.bonuses = self.bonuses + (bonus > 0)
        draft.saved = saved if book.save_rolls else 0
        draft.extra = self.extra_total + bonus if by_step else self.extra
        draft.filled = self.filled | 1 << place
        draft.__class__ = Scorecard
        written: Scorecard = draft
        return written


_Draft = draft_of(Scorecard)


def _mask_of(marks: tuple[int | None, ...]) -> int:
    return sum(1 << place for place, points in enumerate(marks) if points is not None)


@lru_cache(maxsize=4096)  # a move changes one card, and all that is shown of a table asks
def _totals(card: Scorecard) -> Totals:
    book, upper, extra = card.book, card.upper_total, card.extra_total
    paid = card.paid(upper)
    above = sum(compress(paid, book.bonus_above))
    boxes = sum(filter(None, card.marks)) - upper
    lower = boxes + extra + sum(paid) - above
    return Totals(upper, above, upper + above, boxes, extra, lower, upper + above + lower, paid)


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
    alike = [roll for roll in rolls(book.dice, book.faces) if roll.alike is not None]
    return frozenset(plain | {book.points_as(roll, worth)[place] for worth in _jokers(book) for roll in alike})


def _jokers(book: RuleBook) -> set[ScoreAs]:
    return set() if book.alike is None else {step.worth for step in book.alike.joker_steps}


def _check_bonuses(card: Scorecard) -> None:
    """Each extra bonus came with a roll that filled another box, while the box held its points."""
    count, policy = card.bonuses, card.book.alike
    if type(count) is not int or count < 0:
        raise IllegalCard("game.bad-number-of-extras", count=quote(count))
    if count == 0:
        return
    if policy is None or not policy.pays_extra:
        raise IllegalCard("game.no-extras", book=card.book, count=count)
    if not card.alike_scored:
        raise IllegalCard("game.extra-needs-points", box=card.book.box(policy.box))
    most = min(card.filled.bit_count() - 1, count if policy.most is None else policy.most)
    if count > most:
        raise IllegalCard("game.too-many-extras", count=count, most=most)


def _check_extra(card: Scorecard) -> None:
    """Told just where the number of extra bonuses does not tell it, and then a sum that so many can come to."""
    extra, policy = card.extra, card.book.alike
    if policy is None or not policy.pays_by_step or not card.bonuses:
        if extra is not None:
            raise IllegalCard("game.extra-follows", extra=quote(extra))
        return
    sums = possible_extras(policy, card.bonuses)
    if extra not in sums:
        possible = Either(tuple(sorted(sums)[:MOST_NAMED]))
        raise IllegalCard("game.bad-extra", count=card.bonuses, extra=quote(extra), possible=possible)


MOST_NAMED = 20  # sums that an error lists


@lru_cache(maxsize=1024)
def possible_extras(policy: AlikePolicy, count: int) -> frozenset[int]:
    """What so many extra bonuses can come to."""
    sums = 1  # bit n stands for the sum n: a house may have so many that pairs of numbers would take seconds
    for before in range(count):
        each = {policy.pays(scored=True, before=before, step=step) for step in (None, *policy.joker_steps)} - {0}
        sums = reduce(or_, (sums << paid for paid in each), 0)
    return frozenset(place for place, bit in enumerate(reversed(f"{sums:b}")) if bit == "1")


def _check_saved(card: Scorecard) -> None:
    """A turn saves all its rolls but the first, at most."""
    saved = card.saved
    most = card.filled.bit_count() * (card.book.rolls - 1) if card.book.save_rolls else 0
    if type(saved) is not int or not 0 <= saved <= most:
        raise IllegalCard("game.bad-saved-rolls", saved=quote(saved), most=most)


def _check_order(card: Scorecard) -> None:
    """Where boxes are filled from the top, no open box may stand above a filled one."""
    filled, book = [points is not None for points in card.marks], card.book
    if book.fixed_order and sorted(filled, reverse=True) != filled:
        raise IllegalCard("game.gap", book=book, box=book.boxes[filled.index(False)])
    unfilled_upper = book.upper & ~card.filled
    if book.upper_first and unfilled_upper and card.filled & ~book.upper:
        first = next(box for place, box in enumerate(book.boxes) if unfilled_upper >> place & 1)
        raise IllegalCard("game.lower-too-early", book=book, box=first)


class LineKind(StrEnum):
    """What a line of the sheet is, so that an edge can set it apart."""

    HEADING = "heading"
    BOX = "box"
    BONUS = "bonus"
    EXTRA = "extra"
    TOTAL = "total"
    GRAND = "grand"


Line: TypeAlias = tuple[LineKind, Section, str]  # the last is its role: see below


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
    return tuple(map(_line, repeat(card.book), layout(card.book), line_values(card)))


def _line(book: RuleBook, line: Line, value: int | None) -> SheetLine:
    kind, section, role = line
    named = book.boxes[book.index[role]] if kind is LineKind.BOX else book.labels[role]
    return SheetLine(kind, section, role, named.name, value, named.names)


def line_values(card: Scorecard) -> tuple[int | None, ...]:
    """What each line of the sheet holds: for those who know its lines already."""
    sums = card.totals
    found: tuple[int | None, ...] = _places(card.book)(
        (*card.marks, sums.upper, sums.upper_with_bonus, sums.extra, sums.lower, sums.grand, *sums.bonuses, None)
    )
    return found


_SUMS = ("upper_total", "upper_with_bonus", "extra", "lower_total", "grand_total")


@lru_cache(maxsize=256)  # every view of every table asks
def _places(book: RuleBook) -> itemgetter[tuple[int | None, ...]]:
    return itemgetter(*line_places(book))


def line_places(book: RuleBook) -> tuple[int, ...]:
    """Where the values of the lines stand: the boxes in a row, the sums behind them, and nothing for a heading."""
    roles = (*_SUMS, *(bonus.role for bonus in book.bonuses))
    boxes, last = len(book.boxes), len(book.boxes) + len(roles)
    sums = {role: boxes + number for number, role in enumerate(roles)}
    return tuple(book.index[role] if kind is LineKind.BOX else sums.get(role, last) for kind, _, role in layout(book))


@lru_cache(maxsize=256)
def layout(book: RuleBook) -> tuple[Line, ...]:
    """The lines of a sheet from top to bottom, without names: books that differ in those alone are equal."""
    return (*_upper(book), *_lower(book))


def _upper(book: RuleBook) -> Iterator[Line]:
    if not book.upper:
        return
    yield LineKind.HEADING, Section.UPPER, "upper"
    yield from _boxes(book, Section.UPPER)
    yield LineKind.TOTAL, Section.UPPER, "upper_total"
    if any(book.bonus_above):
        yield from _bonuses(book, Section.UPPER)
        yield LineKind.TOTAL, Section.UPPER, "upper_with_bonus"


def _lower(book: RuleBook) -> Iterator[Line]:
    if book.upper != book.full:
        yield LineKind.HEADING, Section.LOWER, "lower"
        yield from _boxes(book, Section.LOWER)
        yield from _bonuses(book, Section.LOWER)
        if pays_extra(book):
            yield LineKind.EXTRA, Section.LOWER, "extra"
        yield LineKind.TOTAL, Section.LOWER, "lower_total"
    yield LineKind.GRAND, Section.UPPER if book.upper == book.full else Section.LOWER, "grand_total"


def _bonuses(book: RuleBook, section: Section) -> Iterator[Line]:
    below = (bonus for bonus in book.bonuses if book.bonus_section(bonus) is section)
    return ((LineKind.BONUS, section, bonus.role) for bonus in below)


def _boxes(book: RuleBook, section: Section) -> Iterator[Line]:
    return ((LineKind.BOX, section, box.key) for box in book.boxes if box.section is section)


def pays_extra(book: RuleBook) -> bool:
    return book.alike is not None and book.alike.pays_extra


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
    bonus, upper = card.book.bonus, card.upper_total
    if bonus is None:
        return None
    held = [(card.marks[place], highest, par) for place, highest, par in course(card.book)]
    ahead = round(sum(points - par for points, _, par in held if points is not None))
    if upper >= bonus.threshold:
        return Pace(BonusStatus.REACHED, ahead)
    most = upper + sum(highest for points, highest, _ in held if points is None)
    return Pace(BonusStatus.OPEN if most >= bonus.threshold else BonusStatus.LOST, ahead)


def next_tier(card: Scorecard) -> Tier | None:
    """The next step of the upper bonus that the card has not reached; None once there is none."""
    tiers = () if card.book.bonus is None else card.book.bonus.tiers
    return next((tier for tier in tiers if card.upper_total < tier.threshold), None)


def par(book: RuleBook, box: Box) -> float:
    """What a box gives on an even course: the same number of dice in every upper box."""
    return next((par for place, _, par in course(book) if book.boxes[place].key == box.key), 0)


@lru_cache(maxsize=256)  # every view of every table asks; house books come and go
def course(book: RuleBook) -> tuple[tuple[int, int, float], ...]:
    """Every box that counts towards the bonus, by its place: the most that it can hold, and its par."""
    if book.bonus is None:
        return ()
    upper = [(place, book.highest(box)) for place, box in enumerate(book.boxes) if box.section is Section.UPPER]
    most = sum(highest for _, highest in upper)
    return tuple((place, highest, book.bonus.threshold * highest / most) for place, highest in upper)
