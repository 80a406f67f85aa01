"""The page of a score pad: entry, sheet, match and the links to follow it."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import segno
from markupsafe import Markup

from fivedice.rules import Section
from fivedice.table.state import TableState
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.table_view import view
from fivedice.table.view.view_shapes import RowView, TableView
from fivedice.tokens import WHITE
from fivedice.web.http.answers import Page, page
from fivedice.web.http.identity import only_this_device
from fivedice.web.http.visitors import Visitor
from fivedice.web.pad.pad_choices import remembered
from fivedice.web.pad.pad_sheet import Grid, match_lines, standing, this_game, whole_sheet
from fivedice.web.play.link_previews import table_preview
from fivedice.web.play.page_parts import NOTHING, Extra
from fivedice.words import name_of, word


def pad_page(visitor: Visitor, table: str, extra: Extra = NOTHING, status: int = 200) -> Page:
    """The whole page, or its changing part; only the keeper's may be kept on the device."""
    services = visitor.services
    state = services.tables.state(table)
    services.saw(state, visitor.person)
    seen = view(state, visitor.person.id, services.presence.at(table))
    choices = services.tables.store.choices.of(visitor.person.id)
    context = _context(state, seen, extra) | {
        "pad": script_data(state, seen, remembered(choices).entry),
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
    grid: Grid = this_game(seen, found) if chosen is None else whole_sheet(seen, found[chosen])
    lines = match_lines(seen, found)
    stands = standing(seen, lines)
    return {
        "table": seen,
        "extra": extra,
        "title": title(state, seen, stands),
        "standing": stands,
        "here": f"/t/{seen.id}" + ("" if chosen is None else f"?sheet={chosen}"),
        "round": 1 + state.turn // len(state.seats),
        "rounds": len(state.book.boxes),
        "grid": grid,
        "match": lines,
        "halves": _halves(state, seen),
        "records": "\n\n".join(seen.records),
        "qr": qr_code,
    }


def title(state: TableState, seen: TableView, stands: str) -> str:
    """Whose turn it is, said alike to the keeper and to those who follow; at the end who has won."""
    if seen.on_turn is None:
        return stands if stands and seen.phase == "finished" else seen.headline
    return _turn_of(state.seats[seen.on_turn].name)


def _turn_of(name: str) -> str:
    return word("web.turn-of", name=name)


def _halves(state: TableState, seen: TableView) -> list[list[RowView]]:
    """The boxes of the sheet, upper and lower."""
    upper = {box.key for box in state.book.boxes if box.section is Section.UPPER}
    rows = [row for row in seen.rows if row.box is not None]
    return [[row for row in rows if row.box in upper], [row for row in rows if row.box not in upper]]


def script_data(state: TableState, seen: TableView, mode: str) -> dict[str, Any]:
    """What the script needs to go on alone for a while. Nothing in it is secret."""
    book, game = state.book, state.game
    cards = () if game is None else game.position.cards
    return {
        "id": state.id,
        "version": state.version,
        "keeper": seen.pencil,
        "playing": seen.on_turn is not None,
        "mode": mode,
        "game": state.game_number,
        "turns": _turns_left(state, seen),
        "rolled": len(state.rolls),
        "canEnter": seen.can_enter,
        "dice": book.dice,
        "faces": book.faces,
        "command": "write",
        "links": {
            "options": f"/t/{state.id}/options",
            "correct": f"/t/{state.id}/correct",
            "commands": f"/api/tables/{state.id}/commands",
        },
        "seats": [
            {
                "name": seat.name,
                "headline": _turn_of(seat.name),
                "card": card_id(cards[number]),
                "open": [place for place, points in enumerate(cards[number].marks) if points is None],
            }
            for number, seat in enumerate(state.seats)
        ],
        "boxes": [{"key": box.key, "label": name_of(box), "upper": box.section is Section.UPPER} for box in book.boxes],
    }


def _turns_left(state: TableState, seen: TableView) -> list[dict[str, int]]:
    """The turns that are still to be written, in their order; a phone may go through them without a connection."""
    if seen.on_turn is None:
        return []
    seats = len(state.seats)
    return [
        {"turn": turn, "seat": (seen.on_turn + turn - state.turn) % seats, "round": 1 + turn // seats}
        for turn in range(state.turn, seats * len(state.book.boxes))
    ]


def card_id(card: Any) -> str:
    """Short, and another one for every other card: by it a phone knows whether its answers are still right."""
    return sha256(repr((card.book.fingerprint, card.marks, card.bonuses)).encode()).hexdigest()[:16]


def qr_code(link: str) -> Markup:
    """Drawn into the page itself, so that it is there without another request."""
    drawing = segno.make(link, error="m").svg_inline(scale=4, border=2, light=WHITE, omitsize=True)
    return Markup(drawing)  # noqa: S704 - our own drawing; the link is only its dots
