"""Your games, book by book, against perfect play. Looking at them reads finished games and touches no running one."""

from __future__ import annotations

import json
from typing import Any

from litestar import MediaType, Request, get
from litestar.datastructures import State
from litestar.response import Response, Template

from fivedice.notation import write_game
from fivedice.table.state import Phase
from fivedice.web.home.pages import page
from fivedice.web.house_rules.book_lookup import book_names
from fivedice.web.http.identity import person_of
from fivedice.web.reports.statistics_view import StatisticsView
from fivedice.web.runtime.services import desk_of, in_thread

Req = Request[Any, Any, State]


@get("/statistics")
async def statistics(request: Req, name: str | None = None) -> Template:
    """The statistics of this browser's person, or of one of the names that share it."""
    desk, person = desk_of(request), person_of(request)
    name = name or None  # the form sends nothing for everyone
    counted = await in_thread(desk.game_counts.look, person.id)
    names = await in_thread(book_names, desk.tables.store, {result.book for result in counted.results})
    seen = await in_thread(StatisticsView.of, counted, name, desk.game_counts.books, names)
    tables = await in_thread(desk.tables.store.own_tables.of, person.id)
    running = [entry for entry in tables if entry.phase == Phase.PLAYING]
    return page(request, person, "reports/statistics.html", seen=seen, running=running, chosen=name)


@get("/statistics.csv")
async def as_csv(request: Req) -> Response[str]:
    """One line a game."""
    from fivedice.analysis.statistics_export import to_csv

    counted = await in_thread(desk_of(request).game_counts.look, person_of(request).id)
    return _file(await in_thread(to_csv, counted.facts), "text/csv", "fivedice.csv")


@get("/statistics.json")
async def as_json(request: Req) -> Response[str]:
    """Everything that the page says, and every game."""
    from fivedice.analysis.statistics_export import statistics_to_json

    desk = desk_of(request)
    counted = await in_thread(desk.game_counts.look, person_of(request).id)
    books = await in_thread(desk.game_counts.books, counted.facts)
    data = {"complete": counted.is_complete, "games": len(counted.results), **statistics_to_json(books)}
    return _file(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "application/json", "fivedice.json")


@get("/statistics.txt", media_type=MediaType.TEXT)
async def as_records(request: Req) -> Response[str]:
    """The records of all games, one after the other."""
    games = await in_thread(desk_of(request).game_counts.games, person_of(request).id)
    return _file("\n".join(map(write_game, games)), "text/plain", "fivedice.txt")


def _file(text: str, media_type: str, name: str) -> Response[str]:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type=media_type, headers=headers)


handlers = [statistics, as_csv, as_json, as_records]
