"""Who may do what, and when. Every check raises a refusal that names the reason."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.dice import DiceSource
from fivedice.errors import quote
from fivedice.game import Game
from fivedice.table import events as log
from fivedice.table.refusals import AgainstTheRules, BadRequest, NotAllowed, NotYourTurn, TableFull, WrongPhase
from fivedice.table.state import Phase, Seat, TableState

MOST_SEATS = 12
MOST_GAMES = 12
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
    """The running game and the seat on turn, if the caller plays it or keeps the score of real dice."""
    need(state, Phase.PLAYING)
    game, seat = state.game, state.on_turn
    if game is None or seat is None:
        raise WrongPhase(f"Game {state.game_number + 1} is over: begin the next one.")
    if not plays(state, player, seat):
        raise NotYourTurn(f"It is {state.seats[seat].name}'s turn.")
    return game, seat


def plays(state: TableState, player: str, seat: int) -> bool:
    """Whether this caller makes the moves of that seat."""
    house = player == HOUSE and state.house_plays(seat)
    return seat in state.seats_of(player) or house or has_pencil(state, player)


def has_pencil(state: TableState, player: str | None) -> bool:
    """Whether this person keeps the score: with real dice the host writes for everybody."""
    return state.real_dice and bool(player) and player == state.host


def need_pencil(state: TableState, player: str) -> None:
    need_real_dice(state)
    if not has_pencil(state, player):
        raise NotAllowed("Only the person who keeps the score can do that: ask them to hand the pencil on.")


def need_unfinished(state: TableState) -> None:
    if state.phase not in (Phase.SEATING, Phase.PLAYING):
        raise WrongPhase("The sheet is finished: there is nothing left to write.")


def need_real_dice(state: TableState) -> None:
    if not state.real_dice:
        raise AgainstTheRules("The dice of this table are thrown by the table: open a score pad for real dice.")


def house_plays(state: TableState, seat: int) -> bool:
    """Whether the server itself makes the next move of this seat."""
    return state.house_plays(seat)


def back_again(state: TableState, player: str, seat: int) -> tuple[log.Event, ...]:
    """Whoever makes a move is back: the house never goes on with a turn that its owner has taken up again."""
    mine = player == state.seats[seat].player
    return (log.Returned(seat),) if mine and (state.seats[seat].away or state.house_plays(seat)) else ()
