"""Examples for rules: dice for every box, the worked examples of the documents, and what house rules change.

Only differences are examined, and only a limited number of rolls: anyone may ask for this while typing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations_with_replacement, islice
from math import comb
from typing import Any

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.game.legality import Ruling, judge
from fivedice.core.rules import SHIPPED, Bonus, Box, Order, RuleBook
from fivedice.core.rules.rule_book import Label
from fivedice.message import Message, message

MOST_ROLLS = 500  # that are tried: enough for all rolls of five or six dice
MOST_BOXES = 6  # that are compared
MOST_EXAMPLES = 3  # of each kind
MOST_ROWS = 4
MOST_EXTRAS = 9  # extra bonuses in one game: more than anyone gets


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The score of a roll in one box by the other rules and by these; None: no such box, or not allowed."""

    box: Box | Label
    theirs: int | None
    ours: int | None

    @property
    def gap(self) -> int:
        return abs((self.ours or 0) - (self.theirs or 0))


@dataclass(frozen=True, slots=True)
class RollExample:
    """A roll that shows a difference."""

    roll: Roll
    rows: tuple[ScoreRow, ...]
    occasion: Message | None = None  # what the score sheet already has; None: it does not matter


def roll_examples(ours: RuleBook, theirs: RuleBook) -> tuple[RollExample, ...]:
    """Return rolls for boxes that differ, for extra bonuses and jokers, and for the order of the boxes."""
    if (ours.dice, ours.faces) != (theirs.dice, theirs.faces):
        return ()
    found = (*_of_boxes(ours, theirs), *_of_alike(ours, theirs), *_of_order(ours, theirs))
    return found[:MOST_EXAMPLES]


def _of_boxes(ours: RuleBook, theirs: RuleBook) -> Iterator[RollExample]:
    """Yield the rolls that show the differences; each time the one that shows most of what is left."""
    left = {box.key for box in ours.boxes if _essence(ours, box.key) != _essence(theirs, box.key)}
    left = set(sorted(left, key=lambda key: ours.index[key])[:MOST_BOXES])
    shown = {faces: _rows(ours, theirs, left, faces) for faces in _rolls(ours)} if left else {}
    while left:
        best = max(shown.items(), key=lambda item: _rate(item[1], left))
        rows = [row for row in best[1] if row.gap and _key(row) in left]
        if not rows:
            return
        yield RollExample(Roll(best[0]), tuple(rows[:MOST_ROWS]))
        left -= {_key(row) for row in rows}


def _rolls(book: RuleBook) -> Iterator[tuple[int, ...]]:
    """Yield up to `MOST_ROLLS` rolls from the whole range, and those with all dice the same."""
    count = comb(book.dice + book.faces - 1, book.dice)
    yield from islice(
        combinations_with_replacement(range(1, book.faces + 1), book.dice), 0, None, -(-count // MOST_ROLLS)
    )
    yield from ((face,) * book.dice for face in range(1, book.faces + 1))


def _rows(ours: RuleBook, theirs: RuleBook, keys: set[str], faces: tuple[int, ...]) -> list[ScoreRow]:
    boxes = ((ours.boxes[ours.index[key]], _box(theirs, key)) for key in keys)
    return [ScoreRow(box, None if other is None else other.plain(faces), box.plain(faces)) for box, other in boxes]


def _rate(rows: list[ScoreRow], left: set[str]) -> tuple[int, int]:
    gaps = [row.gap for row in rows if row.gap and _key(row) in left]
    return len(gaps), sum(gaps)


def _key(row: ScoreRow) -> str:
    return row.box.key if isinstance(row.box, Box) else ""


def _box(book: RuleBook, key: str) -> Box | None:
    return book.boxes[book.index[key]] if key in book.index else None


def _essence(book: RuleBook, key: str) -> object:
    box = _box(book, key)
    return None if box is None else (box.pattern.essence(), box.points)


def _of_alike(ours: RuleBook, theirs: RuleBook) -> Iterator[RollExample]:
    """Yield another five of a kind, with the box of its number open, and with it filled."""
    if ours.alike == theirs.alike or ours.alike_box is None or theirs.alike_box is None:
        return
    own, face = ours.boxes[ours.alike_box], ours.faces // 2
    roll = Roll((face,) * ours.dice)
    filled = tuple(box for box in ours.boxes if ours.face_boxes[face] >> ours.index[box.key] & 1)
    for boxes in ((own,), (own, *filled)) if filled else ((own,),):
        if all(box.key in theirs.index for box in boxes):
            rows = _compare_rulings(_card(ours, boxes), _card(theirs, boxes), roll)
            if rows:
                yield RollExample(roll, rows, message("web.example-filled", boxes=boxes, count=len(boxes)))


def _card(book: RuleBook, boxes: tuple[Box, ...]) -> Scorecard:
    """Return a card where these boxes have their highest scores, and all others are open."""
    held = {box.key for box in boxes}
    return Scorecard(book, tuple(book.highest(box) if box.key in held else None for box in book.boxes))


def _compare_rulings(ours: Scorecard, theirs: Scorecard, roll: Roll) -> tuple[ScoreRow, ...]:
    one, other = judge(ours, roll), judge(theirs, roll)
    now, before = one.legal, other.legal
    keys = _in_order(one) & _in_order(other)  # boxes closed by the order have their own example
    rows = [
        ScoreRow(ours.book.box(key), _points(before.get(key)), _points(now.get(key)))
        for key in ours.book.index
        if key in keys
    ]
    rows = sorted((row for row in rows if row.gap), key=lambda row: -row.gap)[: MOST_ROWS - 1]
    extra = ScoreRow(ours.book.sheet.label("extra"), other.bonus, one.bonus)
    return (*rows, extra) if extra.gap else tuple(rows)


def _in_order(ruling: Ruling) -> set[str]:
    return {key for key, place in ruling.card.book.index.items() if ruling.available >> place & 1}


def _points(entry: object) -> int | None:
    points: int | None = getattr(entry, "points", None)
    return points


def _of_order(ours: RuleBook, theirs: RuleBook) -> Iterator[RollExample]:
    """Yield a roll whose best box has to wait, on an empty sheet."""
    if ours.order is theirs.order or ours.order is Order.FREE:
        return
    closed = ours.full & ~ours.available(ours.full)
    waiting = [box for place, box in enumerate(ours.boxes) if closed >> place & 1 and box.key in theirs.index]
    shown = ((faces, box.plain(faces), box) for faces in _rolls(ours) for box in waiting[:MOST_BOXES])
    faces, points, box = max(shown, key=lambda each: each[1], default=((), 0, None))
    if box is not None and points:
        yield RollExample(Roll(faces), (ScoreRow(box, points, None),), message("web.example-empty"))


def other_examples(ours: RuleBook, theirs: RuleBook) -> tuple[Message, ...]:
    """Return examples that no roll shows: bonuses for totals, and saved rolls."""
    bonuses = [_of_bonus(bonus, ours, theirs) for bonus in ours.bonuses]
    examples = [each for each in bonuses if each is not None][:MOST_EXAMPLES]
    examples += _of_extra(ours, theirs)
    if ours.save_rolls and not theirs.save_rolls and ours.rolls > 1:
        examples.append(message("web.example-saved", rolls=2 * ours.rolls - 1))
    return tuple(examples)


def _of_extra(ours: RuleBook, theirs: RuleBook) -> Iterator[Message]:
    """Yield the first extra bonus with another amount, unless it is the very first: a roll shows that."""
    for number in range(1, MOST_EXTRAS + 1):
        now, then = (_extra(book, number) for book in (ours, theirs))
        if now != then:
            if number > 1:
                yield message("web.example-extra", number=number, now=now, then=then)
            return


def _extra(book: RuleBook, number: int) -> int:
    return 0 if book.alike is None else book.alike.pays(scored=True, before=number - 1)


def _of_bonus(bonus: Bonus, ours: RuleBook, theirs: RuleBook) -> Message | None:
    """Return the total at which the bonus differs most."""
    over = (bonus.section, frozenset(bonus.boxes))
    before = [each for each in theirs.bonuses if (each.section, frozenset(each.boxes)) == over]
    totals = [tier.threshold for each in (bonus, *before) for tier in each.tiers]
    paid = [(total, bonus.pays(total), sum(each.pays(total) for each in before)) for total in totals]
    total, now, then = max(paid, key=lambda each: abs(each[1] - each[2]))
    if now == then:
        return None
    name = ours.labels[bonus.role]
    return message("web.example-bonus", bonus=name, total=total, now=now, then=then)


def box_dice(book: RuleBook) -> dict[str, tuple[int, ...]]:
    """Return dice that score in each box: most of its number, or a roll that fits as few other boxes as possible."""
    rolls = [(faces, book.worth(Roll(faces)).plain) for faces in _rolls(book)]
    many = (book.dice + 1) // 2
    found = {}
    for place, box in enumerate(book.boxes):
        fitting = [(faces, plain) for faces, plain in rolls if plain[place]]
        face = getattr(box.pattern, "face", None)
        if face is not None:
            fitting = [each for each in fitting if each[0].count(face) == many] or fitting
        if fitting:
            found[box.key] = max(fitting, key=lambda each: (-sum(map(bool, each[1])), len(set(each[0])), each[0]))[0]
    return found


@cache
def _examples() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads((files("fivedice.core.rules") / "worked_examples.toml").read_text("utf-8"))


def worked_examples(book: RuleBook) -> list[dict[str, Any]]:
    """Return the examples of a book's document, each with its boxes; none for other books."""
    return [
        {"keeps": [], "filled": {}, "chosen": None, "extra": 0} | example
        for example in _examples().get(book.key, {}).values()
        if book.key in SHIPPED
    ]
