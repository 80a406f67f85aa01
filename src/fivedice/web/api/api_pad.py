"""The part of the JSON API that is for score pads: sheets, corrections before they are made, and the pencil."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import Body

from fivedice.table.decide import handing_over
from fivedice.table.decide.corrections import Consequences, consequences
from fivedice.table.view.match_sheet import PlayerSheet, sheets
from fivedice.table.view.roll_values import options_table
from fivedice.table.view.view_shapes import TableView
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.identity import known_person
from fivedice.web.runtime.services import desk_of, in_thread

Req = Request[Any, Any, State]


@get("/tables/{table:str}/sheets", summary="The sheet of every player", responses=shapes.UNKNOWN)
async def table_sheets(request: Req, table: str) -> list[PlayerSheet]:
    """A column for each game; every box that was written knows the game and the turn that a correction names."""
    return list(await in_thread(lambda: sheets(desk_of(request).tables.state(table))))


@get("/tables/{table:str}/options/{seat:int}", summary="What every roll would be worth", responses=shapes.PLAIN)
async def options(request: Req, table: str, seat: int) -> dict[str, Any]:
    """For every roll, as sorted faces, the legal boxes as [points, extra bonus, 1 for a joker], and the reasons why
    open boxes are closed to it, and `zero_asks` where a zero could be avoided: enough to keep a score without a
    connection.
    """
    return await in_thread(lambda: options_table(desk_of(request).tables.state(table), seat))


@post(
    "/tables/{table:str}/consequences",
    summary="What a correction would lead to",
    status_code=200,
    responses=shapes.REFUSALS,
)
async def correction_consequences(
    request: Req, table: str, data: Annotated[shapes.ChangesBody, Body(examples=shapes.CHANGES)]
) -> Consequences:
    """Entries that could not stand any more, with the reason, or else every number that would change."""
    changes = [each.change() for each in data.changes]
    return await in_thread(lambda: consequences(desk_of(request).tables.state(table), changes))


@post(
    "/tables/{table:str}/pencil",
    summary="Hand the pencil on",
    status_code=200,
    responses=shapes.WRITING,
    security=shapes.SECURITY,
)
async def offer_pencil(request: Req, table: str) -> shapes.Handover:
    """Whoever brings the code first keeps the score of this pad from then on."""
    desk, person = desk_of(request), known_person(request)
    code = await in_thread(handing_over.offer_pencil, desk.tables, table, person.id)
    return shapes.Handover(code, desk.link(request, f"/t/{table}/pencil/{code}"))


@post(
    "/tables/{table:str}/keeper",
    summary="Take the pencil",
    status_code=200,
    responses=shapes.WRITING,
    security=shapes.SECURITY,
)
async def take_pencil(
    request: Req, table: str, data: Annotated[shapes.TakeSeatBody, Body(examples=shapes.TAKE_SEAT)]
) -> TableView:
    desk, person = desk_of(request), known_person(request)
    await in_thread(handing_over.take_pencil, desk.tables, table, person.id, data.code)
    return await desk.view(table, person)


handlers = [table_sheets, options, correction_consequences, offer_pencil, take_pencil]
