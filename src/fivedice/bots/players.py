"""Players of some level at a table, and one that wants a certain total, and nothing else.

`sight` is what a level takes a box to be worth: the points, the points against the par of the box, or the exact value.
`blur` is by how many points an option may be worse and still be taken for a good one now and then: an option that
loses x points is e ** (-x / blur) times as likely as the best. Both together are tuned so that the means of the
levels are spread evenly; `python tools/measure_bots.py` says what they are. Blur falls from level to level, because
in a book that leaves nothing to plan, such as one with a fixed order of boxes, it alone tells the levels apart.

All it does follows from its own card and its own dice, so that every game can be replayed: what others do to theirs,
such as taking a score back after it has thrown, leaves its choices alone.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import exp, inf
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.errors import IllegalMove, MalformedError, quote
from fivedice.game import Hold, Mark, Position, Scorecard
from fivedice.message import Either
from fivedice.notation import write_card

if TYPE_CHECKING:
    from fivedice.dice import Keep, Roll
    from fivedice.rules import RuleBook
    from fivedice.solver.chase import Chase
    from fivedice.solver.solution import Outlook

PLAY = "1"  # how the bots choose: another number as soon as a level would choose differently anywhere


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of player: how far it looks, and how well it sees."""

    name: str
    about: str  # the kind of the message that describes it
    sight: Literal["points", "par", "exact"]
    blur: float


ALL_LEVELS = (
    Level("random", "bots.random", "points", inf),
    Level("greedy", "bots.greedy", "points", 2.0),
    Level("casual", "bots.casual", "points", 1.0),
    Level("steady", "bots.steady", "par", 1.02),
    Level("sharp", "bots.sharp", "exact", 0.88),
    Level("perfect", "bots.perfect", "exact", 0.0),
)


def find_level(name: str) -> Level:
    """The level of a name."""
    for level in ALL_LEVELS:
        if level.name == name:
            return level
    raise MalformedError("bots.unknown", bot=quote(name), known=Either(tuple(each.name for each in ALL_LEVELS)))


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
        from fivedice.solver.solution import (
            outlook,  # numpy, and perhaps the solver: only for those who look ahead
        )

        return Mind(self.book, self.outlook or outlook(self.book, self.level.sight, patient=False))


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
    """Takes the best chance of the target; among equal ones, the highest mean.

    Without a finished hunt it plays for the mean until the last boxes, since chances from the first box on are a
    job of a minute. That loses little: far from the end a good mean is the best start for any likely target.
    """

    book: RuleBook
    target: int
    hunt: Chase | None

    def choose(self, position: Position) -> Hold | Mark:
        """The move that leaves the best chance."""
        weighed = Player(ALL_LEVELS[-1], self.book, "").weigh(position)
        hunt, roll = self.hunt or _near(position.card, self.target), position.roll
        if hunt is not None and roll is not None:
            advice = hunt.advise(position.card, roll, position.rolls_left, self.target)
            best = {choice(each.keep, each.box) for each in advice if each.best}
            weighed = [option for option in weighed if option[0] in best]
        return first_of_the_best(weighed)


@lru_cache(maxsize=64)
def _near(card: Scorecard, target: int) -> Chase | None:
    """The chances from this card on, if that is quickly done; a turn asks for the same card several times."""
    from fivedice.solver.chase import chase

    if card.marks.count(None) > _NEAR:
        return None
    return chase(card.book, card=card, most=target)
