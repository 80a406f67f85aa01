"""The page of a score pad: entry, sheet, match and the links to watch it.

The script paints the sheet from `script_data`; without it the page has forms and one plain table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fivedice.core.game.position import turns_to_come
from fivedice.core.rules import Section
from fivedice.drawing.theme import pip_inks
from fivedice.table.actions.pad import last_written
from fivedice.table.actions.rewrite import WrittenTurn, sheet_of, skipped_seats, written_turns
from fivedice.table.actions.rights import MOST_SEATS
from fivedice.table.state import Phase, TableState
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import PlayerSheet, RowView, TableView
from fivedice.text import word
from fivedice.web.http.answers import Page, page
from fivedice.web.http.identity import only_this_device
from fivedice.web.pages.pad.new_pad import MODULES, last_choices
from fivedice.web.pages.pad.rule_data import rules_link
from fivedice.web.pages.page_parts import NOTHING, Extra, qr_code, table_preview
from fivedice.web.services.app_services import Visitor


def match_standing(seen: TableView, players: tuple[PlayerSheet, ...]) -> str:
    """Return who leads the match or has won it; empty if there is none."""
    if seen.games == 1 or not seen.match_total or len(players) == 1:
        return ""
    first = [player for player in players if player.leads]
    kind = "web.match-won" if seen.phase == "finished" else "web.match-led"
    return word(kind, names=tuple(player.name for player in first), count=len(first), points=first[0].match_total)


def pad_page(visitor: Visitor, table: str, extra: Extra = NOTHING, status: int = 200) -> Page:
    """Return the whole page, or its changing part. Only the scorekeeper's may be stored on the device."""
    services = visitor.services
    edition, state = services.tables.look(table)
    services.mark_present(state, visitor.person)
    seen = view(state, visitor.person.id, services.presence.at(table))
    choices = services.tables.store.choices.of(visitor.person.id)
    data = script_data(services.settings.root, state, seen, last_choices(choices).entry) | {"edition": edition}
    players = sheets(state)
    context = _context(state, seen, extra, match_standing(seen, players)) | {
        "pad": data,
        "players": () if visitor.fragment and data["links"]["rules"] else players,  # the script paints them
        "watch_link": visitor.link(f"/t/{table}"),
        "only_here": only_this_device(services.settings),
        "preview": table_preview(state),
    }
    answer = page("pad/_pad.html" if visitor.fragment else "pad/pad.html", status, **context)
    answer.set_header("fivedice-pad", "keeper" if seen.pencil else "follower")
    return answer


def _context(state: TableState, seen: TableView, extra: Extra, stands: str) -> dict[str, Any]:
    return {
        "table": seen,
        "inks": pip_inks(state.book),
        "people": people_of(state),
        "extra": extra,
        "title": title(state, seen, stands),
        "standing": stands,
        "here": f"/t/{seen.id}",
        "round": seen.round,
        "saved": 0 if seen.on_turn is None else seen.seats[seen.on_turn].saved,
        "rounds": len(state.book.boxes),
        "begun": max(1, len(state.all_games)),
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
    return word("web.turn-of", name=state.seats[seen.on_turn].name)


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
            "rules": rules_link(book, address, root),
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
