"""Before the game, among friends: who is who, and how many have to come before it begins by itself."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.errors import quote
from fivedice.table.decide.action import Command, Context, Event
from fivedice.table.decide.rights import MOST_SEATS, need, need_host, need_own_seat
from fivedice.table.refusals import BadRequest
from fivedice.table.seat_names import COLORS, TOKENS, clean_name, pick
from fivedice.table.state import Phase, TableState

FEWEST = 2


@dataclass(frozen=True, slots=True)
class Introduce(Command):
    """Say one's name, or change it, before the game begins; the looks only where they are named."""

    wire = "introduce"
    versioned = True
    examples = (("introduce", {"seat": 0, "name": "Ann", "color": "teal", "version": 2}),)

    seat: int
    name: str | None = None
    color: str | None = None
    token: str | None = None

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need(state, Phase.SEATING)
        need_own_seat(state, self.player, self.seat)
        others = [seat for number, seat in enumerate(state.seats) if number != self.seat]
        now = state.seats[self.seat]
        color = pick(self.color or now.color, COLORS, {seat.color for seat in others}, self.seat)
        token = pick(self.token or now.token, TOKENS, {seat.token for seat in others}, self.seat)
        said = Introduced(self.seat, clean_name(self.name), color, token)
        return () if (said.name, color, token) == (now.given, now.color, now.token) else (said,)


@dataclass(frozen=True, slots=True)
class Introduced(Event):
    """A player has another name or other looks. The dice follow from the name, so it is settled before them."""

    seat: int
    name: str | None
    color: str
    token: str

    def fold(self, state: TableState) -> None:
        state.change_seat(self.seat, given=self.name, logged=self.name, color=self.color, token=self.token)


@dataclass(frozen=True, slots=True)
class StartWith(Command):
    """Let the game begin by itself as soon as so many sit; without a number the host starts it."""

    wire = "start-with"
    examples = (
        ("start-with", {"players": 2}),
        ("start-with-nobody", {}),
    )

    players: int | None = None

    def decide(self, state: TableState, _: Context) -> tuple[Event, ...]:
        need(state, Phase.SEATING)
        need_host(state, self.player)
        if self.players is not None and not FEWEST <= self.players <= MOST_SEATS:
            raise BadRequest("table.start-with", players=quote(self.players), fewest=FEWEST, most=MOST_SEATS)
        return () if self.players == state.starts_with else (StartsWith(self.players),)


@dataclass(frozen=True, slots=True)
class StartsWith(Event):
    """It was settled how many have to sit before the game begins by itself; None: the host starts it."""

    heard = False

    players: int | None

    def fold(self, state: TableState) -> None:
        state.starts_with = self.players
