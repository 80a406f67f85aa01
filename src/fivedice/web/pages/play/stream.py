"""The live stream of a table, as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from litestar import get
from litestar.response import Stream

from fivedice.web.http.handling import Req, in_thread
from fivedice.web.http.identity import Person
from fivedice.web.live.notifier import IntendedHold, Reaction
from fivedice.web.services.app_services import AppServices


@get("/t/{table:str}/live")
async def live(request: Req, services: AppServices, person: Person, table: str, after: int = 0) -> Stream:
    return await live_stream(request, services, person, table, after)


async def live_stream(request: Req, services: AppServices, person: Person, table: str, after: int) -> Stream:
    """Return a stream of new versions as server-sent events. Comments keep the connection open."""
    state = await in_thread(services.tables.state, table)  # an unknown table is refused before the stream starts
    services.limits.hold_stream()
    services.mark_present(state, person)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isdecimal() and len(last) < 12 else after
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return Stream(_events(services, person, table, after), media_type="text/event-stream", headers=headers)


async def _events(services: AppServices, person: Person, table: str, after: int) -> AsyncIterator[bytes]:
    """Yield events: each new version, each intended hold and reaction, and changes of presence."""

    async def newest() -> int:
        return (await in_thread(services.tables.state, table)).version

    present = services.presence.at(table)
    yield b"retry: 2000\n\n"
    async for news in services.notifier.listen(table, after, newest, person.id):
        services.presence.still(table, person.id)
        before, present = present, services.presence.at(table)
        if isinstance(news, IntendedHold):
            yield _holds(news)
        elif isinstance(news, Reaction):
            yield f"event: reaction\ndata: [{news.seat},{news.picture}]\n\n".encode()  # no sentence
        elif news is not None:
            yield f"id: {news}\nevent: version\ndata: {news}\n\n".encode()
        else:
            yield b": still here\n\n" if present == before else b"event: people\ndata: changed\n\n"


def _holds(held: IntendedHold) -> bytes:
    """Return an intended hold as an event without an id: a reconnecting browser gets the last hold anyway."""
    content = json.dumps({"moment": held.moment, "slots": held.slots, "page": held.page}, separators=(",", ":"))
    return f"event: holds\ndata: {content}\n\n".encode()
