"""The page of a table: what is on it, its live stream, its QR code and its record."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import segno
from litestar import MediaType, Request, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Response, Stream, Template

from fivedice.table.names import COLORS, TOKENS
from fivedice.table.service import player_id
from fivedice.table.state import Phase
from fivedice.web.desk import desk_of, in_thread
from fivedice.web.pages import bot_choices, page
from fivedice.web.people import Person, person_of

Req = Request[Any, Any, State]

FRAGMENT = "fivedice-fragment"  # the header by which our script asks for the changing part alone


@dataclass(frozen=True, slots=True)
class Extra:
    """What a page shows beside the table itself."""

    notice: str | None = None
    confirm: str | None = None  # a box that would be filled with an avoidable zero
    join: str | None = None  # the code that lets a visitor sit down


async def room(request: Req, person: Person, table: str, extra: Extra, status: int = 200) -> Template:
    """The table's page, or only its changing part where our script asks for that."""
    desk = desk_of(request)
    seen = await desk.view(table, person.id)
    context: dict[str, Any] = {"table": seen, "extra": extra, "colors": COLORS, "tokens": TOKENS}
    if seen.phase == Phase.SEATING:
        code = await in_thread(desk.tables.join_code, table)
        seated = any(seat.yours for seat in seen.seats) or seen.you_host
        if seated or extra.join == code:
            context |= {"join_code": code, "join_link": desk.link(request, f"/t/{table}/join/{code}")}
        if seen.you_host:
            context["bots"] = bot_choices()
    context["choices"] = await in_thread(desk.tables.store.choices, person.id)
    context["watch_link"] = desk.link(request, f"/t/{table}")
    if seen.phase == Phase.FINISHED and len(seen.seats) == 1:
        best = await in_thread(desk.tables.store.best_scores, person.id)
        context["best"] = best.get(seen.book)
    if len(seen.seats) == 1 and seen.phase == Phase.PLAYING:
        best = await in_thread(desk.tables.store.best_scores, person.id)
        context["best"] = best.get(seen.book)
    name = "_table.html" if request.headers.get(FRAGMENT) else "table.html"
    return page(request, person, name, status, **context)


@get("/t/{table:str}")
async def table_page(request: Req, table: str, confirm: str | None = None) -> Template:
    return await room(request, person_of(request), table, Extra(confirm=confirm))


@get("/t/{table:str}/join/{code:str}")
async def join_page(request: Req, table: str, code: str) -> Template:
    return await room(request, person_of(request), table, Extra(join=code))


@get("/t/{table:str}/seat/{code:str}")
async def seat_page(request: Req, table: str, code: str) -> Template:
    """A seat that was handed over waits behind this link."""
    desk, person = desk_of(request), person_of(request)
    state = await in_thread(desk.tables.state, table)
    seat = await in_thread(desk.tables.store.offered_seat, player_id(code), table)
    if seat is None or seat >= len(state.seats):
        raise NotFoundException("This link does not lead to a seat any more. Ask for a new one.")
    return page(request, person, "seat.html", table=table, code=code, seat=state.seats[seat], book=state.book)


@get("/t/{table:str}/live")
async def live(request: Req, table: str, after: int = 0) -> Stream:
    return await live_stream(request, table, after)


async def live_stream(request: Req, table: str, after: int) -> Stream:
    """New versions of the table as server-sent events; comments in between keep the line open."""
    desk, person = desk_of(request), person_of(request)
    state = await in_thread(desk.tables.state, table)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isdecimal() and len(last) < 12 else after

    async def events() -> AsyncIterator[bytes]:
        if state.version > after:
            yield _event(state.version)
        async for version in desk.bell.listen(table, max(after, state.version), person.id):
            yield b": still here\n\n" if version is None else _event(version)

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(events(), media_type="text/event-stream", headers=headers)


def _event(version: int) -> bytes:
    return f"id: {version}\nevent: version\ndata: {version}\n\n".encode()


@get("/t/{table:str}/qr.svg", media_type="image/svg+xml")
async def qr(request: Req, table: str) -> Response[bytes]:
    """The link to a free seat, for the phones around the table."""
    desk, person = desk_of(request), person_of(request)
    seen = await desk.view(table, person.id)
    if not (seen.you_host or any(seat.yours for seat in seen.seats)):
        raise NotFoundException("Only players at the table can show its code.")
    code = await in_thread(desk.tables.join_code, table)
    drawing = io.BytesIO()
    link = desk.link(request, f"/t/{table}/join/{code}")
    segno.make(link, error="m").save(drawing, kind="svg", scale=4, border=2, light="#fff", xmldecl=False)
    return Response(drawing.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@get("/t/{table:str}/record.txt", media_type=MediaType.TEXT)
async def record(request: Req, table: str) -> str:
    seen = await desk_of(request).view(table, person_of(request).id)
    if seen.record is None:
        raise NotFoundException("The game is not finished yet, so there is no record to read.")
    return seen.record


handlers = [table_page, join_page, seat_page, live, qr, record]
