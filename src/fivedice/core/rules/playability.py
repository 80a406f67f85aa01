"""Checks for rules that can be written down but not played.

Each check yields problems: the path of the line at fault, and a message. `situations` lists every kind of card that
joker steps can meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TypeAlias

from fivedice.core.rules.patterns import AllAlike
from fivedice.core.rules.rule_book import TALLY_CODE, Bonus, RuleBook, Summed
from fivedice.errors import quote
from fivedice.message import Message, message

KeyPath: TypeAlias = tuple[str | int, ...]
Problem: TypeAlias = tuple[KeyPath, Message]


def first_problem(book: RuleBook) -> Problem | None:
    """Return the first problem that makes the book unplayable, or None."""
    return next((problem for check in _CHECKS for problem in check(book)), None)


def _check_names(book: RuleBook) -> Iterator[Problem]:
    """Yield names that lead to two boxes. Of two that clash the later one is at fault, because it is the newer line."""
    for box in reversed(book.boxes):
        for detail, word in (("code", box.code), ("name", box.name)):
            for other in book.boxes:
                if other is not box and word.casefold() in (other.key, other.code, other.name.casefold()):
                    yield ("boxes", box.key, detail), message("rules.used-twice", word=quote(word), other=other.key)
        if box.code == TALLY_CODE:
            yield ("boxes", box.key, "code"), message("rules.tally-code", code=quote(TALLY_CODE))


def _check_patterns(book: RuleBook) -> Iterator[Problem]:
    """Yield boxes that ask for what the dice cannot show."""
    for box in book.boxes:
        for detail, reason in box.pattern.faults(box, book):
            yield ("boxes", box.key, detail), reason
        if box.summed is Summed.MATCHING and not box.pattern.sums_itself:
            yield ("boxes", box.key, "points"), message("rules.sums-itself", box=box)


def _check_colours(book: RuleBook) -> Iterator[Problem]:
    unknown = sorted(face for colour in book.colours for face in colour if face > book.faces)
    if unknown:
        yield ("colours",), message("rules.colour-of-no-face", face=unknown[0], faces=book.faces)


def _check_bonuses(book: RuleBook) -> Iterator[Problem]:
    for bonus, mask in zip(book.bonuses, book.bonus_masks, strict=True):
        path: KeyPath = ("bonuses", bonus.key) if bonus.name else ("bonus",)
        unknown = next((key for key in bonus.boxes if key not in book.index), None)
        if unknown is not None:
            yield (*path, "boxes"), message("rules.bonus-over-no-box", box=quote(unknown), known=tuple(book.index))
        elif len(set(bonus.boxes)) < len(bonus.boxes):
            yield (*path, "boxes"), message("rules.bonus-box-twice")
        else:
            yield from _check_reachable(book, bonus, mask, path)


def _check_reachable(book: RuleBook, bonus: Bonus, mask: int, path: KeyPath) -> Iterator[Problem]:
    most = sum(book.highest(box) for place, box in enumerate(book.boxes) if mask >> place & 1)
    if bonus.highest.threshold <= most:
        return
    line = (*path, "tiers" if bonus.higher else "threshold")
    kind = "rules.bonus-of-boxes-too-high" if bonus.name else "rules.bonus-too-high"
    yield line, message(kind, most=most, threshold=bonus.highest.threshold)


def _check_alike(book: RuleBook) -> Iterator[Problem]:
    if book.alike is None:
        return
    box = next((box for box in book.boxes if box.key == book.alike.box), None)
    if box is None or not isinstance(box.pattern, AllAlike):
        yield ("alike", "box"), message("rules.not-an-alike-box", box=quote(book.alike.box))
    elif book.alike.joker_steps:
        for face, available, face_open in situations(book):
            if book.decide_alike(face, available, face_open=face_open) is None:
                left = tuple(box for place, box in enumerate(book.boxes) if available >> place & 1)
                yield ("alike", "ladder"), message("rules.no-legal-box", face=face, boxes=left)


_CHECKS: tuple[Callable[[RuleBook], Iterator[Problem]], ...] = (
    _check_names,
    _check_colours,
    _check_patterns,
    _check_bonuses,
    _check_alike,
)


Situation: TypeAlias = tuple[int, int, bool]  # face, available boxes as a mask, face box still open


def situations(book: RuleBook) -> Iterator[Situation]:
    """Yield every kind of card for dice all the same whose own box is filled.

    Joker steps treat boxes of the same kind alike, so one card of each kind is enough.
    """
    if book.alike_box is None:
        return
    alike = 1 << book.alike_box
    for face in range(1, book.faces + 1):
        own = book.face_boxes[face] & ~alike
        if book.fixed_order:
            yield from _situations_in_order(face, own, book.full & -alike & ~alike)
        else:
            yield from dict.fromkeys(_situations_in_any_order(book, face, own, book.full & ~alike))


def _situations_in_order(face: int, own: int, following: int) -> Iterator[Situation]:
    """Yield the situations if boxes are filled in order: one box is available, below the box for all dice the same."""
    while following:
        box = following & -following
        yield face, box, bool(own & following)
        following &= ~box


def _situations_in_any_order(book: RuleBook, face: int, own: int, others: int) -> Iterator[Situation]:
    upper = book.upper
    kinds = (own & upper, own & ~upper, others & upper & ~own, others & ~upper & ~own)
    present = [kind for kind in kinds if kind]
    for size, _ in enumerate(present, start=1):
        for mixture in combinations(present, size):
            unfilled = sum(mixture)
            yield face, book.available(unfilled), bool(unfilled & own)
