"""Who may do what, and when; and the ids that people are known by.

Every check raises a refusal that names the reason.
"""

from __future__ import annotations

import secrets
from hashlib import sha256

from fivedice.core.game import Game
from fivedice.errors import quote
from fivedice.table.refusals import AgainstTheRules, BadRequest, NotAllowed, NotYourTurn, TableFull, WrongPhase
from fivedice.table.state import Phase, Seat, TableState

MOST_SEATS = 12
MOST_GAMES = 12
MOST_OF_A_GUEST = 4  # seats on one device that is not the host's: enough for a family
HOUSE = "house"  # the player id under which the server itself plays bots and stand-ins


def require_phase(state: TableState, phase: Phase) -> None:
    if state.phase is not phase:
        raise WrongPhase("table.not-seating" if phase is Phase.SEATING else "table.not-playing")


def require_open_result(state: TableState) -> None:
    """Raise WrongPhase once the secret of the dice has been revealed: then the result is settled.

    Older logs may have taken the last score back after that, and are read as they were written.
    """
    if state.secret is not None:
        raise WrongPhase("table.settled")


def require_person(player: str) -> None:
    """Raise NotAllowed unless a seat can belong to this player: not without an id, and not to the server."""
    if not player or player == HOUSE:
        raise NotAllowed("table.people-only")


def require_host(state: TableState, player: str) -> None:
    if not player or player != state.host:
        raise NotAllowed("table.host-only")


def require_free_seat(state: TableState) -> None:
    require_phase(state, Phase.SEATING)
    if len(state.seats) >= MOST_SEATS:
        raise TableFull("table.full", seats=MOST_SEATS)


def require_seat_quota(state: TableState, player: str) -> None:
    """Raise NotAllowed if a guest has taken enough seats; the host may fill all of them."""
    if player != state.host and len(state.seats_of(player)) >= MOST_OF_A_GUEST:
        raise NotAllowed("table.enough-seats", most=MOST_OF_A_GUEST)


def require_own_seat(state: TableState, player: str, seat: int) -> None:
    require_seat(state, seat)
    if seat not in state.seats_of(player):
        raise NotAllowed("table.own-seat-only")


def require_absent(state: TableState, player: str, seat: int, present: frozenset[str] | None) -> None:
    """Raise NotAllowed unless `player` is at the table and the owner of the seat is away."""
    require_phase(state, Phase.PLAYING)
    if player not in state.people():
        raise NotAllowed("table.players-only")
    sitting = require_seat(state, seat)
    if sitting.bot is not None:
        raise NotAllowed("table.is-bot", player=state.who(seat))
    if not is_absent(sitting, None if present is None else present | {player}):
        raise NotAllowed("table.not-away", player=state.who(seat))


def is_absent(seat: Seat, present: frozenset[str] | None) -> bool:
    """Return whether the seat is a person's who left, or whose screens are all disconnected."""
    silent = present is not None and seat.player not in present
    return seat.bot is None and (seat.away or silent)


def require_seat(state: TableState, seat: int) -> Seat:
    if not 0 <= seat < len(state.seats):
        raise BadRequest("table.no-seat", seat=quote(seat), seats=len(state.seats))
    return state.seats[seat]


def require_turn(state: TableState, player: str) -> tuple[Game, int]:
    """Return the running game and the seat on turn. Raise NotYourTurn unless the player may move for it."""
    require_phase(state, Phase.PLAYING)
    game, seat = state.game, state.on_turn
    if game is None or seat is None:
        raise WrongPhase("table.game-over", game=state.game_number + 1)
    if not may_move(state, player, seat):
        raise NotYourTurn("table.not-your-turn", player=state.who(seat))
    return game, seat


def may_move(state: TableState, player: str, seat: int) -> bool:
    """Return whether this player makes the moves of that seat."""
    house = player == HOUSE and state.house_plays(seat)
    return seat in state.seats_of(player) or house or is_scorekeeper(state, player)


def is_scorekeeper(state: TableState, player: str | None) -> bool:
    """Return whether this person is the scorekeeper: with real dice the host writes for everyone."""
    return state.real_dice and bool(player) and player == state.host


def require_scorekeeper(state: TableState, player: str) -> None:
    require_real_dice(state)
    if not is_scorekeeper(state, player):
        raise NotAllowed("table.scorekeeper-only")


def require_opener(state: TableState, player: str) -> None:
    """Raise NotAllowed unless the player opened the sheet.

    They can always become the scorekeeper again: a lost phone ends no game.
    """
    require_real_dice(state)
    if not player or player != state.opener:
        raise NotAllowed("table.opener-only")


def require_unfinished(state: TableState) -> None:
    if state.phase not in (Phase.SEATING, Phase.PLAYING):
        raise WrongPhase("table.sheet-finished")


def require_real_dice(state: TableState) -> None:
    if not state.real_dice:
        raise AgainstTheRules("table.digital-dice")


def player_id(key: str) -> str:
    """Return the hash by which the server knows a browser's key without storing it."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def new_key() -> str:
    """Return a key for a browser or a seat: 256 random bits."""
    return secrets.token_urlsafe(32)
