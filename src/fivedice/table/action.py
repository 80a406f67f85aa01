"""How commands and events are declared: each once, in the module of its feature.

A command is a frozen dataclass with a `decide`; an event is one with a `fold`. Defining a class adds it to the
registries below, from which the log, the API and the forms are derived.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from fivedice.core.dice import DiceSource, Keep, Roll
from fivedice.core.game import Game, Hold, Throw
from fivedice.table.refusals import BadRequest, LogFull, StaleVersion

if TYPE_CHECKING:
    from fivedice.table.state import TableState

COMMANDS: dict[str, type[Command]] = {}  # by their names on the wire; commands that need a link have none
EVENTS: dict[str, type[Event]] = {}  # by their kinds in the log


def utc_now() -> str:
    """Return the time in RFC 3339 with milliseconds, so that sorting the texts sorts by time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision may depend on besides the table."""

    dice: DiceSource
    present: frozenset[str] | None = None  # people whose screens are connected; None if not tracked
    now: Callable[[], str] = utc_now  # few commands need it


@dataclass(frozen=True, slots=True)
class Command:
    """A request to a table. Its version and its key are sent along with it."""

    wire: ClassVar[str | None] = None
    plays_on: ClassVar[bool] = False  # brings the game nearer to its end: allowed however long the log is
    versioned: ClassVar[bool] = False  # refused once the dice, the sheet or the seats have changed
    examples: ClassVar[tuple[tuple[str, dict[str, object]], ...]] = ()  # bodies for the API, each with a title

    player: str

    def __init_subclass__(cls) -> None:
        if cls.wire is not None:
            COMMANDS[cls.wire] = cls

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        """Return the events that follow, or raise a refusal. Change and store nothing."""
        raise NotImplementedError

    @property
    def needs_version(self) -> bool:
        return self.versioned

    def oldest(self, state: TableState) -> int:
        """Return the oldest version of the table that the command can have been made for."""
        return state.game_version


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. Old logs are read for ever, so a new field must have a default."""

    kind: ClassVar[str] = ""  # in the log; the name of the class, or an older name of it
    changes_game: ClassVar[bool] = False  # the dice, the sheet, or the numbers of the seats
    heard: ClassVar[bool] = True  # whether it is announced as the last thing that happened
    said: ClassVar[str | None] = None  # the kind of message that announces it
    unsaid: ClassVar[tuple[str, ...]] = ()  # fields that are None in an old log without them

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__dict__.get("kind", cls.__name__)
        EVENTS[cls.kind] = cls

    def fold(self, state: TableState) -> None:
        """Apply the event to the state. Live tables and stored logs use the same code, so they cannot differ."""

    @property
    def people(self) -> set[str]:
        """Return the ids of the people whom it names; most moves name none."""
        return {player for name in _player_fields(self.kind) if (player := getattr(self, name))}

    def data(self) -> dict[str, Any]:
        """Return its fields, ready for JSON."""
        return {name: getattr(self, name) for name in _fields(self.kind)}


@cache
def _fields(kind: str) -> tuple[str, ...]:
    return tuple(each.name for each in fields(EVENTS[kind]))


@cache
def _player_fields(kind: str) -> tuple[str, ...]:
    """Return its fields that hold a person's id; cached, because every move asks."""
    return tuple(name for name in ("host", "player") if name in _fields(kind))


MOST_IN_BETWEEN = 100  # events since the dice or the sheet changed: joining, leaving, names, questions
_PER_TURN, _BEFORE_START = 30, 500  # events; a plain turn has five


def check_room(state: TableState, command: Command) -> None:
    """Raise LogFull where a log has grown too long. Commands that play on are always allowed."""
    if command.plays_on:
        return
    if state.version - state.game_version >= MOST_IN_BETWEEN or state.version >= _most_events(state):
        raise LogFull("table.log-full")


def _most_events(state: TableState) -> int:
    turns = 0 if state.game is None else len(state.book.boxes) * len(state.seats) * state.games
    return _BEFORE_START + _PER_TURN * turns


def check_version(state: TableState, command: Command, version: int | None) -> None:
    """Raise StaleVersion if what the command is about has changed since `version`; people may have come and gone."""
    if not command.needs_version:
        return
    if version is None:
        raise BadRequest("table.version-missing")
    if not command.oldest(state) <= version <= state.version:
        raise StaleVersion("table.stale", version=state.version)


if TYPE_CHECKING:
    from fivedice.table.state import TableState


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """Dice by slot, from the left; `held` are the slots that were kept."""

    changes_game = True
    said = "table.rolled"

    seat: int
    dice: tuple[int, ...]
    held: tuple[int, ...] = ()
    last: bool = False  # the final dice of the turn; earlier rolls were not noted
    saved: int = 0  # rolls that such a turn left over, where the rules save them
    told: bool = True  # if not, only the points were entered, and these dice are one way to score them

    def fold(self, state: TableState) -> None:
        state.note_help(self.seat)
        apply_roll(state, self)

    def data(self) -> dict[str, Any]:
        """Return its fields without `saved` and `told` where they are the default: most of a log is rolls."""
        rarely = {"saved": 0, "told": True}
        return {name: value for name, value in Event.data(self).items() if rarely.get(name) != value}


def apply_roll(state: TableState, roll: Rolled) -> None:
    """Add a roll to the game and to the rolls of this turn."""
    play_roll(state.running, state.slots, roll)
    state.rolls += (roll,)


def play_roll(game: Game, slots: tuple[int, ...], roll: Rolled) -> None:
    """Play the moves of a roll: a hold, unless it is the first of its turn, and a throw."""
    if slots:
        game.play(Hold(Keep(tuple(slots[slot] for slot in roll.held))))
    game.play(throw_of(roll))


def throw_of(roll: Rolled) -> Throw:
    """Return the move of the engine for a roll."""
    return Throw(Roll(roll.dice), roll.last, roll.saved, roll.told)
