"""Combinations that can be written down but not played. Each check names the first problem it sees, as the
path of the line to blame and a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from fivedice.rules.file.book_tables import TALLY_CODE
from fivedice.rules.file.line_numbers import KeyPath
from fivedice.rules.joker_situations import situations
from fivedice.rules.patterns import AllAlike, Exactly, FaceSum, Groups, Run
from fivedice.rules.rule_book import Box, RuleBook, Section, Summed

Problem: TypeAlias = tuple[KeyPath, str]


def first_problem(book: RuleBook) -> Problem | None:
    """What makes the book unplayable, or None."""
    return next((problem for check in _CHECKS for problem in check(book)), None)


def _names(book: RuleBook) -> Iterator[Problem]:
    """A key, a code or a name must lead to one box. Of two that clash the later is blamed: it is the newer line."""
    for box in reversed(book.boxes):
        for detail, word in (("code", box.code), ("name", box.name)):
            for other in book.boxes:
                if other is not box and word.casefold() in (other.key, other.code, other.name.casefold()):
                    reason = f"the {detail} {word!r} is used twice: it also means [boxes.{other.key}]"
                    yield ("boxes", box.key, detail), reason
        if box.code == TALLY_CODE:
            yield (
                ("boxes", box.key, "code"),
                f"the code {TALLY_CODE!r} is kept for the tally of extra bonuses",
            )


def _patterns(book: RuleBook) -> Iterator[Problem]:
    """No box may ask for what the dice cannot show."""
    for box in book.boxes:
        for detail, reason in _impossible(box, book):
            yield ("boxes", box.key, detail), f"{box.name}: {reason}"


def _impossible(box: Box, book: RuleBook) -> Iterator[tuple[str, str]]:
    match box.pattern:
        case FaceSum(face) if face > book.faces:
            yield "face", f"there is no face {face} on dice with {book.faces} faces"
        case Groups(sizes) if sum(sizes) > book.dice:
            yield "sizes", f"groups of {_listed(sizes)} need {sum(sizes)} dice, and the book has {book.dice}"
        case Groups(sizes, same_face=False) if len(sizes) > book.faces:
            yield "sizes", f"{len(sizes)} different faces are needed, and the dice have {book.faces}"
        case Run(length) if length > min(book.faces, book.dice):
            yield (
                "length",
                f"a straight of {length} is longer than {book.dice} dice with {book.faces} faces can show",
            )
        case Exactly(faces) if len(faces) > book.dice or max(faces) > book.faces or len(set(faces)) < len(faces):
            yield (
                "faces",
                f"{_listed(faces)} cannot be shown by {book.dice} dice with {book.faces} faces, each once",
            )
    if isinstance(box.pattern, Run | Exactly) and box.points is Summed.MATCHING:
        yield "points", 'a straight scores a fixed number or "all", not "matching"'


def _bonus(book: RuleBook) -> Iterator[Problem]:
    if book.bonus is None:
        return
    most = sum(book.highest(box) for box in book.boxes if box.section is Section.UPPER)
    if book.bonus.threshold > most:
        reason = f"the upper boxes give at most {most}, so the bonus at {book.bonus.threshold} can never be paid"
        yield ("bonus", "threshold"), reason


def _alike(book: RuleBook) -> Iterator[Problem]:
    if book.alike is None:
        return
    box = next((box for box in book.boxes if box.key == book.alike.box), None)
    if box is None or not isinstance(box.pattern, AllAlike):
        reason = f"'box' must name a box with the pattern 'alike', not {book.alike.box!r}"
        yield ("alike", "box"), reason
    elif book.alike.joker_steps:
        yield from _stuck(book)


def _stuck(book: RuleBook) -> Iterator[Problem]:
    """See that for every kind of card that may be left some rung takes the dice."""
    for face, available, face_open in situations(book):
        if book.decide_alike(face, available, face_open=face_open) is None:
            left = ", ".join(box.name for place, box in enumerate(book.boxes) if available >> place & 1)
            reason = f"the ladder leaves no legal box for all {face}s when the open boxes are: {left}"
            yield ("alike", "ladder"), reason


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


_CHECKS: tuple[Callable[[RuleBook], Iterator[Problem]], ...] = (_names, _patterns, _bonus, _alike)
