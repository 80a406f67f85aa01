"""The JSON API for programs and bots: everything that a page can do, with the same commands.

Score pads also have sheets, the consequences of corrections, and links for the scorekeeper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

import litestar
from litestar import MediaType
from litestar.params import Parameter
from litestar.response import Response, Stream

from fivedice.core.notation.receipts import Receipt, key_id
from fivedice.errors import quote
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.corrections import Consequences, consequences
from fivedice.table.actions.events import Event, to_data
from fivedice.table.actions.rights import new_key
from fivedice.table.refusals import BadRequest
from fivedice.table.service import handing_over
from fivedice.table.view.sheet_rows import sheets
from fivedice.table.view.view_shapes import PlayerSheet, TableView
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.handling import COACH, LOOKS, RENDER, Req, get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.fairness_pages import receipt_of
from fivedice.web.pages.pad.rule_data import options_answer
from fivedice.web.pages.play.stream import live_stream
from fivedice.web.pages.play.table_page import invitation_to, record_of
from fivedice.web.services.app_services import AppServices


@post("/players", summary="A new key", responses=shapes.ANYWHERE, lane=None)
def new_player() -> shapes.NewPlayer:
    return shapes.NewPlayer(new_key())


@post("/tables", summary="Open a table", responses=shapes.WRITING, security=shapes.SECURITY)
def open_table(services: AppServices, player: Person, data: shapes.NewTableData) -> shapes.TableCreated:
    then = [_seat(player.id, plan) for plan in data.seats]
    if data.start:
        then.append(cmd.StartGame(player.id, data.first))
    table = services.tables.open(
        player.id,
        data.book,
        coach=data.coach,
        rules=data.rules,
        real_dice=data.real_dice,
        games=data.games,
        match_total=data.match_total,
        pace=data.pace,
        key=data.key,
        then=then,
    )
    return describe_created(services, player, table)


def describe_created(services: AppServices, player: Person, table: str) -> shapes.TableCreated:
    return shapes.TableCreated(table, services.tables.join_code(table), services.view(table, player))


def _seat(player: str, plan: shapes.SeatPlan) -> cmd.Command:
    if (plan.name is None) == (plan.bot is None):
        raise BadRequest("web.name-or-bot")
    if plan.bot is None:
        return cmd.SitDown(player, plan.name or "", text=plan.text)
    if plan.text:
        raise BadRequest("web.bot-without-text", text=quote(plan.text))
    return cmd.SeatBot(player, plan.bot)


@get("/tables", summary="Your tables and best scores", responses=shapes.NO_KEY, security=shapes.SECURITY)
def my_tables(services: AppServices, player: Person) -> dict[str, Any]:
    store = services.tables.store
    entries, best = store.own_tables.of(player.id), store.results.best(player.id)
    return {"tables": [asdict(entry) for entry in entries], "best": {key: asdict(one) for key, one in best.items()}}


@get("/tables/{table:str}", lane=LOOKS, summary="A table as you see it", responses=shapes.UNKNOWN)
def table_view(services: AppServices, person: Person, table: str) -> TableView:
    """Return the table. Anyone may watch; with your key you also see what you can do."""
    return services.view(table, person)


@get("/tables/{table:str}/events", lane=LOOKS, summary="The log of a table", responses=shapes.UNKNOWN)
def table_events(services: AppServices, table: str, after: Annotated[int, Parameter(ge=0)] = 0) -> dict[str, Any]:
    """Return at most 500 events after a version, without player ids.

    For more, ask again after the `version` of the answer, until there are none.
    """
    version = services.tables.state(table).version
    found = services.tables.store.events_after(table, min(after, version), MOST_EVENTS)
    return {"version": min(after, version) + len(found), "events": _public_events(found)}


MOST_EVENTS = 500  # in one answer
_PRIVATE = {"player", "host", "word"}


def _public_events(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [_public_event(kind, data) for kind, data in map(to_data, events)]


def _public_event(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind} | {name: value for name, value in data.items() if name not in _PRIVATE}


@shapes.acts("/tables/{table:str}/commands", summary="Do something at a table")
def command(
    services: AppServices, player: Person, table: str, data: shapes.CommandData
) -> shapes.CommandDone | shapes.CommandChanges:
    """Carry out a command and return the table as you see it then, or, with `"answer": "changes"`, the new events."""
    done = services.execute(table, data.command_of(player.id), data.version, data.key, data.join_code)
    if data.answer == "changes":
        services.mark_present(done.state, player)
        return shapes.CommandChanges(done.version, done.repeated, _public_events(done.events))
    return shapes.CommandDone(done.version, done.repeated, services.shown(done.state, player))


@shapes.acts(
    "/tables/{table:str}/hold", summary="Show the others which dice you are about to keep", responses=shapes.REFUSALS
)
def hold(services: AppServices, player: Person, table: str, data: shapes.HoldData) -> TableView:
    """Show the dice that you are about to keep. It is not a move: the version stays, and the roll decides."""
    services.hold(table, player, data.moment, tuple(data.hold))
    return services.view(table, player)


@shapes.acts("/tables/{table:str}/rematch", summary="The next game for the same people")
def rematch(services: AppServices, player: Person, table: str) -> shapes.TableCreated:
    """Open the next table, as its host, who starts the game there."""
    return describe_created(services, player, services.tables.rematch(table, player.id))


@get(
    "/tables/{table:str}/invitation",
    lane=LOOKS,
    summary="How others can sit down",
    responses=shapes.REFUSALS,
    security=shapes.SECURITY,
)
def invitation(request: Req, services: AppServices, player: Person, table: str) -> shapes.Invitation:
    code = invitation_to(services, player, table)
    return shapes.Invitation(code, services.link(request, f"/t/{table}/join/{code}"))


@shapes.acts("/tables/{table:str}/handover", summary="Give your seat to someone else")
def hand_over(
    request: Req, services: AppServices, player: Person, table: str, data: shapes.HandoverData
) -> shapes.Handover:
    code = handing_over.offer_seat(services.tables, table, player.id, data.seat)
    return shapes.Handover(code, services.link(request, f"/t/{table}/seat/{code}"))


@shapes.acts("/tables/{table:str}/seat", summary="Take a seat that was handed over")
def take_seat(services: AppServices, player: Person, table: str, data: shapes.TakeSeatData) -> TableView:
    handing_over.take_over(services.tables, table, player.id, data.code)
    return services.view(table, player)


@litestar.get(
    "/tables/{table:str}/live",
    summary="New versions as server-sent events",
    media_type="text/event-stream",
    responses=shapes.UNKNOWN,
)
async def live(
    request: Req, services: AppServices, person: Person, table: str, after: Annotated[int, Parameter(ge=0)] = 0
) -> Stream:
    """Send `event: version` with each new version. Last-Event-ID resumes after a version.

    `event: people` says that someone came or went. `event: holds` has the dice that someone is about to keep, as
    `{"moment": 5, "slots": [0, 3]}`.
    """
    return await live_stream(request, services, person, table, after)


@get(
    "/tables/{table:str}/record",
    lane=LOOKS,
    summary="The finished games in notation",
    media_type=MediaType.TEXT,
    responses=shapes.UNKNOWN,
)
def record(services: AppServices, person: Person, table: str, game: int | None = None) -> str:
    """Return all finished games of the sheet; `game`, counted from 1, selects one."""
    services.view(table, person)  # viewing counts as being present
    return record_of(services, table, game)


@get("/tables/{table:str}/sheets", lane=LOOKS, summary="The sheet of every player", responses=shapes.UNKNOWN)
def table_sheets(services: AppServices, table: str) -> list[PlayerSheet]:
    """Return all sheets, one column per game; a written box has the game and turn that a correction names."""
    return list(sheets(services.tables.state(table)))


@get(
    "/tables/{table:str}/options/{seat:int}",
    lane=RENDER,
    summary="What every roll would be worth",
    responses=shapes.PLAIN,
)
def options(services: AppServices, table: str, seat: int) -> Response[dict[str, Any]]:
    """Return the scores of every roll, enough to keep a score without a connection.

    Each roll, as sorted faces, has the legal boxes as [points, extra bonus, 1 for a joker], the reasons why open boxes
    are closed to it, and `zero_asks` where a zero could be avoided. Rules with very many different rolls are refused.
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
    """Return the entries that would become invalid and why, or else all numbers that would change."""
    return consequences(services.tables.state(table), [each.change() for each in data.changes])


@shapes.acts("/tables/{table:str}/pencil", summary="Hand the pencil on")
def offer_pencil(request: Req, services: AppServices, player: Person, table: str) -> shapes.Handover:
    """Create a code that makes the first person who uses it the scorekeeper."""
    code = handing_over.offer_pencil(services.tables, table, player.id)
    return shapes.Handover(code, services.link(request, f"/t/{table}/pencil/{code}"))


@shapes.acts("/tables/{table:str}/spare", summary="A spare link to the pencil")
def offer_spare(request: Req, services: AppServices, player: Person, table: str) -> shapes.Handover:
    """Create a code to keep on another phone; it gives the score pad and all rights of the person who opened it."""
    code = handing_over.offer_spare(services.tables, table, player.id)
    return shapes.Handover(code, services.link(request, f"/t/{table}/pencil/{code}"))


@shapes.acts("/tables/{table:str}/keeper", summary="Take the pencil")
def take_pencil(services: AppServices, player: Person, table: str, data: shapes.TakeSeatData) -> TableView:
    handing_over.take_pencil(services.tables, table, player.id, data.code)
    return services.view(table, player)


@get("/key", summary="The public key of this server", responses=shapes.NO_KEY)
def public_key(services: AppServices) -> shapes.PublicKey:
    """Return the Ed25519 key that signs receipts. Note it once: it stays the same as long as the database does."""
    key = services.tables.store.receipts.public_key
    return shapes.PublicKey("Ed25519", key, key_id(key))


@get("/tables/{table:str}/receipt", lane=LOOKS, summary="The signed dice lock of a table", responses=shapes.UNKNOWN)
def receipt(services: AppServices, table: str) -> Receipt:
    """Return the receipt to keep before the game: `fivedice verify --receipt` compares the record with it."""
    return receipt_of(services, table)
