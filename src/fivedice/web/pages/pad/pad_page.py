"""The page of a score pad: entry, sheet, match and the links to watch it.

It shows the current game of all players, or all games of one player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import segno
from markupsafe import Markup

from fivedice.core.game.position import turns_to_come
from fivedice.core.rules import Section
from fivedice.drawing.theme import WHITE
from fivedice.table.actions.pad import last_written
from fivedice.table.actions.rewrite import WrittenTurn, sheet_of, skipped_seats, written_turns
from fivedice.table.actions.rights import MOST_SEATS
from fivedice.table.state import Phase, TableState
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import PlayerSheet, RowView, SeatView, SheetCell, TableView
from fivedice.text import word
from fivedice.web.http.answers import Page, page
from fivedice.web.http.identity import only_this_device
from fivedice.web.pages.pad.new_pad import MODULES, last_choices
from fivedice.web.pages.pad.rule_data import rules_link
from fivedice.web.pages.page_parts import NOTHING, Extra, table_preview
from fivedice.web.services.visitors import Visitor


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column: a player, or a game."""

    label: str
    on_turn: bool = False
    badge: str = ""
    color: str = ""
    token: str = ""
    saved: int = 0  # rolls saved for later turns


@dataclass(frozen=True, slots=True)
class GridCell:
    """A number of the sheet. A written one has its turn; an open one has an id for the script."""

    game: int
    points: int | None = None
    turn: int | None = None
    ticks: int = 0
    pace: str | None = None
    latest: bool = False
    id: str = ""
    out_of_reach: bool = False  # the bonus
    progress: str = ""  # to the next step of a bonus without a pace, or that has paid already


@dataclass(frozen=True, slots=True)
class GridRow:
    """A line across the columns."""

    kind: str
    label: str
    box: str | None
    par: int | None
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole sheet."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[GridRow, ...]
    of_games: bool = False


def current_game_grid(seen: TableView, sheets: tuple[PlayerSheet, ...]) -> Grid:
    """Return the current game, or the last one, with one column per player."""
    game = seen.game_number
    columns = tuple(
        Column(
            seat.name, seat.on_turn, _badge(seen, sheets, seat.number), seat.color, seat.token, _saved_rolls(seen, seat)
        )
        for seat in seen.seats
    )
    rows = []
    for place, row in enumerate(sheets[0].rows):
        cells = tuple(_cell(seen, sheet, place, game) for sheet in sheets)
        rows.append(GridRow(row.kind, row.label, row.box, row.par, cells))
    title = word("web.game-of", game=game + 1, games=seen.games) if seen.games > 1 else word("web.score-sheet")
    return Grid(title, columns, tuple(rows))


def _badge(seen: TableView, sheets: tuple[PlayerSheet, ...], seat: int) -> str:
    if seen.seats[seat].on_turn:
        return word("web.badge-playing")
    return word("web.badge-winner") if sheets[seat].won[seen.game_number] and len(seen.seats) > 1 else ""


def _saved_rolls(seen: TableView, seat: SeatView) -> int:
    """Return the saved rolls of a seat; none at the end of a game, where they count for nothing."""
    return seat.saved if seen.on_turn is not None else 0


def _cell(seen: TableView, sheet: PlayerSheet, place: int, game: int) -> GridCell:
    row, now = sheet.rows[place], seen.rows[place].cells[sheet.seat]
    cell = row.cells[game]
    latest = cell.turn is not None and cell.turn == seen.turn - 1
    name = f"cell-{sheet.seat}-{row.box}" if row.box and cell.turn is None else ""
    if seen.phase != "playing" or seen.between_games:
        return GridCell(game, cell.points, cell.turn, cell.ticks, None, latest, name)
    progress = f"{now.counted}/{now.aim}" if now.aim is not None and now.pace is None else ""
    return GridCell(game, cell.points, cell.turn, cell.ticks, now.pace, latest, name, now.lost, progress)


def player_grid(seen: TableView, sheet: PlayerSheet) -> Grid:
    """Return all games of a player with one column per game, as on printed sheets for several games."""
    columns = tuple(
        Column(str(number + 1), _is_running(seen, number), word("web.badge-won") if won and len(seen.seats) > 1 else "")
        for number, won in enumerate(sheet.won)
    )
    rows = tuple(
        GridRow(row.kind, row.label, row.box, row.par, tuple(map(_plain_cell, row.cells))) for row in sheet.rows
    )
    return Grid(word("web.sheet-of", name=sheet.name), columns, rows, of_games=True)


def _is_running(seen: TableView, number: int) -> bool:
    return number == seen.game_number and seen.on_turn is not None


def _plain_cell(cell: SheetCell) -> GridCell:
    return GridCell(cell.game, cell.points, cell.turn, cell.ticks)


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A player's totals, game by game."""

    name: str
    totals: tuple[int | None, ...]
    total: int
    winner: bool
    leads: bool


def match_lines(seen: TableView, sheets: tuple[PlayerSheet, ...]) -> list[MatchLine]:
    """Return the totals of all players; none if the sheet has a single game."""
    if seen.games == 1:
        return []
    over = seen.phase == "finished" and seen.match_total and len(sheets) > 1
    return [
        MatchLine(sheet.name, sheet.totals, sheet.match_total or 0, over and sheet.leads, sheet.leads)
        for sheet in sheets
    ]


def match_standing(seen: TableView, lines: list[MatchLine]) -> str:
    """Return who leads the match or has won it; empty if games are not added up."""
    if not lines or not seen.match_total or len(lines) == 1:
        return ""
    first = [line for line in lines if line.leads]
    kind = "web.match-won" if seen.phase == "finished" else "web.match-led"
    return word(kind, names=tuple(line.name for line in first), count=len(first), points=first[0].total)


def pad_page(visitor: Visitor, table: str, extra: Extra = NOTHING, status: int = 200) -> Page:
    """Return the whole page, or its changing part. Only the scorekeeper's may be stored on the device."""
    services = visitor.services
    edition, state = services.tables.look(table)
    services.saw(state, visitor.person)
    seen = view(state, visitor.person.id, services.presence.at(table))
    choices = services.tables.store.choices.of(visitor.person.id)
    context = _context(state, seen, extra) | {
        "pad": script_data(services.settings.root, state, seen, last_choices(choices).entry) | {"edition": edition},
        "watch_link": visitor.link(f"/t/{table}"),
        "only_here": only_this_device(services.settings),
        "preview": table_preview(services, state),
    }
    answer = page("pad/_pad.html" if visitor.fragment else "pad/pad.html", status, **context)
    answer.set_header("fivedice-pad", "keeper" if seen.pencil else "follower")
    return answer


def _context(state: TableState, seen: TableView, extra: Extra) -> dict[str, Any]:
    found = sheets(state)
    chosen = extra.sheet if extra.sheet is not None and 0 <= extra.sheet < len(found) and seen.games > 1 else None
    grid: Grid = current_game_grid(seen, found) if chosen is None else player_grid(seen, found[chosen])
    lines = match_lines(seen, found)
    stands = match_standing(seen, lines)
    return {
        "table": seen,
        "people": people_of(state),
        "extra": extra,
        "title": title(state, seen, stands),
        "standing": stands,
        "here": f"/t/{seen.id}" + ("" if chosen is None else f"?sheet={chosen}"),
        "round": seen.round,
        "saved": 0 if seen.on_turn is None else seen.seats[seen.on_turn].saved,
        "rounds": len(state.book.boxes),
        "grid": grid,
        "match": lines,
        "halves": _halves(state, seen),
        "card_rows": _card_rows(seen),
        "modules": MODULES,
        "records": "\n\n".join(seen.records),
        "qr": qr_code,
    }


@dataclass(frozen=True, slots=True)
class People:
    """Data for the small forms of the pad, `pad/_pad_people.html`."""

    last: tuple[int, int] | None  # the last written turn, if it can be taken back: game and number
    can_change: bool  # the sheet can still be changed
    can_pass: bool  # someone else could play now
    can_retire: bool
    can_join: bool


def people_of(state: TableState) -> People:
    is_open = not state.ended and not state.given_up and state.rematch is None
    playing, there = is_open and state.phase is Phase.PLAYING, len(state.seats) - len(state.seats_out)
    others = playing and len(set(turns_to_come(state.running.position))) > 1
    last = last_written(state) if is_open else None
    return People(last, is_open, others, playing and there > 1, playing and len(state.seats) < MOST_SEATS)


def title(state: TableState, seen: TableView, stands: str) -> str:
    """Return whose turn it is, the same for the scorekeeper and spectators; at the end, who has won."""
    if seen.on_turn is None:
        return stands if stands and seen.phase == "finished" else seen.headline
    return _turn_of(state.seats[seen.on_turn].name)


def _turn_of(name: str) -> str:
    return word("web.turn-of", name=name)


def _halves(state: TableState, seen: TableView) -> list[list[RowView]]:
    """Return the boxes of the upper and the lower section."""
    upper = {box.key for box in state.book.boxes if box.section is Section.UPPER}
    rows = [row for row in seen.rows if row.box is not None]
    return [[row for row in rows if row.box in upper], [row for row in rows if row.box not in upper]]


def _card_rows(seen: TableView) -> int:
    """Return the height of the card that painting.js will draw, so that the page does not jump."""
    sections = [row.section for row in seen.rows if row.kind in ("box", "bonus")]
    upper = sections.count(Section.UPPER)
    apart = abs(len(sections) - 2 * upper) > 1
    return (len(sections) + 1) // 2 if apart else max(upper, len(sections) - upper)


def script_data(root: str, state: TableState, seen: TableView, mode: str) -> dict[str, Any]:
    """Return the sheet as the script starts from it. Nothing in it is secret."""
    book, address = state.book, state.shelf_key
    return {
        "id": state.id,
        "version": state.version,
        "opened": state.opened,
        "keeper": seen.pencil,
        "playing": seen.on_turn is not None,
        "mode": mode,
        "coach": seen.coach,
        "dice": book.dice,
        "faces": book.faces,
        "saves": book.save_rolls,
        "most": MOST_SEATS,
        "names": [seat.name for seat in state.seats],
        "first": state.all_games[0].first if state.game is not None else 0,
        "games": state.games,
        "matchTotal": state.match_total,
        "out": sorted(state.seats_out),
        "ended": state.ended or state.given_up,
        "played": [_game_data(state, number) for number in range(len(state.all_games))],
        "links": {
            "rules": rules_link(book, address, root) if seen.pencil else None,
            "book": f"{root}/rules/{address}" if state.rules is None else f"{root}/house/{address}",
            "commands": f"{root}/api/tables/{state.id}/commands",
            "setUp": f"{root}/pad",
        },
    }


def _game_data(state: TableState, number: int) -> dict[str, Any]:
    """Return one game: who started, the number of seats, its written turns, and who was skipped before which.

    For a finished game also who had left by then: that decided it, even if people joined or left later.
    """
    game = state.all_games[number]
    turns = [_turn_data(turn, state.book.index[turn.box]) for turn in written_turns(sheet_of(state, number))]
    passed = [{"turn": turn, "seat": seat} for turn, seats in skipped_seats(game).items() for seat in sorted(seats)]
    out = {"out": sorted(game.position.out)} if game.is_over else {}
    return {"first": game.first, "turns": turns, "seats": len(game.players), "passed": passed, **out}


def _turn_data(turn: WrittenTurn, place: int) -> list[Any]:
    """Return a turn in the format of `unpackGames` in state.js; rare values come last, and are left out if unset."""
    dice = "".join(map(str, sorted(turn.dice)))
    rolled = 0 if turn.rolls[-1].last else len(turn.rolls)
    always = [turn.seat, dice, place, turn.entry.points]
    rare = [turn.entry.bonus, int(turn.entry.joker), turn.saved, int(turn.noted is not None), rolled]
    while rare and not rare[-1]:
        rare.pop()
    return [*always, *rare]


def qr_code(link: str) -> Markup:
    """Return a QR code as inline SVG, so that it needs no request; with few and large dots."""
    drawing = segno.make(link, error="l").svg_inline(
        scale=4, border=2, light=WHITE, omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(drawing)  # noqa: S704 - our own drawing; the link is only its dots
