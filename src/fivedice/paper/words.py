"""The few words beside each line of a sheet, made from the data of the book."""

from __future__ import annotations

from fivedice.rules import AllAlike, Bonus, Box, Exactly, FaceSum, Groups, RuleBook, Run, Section, Summed
from fivedice.rules.book_facts import face_word


def how_to_score(box: Box, book: RuleBook) -> str:
    """As short as the printed pads have it: "Total of fours", "4 in a row: score 30"."""
    asks, pays = _asks(box, book), _pays(box)
    return f"{asks}: {pays}" if asks else pays[0].upper() + pays[1:]


def _asks(box: Box, book: RuleBook) -> str:
    """What the dice must show, where neither the points nor a usual name of the box say it."""
    match box.pattern:
        case FaceSum(face) if box.points is not Summed.MATCHING:
            return f"Any {face_word(face)}"
        case Groups(sizes) if len(sizes) > 1 and not _are_pairs(sizes):
            return f"{' + '.join(map(str, sizes))} alike"
        case Groups((size,)) if isinstance(box.points, int):
            return f"{size} alike"
        case Run(length):
            return f"{length} in a row"
        case Exactly(faces):
            return "-".join(map(str, faces))
        case AllAlike():
            return f"{book.dice} alike"
    return ""


def _pays(box: Box) -> str:
    if isinstance(box.points, int):
        return f"score {box.points}"
    if box.points is Summed.MATCHING and isinstance(box.pattern, FaceSum):
        return f"total of {face_word(box.pattern.face)}"
    if box.points is Summed.MATCHING and isinstance(box.pattern, Groups):
        return _their_total(box.pattern.sizes)
    return "total of all dice"


def _their_total(sizes: tuple[int, ...]) -> str:
    if _are_pairs(sizes):
        return "total of the pair" if len(sizes) == 1 else "total of the pairs"
    return "their total" if len(sizes) > 1 else f"total of the {sizes[0]}"


def _are_pairs(sizes: tuple[int, ...]) -> bool:
    return set(sizes) == {2}


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
