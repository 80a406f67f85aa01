"""Playing on for somebody else, or keeping the score for everybody: the store has checked the link."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.playing import back_again
from fivedice.table.decide.rights import existing, need, need_open_result, need_person, need_real_dice, need_unfinished
from fivedice.table.refusals import NotAllowed
from fivedice.table.state import Phase, TableState


@dataclass(frozen=True, slots=True)
class TakeOver(Command):
    """Play a seat that its owner has handed over.

    Only while the game runs: before it seats may still move, and after it a result belongs to who played.
    """

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need(state, Phase.PLAYING)
        need_open_result(state)
        need_person(self.player)
        seat = existing(state, self.seat)
        if seat.bot is not None:
            raise NotAllowed("table.seat-is-bot")
        if seat.player == self.player:
            return back_again(state, self.player, self.seat)
        return (HandedOver(self.seat, self.player),)


@dataclass(frozen=True, slots=True)
class HandedOver(Event):
    """Somebody else plays this seat from now on."""

    said = "table.handed-over"

    seat: int
    player: str

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, player=self.player, away=False, stand_in=False)
        state.forget_house_turn(self.seat)


@dataclass(frozen=True, slots=True)
class TakePencil(Command):
    """Keep the score from now on. Not after the end: a result belongs to who wrote it."""

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need_real_dice(state)
        need_person(self.player)
        need_unfinished(state)
        return () if self.player == state.host else (PencilPassed(self.player),)


@dataclass(frozen=True, slots=True)
class PencilPassed(Event):
    """Somebody else keeps the score from now on, and plays every seat that the keeper played."""

    said = "table.scorekeeper"

    player: str

    def fold(self, state: TableState) -> None:
        for seat in state.seats_of(state.host):
            state.change_seat(seat, player=self.player, away=False, stand_in=False)
        state.host = self.player
