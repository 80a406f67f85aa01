"""Scoring as on paper: a player names the box first, then the points, and never the dice.

Usually all rolls that give these points have the same effect. If one of them pays an extra bonus and another does not,
the points are ambiguous and the player must enter the dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from fivedice.core.dice import Roll, rolls
from fivedice.core.game.card import Scorecard
from fivedice.core.game.legality import Entry, judge
from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalMove, quote
from fivedice.message import Either


@dataclass(frozen=True, slots=True)
class BoxPoints:
    """Points that a box may take, and the first roll that gives them: one without a joker if there is one."""

    points: int
    roll: Roll
    extra: int  # paid with that roll
    joker: bool
    other: Roll | None = None  # a roll with the same points and another extra, so the points are ambiguous


def answers(card: Scorecard, box: str) -> tuple[BoxPoints, ...]:
    """Return all points that a box may take now, in ascending order; none if it is closed."""
    found: dict[int, list[tuple[Roll, Entry]]] = {}
    for roll, entry in _find_candidates(card, card.book.place(box)):
        found.setdefault(entry.points, []).append((roll, entry))
    answers = []
    for points, rolled in sorted(found.items()):
        roll, entry = min(rolled, key=lambda each: (each[1].joker, each[0]))
        others = (other for other, counts in rolled if counts.bonus != entry.bonus)
        answers.append(BoxPoints(points, roll, entry.bonus, entry.joker, min(others, default=None)))
    return tuple(answers)


def roll_for(card: Scorecard, box: str, points: int) -> Roll:
    """Return the roll that stands for a turn of which only the box and the points were noted.

    Raise IllegalMove with the reason if the box cannot take these points now, or if they are ambiguous.
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


def _find_candidates(card: Scorecard, place: int) -> Iterator[tuple[Roll, Entry]]:
    """Yield the rolls that may go into a box: every five of a kind, and one other roll for each number of points.

    One other roll is enough, because a ruling depends on the faces only if all dice are the same.
    """
    book = card.book
    key, mixed = book.boxes[place].key, _find_mixed_rolls(book, place)
    alike = (Roll((face,) * book.dice) for face in range(1, book.faces + 1))
    for roll in (*alike, *mixed.values()):
        ruling = judge(card, roll)
        if ruling.boxes >> place & 1:
            yield roll, ruling.check(key)


@lru_cache(maxsize=1024)  # eight dice have thousands of rolls
def _find_mixed_rolls(book: RuleBook, place: int) -> Mapping[int, Roll]:
    """Return the points of all rolls whose dice are not all the same, each with the first roll that gives them."""
    found: dict[int, Roll] = {}
    for roll in rolls(book.dice, book.faces):
        if roll.alike is None:
            found.setdefault(book.worth(roll).plain[place], roll)
    return found
