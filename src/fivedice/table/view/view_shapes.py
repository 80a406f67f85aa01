"""The shapes of a table as a viewer sees it: pages lay them out, and the JSON API sends them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def view_model(cls: type[_T]) -> type[_T]:
    """Declare a shape that is built for every answer.

    The type checker treats it as frozen. At run time it is not: freezing fifty fields takes four times as long.
    """
    return dataclass(slots=True)(cls)


@view_model
class DieView:
    """One die in its slot; `held` dice were kept in the last roll, `kept` ones are marked for the next."""

    slot: int
    face: int
    held: bool
    kept: bool


@dataclass(frozen=True, slots=True)
class CellView:
    """One box of one player: its points, or what the dice would score, or why it is closed."""

    points: int | None = None
    preview: int | None = None
    extra: int = 0
    joker: bool = False
    avoidable_zero: bool = False
    best: bool = False  # no open box scores more with these dice
    closed: str | None = None
    latest: bool = False
    ticks: int = 0  # how often an extra bonus was paid
    counted: int = 0  # of a bonus: the total of its boxes
    aim: int | None = None  # of a bonus: the next total to reach; None if there is none
    pace: str | None = None  # of a bonus: how it stands, in a word
    lost: bool = False  # of a bonus: whether it is out of reach


@dataclass(frozen=True, slots=True)
class SheetLineView:
    """A line of the sheet, apart from its columns."""

    kind: str
    label: str
    section: str  # upper or lower
    box: str | None
    par: int | None  # the points needed here on an even course to the bonus
    short: str  # for a narrow column
    face: int | None  # the face that the box counts, if it counts one
    half: int | None  # the column on a phone: 0 left, 1 right, None not shown
    span: int  # its height there, in lines
    role: str  # the key of the box, or the role of another line


@dataclass(frozen=True, slots=True)
class RowView(SheetLineView):
    """One line of the sheet across all players."""

    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One line in one game. `game` and `turn`, counted from 0, name the turn for a correction."""

    game: int
    points: int | None = None
    ticks: int = 0  # how often an extra bonus was paid
    turn: int | None = None
    dice: tuple[int, ...] = ()  # the dice that were scored
    final_dice: bool = False  # the rolls before them are unknown
    extra: int = 0  # the extra bonus that was paid with this turn
    joker: bool = False
    by_points: bool = False  # only its points were entered


@dataclass(frozen=True, slots=True)
class SheetRow(SheetLineView):
    """One line of a player's sheet across all games."""

    cells: tuple[SheetCell, ...]


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """The whole sheet of one player. The total of a game that has not begun is None."""

    seat: int
    name: str
    color: str
    token: str
    rows: tuple[SheetRow, ...]
    totals: tuple[int | None, ...]
    won: tuple[bool, ...]
    match_total: int | None  # None if the games are not added up, or there is only one
    leads: bool  # leads the whole sheet, or has won it
    out: bool  # has left the sheet


@view_model
class SeatView:
    """One player as others see them."""

    number: int
    name: str
    named: bool  # False: called by the number of the seat
    color: str
    token: str
    yours: bool
    bot: str | None
    away: bool
    left: bool  # said so, where others are only disconnected
    stand_in: bool
    on_turn: bool
    total: int
    pace: str | None
    bonus_status: str | None  # reached, open or lost
    upper: int  # points that count towards the bonus
    saved: int  # rolls saved from earlier turns and not used yet
    main: bool  # has the large column on a small screen
    shown: bool  # has a column on a small screen
    winner: bool
    out: bool  # has left the score sheet


@dataclass(frozen=True, slots=True)
class EndView:
    """How the game ended, for this viewer."""

    title: str
    standing: tuple[int, ...]  # all seats, the highest total first
    margin: int | None  # between the first two; None for one player, or if the game ended early
    seat: int | None  # yours, if you have exactly one


@dataclass(frozen=True, slots=True)
class AgainView:
    """Who wants another game. People are named by their first seat. Until someone has asked, no one is waited for."""

    yours: bool | None  # your answer
    can_answer: bool
    wanted: tuple[int, ...]
    waiting: tuple[int, ...]  # here, and have not answered
    without: tuple[int, ...]  # said no, or are away: the game can begin without them
    can_begin: bool  # you may start without them
    sentence: str


@view_model
class TableView:
    """Everything that a page needs, already decided: templates only lay it out."""

    id: str
    version: int
    moment: int  # the version that last changed the dice or the sheet; a hold names it
    phase: str
    book: str
    book_name: str
    house: str | None  # the address of house rules
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
    rolls: int  # of this turn, including saved ones
    rolls_each: int  # of every turn, without saved ones
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
    game_number: int  # of the current game, counted from 0
    between_games: bool
    match_total: bool
    turn: int  # of the current game, counted from 0
    round: int  # which of their turns the player on turn plays, counted from 1
    ended: bool  # the sheet was ended before it was full
    opener: bool  # you opened the sheet, and can always become the scorekeeper again
    bonus_at: int | None  # the first total of the upper section that pays a bonus
    alike_box: str | None  # the box for all dice the same
    can_enter: bool
    can_withdraw: bool
    pencil: bool  # you keep the score
    records: tuple[str, ...]  # of every finished game of the sheet
    promise: str | None  # SHA-256 of the secret of the dice
    secret: str | None  # once the game is over
    next_promise: str | None  # of a rematch, once it can be shown
    deal: str | None  # the date of a daily game, or the name of a deal: others have the same dice
    practice: bool  # the game does not count there
