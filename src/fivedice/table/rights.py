"""Who may do what, and when. Every check raises a refusal that names the reason."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.dice import DiceSource
from fivedice.errors import quote
from fivedice.game import Game
from fivedice.table import events as log
from fivedice.table.refusals import BadRequest, NotAllowed, NotYourTurn, TableFull, WrongPhase
from fivedice.table.state import Phase, Seat, TableState

MOST_SEATS = 12
HOUSE = "house"  # the player id under which the server itself plays bots and stand-ins


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision may depend on beside the table itself."""

    dice: DiceSource
    present: frozenset[str] | None = None  # whose screens were heard of lately; None where nobody keeps track


def need(state: TableState, phase: Phase) -> None:
    if state.phase is not phase:
        raise WrongPhase(_WRONG_PHASE[phase])


_WRONG_PHASE = {
    Phase.SEATING: "The game has begun: the seats are locked.",
    Phase.PLAYING: "No game is running at this table.",
}


def need_person(player: str) -> None:
    """A seat belongs to somebody who can be told from all others."""
    if not player or player == HOUSE:
        raise NotAllowed("Only a person can take a seat.")


def need_host(state: TableState, player: str) -> None:
    if not player or player != state.host:
        raise NotAllowed("Only the host of the table can do that.")


def need_free_seat(state: TableState) -> None:
    need(state, Phase.SEATING)
    if len(state.seats) >= MOST_SEATS:
        raise TableFull(f"The table is full: it has {MOST_SEATS} seats. You can still watch.")


def need_own_seat(state: TableState, player: str, seat: int) -> None:
    existing(state, seat)
    if seat not in state.seats_of(player):
        raise NotAllowed("That is not your seat.")


def need_absent(state: TableState, player: str, seat: int, present: frozenset[str] | None) -> None:
    """The caller is at the table, and the seat's owner is not."""
    need(state, Phase.PLAYING)
    if player not in state.people():
        raise NotAllowed("Only players who are at the table can do that.")
    sitting = existing(state, seat)
    if sitting.bot is not None:
        raise NotAllowed(f"{sitting.name} is a bot: the house plays that seat already.")
    if not is_absent(sitting, None if present is None else present | {player}):
        raise NotAllowed(f"{sitting.name} is still at the table.")


def is_absent(seat: Seat, present: frozenset[str] | None) -> bool:
    """A person who left, or whose screens have all gone silent."""
    silent = present is not None and seat.player not in present
    return seat.bot is None and (seat.away or silent)


def existing(state: TableState, seat: int) -> Seat:
    if not 0 <= seat < len(state.seats):
        raise BadRequest(f"There is no seat {quote(seat)}: the table has {len(state.seats)}, counted from 0.")
    return state.seats[seat]


def my_turn(state: TableState, player: str) -> tuple[Game, int]:
    """The running game and the seat on turn, if the caller plays it."""
    need(state, Phase.PLAYING)
    game, seat = state.game, state.on_turn
    if game is None or seat is None:
        raise AssertionError("a running game has somebody on turn")
    if seat not in state.seats_of(player) and not (player == HOUSE and state.house_plays(seat)):
        raise NotYourTurn(f"It is {state.seats[seat].name}'s turn.")
    return game, seat


def house_plays(state: TableState, seat: int) -> bool:
    """Whether the server itself makes the next move of this seat."""
    return state.house_plays(seat)


def back_again(state: TableState, player: str, seat: int) -> tuple[log.Event, ...]:
    """Whoever makes a move is back: the house never goes on with a turn that its owner has taken up again."""
    mine = player == state.seats[seat].player
    return (log.Returned(seat),) if mine and (state.seats[seat].away or state.house_plays(seat)) else ()
