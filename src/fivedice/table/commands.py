"""What people ask of a table. A command says who asks; the version and the key travel beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class SitDown:
    """Take the next free seat. A person may take several: a hot seat. Nobody needs a name."""

    player: str
    name: str | None = None
    color: str | None = None
    token: str | None = None
    text: str = ""  # added to the dice, so that nobody could have chosen them


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Let the house play a seat, at a level."""

    player: str
    level: str


@dataclass(frozen=True, slots=True)
class StandUp:
    """Give a seat up before the game begins; the host may clear any."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class StartGame:
    """Lock the seats and begin; the host's right. With real dice people may say who begins."""

    player: str
    first: int | None = None


@dataclass(frozen=True, slots=True)
class RollDice:
    """Roll, leaving the dice in these slots on the table."""

    player: str
    hold: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EnterDice:
    """Tell what real dice show: those that were thrown, the others lying in these slots.

    `last` says that these are the final dice of the turn, and that its earlier rolls are not noted.
    """

    player: str
    thrown: tuple[int, ...]
    hold: tuple[int, ...] = ()
    last: bool = False


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back the dice that were entered last, before they are written."""

    player: str


@dataclass(frozen=True, slots=True)
class WriteTurn:
    """Write a whole turn at once: its final dice and its box.

    It says which turn it is (both counted from 0), so that it can be sent late and twice and still be written once.
    """

    player: str
    game: int
    turn: int
    dice: tuple[int, ...]
    box: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a written turn should have been; None leaves the dice or the box as they are."""

    game: int
    turn: int
    dice: tuple[int, ...] | None = None
    box: str | None = None


@dataclass(frozen=True, slots=True)
class Correct:
    """Change what was written earlier. Several changes are judged together."""

    player: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class NextGame:
    """Begin the next game of the sheet; `game` is its number, counted from 0."""

    player: str
    game: int


@dataclass(frozen=True, slots=True)
class TakePencil:
    """Keep the score from now on; the store has checked the link."""

    player: str


@dataclass(frozen=True, slots=True)
class FillBox:
    """Write the dice into a box."""

    player: str
    box: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the last score back, or ask the others to agree."""

    player: str


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """Agree that a score is taken back, or not."""

    player: str
    agree: bool


@dataclass(frozen=True, slots=True)
class Leave:
    """Go away from a seat for a while."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Sit down again where one left."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Play a seat that its owner has handed over; the store has checked the link."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class SkipTurn:
    """Let the house play one turn for somebody who is away."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Let the house play to the end for somebody who is away."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class GiveUp:
    """End a game that nobody will finish; the host's right. Its dice can be checked from then on."""

    player: str


Command: TypeAlias = (
    SitDown
    | SeatBot
    | StandUp
    | StartGame
    | RollDice
    | EnterDice
    | Withdraw
    | WriteTurn
    | Correct
    | NextGame
    | TakePencil
    | FillBox
    | TakeBack
    | AnswerUndo
    | Leave
    | ComeBack
    | TakeOver
    | SkipTurn
    | Dismiss
    | GiveUp
)
