"""The JSON API: everything a page can do, over the same commands. It is how programs and bots join."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from litestar import MediaType, Request, Router, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Body, Parameter
from litestar.response import Stream

from fivedice.table import commands as ask
from fivedice.table.decide import handing_over
from fivedice.table.events import to_data
from fivedice.table.keys import new_key
from fivedice.table.refusals import BadRequest, NotAllowed
from fivedice.table.view.view_shapes import TableView
from fivedice.web.api import api_books, api_coach, api_house_rules as api_house, api_pad, api_shapes as shapes
from fivedice.web.http.command_forms import CommandBody
from fivedice.web.http.identity import known_person, person_of
from fivedice.web.play.table_page import may_invite
from fivedice.web.runtime.services import in_thread, services_of
from fivedice.web.runtime.stream import live_stream

Req = Request[Any, Any, State]

ABOUT = """Play five-dice games over HTTP. Ask for a key at POST /api/players, send it as `Authorization: Bearer KEY`,
open a table or take a seat, and send commands with the version that you saw and a key of your own: a command that is
sent twice acts once. A refusal has a status, a code and a sentence, and has changed nothing. A zero that could be
avoided is written without asking: `avoidable_zero` in the view of a table says where that would be."""


@post("/players", summary="A new key", responses=shapes.ANYWHERE)
async def new_player() -> shapes.NewPlayer:
    return shapes.NewPlayer(new_key())


@post("/tables", summary="Open a table", responses=shapes.WRITING, security=shapes.SECURITY)
async def open_table(
    request: Req, data: Annotated[shapes.NewTable, Body(examples=shapes.NEW_TABLE)]
) -> shapes.TableCreated:
    tables, person = services_of(request).tables, known_person(request)
    then = [_seat(person.id, plan) for plan in data.seats]
    if data.start:
        then.append(ask.StartGame(person.id, data.first))
    table = await in_thread(
        lambda: tables.open(
            person.id,
            data.book,
            coach=data.coach,
            rules=data.rules,
            real_dice=data.real_dice,
            games=data.games,
            match_total=data.match_total,
            then=then,
        )
    )
    return shapes.TableCreated(table, await in_thread(tables.join_code, table))


def _seat(player: str, plan: shapes.SeatPlan) -> ask.Command:
    if (plan.name is None) == (plan.bot is None):
        raise BadRequest("A seat needs either a name or a bot.")
    return ask.SeatBot(player, plan.bot) if plan.bot is not None else ask.SitDown(player, plan.name or "")


@get("/tables", summary="Your tables and best scores", responses=shapes.NO_KEY, security=shapes.SECURITY)
async def my_tables(request: Req) -> dict[str, Any]:
    store, person = services_of(request).tables.store, known_person(request)
    entries = await in_thread(store.own_tables.of, person.id)
    best = await in_thread(store.results.best, person.id)
    return {"tables": [asdict(entry) for entry in entries], "best": {key: asdict(one) for key, one in best.items()}}


@get("/tables/{table:str}", summary="A table as you see it", responses=shapes.UNKNOWN)
async def table_view(request: Req, table: str) -> TableView:
    """Anyone may watch; with your key you also see what you can do."""
    return await services_of(request).view(table, person_of(request))


@get("/tables/{table:str}/events", summary="The log of a table", responses=shapes.UNKNOWN)
async def table_events(request: Req, table: str, after: Annotated[int, Parameter(ge=0)] = 0) -> dict[str, Any]:
    """Everything that happened after a version. Player ids are left out."""
    tables = services_of(request).tables
    version = (await in_thread(tables.state, table)).version
    found = await in_thread(tables.store.events_after, table, min(after, version))
    shown = [_public(kind, data) for kind, data in map(to_data, found)]
    return {"version": min(after, version) + len(found), "events": shown}


_PRIVATE = {"player", "host", "word"}


def _public(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind} | {name: value for name, value in data.items() if name not in _PRIVATE}


@post(
    "/tables/{table:str}/commands",
    summary="Do something at a table",
    status_code=200,
    responses=shapes.WRITING,
    security=shapes.SECURITY,
)
async def command(
    request: Req, table: str, data: Annotated[CommandBody, Body(examples=shapes.COMMANDS)]
) -> shapes.CommandDone:
    services, person = services_of(request), known_person(request)
    done = await services.execute(table, data.command_of(person.id), data.version, data.key, data.join_code)
    return shapes.CommandDone(done.version, done.repeated, services.shown(done.state, person))


@post(
    "/tables/{table:str}/rematch",
    summary="The next game for the same people",
    status_code=200,
    responses=shapes.WRITING,
    security=shapes.SECURITY,
)
async def rematch(request: Req, table: str) -> shapes.TableCreated:
    """Whoever asks is the host of the next table and starts the game there."""
    tables, person = services_of(request).tables, known_person(request)
    following = await in_thread(tables.rematch, table, person.id)
    return shapes.TableCreated(following, await in_thread(tables.join_code, following))


@get(
    "/tables/{table:str}/invitation",
    summary="How others can sit down",
    responses=shapes.REFUSALS,
    security=shapes.SECURITY,
)
async def invitation(request: Req, table: str) -> shapes.Invitation:
    services, person = services_of(request), known_person(request)
    if not may_invite(await services.view(table, person)):
        raise NotAllowed("Only players at the table can invite others.")
    code = await in_thread(services.tables.join_code, table)
    return shapes.Invitation(code, services.link(request, f"/t/{table}/join/{code}"))


@post(
    "/tables/{table:str}/handover",
    summary="Give your seat to somebody else",
    status_code=200,
    responses=shapes.WRITING,
    security=shapes.SECURITY,
)
async def hand_over(
    request: Req, table: str, data: Annotated[shapes.HandoverBody, Body(examples=shapes.HANDOVER)]
) -> shapes.Handover:
    services, person = services_of(request), known_person(request)
    code = await in_thread(handing_over.offer_seat, services.tables, table, person.id, data.seat)
    return shapes.Handover(code, services.link(request, f"/t/{table}/seat/{code}"))


@post(
    "/tables/{table:str}/seat",
    summary="Take a seat that was handed over",
    status_code=200,
    responses=shapes.WRITING,
    security=shapes.SECURITY,
)
async def take_seat(
    request: Req, table: str, data: Annotated[shapes.TakeSeatBody, Body(examples=shapes.TAKE_SEAT)]
) -> TableView:
    services, person = services_of(request), known_person(request)
    await in_thread(handing_over.take_over, services.tables, table, person.id, data.code)
    return await services.view(table, person)


@get(
    "/tables/{table:str}/live",
    summary="New versions as server-sent events",
    media_type="text/event-stream",
    responses=shapes.UNKNOWN,
)
async def live(request: Req, table: str, after: Annotated[int, Parameter(ge=0)] = 0) -> Stream:
    """`event: version` with the new version; `event: people` when somebody came or went. Resumes by Last-Event-ID."""
    return await live_stream(request, table, after)


@get(
    "/tables/{table:str}/record",
    summary="The finished game in notation",
    media_type=MediaType.TEXT,
    responses=shapes.UNKNOWN,
)
async def record(request: Req, table: str) -> str:
    seen = await services_of(request).view(table, person_of(request))
    if seen.record is None:
        raise NotFoundException("The game is not finished yet, so there is no record to read.")
    return seen.record


_tables = [open_table, my_tables, table_view, table_events, command, rematch, invitation, hand_over, take_seat]
_parts = [*api_books.handlers, *api_house.handlers, *api_pad.handlers]
router = Router("/api", route_handlers=[*_parts, new_player, *_tables, *api_coach.handlers, live, record])
