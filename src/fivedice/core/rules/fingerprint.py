"""The fingerprint of a book: it changes exactly when play changes.

It is taken from what the book does, not from its text: the points of every roll in every box, and the result of the
joker steps in every situation. Names, codes, notes, the layout of the sheet and the order of its lines (if boxes may be
filled in any order) do not change it.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from fivedice.core.dice import Roll, rolls
from fivedice.core.rules.catalog import AnyBook, book as find_book
from fivedice.core.rules.joker_steps import AlikePolicy, ScoreAs
from fivedice.core.rules.playability import situations
from fivedice.core.rules.rule_book import Bonus, RuleBook

_VERSION = "fivedice-play-1"


def fingerprint(book: AnyBook) -> str:
    """Return the fingerprint of a book, 32 hexadecimal digits. `book` and the errors are those of `fd.book`."""
    book = find_book(book)
    signatures = _compute_signatures(book)
    order = canonical_order(book, signatures)
    parts: list[Any] = [
        _VERSION,
        (book.dice, book.faces, book.rolls, book.fixed_order, str(book.start)),
        None if book.bonus is None else (book.bonus.threshold, book.bonus.points),
        [signatures[place] for place in order],
        _describe_policy(book, order),
        *_list_additions(book, order),
    ]
    return sha256(repr(parts).encode()).hexdigest()[:32]


def _list_additions(book: RuleBook, order: tuple[int, ...]) -> Iterator[Any]:
    """Yield the rules that were added after fingerprints were first taken, so that books without them keep theirs."""
    if book.upper_first:
        yield "upper first"  # no sentence
    if book.save_rolls:
        yield "saves rolls"  # no sentence
    if book.bonus is not None and book.bonus.higher:
        yield "tiers", _list_tiers(book.bonus)
    if book.more_bonuses:
        yield (
            "bonuses",
            sorted((_list_places(book.bonus_mask(each), order), _list_tiers(each)) for each in book.more_bonuses),
        )
    if book.alike is not None and _has_policy(book) and (book.alike.rising or book.alike.at_most is not None):
        yield "extras", book.alike.extras, book.alike.at_most
    if book.alike is not None and any(step.extra is not None for step in book.alike.joker_steps):
        yield "extras of steps", sorted(_list_step_extras(book, book.alike, order))  # no sentence


def _list_tiers(bonus: Bonus) -> list[tuple[int, int]]:
    return [(tier.threshold, tier.points) for tier in bonus.tiers]


def _list_places(mask: int, order: tuple[int, ...]) -> list[int]:
    """Return the boxes of a mask by their canonical places."""
    return [rank for rank, place in enumerate(order) if mask >> place & 1]


def _list_step_extras(book: RuleBook, policy: AlikePolicy, order: tuple[int, ...]) -> Iterator[Any]:
    """Yield what the deciding step pays in every situation."""
    for face, available, face_open in situations(book):
        decided = book.decide_alike(face, available, face_open=face_open)
        extra = policy.extra if decided is None or decided[0].extra is None else decided[0].extra
        yield face, _list_places(available, order), face_open, extra


def canonical_order(book: AnyBook, signatures: list[tuple[Any, ...]] | None = None) -> tuple[int, ...]:
    """Return the places of the boxes in an order that does not depend on the sheet, unless that order is a rule.

    `book` and the errors are those of `fd.book`; `signatures` saves computing what each box does once more.
    """
    book = find_book(book)
    places = range(len(book.boxes))
    if book.fixed_order:
        return tuple(places)
    return tuple(sorted(places, key=(signatures or _compute_signatures(book)).__getitem__))


def _compute_signatures(book: RuleBook) -> list[tuple[Any, ...]]:
    """Return what each box does, by its place on the sheet."""
    worth = zip(*(book.worth(roll).plain for roll in rolls(book.dice, book.faces)), strict=True)
    masks = [book.bonus_mask(bonus) for bonus in sorted(book.more_bonuses, key=_list_tiers)]
    own = book.alike_box if _has_policy(book) else None
    return [
        (str(box.section), place == own, list(points), *(mask >> place & 1 for mask in masks))
        for place, (box, points) in enumerate(zip(book.boxes, worth, strict=True))
    ]


def _has_policy(book: RuleBook) -> bool:
    return book.alike is not None and (book.alike.pays_extra or _steps_matter(book))


def _steps_matter(book: RuleBook) -> bool:
    """Return whether the joker steps change anything: if every box stays open at its plain points, they do not."""
    order = tuple(range(len(book.boxes)))
    return any(_apply_steps(book, order, *case) != _list_plain(book, order, *case) for case in situations(book))


def _describe_policy(book: RuleBook, order: tuple[int, ...]) -> list[Any] | None:
    """Return the rules for all dice the same, or None if they neither pay nor force anything."""
    if book.alike is None or not _has_policy(book):
        return None
    extra = (book.alike.extra, book.alike.repeat) if book.alike.pays_extra else None
    if not _steps_matter(book):
        return [extra, None]
    outcomes = []
    for face, available, face_open in situations(book):
        key = _list_places(available, order)
        outcomes.append((face, key, face_open, _apply_steps(book, order, face, available, face_open)))
    return [extra, str(book.alike.applies), sorted(outcomes)]


def _apply_steps(book: RuleBook, order: tuple[int, ...], face: int, available: int, face_open: bool) -> list[Any]:
    """Return the legal boxes by the joker steps, as (canonical place, points)."""
    decided = book.decide_alike(face, available, face_open=face_open)
    if decided is None:
        return _list_plain(book, order, face, available, face_open)
    step, legal = decided
    return _list_points(order, legal, book.points_as(Roll((face,) * book.dice), step.worth))


def _list_plain(book: RuleBook, order: tuple[int, ...], face: int, available: int, _face_open: bool) -> list[Any]:
    return _list_points(order, available, book.points_as(Roll((face,) * book.dice), ScoreAs.PLAIN))


def _list_points(order: tuple[int, ...], legal: int, points: tuple[int, ...]) -> list[Any]:
    return [(rank, points[place]) for rank, place in enumerate(order) if legal >> place & 1]
