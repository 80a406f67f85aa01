"""A rule book in words. Sentences are made from the data, so that they stay true when a house changes a line."""

from __future__ import annotations

from collections.abc import Iterator

from fivedice.rules.joker_steps import ActiveWhen, AlikePolicy, FaceBox, JokerStep, ScoreAs, TargetBoxes
from fivedice.rules.patterns import AllAlike, Exactly, FaceSum, Groups, Run
from fivedice.rules.rule_book import Box, RuleBook, Start, Summed

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FACES = ("", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines")


def facts(book: RuleBook) -> dict[str, str]:
    """Topic to sentence, for everything that decides play apart from the boxes."""
    return {
        "Dice": f"{number(book.dice).capitalize()} dice with faces 1 to {book.faces}.",
        "Rolls": f"Up to {_times(book.rolls, 'roll')} a turn.",
        "Order of boxes": "From the top of the sheet down." if book.fixed_order else "Any open box, in any order.",
        "Start": _START[book.start],
        "Upper bonus": _bonus(book),
        "All dice alike again: pays": _extra(book),
        "All dice alike again: goes": _ladder(book),
    }


def box_rule(box: Box, book: RuleBook) -> str:
    """What a box asks for and what it is worth."""
    pattern = box.pattern
    if isinstance(pattern, FaceSum) and box.points is Summed.MATCHING:
        return f"The sum of all {face_word(pattern.face)}."
    return f"{_asks(box, book)}: {_pays(box)}."


def face_word(face: int) -> str:
    """What dice with this face are called, several of them: "fours"."""
    return _FACES[face]


def number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


_START = {
    Start.ROLL_OFF: "A roll-off: the highest total of all dice begins, ties roll again.",
    Start.DRAW: "The first seat is drawn by lot.",
}


def _asks(box: Box, book: RuleBook) -> str:
    match box.pattern:
        case FaceSum(face):
            return f"At least one of the {face_word(face)}"
        case Groups(sizes, same_face):
            return _groups(sizes, same_face=same_face)
        case Run(length):
            return f"{number(length).capitalize()} faces in a row"
        case Exactly(faces):
            return "-".join(map(str, faces))
        case AllAlike():
            return f"All {number(book.dice)} dice alike"
    return "Any dice"


def _groups(sizes: tuple[int, ...], *, same_face: bool) -> str:
    if len(sizes) == 1:
        return "A pair" if sizes == (2,) else f"At least {number(sizes[0])} alike"
    if set(sizes) == {2}:
        words = f"{number(len(sizes)).capitalize()} pairs"
        return f"{words}, of any faces" if same_face else f"{words} of different faces"
    first, *others = (number(size) for size in sizes)
    tail = "the same or another" if same_face else "another"
    return f"{first.capitalize()} of one face and {' and '.join(others)} of {tail}"


def _pays(box: Box) -> str:
    if isinstance(box.points, int):
        return _times(box.points, "point", words=False)
    if box.points is Summed.ALL:
        return "the total of all dice"
    size = sum(box.pattern.sizes) if isinstance(box.pattern, Groups) else 0
    return f"the sum of those {number(size)} dice" if size else "the sum of those dice"


def _bonus(book: RuleBook) -> str:
    if book.bonus is None:
        return "None."
    return f"{_times(book.bonus.points, 'point', words=False)} for an upper total of {book.bonus.threshold} or more."


def _extra(book: RuleBook) -> str:
    policy = book.alike
    if policy is None or not policy.extra:
        return "Nothing extra."
    often = "each time" if policy.repeat else "once a game"
    return f"{policy.extra} points, {often}, while their own box holds points."


def _ladder(book: RuleBook) -> str:
    policy = book.alike
    if policy is None or not policy.joker_steps:
        return "Where any other roll may go, for what they show."
    when = "holds points" if policy.applies is ActiveWhen.SCORED else "is filled, even by a zero"
    return f"If their own box {when}: {'; otherwise '.join(_rungs(policy))}."


def _rungs(policy: AlikePolicy) -> Iterator[str]:
    for rung in policy.joker_steps:
        yield f"{_REACH[rung.boxes]}{_condition(rung)}, {_PRICE[rung.worth]}"


_REACH = {
    TargetBoxes.FACE: "in the box of their face",
    TargetBoxes.UPPER: "in an open upper box",
    TargetBoxes.LOWER: "in an open lower box",
    TargetBoxes.ANY: "in any open box",
}
_PRICE = {ScoreAs.PLAIN: "for what they show", ScoreAs.JOKER: "as a joker", ScoreAs.ZERO: "for zero"}


def _condition(rung: JokerStep) -> str:
    if rung.face_box is FaceBox.EITHER:
        return ""
    return " (while the box of their face is open)" if rung.face_box is FaceBox.OPEN else " (once that box is filled)"


def _times(count: int, thing: str, *, words: bool = True) -> str:
    shown = number(count) if words else str(count)
    return f"{shown} {thing}" if count == 1 else f"{shown} {thing}s"
