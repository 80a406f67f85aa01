"""How a command and an event are declared: once, in the module of their feature, with all that is known of them.

A command is a frozen dataclass with a `decide`; an event is one with a `fold`. Being defined puts them into the
registries below, from which the log, the API and the forms are derived.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from fivedice.dice import DiceSource
from fivedice.table.refusals import BadRequest, LogFull, StaleVersion

if TYPE_CHECKING:
    from fivedice.table.state import TableState

COMMANDS: dict[str, type[Command]] = {}  # by their names on the wire; those that need a link have none
EVENTS: dict[str, type[Event]] = {}  # by their kinds in the log


def utc_now() -> str:
    """RFC 3339, to the millisecond: such texts are in the order of time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision may depend on beside the table itself."""

    dice: DiceSource
    present: frozenset[str] | None = None  # whose screens were heard of lately; None where nobody keeps track
    now: Callable[[], str] = utc_now  # most never ask


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody asks of a table. The version and the key travel beside it."""

    wire: ClassVar[str | None] = None
    plays_on: ClassVar[bool] = False  # the game comes nearer to its end by it: never too much for a log
    versioned: ClassVar[bool] = False  # it means something else once the dice, the sheet or the seats have changed
    examples: ClassVar[tuple[tuple[str, dict[str, object]], ...]] = ()  # of bodies for the API, each with a title

    player: str

    def __init_subclass__(cls) -> None:
        if cls.wire is not None:
            COMMANDS[cls.wire] = cls

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        """What it leads to: events, or a refusal. Nothing is changed or stored here."""
        raise NotImplementedError

    @property
    def needs_version(self) -> bool:
        return self.versioned

    def oldest(self, state: TableState) -> int:
        """The first version of the table that it can have been made for."""
        return state.game_version


@dataclass(frozen=True, slots=True)
class Event:
    """What happened. Old logs are read for ever: a field that is added later must have a default."""

    kind: ClassVar[str] = ""  # in the log; the name of the class, unless that was another once
    changes_game: ClassVar[bool] = False  # the dice, the sheet, or the numbers of the seats
    heard: ClassVar[bool] = True  # whether people are told of it as the last thing that happened
    said: ClassVar[str | None] = None  # the kind of message that tells of it
    unsaid: ClassVar[tuple[str, ...]] = ()  # fields that are None where an old log does not have them

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__dict__.get("kind", cls.__name__)
        EVENTS[cls.kind] = cls

    def fold(self, state: TableState) -> None:
        """Let it take effect. Live tables and stored logs go the same way, so they cannot differ."""

    @property
    def people(self) -> set[str]:
        """The ids of those whom it names; most moves name nobody."""
        return {player for name in _naming(self.kind) if (player := getattr(self, name))}

    def data(self) -> dict[str, Any]:
        """Its fields, ready for JSON."""
        return {name: getattr(self, name) for name in _fields(self.kind)}


@cache
def _fields(kind: str) -> tuple[str, ...]:
    return tuple(each.name for each in fields(EVENTS[kind]))


@cache
def _naming(kind: str) -> tuple[str, ...]:
    """Its fields that hold the id of somebody: every move asks, and what is not there is looked for the longest."""
    return tuple(name for name in ("host", "player") if name in _fields(kind))


MOST_IN_BETWEEN = 100  # events since the dice or the sheet changed: people who come and go, names, questions
_PER_TURN, _BEFORE_START = 30, 500  # events; a turn of a game that goes straight on has five


def check_room(state: TableState, command: Command) -> None:
    """No log grows without end: coming and going, taking back and writing anew have a bound, playing on has none."""
    if command.plays_on:
        return
    if state.version - state.game_version >= MOST_IN_BETWEEN or state.version >= _most_events(state):
        raise LogFull("table.log-full")


def _most_events(state: TableState) -> int:
    turns = 0 if state.game is None else len(state.book.boxes) * len(state.seats) * state.games
    return _BEFORE_START + _PER_TURN * turns


def check_version(state: TableState, command: Command, version: int | None) -> None:
    """A command may have been made before people came and went, but not before what it is about."""
    if not command.needs_version:
        return
    if version is None:
        raise BadRequest("table.version-missing")
    if not command.oldest(state) <= version <= state.version:
        raise StaleVersion("table.stale", version=state.version)
