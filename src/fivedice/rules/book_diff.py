"""What differs between two books, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fivedice.rules.book_facts import box_rule, facts
from fivedice.rules.rule_book import RuleBook

ABSENT = "(no such box)"


@dataclass(frozen=True, slots=True)
class Difference:
    """One topic with what each of the two books says about it."""

    topic: str
    ours: str
    theirs: str


def differences(ours: RuleBook, theirs: RuleBook) -> tuple[Difference, ...]:
    """Everything in which play differs: general rules first, then boxes in the order of the first sheet."""
    return (*_facts(ours, theirs), *_boxes(ours, theirs), *_order(ours, theirs))


def renamed(ours: RuleBook, theirs: RuleBook) -> tuple[Difference, ...]:
    """Boxes that only have another name on the sheet."""
    shared = (box.key for box in ours.boxes if _rule(ours, box.key) == _rule(theirs, box.key))
    pairs = ((key, _name(ours, key), _name(theirs, key)) for key in shared)
    return tuple(Difference(key, one, other) for key, one, other in pairs if one.casefold() != other.casefold())


def _facts(ours: RuleBook, theirs: RuleBook) -> Iterator[Difference]:
    other = facts(theirs)
    for topic, sentence in facts(ours).items():
        if sentence != other[topic]:
            yield Difference(topic, sentence, other[topic])


def _boxes(ours: RuleBook, theirs: RuleBook) -> Iterator[Difference]:
    keys = list(ours.index) + [key for key in theirs.index if key not in ours.index]
    for key in keys:
        one, other = _rule(ours, key), _rule(theirs, key)
        if one != other:
            yield Difference(_name(ours if key in ours.index else theirs, key), one, other)


def _name(book: RuleBook, key: str) -> str:
    return book.boxes[book.index[key]].name


def _rule(book: RuleBook, key: str) -> str:
    if key not in book.index:
        return ABSENT
    box = book.boxes[book.index[key]]
    return f"{box_rule(box, book)} ({box.section} section)"


def _order(ours: RuleBook, theirs: RuleBook) -> Iterator[Difference]:
    """The order of the lines matters only where it is a rule."""
    if ours.fixed_order and theirs.fixed_order and [*ours.index] != [*theirs.index]:
        one, other = (", ".join(box.name for box in book.boxes) for book in (ours, theirs))
        yield Difference("Order of the sheet", one, other)
