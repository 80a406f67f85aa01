"""The part of the JSON API that is for score pads: sheets, corrections before they are made, and the pencil."""

from __future__ import annotations

from typing import Any

from litestar.response import Response

from fivedice.table.decide import handing_over
from fivedice.table.decide.corrections import Consequences, consequences
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.view_shapes import PlayerSheet, TableView
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.handling import COACH, LOOKS, PRESS, Req, get, post
from fivedice.web.http.identity import Person
from fivedice.web.runtime.option_tables import options_answer
from fivedice.web.services import AppServices


@get("/tables/{table:str}/sheets", lane=LOOKS, summary="The sheet of every player", responses=shapes.UNKNOWN)
def table_sheets(services: AppServices, table: str) -> list[PlayerSheet]:
    """A column for each game; every box that was written knows the game and the turn that a correction names."""
    return list(sheets(services.tables.state(table)))


@get(
    "/tables/{table:str}/options/{seat:int}",
    lane=PRESS,
    summary="What every roll would be worth",
    responses=shapes.PLAIN,
)
def options(services: AppServices, table: str, seat: int) -> Response[dict[str, Any]]:
    """For every roll, as sorted faces, the legal boxes as [points, extra bonus, 1 for a joker], and the reasons why
    open boxes are closed to it, and `zero_asks` where a zero could be avoided: enough to keep a score without a
    connection. Rules with very many different rolls are refused.
    """
    answer: Any = options_answer(services.tables.state(table), seat)
    return Response(answer, media_type="application/json")


@post(
    "/tables/{table:str}/consequences",
    lane=COACH,
    summary="What a correction would lead to",
    status_code=200,
    responses=shapes.REFUSALS,
)
def correction_consequences(services: AppServices, table: str, data: shapes.ChangesData) -> Consequences:
    """Entries that could not stand any more, with the reason, or else every number that would change."""
    return consequences(services.tables.state(table), [each.change() for each in data.changes])


@shapes.acts("/tables/{table:str}/pencil", summary="Hand the pencil on")
def offer_pencil(request: Req, services: AppServices, player: Person, table: str) -> shapes.Handover:
    """Whoever brings the code first keeps the score of this pad from then on."""
    code = handing_over.offer_pencil(services.tables, table, player.id)
    return shapes.Handover(code, services.link(request, f"/t/{table}/pencil/{code}"))


@shapes.acts("/tables/{table:str}/keeper", summary="Take the pencil")
def take_pencil(services: AppServices, player: Person, table: str, data: shapes.TakeSeatData) -> TableView:
    handing_over.take_pencil(services.tables, table, player.id, data.code)
    return services.view(table, player)
