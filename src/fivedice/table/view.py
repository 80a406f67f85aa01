"""What one viewer may see of a table, for pages and for the JSON API. A secret comes here when it is told to all."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.game import Game, LineKind, Ruling, Scorecard, sheet_lines
from fivedice.game.pace import bonus_pace, par
from fivedice.rules import RuleBook
from fivedice.table.decide import house_plays, is_absent, undo_way
from fivedice.table.own_rules import house_id
from fivedice.table.proving import record_of
from fivedice.table.refusals import Refusal
from fivedice.table.rights import has_pencil
from fivedice.table.speech import announcement, headline
from fivedice.table.state import TableState


@dataclass(frozen=True, slots=True)
class DieView:
    """One die in its slot; `held` ones stayed on the table in the last roll."""

    slot: int
    face: int
    held: bool


@dataclass(frozen=True, slots=True)
class CellView:
    """One box of one player: what it holds, or what the dice would be worth, or why it is closed."""

    points: int | None = None
    preview: int | None = None
    extra: int = 0
    joker: bool = False
    avoidable_zero: bool = False
    closed: str | None = None
    latest: bool = False
    ticks: int = 0  # how often an extra bonus was paid


@dataclass(frozen=True, slots=True)
class RowView:
    """One line of the sheet across all players."""

    kind: str
    label: str
    box: str | None
    par: int | None
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player as the others see them."""

    number: int
    name: str
    color: str
    token: str
    yours: bool
    bot: str | None
    away: bool
    stand_in: bool
    on_turn: bool
    total: int
    pace: str | None
    winner: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a page needs, already decided: templates only lay it out."""

    id: str
    version: int
    phase: str
    book: str
    book_name: str
    house: str | None  # the address of the rules, if they are a house book
    coach: bool
    headline: str
    announcement: str
    last_event: str
    you_host: bool
    your_turn: bool
    on_turn: int | None
    seats: tuple[SeatView, ...]
    rows: tuple[RowView, ...]
    dice: tuple[DieView, ...]
    dice_count: int
    rolls: int
    rolls_left: int
    can_roll: bool
    can_score: bool
    undo: str | None  # "free", "ask" or None
    undo_question: str | None
    skippable: int | None
    roll_off: tuple[tuple[str, str, int], ...]
    record: str | None
    rematch: str | None
    real_dice: bool
    games: int  # planned side by side on the sheet
    game_number: int  # of the one that is played now, counted from 0
    between_games: bool
    match_total: bool
    turn: int  # of the current game, counted from 0
    can_enter: bool
    can_withdraw: bool
    pencil: bool  # you keep the score
    records: tuple[str, ...]  # of every finished game of the sheet
    promise: str | None  # SHA-256 of the secret of the dice
    secret: str | None  # once the game is over


def view(state: TableState, player: str | None, present: frozenset[str] | None = None) -> TableView:
    """The table as this person sees it; `present` are those whose screens were heard of lately, if that is known."""
    present = None if present is None else present | {player or ""}
    mine = state.seats_of(player)
    on_turn = state.on_turn
    your_turn = on_turn is not None and on_turn in mine and not house_plays(state, on_turn)
    pencil = has_pencil(state, player)
    writes = your_turn or (pencil and on_turn is not None)
    game = state.game
    ruling = _ruling(state)
    rolls_left = game.position.rolls_left if game is not None else state.book.rolls
    records = tuple(record_of(state, game) for game in state.games_over)
    return TableView(
        id=state.id,
        version=state.version,
        phase=str(state.phase),
        book=state.book.key,
        book_name=state.book.name,
        house=None if state.rules is None else house_id(state.rules),
        coach=state.coach,
        headline=headline(state, mine),
        announcement=announcement(state),
        last_event=type(state.last).__name__ if state.last else "",
        you_host=player is not None and player == state.host,
        your_turn=your_turn,
        on_turn=state.on_turn,
        seats=tuple(_seat(state, number, player, present) for number in range(len(state.seats))),
        rows=_rows(state, ruling if writes else None),
        dice=tuple(DieView(slot, face, slot in state.held) for slot, face in enumerate(state.slots)),
        dice_count=state.book.dice,
        rolls=state.book.rolls,
        rolls_left=rolls_left,
        can_roll=your_turn and rolls_left > 0 and state.secret is None,
        can_score=writes and bool(state.slots),
        undo=_undo(state, player or ""),
        undo_question=_undo_question(state, player),
        skippable=_skippable(state, player, present),
        roll_off=_roll_off(game),
        record=records[-1] if records else None,
        rematch=state.rematch,
        real_dice=state.real_dice,
        games=state.games,
        game_number=state.game_number,
        between_games=state.between_games,
        match_total=state.match_total,
        turn=state.turn,
        can_enter=writes and state.real_dice and rolls_left > 0,
        can_withdraw=writes and state.real_dice and bool(state.slots),
        pencil=pencil,
        records=records,
        promise=state.promise,
        secret=state.secret,
    )


def _ruling(state: TableState) -> Ruling | None:
    if state.game is None or state.game.position.roll is None:
        return None
    return state.game.position.ruling()


def _cards(state: TableState) -> tuple[Scorecard, ...]:
    if state.game is not None:
        return state.game.position.cards
    return (Scorecard.empty(state.book),) * max(1, len(state.seats))


def _seat(state: TableState, number: int, player: str | None, present: frozenset[str] | None) -> SeatView:
    seat, card = state.seats[number], _cards(state)[number]
    outcome = state.game.outcome if state.game is not None else None
    pace = bonus_pace(card)
    return SeatView(
        number=number,
        name=seat.name,
        color=seat.color,
        token=seat.token,
        yours=player is not None and seat.player == player,
        bot=seat.bot,
        away=is_absent(seat, present),
        stand_in=seat.stand_in,
        on_turn=state.on_turn == number,
        total=card.total,
        pace=None if pace is None else str(pace),
        winner=outcome is not None and number in outcome.winners,
    )


def _rows(state: TableState, ruling: Ruling | None) -> tuple[RowView, ...]:
    """The lines of the sheet; the ruling is there if the viewer writes the next box."""
    columns = [sheet_lines(card) for card in _cards(state)]
    cells = [_Cells(state, seat, ruling if seat == state.on_turn else None) for seat in range(len(columns))]
    rows = []
    for lines in zip(*columns, strict=True):
        first = lines[0]
        row = tuple(cells[seat].cell(line.box, line.value, line.kind) for seat, line in enumerate(lines))
        rows.append(RowView(str(first.kind), first.label, first.box, shown_par(state.book, first.box), row))
    return tuple(rows)


def shown_par(book: RuleBook, box: str | None) -> int | None:
    """What an even course to the bonus needs in this box, where it needs something."""
    if box is None or book.bonus is None:
        return None
    return round(par(book, book.box(box))) or None


class _Cells:
    """The column of one player; previews only where the viewer may choose."""

    def __init__(self, state: TableState, seat: int, ruling: Ruling | None) -> None:
        self._legal = {} if ruling is None else ruling.legal
        self._closed = {} if ruling is None else ruling.closed
        self._ruling = ruling
        self._latest = _latest(state, seat)
        self._extra = 0 if state.book.alike is None else state.book.alike.extra

    def cell(self, box: str | None, value: int | None, kind: LineKind) -> CellView:
        if kind is LineKind.EXTRA and value is not None and self._extra:
            return CellView(points=value, ticks=value // self._extra)
        if box is None or kind is not LineKind.BOX or value is not None:
            return CellView(points=value, latest=box is not None and box == self._latest)
        entry = self._legal.get(box)
        if entry is None:
            return CellView(closed=self._closed.get(box))
        wasteful = self._ruling is not None and self._ruling.wastes(box)
        return CellView(preview=entry.points, extra=entry.bonus, joker=entry.joker, avoidable_zero=wasteful)


def _latest(state: TableState, seat: int) -> str | None:
    """The box this seat filled in the last turn that was played."""
    for step in reversed(state.game.steps if state.game is not None else ()):
        box = getattr(step.move, "box", None)
        if box is not None:
            return str(box) if step.before.seat == seat else None
    return None


def _undo(state: TableState, player: str) -> str | None:
    """What the undo button would do, if there is one."""
    try:
        return undo_way(state, player)
    except Refusal:
        return None


def _undo_question(state: TableState, player: str | None) -> str | None:
    if state.undo_asked is None or player not in state.people() or player in state.undo_agreed:
        return None
    asker = state.seats[state.undo_asked]
    return None if asker.player == player else f"{asker.name} would like to take back the last score."


def _skippable(state: TableState, player: str | None, present: frozenset[str] | None) -> int | None:
    """The seat on turn, if its owner is away and the viewer may let the house play there."""
    seat = state.on_turn
    if seat is None or player not in state.people() or house_plays(state, seat):
        return None
    sitting = state.seats[seat]
    return seat if sitting.player != player and is_absent(sitting, present) else None


def _roll_off(game: Game | None) -> tuple[tuple[str, str, int], ...]:
    if game is None or game.roll_off is None:
        return ()
    throws = (throw for group in game.roll_off.rounds for throw in group)
    return tuple((game.players[seat], str(roll), roll.total) for seat, roll in throws)
