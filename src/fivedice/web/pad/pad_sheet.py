"""The sheets of a score pad, laid out for a page: the current game of all players, or all games of one."""

from __future__ import annotations

from dataclasses import dataclass

from fivedice.game.card import BonusStatus
from fivedice.table.view.view_shapes import PlayerSheet, SheetCell, SheetRow, TableView
from fivedice.words import word


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column: a player, or a game."""

    label: str
    on_turn: bool = False
    badge: str = ""
    color: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of the sheet; one that was written knows its turn, and the script finds it by its id."""

    game: int
    points: int | None = None
    turn: int | None = None
    ticks: int = 0
    pace: str | None = None
    latest: bool = False
    id: str = ""
    out_of_reach: bool = False  # the bonus


@dataclass(frozen=True, slots=True)
class Row:
    """A line across the columns."""

    kind: str
    label: str
    box: str | None
    par: int | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole sheet."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    of_games: bool = False


def this_game(seen: TableView, sheets: tuple[PlayerSheet, ...]) -> Grid:
    """A column a player: the game that is being played, or the last one."""
    game = seen.game_number
    columns = tuple(
        Column(seat.name, seat.on_turn, _badge(seen, sheets, seat.number), seat.color, seat.token)
        for seat in seen.seats
    )
    rows = []
    for place, row in enumerate(sheets[0].rows):
        cells = tuple(_cell(seen, sheet, sheet.rows[place], game) for sheet in sheets)
        rows.append(Row(row.kind, row.label, row.box, row.par, cells))
    title = word("web.game-of", game=game + 1, games=seen.games) if seen.games > 1 else word("web.score-sheet")
    return Grid(title, columns, tuple(rows))


def _badge(seen: TableView, sheets: tuple[PlayerSheet, ...], seat: int) -> str:
    if seen.seats[seat].on_turn:
        return word("web.badge-playing")
    return word("web.badge-winner") if sheets[seat].won[seen.game_number] and len(seen.seats) > 1 else ""


def _cell(seen: TableView, sheet: PlayerSheet, row: SheetRow, game: int) -> Cell:
    cell = row.cells[game]
    seat = seen.seats[sheet.seat]
    latest = cell.turn is not None and cell.turn == seen.turn - 1
    pace = seat.pace if row.kind == "bonus" and seen.phase == "playing" and not seen.between_games else None
    name = f"cell-{sheet.seat}-{row.box}" if row.box and cell.turn is None else ""
    lost = seat.bonus_status == BonusStatus.LOST
    return Cell(game, cell.points, cell.turn, cell.ticks, pace, latest, name, lost)


def whole_sheet(seen: TableView, sheet: PlayerSheet) -> Grid:
    """A column a game, as the sheets for several games are printed."""
    columns = tuple(
        Column(str(number + 1), _is_running(seen, number), word("web.badge-won") if won and len(seen.seats) > 1 else "")
        for number, won in enumerate(sheet.won)
    )
    rows = tuple(Row(row.kind, row.label, row.box, row.par, tuple(map(_plain, row.cells))) for row in sheet.rows)
    return Grid(word("web.sheet-of", name=sheet.name), columns, rows, of_games=True)


def _is_running(seen: TableView, number: int) -> bool:
    return number == seen.game_number and seen.on_turn is not None


def _plain(cell: SheetCell) -> Cell:
    return Cell(cell.game, cell.points, cell.turn, cell.ticks)


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A player's totals, game by game."""

    name: str
    totals: tuple[int | None, ...]
    total: int
    winner: bool


def match_lines(seen: TableView, sheets: tuple[PlayerSheet, ...]) -> list[MatchLine]:
    """Empty where the sheet has a single game."""
    if seen.games == 1:
        return []
    best = max(sheet.match_total or 0 for sheet in sheets)
    over = seen.phase == "finished" and seen.match_total and len(sheets) > 1
    return [
        MatchLine(sheet.name, sheet.totals, sheet.match_total or 0, over and sheet.match_total == best)
        for sheet in sheets
    ]


def standing(seen: TableView, lines: list[MatchLine]) -> str:
    """Who leads the match, or has won it; empty where nothing is added up."""
    if not lines or not seen.match_total or len(lines) == 1:
        return ""
    best = max(line.total for line in lines)
    names = tuple(line.name for line in lines if line.total == best)
    kind = "web.match-won" if seen.phase == "finished" else "web.match-led"
    return word(kind, names=names, count=len(names), points=best)
