"""The page of a table: what is on it, its QR code and its record."""

from __future__ import annotations

import io
from typing import Any

import segno
from litestar import MediaType, Request, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Response, Template

from fivedice.table.decide.decision import MOST_SEATS
from fivedice.table.keys import player_id
from fivedice.table.seat_names import COLORS, TOKENS
from fivedice.table.state import Phase, TableState
from fivedice.table.store.results import Best
from fivedice.table.view.view_shapes import TableView
from fivedice.tokens import WHITE
from fivedice.web.coach.coach_choices import coach_choices
from fivedice.web.home.pages import bot_choices, page
from fivedice.web.http.identity import Person, person_of
from fivedice.web.http.public_address import only_this_device
from fivedice.web.pad.pad_page import pad_page
from fivedice.web.play.page_parts import FRAGMENT, Extra
from fivedice.web.runtime.services import AppServices, in_thread, same_code, services_of

Req = Request[Any, Any, State]


async def room(
    request: Req, person: Person, table: str, extra: Extra, status: int = 200, state: TableState | None = None
) -> Template:
    """The table's page, or only its changing part where our script asks for that. Without a `state` as it is now."""
    services = services_of(request)
    seen = await services.view(table, person) if state is None else services.shown(state, person)
    if seen.real_dice and seen.phase != Phase.SEATING:
        return await pad_page(request, person, table, extra, status)
    context = {
        "table": seen,
        "extra": extra,
        "watch_link": services.link(request, f"/t/{table}"),
        "best": await _score_to_beat(services, person, seen),
        "works_out": await _works_out(services, seen),
        "wants": extra.wants or coach_choices(request),
    }
    if seen.phase == Phase.SEATING:
        context |= await _seating(request, person, seen, extra)
    name = "play/_table.html" if request.headers.get(FRAGMENT) else "play/table.html"
    return page(request, person, name, status, **context)


async def _works_out(services: AppServices, seen: TableView) -> bool:
    """Whether the bot on turn waits until its book is solved: house rules that were never played before."""
    if seen.on_turn is None or seen.seats[seen.on_turn].bot is None:
        return False
    state = await in_thread(services.tables.state, seen.id)
    return await in_thread(services.bots.works_out, state, seen.on_turn)


async def _score_to_beat(services: AppServices, person: Person, seen: TableView) -> Best | None:
    """A solo player plays against their own best."""
    if len(seen.seats) != 1 or seen.phase == Phase.SEATING:
        return None
    return (await in_thread(services.tables.store.results.best, person.id)).get(seen.house or seen.book)


async def _seating(request: Req, person: Person, seen: TableView, extra: Extra) -> dict[str, Any]:
    """What is needed to fill the seats; the invitation only for those who have it already."""
    services = services_of(request)
    code = await in_thread(services.tables.join_code, seen.id)
    choices = await in_thread(services.tables.store.choices.of, person.id)
    context = {"colors": COLORS, "tokens": TOKENS, "your_name": choices.get("name", ""), "full": is_full(seen)}
    context["bots"] = bot_choices() if seen.you_host else None
    if may_invite(seen) or (extra.join is not None and same_code(extra.join, code)):
        link = services.link(request, f"/t/{seen.id}/join/{code}")
        context |= {"join_code": code, "join_link": link, "only_here": only_this_device(services.settings)}
    return context


def may_invite(seen: TableView) -> bool:
    return seen.you_host or any(seat.yours for seat in seen.seats)


def is_full(seen: TableView) -> bool:
    return len(seen.seats) >= MOST_SEATS


@get("/t/{table:str}")
async def table_page(request: Req, table: str, confirm: str | None = None, sheet: int | None = None) -> Template:
    return await room(request, person_of(request), table, Extra(confirm=confirm, sheet=sheet))


@get("/t/{table:str}/join/{code:str}")
async def join_page(request: Req, table: str, code: str) -> Template:
    return await room(request, person_of(request), table, Extra(join=code))


@get("/t/{table:str}/seat/{code:str}")
async def seat_page(request: Req, table: str, code: str) -> Template:
    """A seat that was handed over waits behind this link."""
    services, person = services_of(request), person_of(request)
    state = await in_thread(services.tables.state, table)
    seat = await in_thread(services.tables.store.handovers.seat, player_id(code), table)
    if seat is None or seat >= len(state.seats):
        raise NotFoundException("This link does not lead to a seat any more. Ask for a new one.")
    return page(request, person, "play/seat.html", table=table, code=code, seat=state.seats[seat], book=state.book)


@get("/t/{table:str}/qr.svg", media_type="image/svg+xml")
async def qr(request: Req, table: str) -> Response[bytes]:
    """The link to a free seat, for the phones around the table."""
    services, person = services_of(request), person_of(request)
    seen = await services.view(table, person)
    if not may_invite(seen):
        raise NotFoundException("Only players at the table can show its code.")
    code = await in_thread(services.tables.join_code, table)
    drawing = io.BytesIO()
    link = services.link(request, f"/t/{table}/join/{code}")
    segno.make(link, error="m").save(drawing, kind="svg", scale=4, border=2, light=WHITE, xmldecl=False)
    return Response(drawing.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@get("/t/{table:str}/record.txt", media_type=MediaType.TEXT)
async def record(request: Req, table: str) -> str:
    seen = await services_of(request).view(table, person_of(request))
    if seen.record is None:
        raise NotFoundException("The game is not finished yet, so there is no record to read.")
    return seen.record


handlers = [table_page, join_page, seat_page, qr, record]
