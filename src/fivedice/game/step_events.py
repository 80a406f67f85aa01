"""What a step tells the world: facts, in order, with everything needed to announce them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from fivedice.dice import Keep, Roll


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice fell."""

    seat: int
    roll: Roll
    fell: tuple[int, ...]  # the dice that were thrown, without the held ones
    rolls_left: int


@dataclass(frozen=True, slots=True)
class Held:
    """Dice were kept and the others taken up."""

    seat: int
    keep: Keep


@dataclass(frozen=True, slots=True)
class Scored:
    """A box was filled."""

    seat: int
    box: str
    points: int
    joker: bool


@dataclass(frozen=True, slots=True)
class ExtraPaid:
    """A further five of a kind earned its extra bonus."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class BonusReached:
    """The upper total has reached the threshold with this score."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The next seat is on turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Every card is full. Ties share the win."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


Event: TypeAlias = Thrown | Held | Scored | ExtraPaid | BonusReached | TurnPassed | GameEnded
