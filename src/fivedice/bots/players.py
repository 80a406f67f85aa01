"""A player of some level at a table. All it does follows from the position, so that every game can be replayed.

What it sees of the position is its own card and its own dice: what others do to theirs, such as taking a score back
after it has thrown, leaves its choices alone.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from math import exp, inf
from typing import TYPE_CHECKING, TypeAlias

from fivedice.errors import IllegalMove
from fivedice.game import Hold, Mark
from fivedice.notation import write_card

if TYPE_CHECKING:
    from fivedice.bots.levels import Level
    from fivedice.dice import Keep, Roll
    from fivedice.game import Position, Scorecard
    from fivedice.rules import RuleBook
    from fivedice.solver.solution.outlook import Outlook

Choice: TypeAlias = Hold | Mark
Weighed: TypeAlias = list[tuple[Choice, float]]


@dataclass(frozen=True, eq=False)
class Player:
    """Weighs every option of a position by its level's sight and picks one as well as its eyes allow."""

    level: Level
    book: RuleBook
    salt: str
    outlook: Outlook | None = None  # the one of its level, unless it is told

    def choose(self, position: Position) -> Choice:
        """What to do with the dice on the table: hold some and throw the others, or fill a box."""
        options = self.weigh(position)
        if self.level.blur == 0:
            return first_of_the_best(options)
        return _pick(options, self.level.blur, _unit(f"{self.salt}/{self.level.name}/{_own(position)}"))

    def weigh(self, position: Position) -> Weighed:
        """Every choice of the position with what this level takes it to be worth."""
        roll = position.roll
        if roll is None:
            raise IllegalMove("bots.dice-not-rolled")
        if position.book != self.book:
            raise IllegalMove("bots.other-book", own=self.book, book=position.book)
        if self.level.blur == inf:
            return [(choice, 0.0) for choice in position.choices()]
        return self._mind.weigh(position.card, roll, position.rolls_left)

    @cached_property
    def _mind(self) -> Mind:
        from fivedice.solver.solution.outlook import (
            outlook,  # numpy, and perhaps the solver: only for those who look ahead
        )

        return Mind(self.book, self.outlook or outlook(self.book, self.level.sight, patient=False))


@dataclass(frozen=True, eq=False)
class Mind:
    """An outlook on cards and rolls rather than on arrays."""

    book: RuleBook
    outlook: Outlook

    def weigh(self, card: Scorecard, roll: Roll, rolls_left: int) -> Weighed:
        """Every legal box and, while there are rolls left, every keep, each with its worth."""
        from fivedice.solver.solution import options, state_of

        values = self.outlook.box_values(state_of(card))
        found = options(self.book, values, roll, rolls_left)
        return [(choice(keep, box), value) for keep, box, value in found]


def choice(keep: Keep | None, box: str | None) -> Choice:
    """Advice as a move."""
    return Mark(str(box)) if keep is None else Hold(keep)


def first_of_the_best(options: Weighed) -> Choice:
    """Of those that are equally good the first, however the last digits of a number fall on this machine."""
    from fivedice.solver.solution import TIE

    best = max(worth for _, worth in options)
    return next(option for option, worth in options if best - worth <= TIE)


def _own(position: Position) -> str:
    card = write_card(position.card)
    return f"{position.book.key} {card} {position.seat} {position.dice} {position.rolls_left}"


def _pick(options: Weighed, blur: float, unit: float) -> Choice:
    """An option at random, the better the likelier; `unit` is the random number, from 0 up to 1."""
    best = max(worth for _, worth in options)
    weights = list(accumulate(exp((worth - best) / blur) for _, worth in options))
    return options[min(bisect(weights, unit * weights[-1]), len(options) - 1)][0]


def _unit(text: str) -> float:
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big") / 2**48
