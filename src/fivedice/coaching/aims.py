"""What a keep aims at: the ways in which the turn may end, put into groups that exclude each other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Literal, TypeAlias

from fivedice.game import Scorecard
from fivedice.game.card import par
from fivedice.message import Message, message
from fivedice.rules import Anything, Box, FaceSum, RuleBook, Summed
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.values.turn_choices import Turnout

Kind = Literal["score", "extra", "rest", "few", "zero"]
Group: TypeAlias = tuple[Kind, int]  # a kind of end and the place of its box, -1 where it is about no single box
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Aim:
    """One way in which the turn may end."""

    kind: Kind  # a score; an extra for all dice alike; a box that takes anything; few of a face; a zero anywhere
    box: str | None
    message: Message  # "3 or more Fours", "Full House"
    chance: float
    points: float = 0.0  # expected points of this turn that come from it

    @property
    def words(self) -> str:
        return str(self.message)


def aims_of(card: Scorecard, end: Turnout) -> tuple[Aim, ...]:
    """The groups with their chances, likeliest first, then as on the sheet."""
    book = card.book
    chances: dict[Group, float] = defaultdict(float)
    points: dict[Group, float] = defaultdict(float)
    paid = (end.points + end.extras).tolist()
    for group, chance, each in zip(_groups_of(card, end), end.chances.tolist(), paid, strict=True):
        chances[group] += chance
        points[group] += chance * each
    aims = [_aim(book, group, chance, points[group]) for group, chance in chances.items() if chance > _ROUNDING]
    return tuple(sorted(aims, key=lambda aim: (-aim.chance, book.index.get(aim.box or "", -1))))


def _groups_of(card: Scorecard, end: Turnout) -> list[Group]:
    """For every entry of an end, the group that it belongs to."""
    order, bars = compiled_book(card.book).order, _bars(card.book)
    entries = zip(end.boxes.tolist(), end.points.tolist(), end.extras.tolist(), strict=True)
    return [_group(order[number], bars[order[number]], points, extra) for number, points, extra in entries]


def wanted_in(book: RuleBook, box: str) -> int:
    """The points in a box that are worth aiming at."""
    return _bars(book)[book.index[box]] or 1


def enough(book: RuleBook, box: Box) -> int | None:
    """How many dice of its face make an upper box worth aiming at: what an even course to the bonus asks for."""
    if not isinstance(box.pattern, FaceSum) or box.points is not Summed.MATCHING:
        return None
    wanted = par(book, box)
    return ceil(round(wanted / box.pattern.face, 6)) if wanted else (book.dice + 1) // 2


@lru_cache(maxsize=64)
def _bars(book: RuleBook) -> tuple[int | None, ...]:
    """For each box the points that are worth aiming at; None where anything goes."""
    return tuple(_bar(book, box) for box in book.boxes)


def _bar(book: RuleBook, box: Box) -> int | None:
    if isinstance(box.pattern, Anything):
        return None
    count = enough(book, box)
    return count * box.pattern.face if count is not None and isinstance(box.pattern, FaceSum) else 1


def _kind(bar: int | None, points: int, extra: int) -> Kind:
    if extra:
        return "extra"
    if not points:
        return "zero"
    if bar is None:
        return "rest"
    return "score" if points >= bar else "few"


def _group(place: int, bar: int | None, points: int, extra: int) -> Group:
    kind = _kind(bar, points, extra)
    return kind, place if kind in {"score", "rest", "few"} else -1


def _aim(book: RuleBook, group: Group, chance: float, points: float) -> Aim:
    kind, place = group
    box = book.boxes[place] if place >= 0 else None
    told = _without_box(book, kind) if box is None else _in_box(book, kind, box)
    return Aim(kind, box.key if box else None, told, min(1.0, chance), points)


def _without_box(book: RuleBook, kind: Kind) -> Message:
    if kind == "zero":
        return message("coach.aim-zero")
    if book.alike is None:  # only its policy pays extras
        raise AssertionError(book)
    return message("coach.aim-again", box=book.box(book.alike.box), bonus=book.alike.extra)


def _in_box(book: RuleBook, kind: Kind, box: Box) -> Message:
    count = enough(book, box)
    if count is None:
        return message("coach.aim-box", box=box)
    form = "" if box.name.isalpha() else "-in"  # "3 Fours", but "3 in Number of 4"
    if kind == "few":
        few = {1: "one", 2: "one-or-two"}.get(count - 1, "few")
        return message(f"coach.aim-{few}{form}", box=box, most=count - 1)
    return message(f"coach.aim-{'all' if count == book.dice else 'or-more'}{form}", box=box, count=count)
