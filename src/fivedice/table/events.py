"""What happened at a table: the log is the truth, and everything else is folded from it.

Every event has a kind (its class name, in the log) and plain data. Old logs are read for ever: a field that is added
later must have a default.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

from fivedice.errors import MalformedError, quote


@dataclass(frozen=True, slots=True)
class Opened:
    """A table was set up; the host may start the game."""

    book: str
    host: str  # player id
    coach: bool = True
    first: int | None = None  # a rematch says who starts; otherwise the book decides
    rematch_of: str | None = None
    rules: str | None = None  # the text of a house book; `book` is its key then
    real_dice: bool = False  # people throw, and tell the table what fell
    games: int = 1  # side by side on one sheet
    match_total: bool = True  # whether they are added up
    fingerprint: str | None = None  # of the book as it was then; None in logs that are older than this field
    promise: str | None = None  # SHA-256 of the secret that the dice follow from; None for dice that cannot be proven
    word: str | None = None  # of that promise: see `promises`


@dataclass(frozen=True, slots=True)
class Sat:
    """Somebody took the next seat: a person (with a player id) or a bot (with a level)."""

    name: str | None  # None for someone who gave none
    color: str
    token: str
    player: str | None = None
    bot: str | None = None
    text: str = ""  # what they add to the dice


@dataclass(frozen=True, slots=True)
class Stood:
    """A seat was given up before the game began; those behind it move up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Started:
    """The seats are locked and it is settled who begins."""

    first: int
    roll_off: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice by slot, left to right; `held` are the slots that stayed."""

    seat: int
    dice: tuple[int, ...]
    held: tuple[int, ...] = ()
    last: bool = False  # the final dice of the turn; its earlier rolls were not noted


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The dice that this seat had entered last were a mistake."""

    seat: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A box was filled; the points are what the engine gave. None stands for what an old log does not say."""

    seat: int
    box: str
    points: int
    bonus: int | None = 0
    joker: bool | None = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """Turns that were written are something else now; all that follows from them is derived anew.

    Each change is (game, turn, dice or None, box or None), as in `commands.Change`.
    """

    changes: tuple[tuple[int, int, tuple[int, ...] | None, str | None], ...]


@dataclass(frozen=True, slots=True)
class NextStarted:
    """The next game of the sheet has begun."""

    first: int


@dataclass(frozen=True, slots=True)
class PencilPassed:
    """Somebody else keeps the score from now on, and plays every seat that the keeper played."""

    player: str


@dataclass(frozen=True, slots=True)
class UndoAsked:
    """The last score of this seat should be taken back, and others have to agree."""

    seat: int


@dataclass(frozen=True, slots=True)
class UndoAnswered:
    """One of the others agreed or did not."""

    player: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """The last score of this seat was taken back, with everything after it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Left:
    """The person at this seat went away; the seat waits."""

    seat: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The person at this seat is back."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandedOver:
    """Somebody else plays this seat from now on."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class StoodIn:
    """The house plays for somebody who left: this turn, or the rest of the game."""

    seat: int
    rest: bool


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The game will not be played to its end."""

    player: str


@dataclass(frozen=True, slots=True)
class Told:
    """The game has come to its end, so the secret of its dice is told."""

    secret: str


@dataclass(frozen=True, slots=True)
class Rematched:
    """The next game is at another table."""

    table: str


Event: TypeAlias = (
    Opened
    | Sat
    | Stood
    | Started
    | Rolled
    | Withdrawn
    | Scored
    | Corrected
    | NextStarted
    | PencilPassed
    | UndoAsked
    | UndoAnswered
    | Undone
    | Left
    | Returned
    | HandedOver
    | StoodIn
    | GivenUp
    | Told
    | Rematched
)

_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in Event.__args__}


def to_data(event: Event) -> tuple[str, dict[str, Any]]:
    """The kind and the data of an event, ready for JSON."""
    return type(event).__name__, asdict(event)


def from_data(kind: str, data: dict[str, Any]) -> Event:
    """An event from the log. Fields this version does not know are left aside."""
    if kind not in _KINDS:
        raise MalformedError("table.log-kind", kind=quote(kind))
    known = {field.name for field in fields(_KINDS[kind])}
    values = {name: _frozen(value) for name, value in data.items() if name in known}
    if kind == Scored.__name__:
        values = {"bonus": None, "joker": None} | values
    try:
        event: Event = _KINDS[kind](**values)
    except TypeError:
        raise MalformedError("table.log-part", kind=quote(kind), data=quote(data)) from None
    return event


def _frozen(value: Any) -> Any:
    """Lists as tuples, however deep: JSON knows only lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
