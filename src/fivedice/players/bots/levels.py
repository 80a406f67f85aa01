"""The levels of bots, as data: how each values boxes, and how often it makes which mistakes.

A human-like level plays by rules of thumb (`thumb`) and has habits: mistakes that people make. The share of a habit is
the part of turns in which the level makes that mistake. The turns follow from its seat and its own card alone, so every
game can be replayed. The shares are tuned so that the mean scores are spread evenly; `python tools/measure_bots.py`
measures them.

A *play* is the version of the way in which levels choose. Games and records name theirs, and every play that was ever
used is kept here, because games are continued and checked by the one they began with.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Literal, TypeAlias

from fivedice.errors import MalformedError, quote
from fivedice.message import Either

PLAY = "2"  # of games that begin now; raise it as soon as a level would choose differently
FIRST_PLAY = "1"  # also of games that are older than these numbers


class Habit(StrEnum):
    """A mistake that people make. A habit never names a box: it depends on which dice a box pays for."""

    NOW = "now"  # counts the points scored now, not the points that an open box may still bring
    BONUS = "bonus"  # forgets the bonus
    ANYTHING = "anything"  # fills a box that takes any roll as if it were worth nothing later
    LONG_SHOTS = "long-shots"  # takes all-or-nothing dice for far likelier than they are
    ONE_AIM = "one-aim"  # thinks of one box at a time
    SHEET = "sheet"  # does not look at the sheet while there are rolls left
    ALIKE = "alike"  # keeps only dice of one face
    OVERLOOKS = "overlooks"  # does not see the points in a box; the share is the part of boxes, turn by turn
    HASTE = "haste"  # does not use the last roll


@dataclass(frozen=True, slots=True)
class Mood:
    """The mistakes of one turn, and the boxes, as the compiled book numbers them, whose points are overlooked."""

    habits: frozenset[Habit]
    unseen: tuple[int, ...] = ()


Sight: TypeAlias = Literal["points", "par", "exact-or-par", "thumb", "exact", "win"]


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of player.

    `sight` is how it values a box: by a rule of thumb, with its habits; by the exact value; or by the share of the win.
    Levels of the first play went by the points, by the points against the par of the box, or by the exact value if it
    was available. Their `blur` is how many points an option could be worse and still be chosen now and then: one that
    loses x points was e ** (-x / blur) times as likely as the best.
    """

    name: str
    about: str  # the kind of the message that describes it
    sight: Sight
    blur: float = 0.0
    habits: tuple[tuple[Habit, float], ...] = ()

    def share(self, habit: Habit) -> float:
        """Return how often it makes this mistake, from 0 to 1."""
        return dict(self.habits).get(habit, 0.0)


_FIRST = (
    Level("random", "bots.random", "points", inf),
    Level("greedy", "bots.greedy", "points", 2.0),
    Level("casual", "bots.first-casual", "points", 1.0),
    Level("steady", "bots.first-steady", "par", 1.02),
    Level("sharp", "bots.first-sharp", "exact-or-par", 0.88),
    Level("perfect", "bots.perfect", "exact-or-par"),
)
_THUMB = {  # name: its mistakes, each with the share of turns in which it is made
    "newcomer": {"now": 1, "bonus": 1, "sheet": 1, "alike": 1, "overlooks": 0.6, "haste": 1},
    "hopeful": {"now": 1, "bonus": 1, "long-shots": 1, "sheet": 1, "overlooks": 0.3, "haste": 0.5},
    "casual": {"now": 1, "bonus": 1, "long-shots": 0.4, "one-aim": 1, "sheet": 0.5, "overlooks": 0.2, "haste": 0.2},
    "steady": {
        "bonus": 0.2,
        "anything": 1,
        "long-shots": 0.2,
        "one-aim": 1,
        "sheet": 0.15,
        "overlooks": 0.05,
        "haste": 0.15,
    },
    "sharp": {"bonus": 0.2, "one-aim": 0.8},
}


def _human_like(name: str, habits: dict[str, float]) -> Level:
    return Level(name, f"bots.{name}", "thumb", habits=tuple((Habit(habit), share) for habit, share in habits.items()))


ALL_LEVELS = (
    *(_human_like(name, habits) for name, habits in _THUMB.items()),
    Level("perfect", "bots.perfect", "exact"),
    Level("champion", "bots.champion", "win"),
)
"""The levels on offer, from the weakest to the strongest."""

WATCHERS = frozenset(level.name for level in ALL_LEVELS if level.sight == "win")
"""The levels that look at the cards of all players."""

_RETIRED = tuple(each for each in _FIRST if each.name not in {level.name for level in ALL_LEVELS})
PLAYS = {FIRST_PLAY: _FIRST, PLAY: (*ALL_LEVELS, *_RETIRED)}
NAMES_OF_LEVELS = frozenset(level.name for level in PLAYS[PLAY])


def find_level(name: str, play: str = PLAY) -> Level:
    """Return the level of a name, as a given play has it; retired names are found too.

    Raises `MalformedError` for an unknown name.
    """
    for level in PLAYS[play]:
        if level.name == name:
            return level
    raise MalformedError("bots.unknown", bot=quote(name), known=Either(tuple(each.name for each in ALL_LEVELS)))
