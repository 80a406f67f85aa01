"""The few words beside each line of a sheet, chosen by the data of the book. As short as printed pads have them."""

from __future__ import annotations

from fivedice.message import Message, message
from fivedice.rules import FaceSum, RuleBook, Section, Summed


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
