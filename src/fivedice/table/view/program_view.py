"""The view of a table for programs: the position in notation and every legal move, not what a page displays."""

from __future__ import annotations

from dataclasses import dataclass, field

from fivedice.core.game import Hold, Position
from fivedice.core.notation import write_position
from fivedice.core.notation.proof import Signer
from fivedice.table.fairness.promises import record_of
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import announcement


@dataclass(frozen=True, slots=True)
class BoxWorth:
    """The score of a legal box; `bonus` is paid in addition."""

    points: int
    bonus: int = 0
    joker: bool = False


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """Every move of the seat on turn. `keep` has every set of dice that may be kept, `-` for none."""

    roll: bool = False
    keep: tuple[str, ...] = ()
    boxes: dict[str, BoxWorth] = field(default_factory=dict)
    closed: dict[str, str] = field(default_factory=dict)  # every other box, and why


@dataclass(frozen=True, slots=True)
class ProgramSeat:
    """A player, in the order of the turns."""

    name: str
    bot: str | None
    yours: bool
    total: int


@dataclass(frozen=True, slots=True)
class TablePosition:
    """A table for programs. `dice` are faces by slot, from the left; `held` the slots kept in the last roll.

    Send `version` back with a move. `position` is in notation, and null before the game. `legal` has the moves of the
    seat on turn, for every viewer; `your_turn` says whether they are yours to make.
    """

    id: str
    version: int
    phase: Phase
    book: str
    rules: str | None  # the text of house rules
    position: str | None
    seats: tuple[ProgramSeat, ...]
    seat: int | None  # on turn, counted from 0
    your_turn: bool
    dice: str
    held: tuple[int, ...]
    rolls_left: int
    real_dice: bool
    pace: str  # of the bots: at-once, brisk or calm
    legal: LegalMoves
    said: str  # what happened last
    winners: tuple[int, ...]
    record: str | None  # of a game that is over
    rematch: str | None  # the id of the table of the next game


def position_for(state: TableState, player: str | None, signer: Signer | None = None) -> TablePosition:
    """Return the table as this player's program sees it."""
    position = None if state.game is None else state.game.position
    seat = state.on_turn
    outcome = state.outcome_of(state.game_number)
    over = state.games_over
    return TablePosition(
        id=state.id,
        version=state.version,
        phase=state.phase,
        book=state.book.key,
        rules=state.rules,
        position=None if position is None else write_position(position),
        seats=_seats(state, player),
        seat=seat,
        your_turn=seat is not None and seat in state.seats_of(player) and not state.house_plays(seat),
        dice="".join(map(str, state.slots)),
        held=state.held,
        rolls_left=0 if position is None or seat is None or state.final else position.rolls_left,
        real_dice=state.real_dice,
        pace=state.pace,
        legal=LegalMoves() if position is None or seat is None else _legal(state, position),
        said=announcement(state, player),
        winners=() if outcome is None else outcome.winners,
        record=record_of(state, over[-1], signer) if over else None,
        rematch=state.rematch,
    )


def _seats(state: TableState, player: str | None) -> tuple[ProgramSeat, ...]:
    totals = (
        [0] * len(state.seats) if state.game is None else [card.total for card in state.cards_in(state.game_number)]
    )
    return tuple(
        ProgramSeat(seat.name, seat.bot, player is not None and seat.player == player, total)
        for seat, total in zip(state.seats, totals, strict=True)
    )


def _legal(state: TableState, position: Position) -> LegalMoves:
    """Return the legal moves. After the secret was revealed, the last roll may only be scored again."""
    may_roll = position.rolls_left > 0 and not state.final and (state.real_dice or state.secret is None)
    if position.roll is None:
        return LegalMoves(may_roll)
    ruling = position.ruling()
    keeps = tuple(str(move.keep) for move in position.choices() if isinstance(move, Hold)) if may_roll else ()
    boxes = {key: BoxWorth(entry.points, entry.bonus, entry.joker) for key, entry in ruling.legal.items()}
    return LegalMoves(may_roll, keeps, boxes, ruling.closed)
