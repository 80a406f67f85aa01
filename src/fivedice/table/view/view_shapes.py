"""The shapes of what a viewer sees of a table: pages lay them out, and the JSON API sends them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def made_for_each_look(cls: type[_T]) -> type[_T]:
    """A shape that is made anew for every answer. The types alone see to it that nobody changes one: what Python does
    for that takes four times as long, with fifty fields.
    """
    return dataclass(slots=True)(cls)


@made_for_each_look
class DieView:
    """One die in its slot; `held` ones stayed in the last roll, `kept` ones are to stay in the next."""

    slot: int
    face: int
    held: bool
    kept: bool


@dataclass(frozen=True, slots=True)
class CellView:
    """One box of one player: what it holds, or what the dice would be worth, or why it is closed."""

    points: int | None = None
    preview: int | None = None
    extra: int = 0
    joker: bool = False
    avoidable_zero: bool = False
    best: bool = False  # no open box pays more for these dice
    closed: str | None = None
    latest: bool = False
    ticks: int = 0  # how often an extra bonus was paid
    counted: int = 0  # of a bonus: what its boxes have come to
    aim: int | None = None  # and what they must reach next; None once nothing more can be
    pace: str | None = None  # and how that stands, in a word
    lost: bool = False  # and whether it is out of reach


@dataclass(frozen=True, slots=True)
class SheetLineView:
    """What a line of the sheet is, whatever its columns are."""

    kind: str
    label: str
    section: str  # upper or lower
    box: str | None
    par: int | None  # what an even course to the bonus needs here
    short: str  # for a narrow column
    face: int | None  # the face that the box counts, if it counts one
    half: int | None  # where a phone shows it: 0 left, 1 right, None not at all
    span: int  # and how many places high
    role: str  # the key of the box, or which line of the sheet it is


@dataclass(frozen=True, slots=True)
class RowView(SheetLineView):
    """One line of the sheet across all players."""

    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One line in one game. `turn` is the turn that wrote it, counted from 0: together with `game` what to correct."""

    game: int
    points: int | None = None
    ticks: int = 0  # how often an extra bonus was paid
    turn: int | None = None
    dice: tuple[int, ...] = ()  # that were written there
    final_dice: bool = False  # nothing is known of the rolls before them
    extra: int = 0  # the extra bonus that was paid with this turn
    joker: bool = False
    by_points: bool = False  # its dice were not told


@dataclass(frozen=True, slots=True)
class SheetRow(SheetLineView):
    """One line of a player's sheet across all games."""

    cells: tuple[SheetCell, ...]


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """The whole sheet of one player. A game that has not begun has None for its total."""

    seat: int
    name: str
    color: str
    token: str
    rows: tuple[SheetRow, ...]
    totals: tuple[int | None, ...]
    won: tuple[bool, ...]
    match_total: int | None  # None where the games are not added up, or there is only one
    leads: bool  # the whole sheet: at its end, has won it
    out: bool  # has left it


@made_for_each_look
class SeatView:
    """One player as the others see them."""

    number: int
    name: str
    named: bool  # or called by the number of the seat
    color: str
    token: str
    yours: bool
    bot: str | None
    away: bool
    stand_in: bool
    on_turn: bool
    total: int
    pace: str | None
    bonus_status: str | None  # reached, open or lost
    upper: int  # what counts towards the bonus
    saved: int  # rolls kept from earlier turns and not used yet, where the book keeps them
    main: bool  # whose column is the large one where there is little room
    shown: bool  # whether there is a column for it where there is little room
    winner: bool
    out: bool  # has left the score sheet


@dataclass(frozen=True, slots=True)
class EndView:
    """How the game ended for the one who looks."""

    title: str
    standing: tuple[int, ...]  # all seats, the highest total first
    margin: int | None  # between the first two; None where nobody else played, or the game ended early
    seat: int | None  # yours, if you have exactly one


@dataclass(frozen=True, slots=True)
class AgainView:
    """Who wants another game; people are named by their first seat. Until somebody asked, nobody is waited for."""

    yours: bool | None  # what you said
    can_answer: bool
    wanted: tuple[int, ...]
    waiting: tuple[int, ...]  # here, and without an answer
    without: tuple[int, ...]  # said no, or away: the game can begin without them
    can_begin: bool  # and you may say so
    sentence: str


@made_for_each_look
class TableView:
    """Everything a page needs, already decided: templates only lay it out."""

    id: str
    version: int
    moment: int  # the version that last changed the dice or the sheet: what a hold belongs to
    phase: str
    book: str
    book_name: str
    house: str | None  # the address of the rules, if they are a house book
    coach: bool
    pace: str  # of the bots: at-once, brisk or calm
    headline: str
    announcement: str
    last_event: str
    you_host: bool
    end_refused: str | None  # why you, the host, cannot end the game early just now
    your_turn: bool
    on_turn: int | None
    seats: tuple[SeatView, ...]
    rows: tuple[RowView, ...]
    dice: tuple[DieView, ...]
    dice_count: int
    rolls: int  # of this turn, with those that were saved before
    rolls_each: int  # of every turn, without those
    rolls_left: int
    can_roll: bool
    can_score: bool
    undo: str | None  # "free", "ask" or None
    undo_question: str | None
    skippable: int | None
    roll_off: tuple[tuple[str, str, int], ...]
    record: str | None
    celebrate: str | None  # what has just happened: alike, bonus or win
    end: EndView | None
    again: AgainView | None
    rematch: str | None
    real_dice: bool
    games: int  # planned side by side on the sheet
    game_number: int  # of the one that is played now, counted from 0
    between_games: bool
    match_total: bool
    turn: int  # of the current game, counted from 0
    round: int  # which of their turns it is for the seat on turn, counted from 1
    ended: bool  # the sheet was ended before it was full
    opener: bool  # you opened the sheet, and can always keep the score again
    bonus_at: int | None  # what the upper section must reach first
    alike_box: str | None  # the box for all dice alike
    can_enter: bool
    can_withdraw: bool
    pencil: bool  # you keep the score
    records: tuple[str, ...]  # of every finished game of the sheet
    promise: str | None  # SHA-256 of the secret of the dice
    secret: str | None  # once the game is over
    next_promise: str | None  # of a rematch, as soon as it can be told
