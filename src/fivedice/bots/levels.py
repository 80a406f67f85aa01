"""The levels of bots, as data: what each knows, and which mistakes it makes how often.

A level that plays like a person plays by rule of thumb (`thumb`) and has habits: mistakes that people make. Each has a
share, of the turns in which it makes them. Which turns these are follows from its seat and its own sheet alone, so
every game can be replayed. The shares are tuned so that the means are spread evenly; `python tools/measure_bots.py`
says what they are.

A *play* is the number of a way to choose. Tables and records name theirs, and every play that was ever used is kept
here, because games go on and are checked by the one they began with.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Literal, TypeAlias

from fivedice.errors import MalformedError, quote
from fivedice.message import Either

PLAY = "2"  # how bots choose in a game that begins now: another number as soon as a level would choose differently
FIRST_PLAY = "1"  # the one of tables that are older than these numbers, too


class Habit(StrEnum):
    """A mistake that people make. None of them names a box: they go by what a box pays for which dice."""

    NOW = "now"  # counts the points of now, and not what an open box may still bring
    BONUS = "bonus"  # forgets the bonus
    ANYTHING = "anything"  # spends a box that takes any roll as if it were worth nothing later
    LONG_SHOTS = "long-shots"  # takes dice that bring all or nothing for far likelier than they are
    ONE_AIM = "one-aim"  # thinks of one box at a time
    SHEET = "sheet"  # does not look at the sheet while there are rolls left
    ALIKE = "alike"  # keeps only dice that show the same
    OVERLOOKS = "overlooks"  # does not see what the dice make in a box; the share is of boxes, turn by turn
    HASTE = "haste"  # leaves the last roll out


@dataclass(frozen=True, slots=True)
class Mood:
    """The mistakes of one turn, and the boxes (as the compiled book numbers them) where nothing is seen."""

    habits: frozenset[Habit]
    unseen: tuple[int, ...] = ()


Sight: TypeAlias = Literal["points", "par", "exact-or-par", "thumb", "exact", "win"]


@dataclass(frozen=True, slots=True)
class Level:
    """One kind of player.

    `sight` is what it takes a box to be worth: what a rule of thumb says, with its habits, or the exact value, or the
    share of the win that it leaves. Levels
    of the first play saw the points, or the points against the par of the box, or the exact value if it was at hand;
    and `blur` is by how many points an option could be worse and still be taken for a good one now and then: one that
    loses x points was e ** (-x / blur) times as likely as the best.
    """

    name: str
    about: str  # the kind of the message that describes it
    sight: Sight
    blur: float = 0.0
    habits: tuple[tuple[Habit, float], ...] = ()

    def share(self, habit: Habit) -> float:
        """How often it makes this mistake."""
        return dict(self.habits).get(habit, 0.0)


_FIRST = (
    Level("random", "bots.random", "points", inf),
    Level("greedy", "bots.greedy", "points", 2.0),
    Level("casual", "bots.first-casual", "points", 1.0),
    Level("steady", "bots.first-steady", "par", 1.02),
    Level("sharp", "bots.first-sharp", "exact-or-par", 0.88),
    Level("perfect", "bots.perfect", "exact-or-par"),
)
_THUMB = {  # name: its mistakes, and in which share of its turns it makes them
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


def _like_a_person(name: str, habits: dict[str, float]) -> Level:
    return Level(name, f"bots.{name}", "thumb", habits=tuple((Habit(habit), share) for habit, share in habits.items()))


ALL_LEVELS = (
    *(_like_a_person(name, habits) for name, habits in _THUMB.items()),
    Level("perfect", "bots.perfect", "exact"),
    Level("champion", "bots.champion", "win"),
)
"""Those that are offered, from the weakest to the strongest."""

WATCHERS = frozenset(level.name for level in ALL_LEVELS if level.sight == "win")
"""Those who look at the cards of all players."""

_RETIRED = tuple(each for each in _FIRST if each.name not in {level.name for level in ALL_LEVELS})
PLAYS = {FIRST_PLAY: _FIRST, PLAY: (*ALL_LEVELS, *_RETIRED)}
NAMES_OF_LEVELS = frozenset(level.name for level in PLAYS[PLAY])


def find_level(name: str, play: str = PLAY) -> Level:
    """The level of a name, as it is or was played; names that are no longer offered still have theirs."""
    for level in PLAYS[play]:
        if level.name == name:
            return level
    raise MalformedError("bots.unknown", bot=quote(name), known=Either(tuple(each.name for each in ALL_LEVELS)))
