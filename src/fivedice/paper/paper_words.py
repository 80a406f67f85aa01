"""The few words beside each line of a sheet, made from the data of the book."""

from __future__ import annotations

from fivedice.rules import Bonus, Box, FaceSum, RuleBook, Section, Summed
from fivedice.rules.book_facts import brief_rule


def how_to_score(box: Box, book: RuleBook) -> str:
    """As short as the printed pads have it."""
    return str(brief_rule(box, book))


def bonus_rule(bonus: Bonus) -> str:
    return f"{bonus.threshold} or more: score {bonus.points}"


def hint(book: RuleBook) -> str:
    """The line at the foot of the sheet."""
    sentences = [_way_to_bonus(book), "Boxes are filled from the top down." if book.fixed_order else ""]
    return " ".join(sentence for sentence in sentences if sentence)


def _way_to_bonus(book: RuleBook) -> str:
    if book.bonus is None:
        return ""
    threshold, points = book.bonus.threshold, book.bonus.points
    each = _dice_of_each(book, threshold)
    reach = (
        f"{each} of each make {threshold}, which earns" if each else f"{threshold} or more in the upper section earn"
    )
    return f"{reach} {points}. Only the total counts."


def _dice_of_each(book: RuleBook, threshold: int) -> int | None:
    """How many dice of every face reach the bonus exactly, where such a number exists."""
    upper = [box for box in book.boxes if box.section is Section.UPPER]
    faces = [box.pattern.face for box in upper if isinstance(box.pattern, FaceSum) and box.points is Summed.MATCHING]
    if len(faces) < len(upper) or threshold % sum(faces):
        return None
    return threshold // sum(faces)
