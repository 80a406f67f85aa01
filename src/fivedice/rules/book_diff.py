"""What differs between two books: their data is compared, and each difference can be said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fivedice.message import Message, message
from fivedice.rules.book_facts import box_rule, facts
from fivedice.rules.rule_book import Box, RuleBook


@dataclass(frozen=True, slots=True)
class Difference:
    """One topic with what each of the two books says about it."""

    topic: Message
    ours: Message
    theirs: Message


@dataclass(frozen=True, slots=True)
class Renamed:
    """A box that only has another name on the other sheet."""

    ours: Box
    theirs: Box


def differences(ours: RuleBook, theirs: RuleBook) -> tuple[Difference, ...]:
    """Everything in which play differs: general rules first, then boxes in the order of the first sheet."""
    return (*_facts(ours, theirs), *_boxes(ours, theirs), *_order(ours, theirs))


def renamed(ours: RuleBook, theirs: RuleBook) -> tuple[Renamed, ...]:
    """Boxes that only have another name on the sheet."""
    pairs = ((box, _box(theirs, box.key)) for box in ours.boxes)
    same = (Renamed(box, other) for box, other in pairs if other is not None and _essence(box) == _essence(other))
    return tuple(pair for pair in same if pair.ours.name.casefold() != pair.theirs.name.casefold())


def _facts(ours: RuleBook, theirs: RuleBook) -> Iterator[Difference]:
    for one, other in zip(facts(ours), facts(theirs), strict=True):
        if one.essence != other.essence:
            yield Difference(one.topic, one.value, other.value)


def _boxes(ours: RuleBook, theirs: RuleBook) -> Iterator[Difference]:
    for key in dict.fromkeys((*ours.index, *theirs.index)):
        one, other = _box(ours, key), _box(theirs, key)
        if _essence(one) != _essence(other):
            topic = message("rules.topic-box", box=one or other)
            yield Difference(topic, _rule(one, ours), _rule(other, theirs))


def _box(book: RuleBook, key: str) -> Box | None:
    return book.boxes[book.index[key]] if key in book.index else None


def _essence(box: Box | None) -> object:
    """What decides play in a box, whatever it is called."""
    return None if box is None else (box.section, box.pattern.essence(), box.points)


def _rule(box: Box | None, book: RuleBook) -> Message:
    if box is None:
        return message("rules.no-such-box")
    return message("rules.box-in-section", rule=box_rule(box, book), section=book.sheet.label(str(box.section)))


def _order(ours: RuleBook, theirs: RuleBook) -> Iterator[Difference]:
    """The order of the lines matters only where it is a rule."""
    if ours.fixed_order and theirs.fixed_order and [*ours.index] != [*theirs.index]:
        one, other = (message("rules.sheet-order", boxes=book.boxes) for book in (ours, theirs))
        yield Difference(message("rules.topic-sheet-order"), one, other)
