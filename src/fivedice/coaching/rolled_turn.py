"""A roll as it lies, and each thing that can be done with it: what it is worth, and how the turn may end after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fivedice.coaching import hint_messages as told
from fivedice.coaching.aims import Aim, aims_of
from fivedice.dice import Keep, Roll
from fivedice.game import Scorecard
from fivedice.message import Message
from fivedice.solver import Advice
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.solution import keeps_within, state_of
from fivedice.solver.values.turn_choices import Leads, Turnout, expected, filled_in, lying, settled, thrown
from fivedice.solver.values.turn_values import best_rolls, keep_values


@dataclass(frozen=True, eq=False)
class RolledTurn:
    """A roll on a card, with what every roll is worth in every box."""

    card: Scorecard
    roll: Roll
    rolls_left: int
    values: NDArray[np.float64]  # [rolls, boxes]
    near: float
    led: Leads
    bonuses: NDArray[np.float64] | None  # the chance of the upper bonus of every state, where it is open

    def kept(self, keep: Keep) -> Turnout:
        """How the turn ends if these dice are kept and everything after that is played best."""
        grid = compiled_book(self.card.book).lattice
        rolls = thrown(grid, keep.faces)
        return self._settled(filled_in(grid, self.values.max(axis=1), rolls, self.rolls_left - 1, self.near))

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
    def alike(self) -> NDArray[np.bool_]:
        """For every roll whether all its dice show the same."""
        grid = compiled_book(self.card.book).lattice
        found: NDArray[np.bool_] = np.isin(np.arange(len(self.values)), grid.alike - grid.first_roll)
        return found

    def points_in(self, box: str) -> NDArray[np.int64]:
        """For every roll the points that it scores in this box, without what is paid beside it."""
        book = compiled_book(self.card.book)
        paid: NDArray[np.int64] = self.led[2][:, book.order.index(self.card.book.index[box])]
        extra = int(book.extra[state_of(self.card).flag])
        return np.where(self.alike & (paid >= extra), paid - extra, paid)

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

    def _settled(self, filled: NDArray[np.float64]) -> Turnout:
        book = compiled_book(self.card.book)
        return settled(book, state_of(self.card), self.values, filled, self.led, self.near)


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
