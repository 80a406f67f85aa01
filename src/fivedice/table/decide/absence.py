"""Going away during a game, and what the others may do then: let a bot play a turn, or the rest."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.rights import need, need_absent, need_own_seat
from fivedice.table.decide.seating import Stood
from fivedice.table.decide.undo import completed_by_leaving
from fivedice.table.refusals import NotAllowed, WrongPhase
from fivedice.table.seat_names import is_former
from fivedice.table.state import Phase, TableState, folded


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Go away from a seat for a while."""

    wire = "leave"
    examples = (("leave", {"seat": 0}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need(state, Phase.PLAYING)
        need_own_seat(state, self.player, self.seat)
        if state.seats[self.seat].away:
            return ()
        return (Left(self.seat), *completed_by_leaving(state, self.seat))


@dataclass(frozen=True, slots=True)
class Left(Event):
    """The person at this seat went away; the seat waits."""

    said = "table.left"

    seat: int

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, away=True)


@dataclass(frozen=True, slots=True)
class HostPassed(Event):
    """The host had their data deleted, and somebody else has their rights from now on."""

    heard = False

    player: str

    def fold(self, state: TableState) -> None:
        state.host = self.player


def when_gone(state: TableState) -> tuple[Event, ...]:
    """What follows where people had their data deleted and the game goes on: their seats are free, or wait."""
    gone = [number for number, seat in enumerate(state.seats) if is_former(seat.player) and not seat.away]
    news: tuple[Event, ...] = ()
    if state.phase is Phase.SEATING:
        news = tuple(Stood(number) for number in reversed(gone))
    elif state.phase is Phase.PLAYING:
        for number in gone:
            news += (Left(number), *completed_by_leaving(folded(state, news), number))
    left = (seat.player for seat in state.seats if seat.player is not None and not is_former(seat.player))
    heir = next(left, None)
    return (*news, HostPassed(heir)) if is_former(state.host) and heir is not None else news


@dataclass(frozen=True, slots=True)
class SkipTurn(Command):
    """Let a bot play one turn for somebody who is away."""

    wire = "skip"
    versioned = True
    examples = (("skip", {"seat": 1, "version": 9}),)

    seat: int

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        need_absent(state, self.player, self.seat, context.present)
        _need_digital(state)
        if state.on_turn != self.seat:
            raise WrongPhase("table.not-on-turn", player=state.who(self.seat))
        return () if state.house_plays(self.seat) else (StoodIn(self.seat, rest=False),)


@dataclass(frozen=True, slots=True)
class Dismiss(Command):
    """Let a bot play to the end for somebody who is away."""

    wire = "dismiss"
    examples = (("dismiss", {"seat": 1}),)

    seat: int

    def decide(self, state: TableState, context: Context) -> tuple[Event, ...]:
        need_absent(state, self.player, self.seat, context.present)
        _need_digital(state)
        if state.seats[self.seat].stand_in:
            return ()
        return (StoodIn(self.seat, rest=True), *completed_by_leaving(state, self.seat))


def _need_digital(state: TableState) -> None:
    if state.real_dice:
        raise NotAllowed("table.stand-in-real-dice")


@dataclass(frozen=True, slots=True)
class StoodIn(Event):
    """A bot plays for somebody who left: this turn, or the rest of the game."""

    said = "table.stood-in"

    seat: int
    rest: bool

    def fold(self, state: TableState) -> None:
        if self.rest:
            state.change_seat(self.seat, away=True, stand_in=True)
        else:
            state.house_turn = self.seat
