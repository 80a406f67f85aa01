"""A rule book in words: messages derived from its data, so that they are true for house rules as well.

Two books can be compared, and each difference is a pair of messages. `book_data` gives a book as plain data for JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fivedice.core.rules.catalog import AnyBook, book as find_book
from fivedice.core.rules.joker_steps import ActiveWhen, FaceBox, JokerStep, TargetBoxes
from fivedice.core.rules.rule_book import Bonus, Box, Label, Order, RuleBook, Start, Summed, SumPlus
from fivedice.message import Message, Sentences, Series, message


@dataclass(frozen=True, slots=True)
class Fact:
    """One rule that affects play, other than the boxes."""

    topic: Message
    essence: object  # what affects play, for comparing two books
    value: Message  # the rule in words


def facts(book: AnyBook) -> tuple[Fact, ...]:
    """Return all rules that affect play, other than the boxes. `book` is a key, a path or a `RuleBook`."""
    book = find_book(book)
    policy, extra, joker = book.alike, None, None
    if policy is not None and policy.pays_extra:  # amounts that a joker step pays are compared with the step
        extra = policy.box, policy.extras, policy.most
    if policy is not None and policy.joker_steps:
        joker = policy.box, policy.applies, policy.joker_steps
    more = {(bonus.section, frozenset(bonus.boxes), bonus.tiers) for bonus in book.more_bonuses}
    dice = message("rules.dice", dice=book.dice, faces=book.faces)
    rolls = message("rules.rolls-saved" if book.save_rolls else "rules.rolls", rolls=book.rolls)
    return (
        Fact(message("rules.topic-dice"), (book.dice, book.faces), dice),
        Fact(message("rules.topic-rolls"), (book.rolls, book.save_rolls), rolls),
        Fact(message("rules.topic-order"), book.order, message(_ORDER[book.order])),
        Fact(message("rules.topic-start"), book.start, message(_START[book.start])),
        Fact(message("rules.topic-bonus"), book.bonus, _describe_upper_bonus(book)),
        Fact(message("rules.topic-more-bonuses"), more, _describe_more_bonuses(book)),
        Fact(message("rules.topic-extra"), extra, _describe_extra(book)),
        Fact(message("rules.topic-joker"), joker, joker_rule(book)),
    )


def box_rule(box: Box, book: RuleBook) -> Message:
    """Return what a box asks for and what it scores."""
    return message("rules.box", asks=box.pattern.asks(book), points=_describe_points(box))


def brief_rule(box: Box, book: RuleBook) -> Message:
    """Return the same in the words of printed pads: "Total of the 4s", "4 numbers in a row: score 30"."""
    asks, points = box.pattern.asks_briefly(book, fixed=isinstance(box.points, int)), box.points
    own = box.pattern.own_total() if points is Summed.MATCHING else None
    if own is not None:
        return own
    if isinstance(points, SumPlus):
        return message(
            "rules.brief-fixed-alone" if asks is None else "rules.brief-fixed", asks=asks, points=_describe_plus(points)
        )
    if isinstance(points, int):
        return message("rules.brief-fixed-alone" if asks is None else "rules.brief-fixed", asks=asks, points=points)
    if points is Summed.MATCHING and asks is not None:
        return message("rules.brief-own", asks=asks)
    return message("rules.brief-all-alone" if asks is None else "rules.brief-all", asks=asks)


def joker_rule(book: AnyBook) -> Message:
    """Return where further dice all the same may be scored. `book` is a key, a path or a `RuleBook`."""
    book = find_book(book)
    policy = book.alike
    if policy is None or not policy.joker_steps:
        return message("rules.no-joker-steps")
    kind = "rules.joker-steps-scored" if policy.applies is ActiveWhen.SCORED else "rules.joker-steps-filled"
    steps = tuple(_describe_step(number, step) for number, step in enumerate(policy.joker_steps, start=1))
    return message(kind, box=book.box(policy.box), steps=Sentences(steps))


_ORDER = {
    Order.FREE: "rules.order-free",
    Order.SHEET: "rules.order-fixed",
    Order.UPPER_FIRST: "rules.order-upper-first",
}
_START = {Start.ROLL_OFF: "rules.start-roll-off", Start.DRAW: "rules.start-draw"}


def _describe_points(box: Box) -> Message:
    if isinstance(box.points, int):
        return message("rules.points-fixed", points=box.points)
    if isinstance(box.points, SumPlus):
        return _describe_plus(box.points)
    return message("rules.points-all" if box.points is Summed.ALL else "rules.points-own")


def _describe_plus(points: SumPlus) -> Message:
    kind = "rules.points-plus-all" if points.dice is Summed.ALL else "rules.points-plus-own"
    return message(kind, points=points.constant)


def _describe_upper_bonus(book: RuleBook) -> Message:
    if book.bonus is None:
        return message("rules.no-bonus")
    if book.bonus.higher:
        return message("rules.bonus-tiers", tiers=describe_tiers(book.bonus))
    return message("rules.bonus", points=book.bonus.points, threshold=book.bonus.threshold)


def describe_tiers(bonus: Bonus) -> tuple[Message, ...]:
    """Return what each tier of a bonus asks for and pays."""
    return tuple(message("rules.tier", points=tier.points, threshold=tier.threshold) for tier in bonus.tiers)


def _describe_more_bonuses(book: RuleBook) -> Message:
    if not book.more_bonuses:
        return message("rules.no-bonus")
    return message("rules.more-bonuses", bonuses=Sentences(tuple(bonus_rule(each, book) for each in book.more_bonuses)))


def bonus_rule(bonus: Bonus, book: RuleBook) -> Message:
    """Return what one of the further bonuses asks for and pays."""
    over = tuple(box for box in book.boxes if box.key in bonus.boxes)
    section = None if bonus.section is None else book.sheet.label(str(bonus.section))
    kind = "rules.bonus-of-boxes" if section is None else "rules.bonus-of-section"
    return message(kind, name=Label(bonus.name), tiers=describe_tiers(bonus), boxes=over, section=section)


def _describe_extra(book: RuleBook) -> Message:
    policy = book.alike
    if policy is None or not policy.pays_extra:
        return message("rules.no-extra")
    box = book.box(policy.box)
    if policy.rising:
        kind = "rules.extra-rising" if policy.most is None else "rules.extra-rising-limited"
        return message(kind, extras=Series(policy.extras), most=policy.most, box=box)
    if policy.most is None:
        return message("rules.extra-each-time", extra=policy.extra, box=box)
    if policy.most > 1:
        return message("rules.extra-limited", extra=policy.extra, most=policy.most, box=box)
    return message("rules.extra-once", extra=policy.extra, box=box)


def _describe_step(number: int, step: JokerStep) -> Message:
    unsaid = step.face_box is FaceBox.EITHER or (step.boxes is TargetBoxes.FACE and step.face_box is FaceBox.OPEN)
    boxes = message(f"rules.target-{step.boxes}" if unsaid else f"rules.target-{step.boxes}-{step.face_box}")
    points = message(f"rules.score-as-{step.worth}")
    if step.extra is None:
        return message("rules.joker-step", number=number, boxes=boxes, points=points)
    kind = "rules.joker-step-extra" if step.extra else "rules.joker-step-no-extra"
    return message(kind, number=number, boxes=boxes, points=points, extra=step.extra)


def book_head(book: AnyBook) -> dict[str, Any]:
    """Return what a list of rules shows. `book` is a key, a path or a `RuleBook`."""
    book = find_book(book)
    return {
        "key": book.key,
        "name": book.name,
        "summary": book.summary,
        "variant": book.variant,
        "box_count": len(book.boxes),
        "fingerprint": book.fingerprint,
    }


def book_data(book: AnyBook) -> dict[str, Any]:
    """Return the whole book as plain data. `book` is a key, a path or a `RuleBook`."""
    book = find_book(book)
    boxes = [
        {
            "key": box.key,
            "name": box.name,
            "code": box.code,
            "section": str(box.section),
            "rule": str(box_rule(box, book)),
        }
        for box in book.boxes
    ]
    notes = [{"key": note.key, "title": note.title, "text": note.text, "ours": note.ours} for note in book.notes]
    rules = {str(fact.topic): str(fact.value) for fact in facts(book)}
    counts = {"dice": book.dice, "faces": book.faces, "rolls": book.rolls}
    return {**book_head(book), **counts, "source": book.source, "facts": rules, "boxes": boxes, "notes": notes}


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One topic, with what each of two books says about it."""

    topic: Message
    ours: Message
    theirs: Message


@dataclass(frozen=True, slots=True)
class Renamed:
    """A box that only has another name on the other sheet."""

    ours: Box
    theirs: Box


def differences(ours: AnyBook, theirs: AnyBook) -> tuple[RuleDifference, ...]:
    """Return every difference in play: general rules first, then boxes in the order of the first sheet.

    Both books may be given as a key, a path or a `RuleBook`.
    """
    return tuple(_find_differences(find_book(ours), find_book(theirs)))


def find_renamed(ours: AnyBook, theirs: AnyBook) -> tuple[Renamed, ...]:
    """Return the boxes that play the same but have another name on the other sheet."""
    ours, theirs = find_book(ours), find_book(theirs)
    pairs = ((box, _find_box(theirs, box.key)) for box in ours.boxes)
    same = (Renamed(box, other) for box, other in pairs if other is not None and _essence(box) == _essence(other))
    return tuple(pair for pair in same if pair.ours.name.casefold() != pair.theirs.name.casefold())


def _find_differences(ours: RuleBook, theirs: RuleBook) -> Iterator[RuleDifference]:
    for fact, other_fact in zip(facts(ours), facts(theirs), strict=True):
        if fact.essence != other_fact.essence:
            yield RuleDifference(fact.topic, fact.value, other_fact.value)
    for key in dict.fromkeys((*ours.index, *theirs.index)):
        one, other = _find_box(ours, key), _find_box(theirs, key)
        if _essence(one) != _essence(other):
            topic = message("rules.topic-box", box=one or other)
            yield RuleDifference(topic, _describe_box(one, ours), _describe_box(other, theirs))
    if ours.fixed_order and theirs.fixed_order and [*ours.index] != [*theirs.index]:  # a rule of both books
        orders = (message("rules.sheet-order", boxes=book.boxes) for book in (ours, theirs))
        yield RuleDifference(message("rules.topic-sheet-order"), *orders)


def _find_box(book: RuleBook, key: str) -> Box | None:
    return book.boxes[book.index[key]] if key in book.index else None


def _essence(box: Box | None) -> object:
    """Return what decides play in a box, whatever its name."""
    return None if box is None else (box.section, box.pattern.essence(), box.points)


def _describe_box(box: Box | None, book: RuleBook) -> Message:
    if box is None:
        return message("rules.no-such-box")
    return message("rules.box-in-section", rule=box_rule(box, book), section=book.sheet.label(str(box.section)))
