"""What a keep aims at: the ways in which the turn may end, put into groups that exclude each other."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Literal

from fivedice.game.pace import par
from fivedice.rules import Anything, FaceSum, Summed
from fivedice.solver.model.book_arrays import compiled_book

if TYPE_CHECKING:
    from fivedice.game import Scorecard
    from fivedice.rules import Box, RuleBook
    from fivedice.solver.values.turn_choices import Turnout

Kind = Literal["score", "extra", "rest", "few", "zero"]
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Aim:
    """One way in which the turn may end."""

    kind: Kind  # a score; an extra for all dice alike; a box that takes anything; few of a face; a zero anywhere
    box: str | None
    words: str  # "three Fours or more", "Full House"
    chance: float


def aims_of(card: Scorecard, end: Turnout) -> tuple[Aim, ...]:
    """The groups with their chances, likeliest first, then as on the sheet."""
    book, order = card.book, compiled_book(card.book).order
    found: dict[tuple[Kind, int], float] = defaultdict(float)
    entries = zip(end.boxes.tolist(), end.points.tolist(), end.extras.tolist(), end.chances.tolist(), strict=True)
    bars = _bars(book)
    for number, points, extra, chance in entries:
        place = order[number]
        kind = _kind(bars[place], points, extra)
        found[kind, place if kind in {"score", "rest", "few"} else -1] += chance
    aims = [_aim(book, kind, place, chance) for (kind, place), chance in found.items() if chance > _ROUNDING]
    return tuple(sorted(aims, key=lambda aim: (-aim.chance, book.index.get(aim.box or "", -1))))


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


def _aim(book: RuleBook, kind: Kind, place: int, chance: float) -> Aim:
    box = book.boxes[place] if place >= 0 else None
    return Aim(kind, box.key if box else None, _words(book, kind, box), min(1.0, chance))


def _words(book: RuleBook, kind: Kind, box: Box | None) -> str:
    if box is None:
        return _another(book) if kind == "extra" else "a zero"
    count = enough(book, box)
    if kind == "rest" or count is None:
        return box.name
    if kind == "few":
        return f"fewer than {NUMBERS[count]} in {box.name}" if count > 1 else box.name
    if count == book.dice:
        return f"{NUMBERS[count]} {box.name}" if _is_plural(box) else f"{NUMBERS[count]} in {box.name}"
    return f"{NUMBERS[count]} {box.name} or more" if _is_plural(box) else f"{NUMBERS[count]} or more in {box.name}"


def _another(book: RuleBook) -> str:
    if book.alike is None:  # only its policy pays extras
        raise AssertionError(book)
    return f"another {book.box(book.alike.box).name} with {book.alike.extra} extra"


def _is_plural(box: Box) -> bool:
    """'three Fours' reads well, 'three Number of 4' does not."""
    return " " not in box.name and box.name.endswith("s")
