"""Putting the server together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template.config import TemplateConfig

from fivedice import __version__
from fivedice.rules import SHIPPED, shipped
from fivedice.table.database import open_database
from fivedice.table.state import TableState
from fivedice.web import (
    actions,
    api,
    books,
    coach,
    fair,
    files,
    house_building,
    live,
    opening,
    operation,
    pad,
    pad_correct,
    pad_opening,
    pages,
    printing,
    report,
    room,
    statistics,
    worker,
)
from fivedice.web.answers import EXCEPTIONS, LARGEST_BODY
from fivedice.web.api_shapes import COMPONENTS
from fivedice.web.bell import Bell
from fivedice.web.coaching import Coaches
from fivedice.web.desk import Desk, in_thread
from fivedice.web.door import put_up_door
from fivedice.web.headers import add_headers
from fivedice.web.house import House
from fivedice.web.limits import Limits
from fivedice.web.metrics import Metrics
from fivedice.web.neighbours import neighbourhood
from fivedice.web.people import refuse_foreign_origin
from fivedice.web.settings import Settings
from fivedice.web.watched import WatchedStore, WatchedTables

HERE = Path(__file__).parent
WAITING_CALLERS = 48


def create_app(settings: Settings) -> Litestar:
    """The whole server for these settings."""
    bell = Bell()
    limits, metrics = Limits(settings), Metrics()
    engine = open_database(settings.database_url)
    tables = WatchedTables(WatchedStore(engine, limits), limits, metrics)
    house = House(tables, settings.bot_pause)

    def ring(state: TableState) -> None:
        bell.ring(state.id, state.version)
        if state.house_to_move:
            house.wake(state.id)

    tables.ring = ring
    coaches = Coaches(settings.solves_waiting)
    desk = Desk(tables, bell, house, settings, limits=limits, metrics=metrics, coaches=coaches)
    app = Litestar(
        route_handlers=[_pages(), api.router],
        state=State({"desk": desk}),
        lifespan=[_lifespan, *neighbourhood(engine, desk)],
        before_request=refuse_foreign_origin,
        exception_handlers=EXCEPTIONS,
        before_send=[add_headers],
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        compression_config=CompressionConfig(backend="gzip", exclude=[r"/live"]),
        openapi_config=_openapi(),
        request_max_body_size=LARGEST_BODY,
        logging_config=None,  # `server` sets up the log, once for everything
    )
    put_up_door(app, desk)
    return app


def _pages() -> Router:
    parts = (
        pages,
        room,
        coach,
        live,
        opening,
        actions,
        operation,
        pad,
        pad_correct,
        pad_opening,
        printing,
        report,
        statistics,
        worker,
        fair,
        files,
    )
    handlers = [handler for part in (*parts, books, house_building) for handler in part.handlers]
    return Router("/", route_handlers=handlers, include_in_schema=False)


def _openapi() -> OpenAPIConfig:
    """As JSON alone: the viewers that the framework brings load scripts from elsewhere."""
    return OpenAPIConfig(
        "Fivedice",
        __version__,
        path="/schema",
        render_plugins=[JsonRenderPlugin()],
        description=api.ABOUT,
        components=COMPONENTS,
    )


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    desk: Desk = app.state.desk
    # Callers that wait for the disk share its next commit: the more may wait, the more are served by it.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WAITING_CALLERS, "table"))
    desk.bell.attach()
    desk.house.attach()
    if desk.settings.prepare:
        desk.solutions.prepare(shipped(key) for key in SHIPPED)
    try:
        yield
    finally:
        desk.bell.close()
        await desk.house.close()
        desk.odds_board.close()
        await in_thread(desk.solutions.close)
        desk.tables.store.close()
