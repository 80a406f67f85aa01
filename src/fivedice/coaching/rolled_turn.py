"""A roll as it lies, and each thing that can be done with it: what it is worth, and how the turn may end after it.

Those ends are put into groups that exclude each other: what a keep aims at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.coaching import hint_messages as told
from fivedice.dice import Keep, Roll
from fivedice.game import Scorecard
from fivedice.game.card import par
from fivedice.message import Either, Message, message
from fivedice.rules import Anything, Box, FaceSum, RuleBook, Summed
from fivedice.solver import Advice
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.solution import keeps_within, state_of
from fivedice.solver.values.turn_choices import (
    Leads,
    Turnout,
    expected,
    filled_by_left,
    filled_in,
    joined,
    lying,
    settled,
    thrown,
)
from fivedice.solver.values.turn_values import alike_extras, best_rolls, keep_values, turn_ahead

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
    extras = tuple(sorted({*end.extras.tolist()} - {0}))
    aims = [_aim(book, group, chance, points[group], extras) for group, chance in chances.items() if chance > _ROUNDING]
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
    if not isinstance(box.pattern, FaceSum) or box.summed is not Summed.MATCHING:
        return None
    wanted = max(0.0, par(book, box) - box.constant)
    return ceil(round(wanted / box.pattern.face, 6)) if wanted else (book.dice + 1) // 2


@lru_cache(maxsize=64)
def _bars(book: RuleBook) -> tuple[int | None, ...]:
    """For each box the points that are worth aiming at; None where anything goes."""
    return tuple(_bar(book, box) for box in book.boxes)


def _bar(book: RuleBook, box: Box) -> int | None:
    if isinstance(box.pattern, Anything):
        return None
    count = enough(book, box)
    return box.constant + count * box.pattern.face if count is not None and isinstance(box.pattern, FaceSum) else 1


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


def _aim(book: RuleBook, group: Group, chance: float, points: float, extras: tuple[int, ...]) -> Aim:
    kind, place = group
    box = book.boxes[place] if place >= 0 else None
    told = _without_box(book, kind, extras) if box is None else _in_box(book, kind, box)
    return Aim(kind, box.key if box else None, told, min(1.0, chance), points)


def _without_box(book: RuleBook, kind: Kind, extras: tuple[int, ...]) -> Message:
    """`extras` are those that may be paid now: they may rise, or depend on the face."""
    if kind == "zero":
        return message("coach.aim-zero")
    if book.alike is None:  # only its policy pays extras
        raise AssertionError(book)
    return message("coach.aim-again", box=book.box(book.alike.box), bonus=Either(extras))


def _in_box(book: RuleBook, kind: Kind, box: Box) -> Message:
    count = enough(book, box)
    if count is None:
        return message("coach.aim-box", box=box)
    form = "" if box.name.isalpha() else "-in"  # "3 Fours", but "3 in Number of 4"
    if kind == "few":
        few = {1: "one", 2: "one-or-two"}.get(count - 1, "few")
        return message(f"coach.aim-{few}{form}", box=box, most=count - 1)
    return message(f"coach.aim-{'all' if count == book.dice else 'or-more'}{form}", box=box, count=count)


@dataclass(frozen=True, eq=False)
class RolledTurn:
    """A roll on a card, with what every roll is worth in every box.

    The chance of the upper bonus is known only where no rolls are saved.
    """

    card: Scorecard
    roll: Roll
    rolls_left: int
    levels: NDArray[np.float64]  # [levels, rolls, boxes]: for 0, 1, ... rolls left, the last for all that follow
    near: float
    led: Leads
    bonuses: NDArray[np.float64] | None  # the chance of the upper bonus of every state, where it is open

    @property
    def values(self) -> NDArray[np.float64]:
        """[rolls, boxes]: what every roll would be worth if it were scored now."""
        return self.level(self.rolls_left)

    def level(self, left: int) -> NDArray[np.float64]:
        """[rolls, boxes]: what every roll is worth if it is scored with so many rolls left."""
        found: NDArray[np.float64] = self.levels[min(left, len(self.levels) - 1)]
        return found

    def kept(self, keep: Keep) -> Turnout:
        """How the turn ends if these dice are kept and everything after that is played best."""
        grid, left = compiled_book(self.card.book).lattice, self.rolls_left - 1
        rolls = thrown(grid, keep.faces)
        if not self.card.book.save_rolls:
            return self._settled(filled_in(grid, self.values.max(axis=1), rolls, left, self.near))
        ends = filled_by_left(grid, lambda left: self.level(left).max(axis=1), rolls, left, self.near)
        return joined([self._settled(filled, left) for left, filled in ends.items()])

    def scored(self, box: str) -> Turnout:
        """How it ends if this box is filled now."""
        book = compiled_book(self.card.book)
        place = book.order.index(self.card.book.index[box])
        values = np.where(np.arange(book.boxes) == place, self.values, -np.inf)
        return settled(book, state_of(self.card), values, lying(book.lattice, self.roll.faces), self.led, self.near)

    @cached_property
    def ends(self) -> Turnout:
        """Every roll, each filled in where it is best: an entry per roll, in their order."""
        return self._settled(np.ones(len(self.values)))

    def over_keeps(self, measure: NDArray[np.float64]) -> Mapping[Keep, float]:
        """For everything that can be kept now, what to expect of a number that each of `ends` has."""
        grid = compiled_book(self.card.book).lattice
        found = expected(grid, self.values.max(axis=1), measure, self.rolls_left - 1, self.near)
        return {keep: float(found[grid.row[keep.faces]]) for keep in keeps_within(self.roll)}

    def sought(self, wanted: NDArray[np.float64]) -> Mapping[Keep, float]:
        """For everything that can be kept now, the best chance to end the turn with one of the wanted rolls."""
        grid = compiled_book(self.card.book).lattice
        found = keep_values(grid, wanted)
        for _ in range(self.rolls_left - 1):
            found = keep_values(grid, best_rolls(grid, found))
        return {keep: float(found[grid.row[keep.faces]]) for keep in keeps_within(self.roll)}

    @property
    def best_keep(self) -> float:
        """What the best keep is worth."""
        grid = compiled_book(self.card.book).lattice
        keeps, _ = turn_ahead(grid, self.levels.max(axis=2), self.rolls_left)
        return max(float(keeps[grid.row[keep.faces]]) for keep in keeps_within(self.roll))

    @property
    def alike(self) -> NDArray[np.bool_]:
        """For every roll whether all its dice show the same."""
        grid = compiled_book(self.card.book).lattice
        found: NDArray[np.bool_] = np.isin(np.arange(len(self.values)), grid.alike - grid.first_roll)
        return found

    def points_in(self, box: str) -> NDArray[np.int64]:
        """For every roll the points that it scores in this box, without what is paid beside it."""
        book = compiled_book(self.card.book)
        paid: NDArray[np.int64] = self.led[2][:, book.order.index(self.card.book.index[box])]
        extras = np.zeros(len(paid), dtype=np.int64)
        extras[book.lattice.alike - book.lattice.first_roll] = alike_extras(book, state_of(self.card))
        return np.where(paid >= extras, paid - extras, paid)

    @property
    def place(self) -> int:
        """Where this roll stands among all of them."""
        grid = compiled_book(self.card.book).lattice
        return grid.row[self.roll.faces] - grid.first_roll

    def bonus(self, end: Turnout) -> float | None:
        """The chance of the upper bonus after such an end, where that is open and known."""
        return None if self.bonuses is None else min(1.0, float(end.chances @ self.bonus_of(end)))

    def bonus_of(self, end: Turnout) -> NDArray[np.float64]:
        """The chance of the upper bonus for each entry of an end."""
        if self.bonuses is None:
            raise AssertionError(self.card)
        found: NDArray[np.float64] = self.bonuses[end.masks, end.flags, end.lanes]
        return found

    def _settled(self, filled: NDArray[np.float64], left: int = 0) -> Turnout:
        book = compiled_book(self.card.book)
        return settled(book, state_of(self.card), self.level(left), filled, self.led, self.near)


@dataclass(frozen=True, slots=True)
class Choice:
    """Hold `keep` and roll the rest, or fill `box`."""

    keep: Keep | None
    box: str | None
    label: Message  # keep 4-4, roll all 5 dice again, Full House for 25
    value: float  # expected further points, those of this turn among them; in a chase, the chance
    cost: float  # against the best, 0.0 for all that are as good
    best: bool
    now: float  # expected points of this turn
    aims: tuple[Aim, ...]  # how the turn may end, likeliest first; they exclude each other
    bonus: float | None  # the chance that the finished card has the upper bonus, where that is still open

    @property
    def loss(self) -> float:
        """The cost, as advice calls it."""
        return self.cost

    @property
    def later(self) -> float:
        """Expected points after this turn."""
        return self.value - self.now

    @property
    def scores(self) -> tuple[Aim, ...]:
        """The ends that it is played for."""
        return tuple(aim for aim in self.aims if aim.kind in {"score", "extra"})

    @property
    def words(self) -> str:
        return str(self.label)

    @property
    def title(self) -> str:
        """As an entry of a list."""
        return str(self.label if self.box is not None else told.first(self))

    @property
    def line(self) -> str:
        """Aims and bonus in one line."""
        return str(told.line(self.scores, self.bonus))


def choice_of(turn: RolledTurn, advice: Advice) -> Choice:
    end = turn.scored(advice.box or "") if advice.keep is None else turn.kept(advice.keep)
    return Choice(
        keep=advice.keep,
        box=advice.box,
        label=told.label(turn.card, turn.roll, advice.keep, advice.box),
        value=advice.value,
        cost=advice.loss,
        best=advice.best,
        now=float(end.chances @ (end.points + end.extras)),
        aims=aims_of(turn.card, end) if advice.box is None else (),
        bonus=turn.bonus(end),
    )
