"""A table as it stands, folded from its events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from fivedice.dice import Keep, Roll, outside
from fivedice.game import Game, Hold, Mark, RollOff, Throw
from fivedice.rules import RuleBook, shipped
from fivedice.table import events as log


class Phase(StrEnum):
    """Where a table is in its life."""

    SEATING = "seating"
    PLAYING = "playing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there and how it looks."""

    name: str
    color: str
    token: str
    player: str | None = None
    bot: str | None = None
    away: bool = False
    stand_in: bool = False  # the house plays for somebody who left


@dataclass(slots=True)
class TableState:
    """The fold. Only `fold` changes it, one event after the other."""

    id: str
    version: int = 0  # how many events there are
    game_version: int = 0  # the last event that changed what a player sees on the dice or the sheet
    book: RuleBook = field(default_factory=lambda: shipped("yahtzee"))
    host: str = ""
    coach: bool = True
    planned_first: int | None = None
    seats: list[Seat] = field(default_factory=list)
    game: Game | None = None
    slots: tuple[int, ...] = ()  # faces by slot; empty before the first roll of a turn
    held: tuple[int, ...] = ()  # slots that stayed in the last roll
    lain: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)  # dice of the scored turns
    last: log.Event | None = None
    undo_asked: int | None = None  # the seat whose score is to be taken back
    undo_agreed: frozenset[str] = frozenset()
    house_turn: bool = False  # the house plays just this turn
    rematch: str | None = None

    def copy(self) -> TableState:
        """A state that can be folded further while others still look at this one."""
        game = None if self.game is None else self.game.copy()
        return replace(self, seats=list(self.seats), lain=list(self.lain), game=game)

    @property
    def phase(self) -> Phase:
        if self.game is None:
            return Phase.SEATING
        return Phase.FINISHED if self.game.is_over else Phase.PLAYING

    @property
    def on_turn(self) -> int | None:
        return self.game.position.seat if self.game is not None and not self.game.is_over else None

    @property
    def last_scorer(self) -> int | None:
        """The seat of the last score that could be taken back."""
        steps = () if self.game is None else self.game.steps
        return next((step.before.seat for step in reversed(steps) if isinstance(step.move, Mark)), None)

    @property
    def next_has_rolled(self) -> bool:
        """Whether dice fell since the last score."""
        return self.game is not None and bool(self.game.steps) and not isinstance(self.game.steps[-1].move, Mark)

    def seats_of(self, player: str | None) -> tuple[int, ...]:
        """The seats that a person plays: several at a hot seat."""
        return tuple(number for number, seat in enumerate(self.seats) if player and seat.player == player)

    def people(self) -> frozenset[str]:
        """Everyone with a seat who is still there."""
        return frozenset(seat.player for seat in self.seats if seat.player and not seat.away and not seat.stand_in)


def fold(state: TableState, event: log.Event) -> None:
    """Let one event take effect."""
    state.version += 1
    _EFFECTS[type(event)](state, event)
    if isinstance(event, _GAME_EVENTS):
        state.game_version = state.version
    state.last = event


_GAME_EVENTS = (log.Started, log.Rolled, log.Scored, log.Undone)


def _opened(state: TableState, event: log.Opened) -> None:
    state.book, state.host, state.coach = shipped(event.book), event.host, event.coach
    state.planned_first = event.first


def _sat(state: TableState, event: log.Sat) -> None:
    state.seats.append(Seat(event.name, event.color, event.token, event.player, event.bot))


def _stood(state: TableState, event: log.Stood) -> None:
    del state.seats[event.seat]


def _started(state: TableState, event: log.Started) -> None:
    roll_off = None
    if event.roll_off:
        throws = tuple(Roll.parse(text) for text in event.roll_off)
        roll_off = RollOff(state.book, len(state.seats), throws)
    names = [seat.name for seat in state.seats]
    state.game = Game.new(state.book, names, dice=outside(), first=event.first, roll_off=roll_off)


def _rolled(state: TableState, event: log.Rolled) -> None:
    game = _running(state)
    if state.slots:
        game.play(Hold(Keep(tuple(state.slots[slot] for slot in event.held))))
    game.play(Throw(Roll(event.dice)))
    state.slots, state.held = event.dice, event.held


def _scored(state: TableState, event: log.Scored) -> None:
    _running(state).play(Mark(event.box))
    state.lain.append((state.slots, state.held))
    state.slots, state.held, state.house_turn = (), (), False
    _forget_undo(state)


def _undo_asked(state: TableState, event: log.UndoAsked) -> None:
    state.undo_asked, state.undo_agreed = event.seat, frozenset()


def _undo_answered(state: TableState, event: log.UndoAnswered) -> None:
    if event.agreed:
        state.undo_agreed |= {event.player}
    else:
        _forget_undo(state)


def _undone(state: TableState, _: log.Undone) -> None:
    """Back to the moment before the last score, with the dice lying as they lay."""
    game = _running(state)
    moves = game.moves
    last = max(number for number, move in enumerate(moves) if isinstance(move, Mark))
    game.undo(len(moves) - last)
    state.slots, state.held = state.lain.pop()
    state.house_turn = False
    _forget_undo(state)


def _left(state: TableState, event: log.Left) -> None:
    _change(state, event.seat, away=True)


def _returned(state: TableState, event: log.Returned) -> None:
    _change(state, event.seat, away=False, stand_in=False)


def _handed_over(state: TableState, event: log.HandedOver) -> None:
    _change(state, event.seat, player=event.player, away=False, stand_in=False)


def _stood_in(state: TableState, event: log.StoodIn) -> None:
    if event.rest:
        _change(state, event.seat, away=True, stand_in=True)
    else:
        state.house_turn = True


def _rematched(state: TableState, event: log.Rematched) -> None:
    state.rematch = event.table


def _change(state: TableState, seat: int, **changes: object) -> None:
    state.seats[seat] = replace(state.seats[seat], **changes)  # type: ignore[arg-type]


def _forget_undo(state: TableState) -> None:
    state.undo_asked, state.undo_agreed = None, frozenset()


def _running(state: TableState) -> Game:
    if state.game is None:
        raise AssertionError("the log plays before the game has started")
    return state.game


_EFFECTS: dict[type[log.Event], Callable[[TableState, Any], None]] = {
    log.Opened: _opened,
    log.Sat: _sat,
    log.Stood: _stood,
    log.Started: _started,
    log.Rolled: _rolled,
    log.Scored: _scored,
    log.UndoAsked: _undo_asked,
    log.UndoAnswered: _undo_answered,
    log.Undone: _undone,
    log.Left: _left,
    log.Returned: _returned,
    log.HandedOver: _handed_over,
    log.StoodIn: _stood_in,
    log.Rematched: _rematched,
}
