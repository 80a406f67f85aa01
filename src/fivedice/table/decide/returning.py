"""Coming back to a seat: by saying so, or by making a move."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.rights import need_own_seat
from fivedice.table.state import TableState


@dataclass(frozen=True, slots=True)
class ComeBack(Command):
    """Sit down again where one left."""

    wire = "return"
    examples = (("return", {"seat": 0}),)

    seat: int

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need_own_seat(state, self.player, self.seat)
        return back_again(state, self.player, self.seat)


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """The person at this seat is back."""

    said = "table.returned"

    seat: int

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, away=False, stand_in=False)
        state.forget_house_turn(self.seat)


def back_again(state: TableState, player: str, seat: int) -> tuple[Event, ...]:
    """Whoever makes a move is back: the house never goes on with a turn that its owner has taken up again."""
    mine = player == state.seats[seat].player
    return (Returned(seat),) if mine and (state.seats[seat].away or state.house_plays(seat)) else ()
