"""The three moves. `Throw` belongs to chance, the other two to the player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fivedice.dice import Keep, Roll


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice in the cup fall; `roll` is how all dice lie afterwards, the held ones included.

    `last` are the dice as they lay at the end of a turn whose earlier rolls were not noted.
    """

    roll: Roll
    last: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """Leave these dice on the table and put all others in the cup."""

    keep: Keep


@dataclass(frozen=True, slots=True)
class Mark:
    """Fill a box, which ends the turn."""

    box: str


Move: TypeAlias = Throw | Hold | Mark
