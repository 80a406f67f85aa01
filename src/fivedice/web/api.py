"""The JSON API: everything a page can do, over the same commands. It is how programs and bots join."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from litestar import MediaType, Request, Router, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from litestar.response import Stream

from fivedice.errors import UnknownBook
from fivedice.rules import SHIPPED, shipped
from fivedice.rules.data import book_data, book_head
from fivedice.table import commands as ask
from fivedice.table.events import to_data
from fivedice.table.refusals import BadRequest
from fivedice.table.service import new_key
from fivedice.table.view import TableView
from fivedice.web.desk import desk_of, in_thread
from fivedice.web.people import person_of
from fivedice.web.requests import CommandBody
from fivedice.web.room import live_stream

Req = Request[Any, Any, State]

ABOUT = """Play five-dice games over HTTP. Ask for a key at POST /api/players, send it as `Authorization: Bearer KEY`,
open a table or take a seat, and send commands with the version that you saw and a key of your own: a command that is
sent twice acts once."""


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A key to keep; it is the only proof of who you are."""

    key: str


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A person (`name`) or a bot (`bot`, a level) at a new table."""

    name: str | None = None
    bot: str | None = None


@dataclass(frozen=True, slots=True)
class NewTable:
    """What a new table should be."""

    book: str = "yahtzee"
    coach: bool = True
    seats: list[SeatPlan] = field(default_factory=list)
    start: bool = False


@dataclass(frozen=True, slots=True)
class TableCreated:
    """Where the table is, and the code that lets others sit down."""

    id: str
    join_code: str


@dataclass(frozen=True, slots=True)
class CommandDone:
    """The version after the command; `repeated` if its key had been used before."""

    version: int
    repeated: bool
    table: TableView


@get("/books", summary="The rule books")
async def books() -> list[dict[str, Any]]:
    return [book_head(shipped(key)) for key in SHIPPED]


@get("/books/{key:str}", summary="One rule book in full")
async def book(key: str) -> dict[str, Any]:
    try:
        return book_data(shipped(key))
    except UnknownBook as error:
        raise NotFoundException(str(error)) from None


@post("/players", summary="A new key")
async def new_player() -> NewPlayer:
    return NewPlayer(new_key())


@post("/tables", summary="Open a table")
async def open_table(request: Req, data: NewTable) -> TableCreated:
    desk, person = desk_of(request), person_of(request)
    table = await in_thread(lambda: desk.tables.open(person.id, data.book, coach=data.coach))
    for plan in data.seats:
        await desk.execute(table, _seat(person.id, plan))
    if data.start:
        await desk.execute(table, ask.StartGame(person.id))
    return TableCreated(table, await in_thread(desk.tables.join_code, table))


def _seat(player: str, plan: SeatPlan) -> ask.Command:
    if (plan.name is None) == (plan.bot is None):
        raise BadRequest("A seat needs either a name or a bot.")
    return ask.SeatBot(player, plan.bot) if plan.bot is not None else ask.SitDown(player, plan.name or "")


@get("/tables", summary="Your tables and best scores")
async def my_tables(request: Req) -> dict[str, Any]:
    desk, person = desk_of(request), person_of(request)
    entries = await in_thread(desk.tables.store.tables_of, person.id)
    best = await in_thread(desk.tables.store.best_scores, person.id)
    return {"tables": [asdict(entry) for entry in entries], "best": {key: asdict(one) for key, one in best.items()}}


@get("/tables/{table:str}", summary="A table as you see it")
async def table_view(request: Req, table: str) -> TableView:
    return await desk_of(request).view(table, person_of(request).id)


@get("/tables/{table:str}/events", summary="The log of a table")
async def table_events(request: Req, table: str, after: Annotated[int, Parameter(ge=0)] = 0) -> dict[str, Any]:
    """Everything that happened after a version. Player ids are left out."""
    desk = desk_of(request)
    state = await in_thread(desk.tables.state, table)
    found = await in_thread(desk.tables.store.events_after, table, after)
    shown = [_public(kind, data) for kind, data in map(to_data, found)]
    return {"version": state.version, "events": shown}


_PRIVATE = {"player", "host"}


def _public(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind} | {name: value for name, value in data.items() if name not in _PRIVATE}


@post("/tables/{table:str}/commands", summary="Do something at a table", status_code=200)
async def command(request: Req, table: str, data: CommandBody) -> CommandDone:
    desk, person = desk_of(request), person_of(request)
    done = await desk.execute(table, data.command_of(person.id), data.version, data.key, data.join_code)
    return CommandDone(done.version, done.repeated, await desk.view(table, person.id))


@post("/tables/{table:str}/rematch", summary="The next game for the same people", status_code=200)
async def rematch(request: Req, table: str) -> TableCreated:
    desk, person = desk_of(request), person_of(request)
    following = await in_thread(desk.tables.rematch, table, person.id)
    return TableCreated(following, await in_thread(desk.tables.join_code, following))


@get("/tables/{table:str}/live", summary="New versions as server-sent events", media_type="text/event-stream")
async def live(request: Req, table: str, after: Annotated[int, Parameter(ge=0)] = 0) -> Stream:
    return await live_stream(request, table, after)


@get("/tables/{table:str}/record", summary="The finished game in notation", media_type=MediaType.TEXT)
async def record(request: Req, table: str) -> str:
    seen = await desk_of(request).view(table, person_of(request).id)
    if seen.record is None:
        raise NotFoundException("The game is not finished yet, so there is no record to read.")
    return seen.record


router = Router(
    "/api",
    route_handlers=[
        books,
        book,
        new_player,
        open_table,
        my_tables,
        table_view,
        table_events,
        command,
        rematch,
        live,
        record,
    ],
)
