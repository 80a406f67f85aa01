"""The page of a table: what is on it, its QR code and its record."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import segno
from litestar import MediaType
from litestar.response import Response

from fivedice.table.decide.rights import MOST_SEATS, player_id
from fivedice.table.refusals import NotAllowed, Refusal, UnknownTable
from fivedice.table.seat_names import COLORS, TOKENS
from fivedice.table.state import Phase, TableState
from fivedice.table.store.results import Best
from fivedice.table.view.announcements import Celebration
from fivedice.table.view.view_shapes import TableView
from fivedice.tokens import WHITE
from fivedice.web.home.pages import FIRST_LEVEL, bot_choices
from fivedice.web.http.answers import Page, page
from fivedice.web.http.handling import NotFound, get
from fivedice.web.http.identity import Person, only_this_device
from fivedice.web.http.lanes import LOOKS
from fivedice.web.http.visitors import Visitor
from fivedice.web.pad.pad_page import pad_page, qr_code
from fivedice.web.play.game_end import place_of
from fivedice.web.play.link_previews import invitation_preview, table_preview
from fivedice.web.play.page_parts import NOTHING, Extra
from fivedice.web.services import AppServices, same_code

Answer = TypeVar("Answer")


def show_table(
    visitor: Visitor, table: str, extra: Extra = NOTHING, status: int = 200, state: TableState | None = None
) -> Page:
    """The table's page, or only its changing part where our script asks for that. Without a `state` as it is now."""
    services, person = visitor.services, visitor.person
    seen = services.view(table, person) if state is None else services.shown(state, person)
    if seen.real_dice and seen.phase != Phase.SEATING:
        return pad_page(visitor, table, extra, status)
    place = None if seen.end is None else place_of(services, person, seen)
    if place is not None and place.is_new_best and seen.last_event == "Scored":
        seen = replace(seen, celebrate=Celebration.BEST)
    context = {
        "table": seen,
        "place": place,
        "facts": None,
        "extra": extra,
        "watch_link": visitor.link(f"/t/{table}"),
        "best": _score_to_beat(services, person, seen),
        "works_out": _works_out(services, seen),
        "wants": extra.wants or visitor.wants,
        "preview": None if visitor.fragment else table_preview(services, state or services.tables.state(table)),
    }
    if seen.phase == Phase.SEATING:
        context |= _seating(visitor, seen, extra)
    return page("play/_table.html" if visitor.fragment else "play/table.html", status, **context)


def at_table(visitor: Visitor, table: str, action: Callable[[], Answer], join: str | None = None) -> Answer | Page:
    """What is refused at a table is said on its page, which is there all the same."""
    try:
        return action()
    except UnknownTable:
        raise
    except Refusal as refusal:
        return show_table(visitor, table, Extra(notice=str(refusal), join=join), refusal.status)


def _works_out(services: AppServices, seen: TableView) -> bool:
    """Whether the bot on turn waits until its book is solved: house rules that were never played before."""
    if seen.on_turn is None or seen.seats[seen.on_turn].bot is None:
        return False
    return services.bots.works_out(services.tables.state(seen.id), seen.on_turn)


def _score_to_beat(services: AppServices, person: Person, seen: TableView) -> Best | None:
    """A solo player plays against their own best."""
    if len(seen.seats) != 1 or seen.phase != Phase.PLAYING:
        return None
    return services.tables.store.results.best(person.id).get(seen.house or seen.book)


def _seating(visitor: Visitor, seen: TableView, extra: Extra) -> dict[str, Any]:
    """What is needed to fill the seats; the invitation only for those who have it already."""
    tables = visitor.services.tables
    code, choices = tables.join_code(seen.id), tables.store.choices.of(visitor.person.id)
    state = tables.state(seen.id)
    context = {
        "colors": COLORS,
        "tokens": TOKENS,
        "your_name": choices.get("name", ""),
        "full": len(seen.seats) >= MOST_SEATS,
        "bots": bot_choices() if seen.you_host else None,
        "first_level": FIRST_LEVEL,
        "starts_with": state.starts_with,
        "own_name": next((seat.given or "" for seat in state.seats if seat.player == visitor.person.id), ""),
        "inviter": next((seat.name for seat in state.seats if seat.player == state.host and seat.given), None),
    }
    invited = extra.join is not None and same_code(extra.join, code)
    if invited:
        context |= {"preview": invitation_preview(state)}
    if _may_invite(seen) or invited:
        link = visitor.link(f"/t/{seen.id}/join/{code}")
        context |= {"join_code": code, "join_link": link, "only_here": only_this_device(visitor.services.settings)}
        context |= {"qr": qr_code}
    return context


def _may_invite(seen: TableView) -> bool:
    return seen.you_host or any(seat.yours for seat in seen.seats)


def invitation_to(services: AppServices, person: Person, table: str) -> str:
    """The code that lets others sit down, for those who may show it to them."""
    if not _may_invite(services.view(table, person)):
        raise NotAllowed("web.players-invite")
    return services.tables.join_code(table)


def record_of(services: AppServices, person: Person, table: str) -> str:
    """The finished game in notation."""
    seen = services.view(table, person)
    if seen.record is None:
        raise NotFound("web.no-record")
    return seen.record


@get("/t/{table:str}", lane=LOOKS)
def table_page(
    visitor: Visitor, table: str, confirm: str | None = None, sheet: int | None = None, see: int | None = None
) -> Page:
    return show_table(visitor, table, Extra(confirm=confirm, sheet=sheet, see=see))


@get("/t/{table:str}/join/{code:str}", lane=LOOKS)
def join_page(visitor: Visitor, table: str, code: str) -> Page:
    return show_table(visitor, table, Extra(join=code))


@get("/t/{table:str}/seat/{code:str}", lane=LOOKS)
def seat_page(services: AppServices, table: str, code: str) -> Page:
    """A seat that was handed over waits behind this link."""
    state = services.tables.state(table)
    seat = services.tables.store.handovers.seat(player_id(code), table)
    if seat is None or seat >= len(state.seats):
        raise NotFound("web.link-used")
    return page("play/seat.html", table=table, code=code, seat=state.seats[seat], book=state.book)


@get("/t/{table:str}/qr.svg", media_type="image/svg+xml")
def qr(visitor: Visitor, table: str) -> Response[bytes]:
    """The link to a free seat, for the phones around the table."""
    try:
        code = invitation_to(visitor.services, visitor.person, table)
    except NotAllowed as refusal:
        raise NotFound(refusal.message) from None
    drawing = io.BytesIO()
    link = visitor.link(f"/t/{table}/join/{code}")
    segno.make(link, error="m").save(drawing, kind="svg", scale=4, border=2, light=WHITE, xmldecl=False)
    return Response(drawing.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@get("/t/{table:str}/record.txt", lane=LOOKS, media_type=MediaType.TEXT)
def record(services: AppServices, person: Person, table: str) -> str:
    return record_of(services, person, table)
