"""A scorecard: the points in each box, the extra bonuses, the totals, the lines of the sheet, and the bonus pace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache, reduce
from itertools import compress
from operator import itemgetter, or_
from typing import TYPE_CHECKING, TypeAlias

from fivedice.core.dice import AnyDice, Roll, rolls
from fivedice.core.rules import AlikePolicy, AnyBook, Box, Names, RuleBook, Section, Tier, book as find_book
from fivedice.errors import IllegalCard, quote
from fivedice.message import Either, Message, Signed, message

if TYPE_CHECKING:
    from fivedice.core.game.legality import Entry, Ruling


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums at the foot of a sheet, in the order in which score sheets print them."""

    upper: int
    bonus: int  # the bonuses below the upper section
    upper_with_bonus: int
    lower_boxes: int
    extra: int  # the extra bonuses
    lower: int
    grand: int
    bonuses: tuple[int, ...] = ()  # all bonuses of the rules, in both sections


@dataclass(frozen=True, slots=True, repr=False)
class Scorecard:
    """One player's column of the score sheet, as a frozen value.

    `marks` has the points of each box in the order of the sheet, and None for an open one. `bonuses` counts the extra
    bonuses that were paid. `saved` is the number of rolls saved for later turns. `extra` is the sum of the extra
    bonuses, needed only if steps of the joker rules pay different amounts. `Scorecard(...)` does not check these: use
    `of`.

    >>> card = fd.Scorecard.of("yahtzee", {"fours": 12, "full_house": 25})
    >>> card.total, card.held("fours"), card.held("chance")
    (37, 12, None)
    """

    book: RuleBook
    marks: tuple[int | None, ...]
    bonuses: int = 0
    saved: int = 0  #: rolls saved for later turns, before the current turn
    extra: int | None = None  #: the sum of the extra bonuses, if their number does not determine it
    filled: int = field(init=False, compare=False, repr=False)  #: the mask of filled boxes

    def __post_init__(self) -> None:
        object.__setattr__(self, "book", find_book(self.book))  # programs may give a key
        filled = sum(1 << place for place, points in enumerate(self.marks) if points is not None)
        object.__setattr__(self, "filled", filled)

    @classmethod
    def empty(cls, book: AnyBook) -> Scorecard:
        """Return a card with all boxes open. `book` is a key, the path of a .toml file or a `RuleBook`.

        Raise UnknownBook for another key, BookError for a file that cannot be played, MalformedError for anything else.

        >>> fd.Scorecard.empty("yahtzee").total
        0
        """
        rules = find_book(book)
        return cls(rules, (None,) * len(rules.boxes))

    @classmethod
    def of(
        cls, book: AnyBook, marks: Mapping[str, int], bonuses: int = 0, *, saved: int = 0, extra: int | None = None
    ) -> Scorecard:
        """Return a card with these boxes filled, after checking that a game can lead to it.

        `marks` maps boxes (key, code or name) to points. `bonuses`, `saved` and `extra` are as in the class. Raise
        IllegalCard for points that the box cannot have, IllegalError for an unknown box.

        >>> fd.Scorecard.of("yahtzee", {"fours": 12, "yz": 50}, bonuses=1).total
        162
        """
        rules = find_book(book)
        held: list[int | None] = [None] * len(rules.boxes)
        for name, points in marks.items():
            place = rules.place(name)
            if held[place] is not None:
                raise IllegalCard("game.filled-twice", box=rules.boxes[place], entry=quote(name))
            held[place] = _check_points(rules, place, points)
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
        """Return the sheet as text, for people to read."""
        from fivedice.core.game.sheet_shown import sheet_text  # a late import: it imports this module

        return sheet_text((self,), ("",))

    def _repr_svg_(self) -> str:
        from fivedice.core.game.sheet_shown import card_svg

        return card_svg(self)

    @property
    def is_full(self) -> bool:
        """Return whether all boxes are filled.

        >>> fd.Scorecard.empty("yahtzee").is_full
        False
        """
        return None not in self.marks

    @property
    def alike_scored(self) -> bool:
        """Return whether the box for all dice the same has points, which an extra bonus requires.

        >>> fd.Scorecard.of("yahtzee", {"yahtzee": 50}).alike_scored
        True
        """
        place = self.book.alike_box
        return place is not None and bool(self.marks[place])

    @property
    def upper_total(self) -> int:
        """Return the sum of the upper boxes without their bonus.

        >>> fd.Scorecard.of("yahtzee", {"fours": 12, "chance": 20}).upper_total
        12
        """
        return sum(filter(None, compress(self.marks, self.book.in_upper)))

    @property
    def upper_bonus(self) -> int:
        """Return the bonuses that the sheet shows below the upper section.

        >>> fd.Scorecard.of("yahtzee", {"sixes": 24, "fives": 20, "fours": 16, "threes": 9}).upper_bonus
        35
        """
        return self.totals.bonus

    @property
    def bonus_total(self) -> int:
        """Return the sum of all bonuses that are paid for totals of boxes.

        >>> fd.Scorecard.of("yahtzee", {"sixes": 24, "fives": 20, "fours": 16, "threes": 9}).bonus_total
        35
        """
        return sum(self.totals.bonuses)

    @property
    def extra_total(self) -> int:
        """Return the sum of the extra bonuses for further dice all the same.

        >>> fd.Scorecard.of("yahtzee", {"yahtzee": 50, "fours": 20}, bonuses=1).extra_total
        100
        """
        if self.extra is not None:
            return self.extra
        return 0 if self.book.alike is None else self.book.alike.paid(self.bonuses)

    def counted(self, mask: int) -> int:
        """Return the points of the boxes in a mask: bit i stands for the i-th box of the sheet.

        >>> fd.Scorecard.of("yahtzee", {"aces": 3, "fours": 12}).counted(0b1001)
        15
        """
        return sum(points for place, points in enumerate(self.marks) if points and mask >> place & 1)

    @property
    def lower_total(self) -> int:
        """Return the sum of the lower section, with its bonuses and the extra bonuses.

        >>> fd.Scorecard.of("yahtzee", {"fours": 12, "chance": 20}).lower_total
        20
        """
        return self.totals.lower

    @property
    def total(self) -> int:
        """Return the grand total, with all bonuses.

        >>> fd.Scorecard.of("yahtzee", {"fours": 12, "chance": 20}).total
        32
        """
        return self.totals.grand

    @property
    def totals(self) -> Totals:
        """Return all sums at the foot of the sheet.

        >>> fd.Scorecard.of("yahtzee", {"fours": 12, "chance": 20}).totals.grand
        32
        """
        return _compute_totals(self)

    def paid(self, upper: int) -> tuple[int, ...]:
        """Return the points of each bonus of the rules, given the upper total.

        >>> fd.Scorecard.empty("yahtzee").paid(63)
        (35,)
        """
        book = self.book
        first = () if book.bonus is None else (book.bonus.pays(upper),)
        if not book.more_bonuses:
            return first
        return *first, *(bonus.pays(self.counted(book.bonus_mask(bonus))) for bonus in book.more_bonuses)

    def held(self, box: str) -> int | None:
        """Return the points in a box (key, code or name), or None if it is open. Raise IllegalError for an unknown box.

        >>> fd.Scorecard.of("yahtzee", {"fours": 12}).held("Fours")
        12
        """
        return self.marks[self.book.place(box)]

    def ruling(self, roll: AnyDice) -> Ruling:
        """Return which boxes a roll may fill, their points, and why the others are closed.

        Raise MalformedError if `roll` is not a roll, IllegalError if the rules have other dice.

        >>> "chance" in fd.Scorecard.empty("yahtzee").ruling("24466")
        True
        """
        from fivedice.core.game.legality import judge  # a late import: it imports this module

        return judge(self, Roll.read(roll))

    def options(self, roll: AnyDice) -> dict[str, Entry]:
        """Return the legal boxes for a roll by key, each with the points it would score. It raises as `ruling` does.

        >>> fd.Scorecard.empty("yatzy").options("24466")["two_pairs"].points
        20
        """
        return self.ruling(roll).legal

    def write(self, place: int, points: int, *, bonus: int, saved: int = 0) -> Scorecard:
        """Return the card with one more box filled, an extra bonus paid and rolls saved. Legality is not checked.

        `place` is the place of the box on the sheet, from 0. `Game.mark` checks, and is what programs usually need.

        >>> fd.Scorecard.empty("yahtzee").write(0, 3, bonus=0)
        <Scorecard yahtzee 1s:3>
        """
        book = self.book
        by_step = bonus and book.alike is not None and book.alike.pays_by_step
        return Scorecard(
            book,
            (*self.marks[:place], points, *self.marks[place + 1 :]),
            self.bonuses + (bonus > 0),
            saved if book.save_rolls else 0,
            self.extra_total + bonus if by_step else self.extra,
        )


@lru_cache(maxsize=4096)  # a move changes one card, and every view of a table needs all totals
def _compute_totals(card: Scorecard) -> Totals:
    book, upper, extra = card.book, card.upper_total, card.extra_total
    paid = card.paid(upper)
    above = sum(compress(paid, book.bonus_above))
    boxes = sum(filter(None, card.marks)) - upper
    lower = boxes + extra + sum(paid) - above
    return Totals(upper, above, upper + above, boxes, extra, lower, upper + above + lower, paid)


def _check_points(book: RuleBook, place: int, points: object) -> int:
    if type(points) is int and (points == 0 or points in possible_points(book, place)):
        return points
    possible = Either(tuple(sorted(possible_points(book, place) | {0})))
    raise IllegalCard("game.impossible-points", box=book.boxes[place], points=quote(points), possible=possible)


@lru_cache(maxsize=1024)
def possible_points(book: RuleBook, place: int) -> frozenset[int]:
    """Return all points that some roll scores in this box, on its own or as a joker."""
    worths = [book.worth(roll) for roll in rolls(book.dice, book.faces)]
    plain = {worth.plain[place] for worth in worths}
    alike = [roll for roll in rolls(book.dice, book.faces) if roll.alike is not None]
    kinds = set() if book.alike is None else {step.worth for step in book.alike.joker_steps}
    return frozenset(plain | {book.points_as(roll, kind)[place] for kind in kinds for roll in alike})


def _check_bonuses(card: Scorecard) -> None:
    """Raise IllegalCard unless a game can pay this number of extra bonuses.

    Each comes with a roll that fills another box while the box for all dice the same has points.
    """
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
    """Raise IllegalCard unless `extra` is a possible sum.

    It is required only if steps of the joker rules pay different amounts, and otherwise forbidden.
    """
    extra, policy = card.extra, card.book.alike
    if policy is None or not policy.pays_by_step or not card.bonuses:
        if extra is not None:
            raise IllegalCard("game.extra-follows", extra=quote(extra))
        return
    sums = possible_extras(policy, card.bonuses)
    if extra not in sums:
        possible = Either(tuple(sorted(sums)[:MOST_NAMED]))
        if extra is None:
            raise IllegalCard("game.missing-extra", count=card.bonuses, possible=possible)
        raise IllegalCard("game.bad-extra", count=card.bonuses, extra=quote(extra), possible=possible)


MOST_NAMED = 20  # sums that an error message lists


@lru_cache(maxsize=1024)
def possible_extras(policy: AlikePolicy, count: int) -> frozenset[int]:
    """Return all sums that this many extra bonuses can come to."""
    sums = 1  # bit n stands for the sum n: house rules may have too many sums for a set
    for before in range(count):
        each = {policy.pays(scored=True, before=before, step=step) for step in (None, *policy.joker_steps)} - {0}
        sums = reduce(or_, (sums << paid for paid in each), 0)
    return frozenset(place for place, bit in enumerate(reversed(f"{sums:b}")) if bit == "1")


def _check_saved(card: Scorecard) -> None:
    """Raise IllegalCard if more rolls are saved than the turns had: each turn needs at least one."""
    saved = card.saved
    most = card.filled.bit_count() * (card.book.rolls - 1) if card.book.save_rolls else 0
    if type(saved) is not int or not 0 <= saved <= most:
        raise IllegalCard("game.bad-saved-rolls", saved=quote(saved), most=most)


def _check_order(card: Scorecard) -> None:
    """Raise IllegalCard if the order of the boxes is a rule and the filled boxes break it."""
    filled, book = [points is not None for points in card.marks], card.book
    if book.fixed_order and sorted(filled, reverse=True) != filled:
        raise IllegalCard("game.gap", book=book, box=book.boxes[filled.index(False)])
    unfilled_upper = book.upper & ~card.filled
    if book.upper_first and unfilled_upper and card.filled & ~book.upper:
        first = next(box for place, box in enumerate(book.boxes) if unfilled_upper >> place & 1)
        raise IllegalCard("game.lower-too-early", book=book, box=first)


class LineKind(StrEnum):
    """The kind of a line of the sheet, for whatever displays it."""

    HEADING = "heading"
    BOX = "box"
    BONUS = "bonus"
    EXTRA = "extra"
    TOTAL = "total"
    GRAND = "grand"


Line: TypeAlias = tuple[LineKind, Section, str]  # the last is its role: see `SheetLine`


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a column: its label and its number, which is None for a heading or an open box.

    `role` is the key of the box, or the name of the line in `[sheet]` of the file, such as "upper_total". The grand
    total belongs to the last section.
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
        """Return the key of the box, or None if the line is not a box."""
        return self.role if self.kind is LineKind.BOX else None


def sheet_lines(card: Scorecard) -> tuple[SheetLine, ...]:
    """Return all lines of one player's column."""
    book, found = card.book, []
    for (kind, section, role), value in zip(layout(book), line_values(card), strict=True):
        named = book.boxes[book.index[role]] if kind is LineKind.BOX else book.labels[role]
        found.append(SheetLine(kind, section, role, named.name, value, named.names))
    return tuple(found)


def line_values(card: Scorecard) -> tuple[int | None, ...]:
    """Return the number in each line of the sheet, in the order of `layout`."""
    sums = card.totals
    found: tuple[int | None, ...] = _value_getter(card.book)(
        (*card.marks, sums.upper, sums.upper_with_bonus, sums.extra, sums.lower, sums.grand, *sums.bonuses, None)
    )
    return found


_SUMS = ("upper_total", "upper_with_bonus", "extra", "lower_total", "grand_total")


@lru_cache(maxsize=256)  # every view of a table needs it
def _value_getter(book: RuleBook) -> itemgetter[tuple[int | None, ...]]:
    return itemgetter(*line_places(book))


def line_places(book: RuleBook) -> tuple[int, ...]:
    """Return where `line_values` finds each line: boxes first, then sums and bonuses, then None for headings."""
    roles = (*_SUMS, *(bonus.role for bonus in book.bonuses))
    boxes, last = len(book.boxes), len(book.boxes) + len(roles)
    sums = {role: boxes + number for number, role in enumerate(roles)}
    return tuple(book.index[role] if kind is LineKind.BOX else sums.get(role, last) for kind, _, role in layout(book))


@lru_cache(maxsize=256)
def layout(book: RuleBook) -> tuple[Line, ...]:
    """Return the lines of a sheet from top to bottom, without names: equal rules may differ in those."""
    return (*_list_upper(book), *_list_lower(book))


def _list_upper(book: RuleBook) -> Iterator[Line]:
    if not book.upper:
        return
    yield LineKind.HEADING, Section.UPPER, "upper"
    yield from _list_boxes(book, Section.UPPER)
    yield LineKind.TOTAL, Section.UPPER, "upper_total"
    if any(book.bonus_above):
        yield from _list_bonuses(book, Section.UPPER)
        yield LineKind.TOTAL, Section.UPPER, "upper_with_bonus"


def _list_lower(book: RuleBook) -> Iterator[Line]:
    if book.upper != book.full:
        yield LineKind.HEADING, Section.LOWER, "lower"
        yield from _list_boxes(book, Section.LOWER)
        yield from _list_bonuses(book, Section.LOWER)
        if pays_extra(book):
            yield LineKind.EXTRA, Section.LOWER, "extra"
        yield LineKind.TOTAL, Section.LOWER, "lower_total"
    yield LineKind.GRAND, Section.UPPER if book.upper == book.full else Section.LOWER, "grand_total"


def _list_bonuses(book: RuleBook, section: Section) -> Iterator[Line]:
    below = (bonus for bonus in book.bonuses if book.bonus_section(bonus) is section)
    return ((LineKind.BONUS, section, bonus.role) for bonus in below)


def _list_boxes(book: RuleBook, section: Section) -> Iterator[Line]:
    return ((LineKind.BOX, section, box.key) for box in book.boxes if box.section is section)


def pays_extra(book: RuleBook) -> bool:
    return book.alike is not None and book.alike.pays_extra


class BonusStatus(StrEnum):
    """Whether the upper bonus is reached, still possible, or lost."""

    REACHED = "reached"
    OPEN = "open"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a card is ahead of an even course to the upper bonus; negative is behind."""

    status: BonusStatus
    ahead: int

    @property
    def message(self) -> Message:
        """Return the pace in a word: +3, on pace, out of reach."""
        if self.status is BonusStatus.OPEN:
            ahead = message("game.bonus-ahead", ahead=Signed(self.ahead))
            return ahead if self.ahead else message("game.bonus-on-pace")
        return message("game.bonus-reached" if self.status is BonusStatus.REACHED else "game.bonus-lost")

    def __str__(self) -> str:
        return str(self.message)


def bonus_pace(card: Scorecard) -> Pace | None:
    """Return the pace of a card, or None if the rules have no upper bonus."""
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
    """Return the next step of the upper bonus that the card has not reached, or None."""
    tiers = () if card.book.bonus is None else card.book.bonus.tiers
    return next((tier for tier in tiers if card.upper_total < tier.threshold), None)


def par(book: RuleBook, box: Box) -> float:
    """Return what a box gives on an even course: the same number of dice in every upper box."""
    return next((par for place, _, par in course(book) if book.boxes[place].key == box.key), 0)


@lru_cache(maxsize=256)  # every view of a table needs it
def course(book: RuleBook) -> tuple[tuple[int, int, float], ...]:
    """Return every box that counts towards the upper bonus: its place, the most it can have, and its par."""
    if book.bonus is None:
        return ()
    upper = [(place, book.highest(box)) for place, box in enumerate(book.boxes) if box.section is Section.UPPER]
    most = sum(highest for _, highest in upper)
    return tuple((place, highest, book.bonus.threshold * highest / most) for place, highest in upper)
