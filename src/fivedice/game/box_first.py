"""Entry as on paper: the box first, then a number. Which numbers a box may take now, and the dice that stand for one.

A number says everything where all rolls that it can have come from do the same to the card. Else one of them pays an
extra and another does not, and the dice have to be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from fivedice.dice import Roll, rolls
from fivedice.errors import IllegalMove, quote
from fivedice.game.card import Scorecard
from fivedice.game.legality import Entry, judge
from fivedice.message import Either
from fivedice.rules import RuleBook


@dataclass(frozen=True, slots=True)
class Answer:
    """A number that a box may take, and the first roll that brings it there, one without a joker if there is any."""

    points: int
    roll: Roll
    extra: int  # paid with that roll
    joker: bool
    other: Roll | None = None  # a roll that brings the same points and another extra: the number alone is ambiguous


def answers(card: Scorecard, box: str) -> tuple[Answer, ...]:
    """Every number that a box may take now, from the lowest; none where it is closed."""
    found: dict[int, list[tuple[Roll, Entry]]] = {}
    for roll, entry in _candidates(card, card.book.place(box)):
        found.setdefault(entry.points, []).append((roll, entry))
    return tuple(_together(found[points]) for points in sorted(found))


def _together(rolled: list[tuple[Roll, Entry]]) -> Answer:
    """Of the rolls for the same points."""
    roll, entry = min(rolled, key=lambda each: (each[1].joker, each[0]))
    others = (other for other, counts in rolled if counts.bonus != entry.bonus)
    return Answer(entry.points, roll, entry.bonus, entry.joker, min(others, default=None))


def roll_for(card: Scorecard, box: str, points: int) -> Roll:
    """The roll that stands for a turn of which only the box and the points were noted.

    `IllegalMove` with the reason where the box cannot take the points now, or where they do not say everything.
    """
    book, possible = card.book, answers(card, box)
    if not possible:
        raise IllegalMove(judge(card, rolls(book.dice, book.faces)[0]).reason(box))
    answer = next((each for each in possible if each.points == points and type(points) is int), None)
    if answer is None:
        numbers = Either(tuple(each.points for each in possible))
        raise IllegalMove("game.points-impossible", box=book.box(box), points=quote(points), possible=numbers)
    if answer.other is not None:
        raise IllegalMove("game.points-ambiguous", box=book.box(box), points=points)
    return answer.roll


def _candidates(card: Scorecard, place: int) -> Iterator[tuple[Roll, Entry]]:
    """The rolls that may go into a box: those with all dice alike, and of the others the first for each number.

    Judging looks at the dice themselves only where all are alike, so one of the others speaks for all of them.
    """
    book = card.book
    key, mixed = book.boxes[place].key, _mixed(book, place)
    alike = (Roll((face,) * book.dice) for face in range(1, book.faces + 1))
    for roll in (*alike, *mixed.values()):
        ruling = judge(card, roll)
        if ruling.boxes >> place & 1:
            yield roll, ruling.check(key)


@lru_cache(maxsize=1024)  # thousands of rolls where there are eight dice
def _mixed(book: RuleBook, place: int) -> Mapping[int, Roll]:
    """The points that dice bring which are not all alike, each with the first roll that does."""
    found: dict[int, Roll] = {}
    for roll in rolls(book.dice, book.faces):
        if roll.alike is None:
            found.setdefault(book.worth(roll).plain[place], roll)
    return found
