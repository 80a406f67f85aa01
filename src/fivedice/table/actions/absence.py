"""Leaving during a game, and what the others may do then: let a bot play a turn or the rest, or take the seat over.

Taking over a seat or the score pad needs a link, which the store has checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fivedice.table.action import Command, Context, Event
from fivedice.table.actions.playing import return_events
from fivedice.table.actions.rights import (
    require_absent,
    require_open_result,
    require_opener,
    require_own_seat,
    require_person,
    require_phase,
    require_real_dice,
    require_seat,
    require_unfinished,
)
from fivedice.table.actions.seating import Stood
from fivedice.table.actions.undo import complete_undo_on_leave
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.seat_names import is_former
from fivedice.table.state import Phase, TableState, fold_events


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Leave a seat for a while."""

    wire = "leave"
    examples = (("leave", {"seat": 0}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        require_own_seat(state, self.player, self.seat)
        if state.seats[self.seat].away:
            return ()
        return (Left(self.seat), *complete_undo_on_leave(state, self.seat))


@dataclass(frozen=True, slots=True)
class Left(Event):
    """The player of this seat left; the seat waits for them."""

    said = "table.left"

    seat: int

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, away=True)


@dataclass(frozen=True, slots=True)
class HostPassed(Event):
    """The host had their data deleted, and someone else is the host from now on."""

    heard = False

    player: str

    def fold(self, state: TableState) -> None:
        state.host = self.player
        if is_former(state.opener):
            state.opener = self.player


def deletion_events(state: TableState) -> tuple[Event, ...]:
    """Return what follows when people had their data deleted: their seats are cleared or wait, and the host changes."""
    former = [number for number, seat in enumerate(state.seats) if is_former(seat.player) and not seat.away]
    news: tuple[Event, ...] = ()
    if state.phase is Phase.SEATING:
        news = tuple(Stood(number) for number in reversed(former))
    elif state.phase is Phase.PLAYING:
        for number in former:
            news += (Left(number), *complete_undo_on_leave(fold_events(state, news), number))
    left = (seat.player for seat in state.seats if seat.player is not None and not is_former(seat.player))
    heir = next(left, None)
    return (*news, HostPassed(heir)) if is_former(state.host) and heir is not None else news


@dataclass(frozen=True, slots=True)
class SkipTurn(Command):
    """Let a bot play one turn for someone who is away."""

    wire = "skip"
    versioned = True
    examples = (("skip", {"seat": 1, "version": 9}),)

    seat: int

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        require_absent(state, self.player, self.seat, context.present)
        _require_digital_dice(state)
        if state.on_turn != self.seat:
            raise WrongPhase("table.not-on-turn", player=state.who(self.seat))
        return () if state.house_plays(self.seat) else (StoodIn(self.seat, rest=False),)


@dataclass(frozen=True, slots=True)
class Dismiss(Command):
    """Let a bot play to the end for someone who is away."""

    wire = "dismiss"
    examples = (("dismiss", {"seat": 1}),)

    seat: int

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        require_absent(state, self.player, self.seat, context.present)
        _require_digital_dice(state)
        if state.seats[self.seat].stand_in:
            return ()
        return (StoodIn(self.seat, rest=True), *complete_undo_on_leave(state, self.seat))


def _require_digital_dice(state: TableState) -> None:
    if state.real_dice:
        raise NotAllowed("table.stand-in-real-dice")


@dataclass(frozen=True, slots=True)
class StoodIn(Event):
    """A bot plays for someone who left: this turn, or the rest of the game."""

    said = "table.stood-in"

    seat: int
    rest: bool

    def fold(self, state: TableState) -> None:
        if self.rest:
            state.change_seat(self.seat, away=True, stand_in=True)
        else:
            state.house_turn = self.seat


@dataclass(frozen=True, slots=True)
class TakeOver(Command):
    """Play a seat that its owner has handed over.

    Only during the game: before it seats may still move, and afterwards the result belongs to the person who played.
    """

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_phase(state, Phase.PLAYING)
        require_open_result(state)
        require_person(self.player)
        seat = require_seat(state, self.seat)
        if seat.bot is not None:
            raise NotAllowed("table.seat-is-bot")
        if seat.player == self.player:
            return return_events(state, self.player, self.seat)
        return (HandedOver(self.seat, self.player),)


@dataclass(frozen=True, slots=True)
class HandedOver(Event):
    """Someone else plays this seat from now on."""

    said = "table.handed-over"

    seat: int
    player: str

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, player=self.player, away=False, stand_in=False)
        state.forget_house_turn(self.seat)


@dataclass(frozen=True, slots=True)
class TakePencil(Command):
    """Become the scorekeeper. Not after the end: the result belongs to the person who wrote it.

    A spare link also gives the rights of the person who opened the sheet.
    """

    spare: bool = False

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_real_dice(state)
        require_person(self.player)
        require_unfinished(state)
        known = self.player == state.host and (not self.spare or self.player == state.opener)
        return () if known else (PencilPassed(self.player, self.spare),)


@dataclass(frozen=True, slots=True)
class KeepScore(Command):
    """Become the scorekeeper again, at any time, as the person who opened the sheet."""

    wire = "keep-score"
    examples = (("keep-score", {}),)

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        require_opener(state, self.player)
        require_unfinished(state)
        return () if self.player == state.host else (PencilPassed(self.player),)


@dataclass(frozen=True, slots=True)
class PencilPassed(Event):
    """Someone else is the scorekeeper from now on, and plays every seat that the previous one played."""

    said = "table.scorekeeper"

    player: str
    spare: bool = False  # by the spare link, which also gives the opener's rights

    def fold(self, state: TableState) -> None:
        for seat in state.seats_of(state.host):
            state.change_seat(seat, player=self.player, away=False, stand_in=False)
        state.host = self.player
        if self.spare:
            state.opener = self.player

    def data(self) -> dict[str, Any]:
        return {name: value for name, value in Event.data(self).items() if name != "spare" or value}
