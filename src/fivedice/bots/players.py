"""Players at a table that need no person: one of any level, and one that wants a certain total, and nothing else.

All that a level does follows from its own card and its own dice, so that every game can be replayed: what others do to
theirs, such as taking a score back after it has thrown, leaves its choices alone. Only the champion looks at all cards.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import exp, inf
from typing import TYPE_CHECKING, Protocol, TypeAlias

from fivedice.bots.levels import FIRST_PLAY, Level, find_level
from fivedice.bots.people import Choice, Person
from fivedice.errors import IllegalError, IllegalMove
from fivedice.game import Hold, Mark, Position, Scorecard
from fivedice.notation import write_card

if TYPE_CHECKING:
    from fivedice.dice import Keep, Roll
    from fivedice.rules import RuleBook
    from fivedice.solver.chase import Chase
    from fivedice.solver.solution import Outlook

Weighed: TypeAlias = list[tuple[Choice, float]]


class Bot(Protocol):
    """Anything that can choose can take a seat."""

    def choose(self, position: Position) -> Hold | Mark:
        """What to do with the dice on the table: hold some and throw the others, or fill a box."""
        ...


def player_of(level: Level, book: RuleBook, salt: str = "") -> Bot:
    """A player of a level. A new kind of player is one more sight and a line here."""
    if level.sight == "win":
        from fivedice.bots.champion import Champion

        return Champion(Player(find_level("perfect"), book, ""))
    return Person(level, book, salt) if level.sight == "thumb" else Player(level, book, salt)


def has_values(book: RuleBook) -> bool:
    """Whether the exact values of a book are there within seconds, or are stored already."""
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
class Player:
    """Weighs every option of a position by its level's sight and picks one as well as its eyes allow."""

    level: Level
    book: RuleBook
    salt: str
    outlook: Outlook | None = None  # the one of its level, unless it is told

    def __repr__(self) -> str:
        return f"<Player {self.level.name!r} of {self.book.key!r}>"

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
        return Mind(self.book, self.outlook or _outlook(self.level, self.book))


def _outlook(level: Level, book: RuleBook) -> Outlook:
    """The one of a level; of the first play, by par where the values were not at hand."""
    from fivedice.solver.runtime.solve_limits import takes_long
    from fivedice.solver.solution import known, outlook  # numpy, and perhaps the solver: only who looks ahead needs it

    if level.sight in {"points", "par"}:
        return outlook(book, "points" if level.sight == "points" else "par")
    if level.sight == "exact" and (not has_values(book) or (takes_long(book) and known(book) is None)):
        raise IllegalError("bots.no-perfect", rules=book)  # never by par under this name
    return outlook(book, "exact", patient=False)


_USEFUL = 3  # saved rolls that a later turn has use for, roughly; after the last turn they count for nothing


@dataclass(frozen=True, eq=False)
class Mind:
    """An outlook on cards and rolls rather than on arrays."""

    book: RuleBook
    outlook: Outlook

    def weigh(self, card: Scorecard, roll: Roll, rolls_left: int) -> Weighed:
        """Every legal box and, while there are rolls left, every keep, each with its worth."""
        from fivedice.solver.solution import options, state_of

        values, useful = self.outlook.leaves(state_of(card), rolls_left), _USEFUL * (card.marks.count(None) - 1)
        for left in range(useful + 1, len(values)):
            values[left] -= (left - useful) * self.outlook.saved
        return [(choice(keep, box), value) for keep, box, value in options(self.book, values, roll, rolls_left)]


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


_NEAR = 6  # with so many open boxes or fewer the best chances are worked out in a moment


@dataclass(frozen=True, eq=False)
class Chaser:
    """Takes the best chance of the target, from the first turn to the last; among equal ones, the highest mean.

    Without a finished hunt its first choice early in a game works one out from there, which takes some seconds to half
    a minute and up to a gigabyte of memory.
    """

    book: RuleBook
    target: int
    hunt: Chase | None
    _hunts: list[Chase] = field(default_factory=list)  # the one that it has worked out itself

    def choose(self, position: Position) -> Hold | Mark:
        """The move that leaves the best chance."""
        weighed = Player(find_level("perfect", FIRST_PLAY), self.book, "").weigh(position)
        roll = position.roll
        if roll is None:
            raise IllegalMove("bots.dice-not-rolled")
        advice = self._hunt_from(position.card).advise(position.card, roll, position.rolls_left, self.target)
        best = {choice(each.keep, each.box) for each in advice if each.best}
        return first_of_the_best([option for option in weighed if option[0] in best])

    def _hunt_from(self, card: Scorecard) -> Chase:
        if self.hunt is not None:
            return self.hunt
        if card.marks.count(None) <= _NEAR:
            return _near(card, self.target)
        if not any(known.covers(card) for known in self._hunts):
            self._hunts[:] = [_hunt(card, self.target)]  # another game: the one before is not asked again
        return self._hunts[0]


@lru_cache(maxsize=64)
def _near(card: Scorecard, target: int) -> Chase:
    """The chances from this card on; a turn asks for the same card several times."""
    return _hunt(card, target)


def _hunt(card: Scorecard, target: int) -> Chase:
    from fivedice.solver.chase import chase

    return chase(card.book, card=card, least=target, most=target)
