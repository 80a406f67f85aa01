"""The view of a table for one person: for pages and the JSON API, and for programs that play.

It has the secret only once it is revealed. Programs get the position in notation and every legal move.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from fivedice.core.game import Game, Hold, Position, Scorecard
from fivedice.core.game.card import bonus_pace
from fivedice.core.notation import write_position
from fivedice.core.notation.proof import Signer
from fivedice.message import Who, message
from fivedice.table.actions.again import why_not_ended
from fivedice.table.actions.rights import is_absent, is_scorekeeper
from fivedice.table.actions.undo import undo_way
from fivedice.table.fairness.commitments import following, record_of
from fivedice.table.house_rules_text import house_id
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import again_view, announcement, choose_celebration, end_view, headline
from fivedice.table.view.sheet_rows import cards_of, rows_of
from fivedice.table.view.view_shapes import DieView, SeatView, TableView
from fivedice.text import current, name_of, player as player_name


def view(
    state: TableState,
    player: str | None,
    present: frozenset[str] | None = None,
    kept: tuple[int, ...] | None = None,
    signer: Signer | None = None,
) -> TableView:
    """Return the table as this person sees it.

    `present` are the people whose screens are connected, if that is known. `kept` are the dice that someone is about to
    keep; without it, those kept in the last roll. Records are signed if there is a signer.
    """
    present = None if present is None else present | {player or ""}
    may = _Rights.of(state, player)
    position = None if state.game is None else state.game.position
    rolls, rolls_left = (state.book.rolls,) * 2 if position is None else (position.rolls_in_turn, position.rolls_left)
    rolls_on = rolls_left > 0 and not state.final
    ruling = position.ruling() if may.write and position is not None and position.roll is not None else None
    records = tuple(record_of(state, game, signer) for game in state.games_over)
    return TableView(
        id=state.id,
        version=state.version,
        moment=state.game_version,
        phase=str(state.phase),
        book=state.book.key,
        book_name=name_of(state.book),
        house=None if state.rules is None else house_id(state.rules),
        coach=state.coach,
        pace=state.pace,
        headline=str(headline(state, player)),
        announcement=announcement(state, player),
        last_event=state.last.kind if state.last else "",
        you_host=player is not None and player == state.host,
        end_refused=_end_refused(state, player, present),
        your_turn=may.play,
        on_turn=state.on_turn,
        seats=_seats(state, player, present),
        rows=rows_of(state, ruling),
        dice=_dice(state, kept),
        dice_count=state.book.dice,
        rolls=rolls,
        rolls_each=state.book.rolls,
        rolls_left=rolls_left,
        can_roll=may.play and rolls_on and state.secret is None,
        can_score=may.write and bool(state.slots),
        undo=undo_way(state, player or ""),
        undo_question=_undo_question(state, player),
        skippable=_skippable(state, player, present),
        roll_off=_roll_off(state.game),
        record=records[-1] if records else None,
        celebrate=choose_celebration(state, player),
        end=end_view(state, player),
        again=again_view(state, player, present),
        rematch=state.rematch,
        real_dice=state.real_dice,
        games=state.games,
        game_number=state.game_number,
        between_games=state.between_games,
        match_total=state.match_total,
        turn=state.turn,
        round=state.round,
        ended=state.ended,
        opener=state.real_dice and player is not None and player == state.opener,
        bonus_at=None if state.book.bonus is None else state.book.bonus.threshold,
        alike_box=None if state.book.alike_box is None else state.book.boxes[state.book.alike_box].key,
        can_enter=may.write and state.real_dice and rolls_on,
        can_withdraw=may.write and state.real_dice and bool(state.slots),
        pencil=may.keep_score,
        records=records,
        promise=state.promise,
        secret=state.secret,
        next_promise=state.secret if following(state.word) else None,
        deal=state.deal,
        practice=state.practice,
    )


@dataclass(frozen=True, slots=True)
class _Rights:
    """What this person may do now."""

    play: bool  # it is their turn, and the server does not play it
    keep_score: bool  # they are the scorekeeper
    write: bool  # either of both: they choose the next box

    @classmethod
    def of(cls, state: TableState, player: str | None) -> _Rights:
        seat, pencil = state.on_turn, is_scorekeeper(state, player)
        play = seat is not None and seat in state.seats_of(player) and not state.house_plays(seat)
        return cls(play, pencil, play or (pencil and seat is not None))


def _dice(state: TableState, kept: tuple[int, ...] | None) -> tuple[DieView, ...]:
    keeps = state.held if kept is None else kept
    return tuple(DieView(slot, face, slot in state.held, slot in keeps) for slot, face in enumerate(state.slots))


MOST_COLUMNS = 4  # players side by side on a small screen


def _seats(state: TableState, player: str | None, present: frozenset[str] | None) -> tuple[SeatView, ...]:
    cards, large = cards_of(state), _main_seat(state, player)
    numbers = range(len(state.seats))
    if len(numbers) > MOST_COLUMNS:
        leader = max(numbers, key=lambda number: cards[number].total)
        shown = frozenset({large, leader, state.on_turn})
    else:
        shown = frozenset[int | None](numbers)
    outcome = state.outcome_of(state.game_number)
    winners = () if outcome is None else outcome.winners
    return tuple(
        _seat(state, number, cards[number], player, present, number == large, number in shown, number in winners)
        for number in numbers
    )


def _main_seat(state: TableState, player: str | None) -> int:
    """Return your own seat; if you have several or none, the one on turn."""
    mine = state.seats_of(player)
    if len(mine) == 1:
        return min(mine)
    if state.on_turn is not None and (state.on_turn in mine or not mine):
        return state.on_turn
    return min(mine, default=0)


def _seat(
    state: TableState,
    number: int,
    card: Scorecard,
    player: str | None,
    present: frozenset[str] | None,
    main: bool,
    shown: bool,
    winner: bool,
) -> SeatView:
    seat = state.seats[number]
    total, upper, pace, bonus_status = _standing(card, current())
    left = state.running.position.rolls_left if state.on_turn == number else card.saved
    return SeatView(
        number=number,
        name=player_name(Who(seat.number, seat.given, former=seat.former)),
        named=seat.given is not None,
        color=seat.color,
        token=seat.token,
        yours=player is not None and seat.player == player,
        bot=seat.bot,
        away=is_absent(seat, present),
        left=seat.away,
        stand_in=seat.stand_in,
        on_turn=state.on_turn == number,
        total=total,
        pace=pace,
        bonus_status=bonus_status,
        upper=upper,
        saved=min(card.saved, left),  # a turn uses its own rolls first
        main=main,
        shown=shown,
        winner=winner,
        out=seat.out,
    )


@lru_cache(maxsize=4096)  # a roll changes no card, and every view asks
def _standing(card: Scorecard, _language: str) -> tuple[int, int, str | None, str | None]:
    """Return the total, the points towards the bonus, the pace to it in a word, and its status."""
    pace = bonus_pace(card)
    return card.total, card.upper_total, None if pace is None else str(pace), None if pace is None else str(pace.status)


def _end_refused(state: TableState, player: str | None, present: frozenset[str] | None) -> str | None:
    if player != state.host or state.phase is not Phase.PLAYING or state.real_dice:
        return None
    reason = why_not_ended(state, present)
    return None if reason is None else str(reason)


def _undo_question(state: TableState, player: str | None) -> str | None:
    if state.undo_asked is None or player not in state.people() or player in state.undo_agreed:
        return None
    if state.seats[state.undo_asked].player == player:
        return None
    return str(message("table.undo-question", player=state.who(state.undo_asked)))


def _skippable(state: TableState, player: str | None, present: frozenset[str] | None) -> int | None:
    """Return the seat on turn, if its player is away and the viewer may let the server play."""
    seat = state.on_turn
    if seat is None or player not in state.people() or state.house_plays(seat):
        return None
    sitting = state.seats[seat]
    return seat if sitting.player != player and is_absent(sitting, present) else None


def _roll_off(game: Game | None) -> tuple[tuple[str, str, int], ...]:
    if game is None or game.roll_off is None:
        return ()
    throws = (throw for group in game.roll_off.rounds for throw in group)
    return tuple((game.players[seat], str(roll), roll.total) for seat, roll in throws)


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
        seats=_program_seats(state, player),
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


def _program_seats(state: TableState, player: str | None) -> tuple[ProgramSeat, ...]:
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
