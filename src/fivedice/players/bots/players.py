"""Bots that weigh all options: one for each level, and one that only wants to reach a total.

The choice of a level depends only on its own card and dice, so that every game can be replayed even if others change
their cards, for example by taking a score back. Only the champion looks at all cards.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from math import exp, inf
from typing import TYPE_CHECKING, Protocol, TypeAlias

from fivedice.core.game import Hold, Mark, Position, Scorecard
from fivedice.core.notation import write_card
from fivedice.errors import IllegalError, IllegalMove
from fivedice.players.bots.human_like import Choice, HumanLikeBot, unit_number
from fivedice.players.bots.levels import FIRST_PLAY, Level, find_level

if TYPE_CHECKING:
    from fivedice.core.dice import Keep, Roll
    from fivedice.core.rules import RuleBook
    from fivedice.solver.chase import Chase
    from fivedice.solver.solution import Outlook

Weighed: TypeAlias = list[tuple[Choice, float]]


class Bot(Protocol):
    """Any object with a method `choose` can play."""

    def choose(self, position: Position) -> Hold | Mark:
        """Return the dice to keep, as `Hold`, or the box to fill, as `Mark`.

        `position` has dice on the table; the choice must be legal in it.

        >>> class First:
        ...     def choose(self, position):
        ...         return next(choice for choice in position.choices() if isinstance(choice, fd.Mark))
        >>> fd.simulate("yatzy", 1, bot=First()).games
        1
        """
        ...


def player_of(level: Level, book: RuleBook, salt: str = "") -> Bot:
    """Return a bot of a level. To add a kind of player, add a sight and a line here."""
    if level.sight == "win":
        from fivedice.players.bots.champion import Champion

        return Champion(LevelBot(find_level("perfect"), book, ""))
    return HumanLikeBot(level, book, salt) if level.sight == "thumb" else LevelBot(level, book, salt)


def has_values(book: RuleBook) -> bool:
    """Return whether the exact values of a book can be had within seconds, or are stored already."""
    from fivedice.solver.runtime.solve_limits import Answers, estimate, takes_long

    if estimate(book).answers is Answers.NOTHING:
        return False
    if not takes_long(book):
        return True
    from fivedice.solver.model.book_arrays import compiled_book
    from fivedice.solver.runtime.solution_files import has_table
    from fivedice.solver.solution import is_stored

    return is_stored(book) if book.save_rolls else has_table(book.fingerprint, compiled_book(book).shape)


@dataclass(frozen=True, eq=False, repr=False)
class LevelBot:
    """Weighs every option of a position by its level's sight, and picks one; with `blur`, not always the best."""

    level: Level
    book: RuleBook
    salt: str
    outlook: Outlook | None = None  # by default that of its level

    def __repr__(self) -> str:
        return f"<Player {self.level.name!r} of {self.book.key!r}>"

    def choose(self, position: Position) -> Choice:
        """Return the dice to keep, or the box to fill."""
        options = self.weigh(position)
        if self.level.blur == 0:
            return pick_first_best(options)
        turn = f"{position.book.key} {write_card(position.card)} {position.seat} {position.dice} {position.rolls_left}"
        return _pick(options, self.level.blur, unit_number(f"{self.salt}/{self.level.name}/{turn}"))

    def weigh(self, position: Position) -> Weighed:
        """Return every choice of the position with its worth to this level.

        Raises `IllegalMove` before the roll, or for another book.
        """
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
        return Mind(self.book, self.outlook or _outlook(self.level, self.book))


def _outlook(level: Level, book: RuleBook) -> Outlook:
    """Return the outlook of a level; levels of the first play go by par where the values are not available."""
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known, outlook  # imported late because it needs numpy, perhaps the solver

    if level.sight in {"points", "par"}:
        return outlook(book, "points" if level.sight == "points" else "par")
    if level.sight == "exact" and (not has_values(book) or (takes_long(book) and known(book) is None)):
        raise IllegalError("bots.no-perfect", rules=book)  # perfect play never falls back to par
    return outlook(book, "exact", patient=False)


_USEFUL = 3  # saved rolls that a later turn can use, roughly; after the last turn they are worth nothing


@dataclass(frozen=True, eq=False)
class Mind:
    """An outlook, asked about cards and rolls instead of arrays."""

    book: RuleBook
    outlook: Outlook

    def weigh(self, card: Scorecard, roll: Roll, rolls_left: int) -> Weighed:
        """Return every legal box and, while there are rolls left, every keep, each with its worth."""
        from fivedice.solver.solution import options, state_of

        values, useful = self.outlook.leaves(state_of(card), rolls_left), _USEFUL * (card.marks.count(None) - 1)
        for left in range(useful + 1, len(values)):
            values[left] -= (left - useful) * self.outlook.saved
        return [(choice(keep, box), value) for keep, box, value in options(self.book, values, roll, rolls_left)]


def choice(keep: Keep | None, box: str | None) -> Choice:
    """Return a keep or a box as a move."""
    return Mark(str(box)) if keep is None else Hold(keep)


def pick_first_best(options: Weighed) -> Choice:
    """Return the first of the equally good options, so that rounding on this machine does not matter."""
    from fivedice.solver.solution import TIE

    best = max(worth for _, worth in options)
    return next(option for option, worth in options if best - worth <= TIE)


def _pick(options: Weighed, blur: float, unit: float) -> Choice:
    """Return a random option, better ones more likely; `unit` is the random number, from 0 up to 1."""
    best = max(worth for _, worth in options)
    weights = list(accumulate(exp((worth - best) / blur) for _, worth in options))
    return options[min(bisect(weights, unit * weights[-1]), len(options) - 1)][0]


_NEAR = 6  # open boxes up to which a chase takes only a moment


@dataclass(frozen=True, eq=False)
class Chaser:
    """Takes the best chance of the target and, of equal chances, the highest mean.

    Without a finished chase, its first choice early in a game works one out from there. That takes some seconds to half
    a minute and up to a gigabyte of memory.
    """

    book: RuleBook
    target: int
    hunt: Chase | None
    _chases: list[Chase] = field(default_factory=list)  # the one that it has worked out itself

    def choose(self, position: Position) -> Hold | Mark:
        """Return the move that leaves the best chance."""
        weighed = LevelBot(find_level("perfect", FIRST_PLAY), self.book, "").weigh(position)
        roll = position.roll
        if roll is None:
            raise IllegalMove("bots.dice-not-rolled")
        advice = self._find_chase(position.card).advise(position.card, roll, position.rolls_left, self.target)
        best = {choice(each.keep, each.box) for each in advice if each.best}
        return pick_first_best([option for option in weighed if option[0] in best])

    def _find_chase(self, card: Scorecard) -> Chase:
        if self.hunt is not None:
            return self.hunt
        if card.marks.count(None) <= _NEAR:
            return _cached_chase_from(card, self.target)
        if not any(known.covers(card) for known in self._chases):
            self._chases[:] = [_chase_from(card, self.target)]  # another game: the last chase is not needed again
        return self._chases[0]


def _chase_from(card: Scorecard, target: int) -> Chase:
    from fivedice.solver.chase import chase

    return chase(card.book, card=card, least=target, most=target)


_cached_chase_from = lru_cache(maxsize=64)(_chase_from)  # near the end: a turn needs it several times
