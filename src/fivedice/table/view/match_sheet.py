"""The sheet as paper shows it: one player, the games side by side, and every written box knows its turn."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.game import Game, LineKind, Scorecard, SheetLine, sheet_lines
from fivedice.table.decide.rewrite import WrittenTurn, sheet_of, written
from fivedice.table.state import TableState
from fivedice.table.view.score_sheet import shown_par
from fivedice.words import name_of


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


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One line of the sheet, a cell for each game."""

    kind: str
    label: str
    section: str  # upper or lower
    box: str | None
    par: int | None
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


def sheets(state: TableState) -> tuple[PlayerSheet, ...]:
    """Every player's sheet, with a column for each game that is planned."""
    columns = [_GameColumns(state, number) for number in range(state.games)]
    return tuple(_player(state, seat, columns) for seat in range(len(state.seats)))


class _GameColumns:
    """One game of the sheet, begun or not, with the turns that wrote it."""

    def __init__(self, state: TableState, number: int) -> None:
        games = state.all_games
        self.number = number
        self.game: Game | None = games[number] if number < len(games) else None
        turns: tuple[WrittenTurn, ...] = () if self.game is None else written(sheet_of(state, number))
        self._by_box = {(turn.seat, turn.box): turn for turn in turns}
        self._extra = 0 if state.book.alike is None else state.book.alike.extra

    def card(self, state: TableState, seat: int) -> Scorecard:
        return Scorecard.empty(state.book) if self.game is None else self.game.position.cards[seat]

    def cell(self, seat: int, line: SheetLine) -> SheetCell:
        if self.game is None or line.value is None:
            return SheetCell(self.number)
        if line.kind is LineKind.EXTRA:
            return SheetCell(self.number, line.value, ticks=line.value // self._extra)
        turn = self._by_box.get((seat, line.box or ""))
        if turn is None:
            return SheetCell(self.number, line.value)
        final = turn.rolls[-1].last
        return SheetCell(
            self.number, line.value, 0, turn.number, turn.dice, final, turn.entry.bonus, joker=turn.entry.joker
        )


def _player(state: TableState, seat: int, columns: list[_GameColumns]) -> PlayerSheet:
    sitting = state.seats[seat]
    lines = [sheet_lines(column.card(state, seat)) for column in columns]
    totals = tuple(None if column.game is None else column.card(state, seat).total for column in columns)
    won = tuple(seat in _winners(column.game) for column in columns)
    added = sum(filter(None, totals)) if state.match_total and state.games > 1 else None
    rows = _rows(state, seat, columns, lines)
    return PlayerSheet(seat, sitting.name, sitting.color, sitting.token, rows, totals, won, added)


def _winners(game: Game | None) -> tuple[int, ...]:
    outcome = None if game is None else game.outcome
    return () if outcome is None else outcome.winners


def _rows(
    state: TableState, seat: int, columns: list[_GameColumns], lines: list[tuple[SheetLine, ...]]
) -> tuple[SheetRow, ...]:
    rows = []
    for across in zip(*lines, strict=True):
        first = across[0]
        cells = tuple(column.cell(seat, line) for column, line in zip(columns, across, strict=True))
        par = shown_par(state.book, first.box)
        rows.append(SheetRow(str(first.kind), name_of(first), str(first.section), first.box, par, cells))
    return tuple(rows)
