"""The API for programs that play: the position in notation, every legal move, and typed moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, TypeAlias

import litestar
from litestar.openapi.spec import Discriminator, Example
from litestar.params import Body
from litestar.response import Stream
from litestar.serialization import encode_json
from msgspec import Struct

from fivedice.core.dice import Keep
from fivedice.errors import MalformedError
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.playing import slots_of
from fivedice.table.refusals import AgainstTheRules, BadRequest
from fivedice.table.state import TableState
from fivedice.table.view.table_view import TablePosition, position_for
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.handling import LOOKS, get, in_thread
from fivedice.web.http.identity import Person
from fivedice.web.live.notifier import IntendedHold
from fivedice.web.services.app_services import AppServices


class SitMove(Struct, tag="sit", tag_field="move", frozen=True):
    """Take the next free seat; `join_code` is the last part of an invitation, `text` is added to the dice."""

    name: str | None = None
    join_code: str | None = None
    text: str = ""
    key: str | None = None

    def command(self, player: str, _: TableState) -> cmd.Command:
        return cmd.SitDown(player, self.name or None, text=self.text)


class StartMove(Struct, tag="start", tag_field="move", frozen=True):
    """Start the game, as the host; the seats are then locked."""

    key: str | None = None

    def command(self, player: str, _: TableState) -> cmd.Command:
        return cmd.StartGame(player)


class RollMove(Struct, tag="roll", tag_field="move", frozen=True):
    """Keep these faces and roll the others: `44`, or `-` to roll all. The legal moves list every possible `keep`."""

    version: int
    keep: str = "-"
    key: str | None = None

    def command(self, player: str, state: TableState) -> cmd.Command:
        try:
            keep = Keep.parse(self.keep)
        except MalformedError as error:
            raise BadRequest(error.message) from None
        if not Keep(state.slots).contains(keep):
            if not state.slots:
                raise AgainstTheRules("game.roll-first", count=state.book.dice)
            raise AgainstTheRules("game.cannot-keep", keep=keep, roll=Keep(state.slots))
        return cmd.RollDice(player, slots_of(state, keep))


class ScoreMove(Struct, tag="score", tag_field="move", frozen=True):
    """Score a box, by its key."""

    version: int
    box: str
    key: str | None = None

    def command(self, player: str, _: TableState) -> cmd.Command:
        return cmd.FillBox(player, self.box)


class UndoMove(Struct, tag="undo", tag_field="move", frozen=True):
    """Take back the last score, or ask the others to agree."""

    version: int
    key: str | None = None

    def command(self, player: str, _: TableState) -> cmd.Command:
        return cmd.TakeBack(player)


TypedMove: TypeAlias = SitMove | StartMove | RollMove | ScoreMove | UndoMove
MOVE_TYPES = (SitMove, StartMove, RollMove, ScoreMove, UndoMove)
_BY_NAME = {str(each.__struct_config__.tag): f"#/components/schemas/{each.__name__}" for each in MOVE_TYPES}
MoveData = Annotated[
    TypedMove,
    Body(
        schema_extra={"discriminator": Discriminator("move", _BY_NAME)},
        examples=[
            Example("sit down", value={"move": "sit", "name": "My bot", "join_code": "3uLp…"}),
            Example("begin", value={"move": "start"}),
            Example("roll all dice", value={"move": "roll", "version": 4, "key": "my-4"}),
            Example("keep two fours", value={"move": "roll", "keep": "44", "version": 5, "key": "my-5"}),
            Example("score", value={"move": "score", "box": "chance", "version": 6, "key": "my-6"}),
            Example("take back", value={"move": "undo", "version": 7}),
        ],
    ),
]


@get("/tables/{table:str}/position", lane=LOOKS, summary="A table for programs", responses=shapes.UNKNOWN)
def table_position(services: AppServices, person: Person, table: str) -> TablePosition:
    """Return the position in notation and every legal move of the seat on turn."""
    return _position(services, person, services.tables.state(table))


@shapes.acts("/tables/{table:str}/moves", summary="Sit down, start, roll, score, take back")
def move(services: AppServices, player: Person, table: str, data: MoveData) -> TablePosition:
    """Make a move, and return the position after it.

    Each move has its own fields. Everything else that can be done is under /commands.
    """
    state = services.tables.state(table)
    version = getattr(data, "version", None)
    code = data.join_code if isinstance(data, SitMove) else None
    asked = ("roll", data.keep) if isinstance(data, RollMove) else None  # the slots depend on the current dice
    done = services.execute(table, data.command(player.id, state), version, data.key, code, asked)
    return _position(services, player, done.state)


@litestar.get(
    "/tables/{table:str}/live/positions",
    summary="Every position as server-sent events",
    media_type="text/event-stream",
    responses=shapes.UNKNOWN,
)
async def live_positions(services: AppServices, person: Person, table: str) -> Stream:
    """Send `event: position` with the whole position, now and after every change. Comments keep the connection open."""
    state = await in_thread(services.tables.state, table)
    services.limits.hold_stream()
    services.mark_present(state, person)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(_positions(services, person, table), media_type="text/event-stream", headers=headers)


async def _positions(services: AppServices, person: Person, table: str) -> AsyncIterator[bytes]:
    look = partial(in_thread, services.tables.state, table)

    async def newest() -> int:
        return (await look()).version

    shown = await look()
    yield b"retry: 2000\n\n" + await in_thread(_position_event, services, shown, person)
    async for news in services.notifier.listen(table, shown.version, newest, person.id):
        services.presence.still(table, person.id)
        if news is None or isinstance(news, IntendedHold):
            yield b": still here\n\n"
            continue
        state = await look()
        if state.version > shown.version:  # several changes may have come together
            shown = state
            yield await in_thread(_position_event, services, shown, person)


def _position_event(services: AppServices, state: TableState, person: Person) -> bytes:
    data = encode_json(position_for(state, person.id, services.tables.store.receipts))
    return b"id: %d\nevent: position\ndata: %b\n\n" % (state.version, data)


def _position(services: AppServices, person: Person, state: TableState) -> TablePosition:
    services.mark_present(state, person)
    return position_for(state, person.id, services.tables.store.receipts)
