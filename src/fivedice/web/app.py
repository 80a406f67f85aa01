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
from litestar.template.config import TemplateConfig

from fivedice import __version__
from fivedice.rules import SHIPPED, shipped
from fivedice.table.state import TableState
from fivedice.table.store.database import open_database
from fivedice.web.api import routes as api
from fivedice.web.api.api_shapes import COMPONENTS
from fivedice.web.coach import coach_pages as coach
from fivedice.web.coach.table_coach import Coaches
from fivedice.web.fairness import fairness_pages as fair
from fivedice.web.home import new_game as opening, pages
from fivedice.web.house_rules import house_rules_pages as books, rules_form as house_building
from fivedice.web.http import static_files as files
from fivedice.web.http.client_limits import Limits
from fivedice.web.http.failures import EXCEPTIONS, LARGEST_BODY
from fivedice.web.http.headers import add_headers
from fivedice.web.http.identity import refuse_foreign_origin
from fivedice.web.http.middleware import put_up_door
from fivedice.web.http.templates import template_engine
from fivedice.web.pad import (
    correct_page as pad_correct,
    new_pad as pad_opening,
    pad_actions as pad,
    service_worker as worker,
)
from fivedice.web.play import actions, table_page as room
from fivedice.web.printing import print_pages as printing
from fivedice.web.reports import report_pages as report, statistics_pages as statistics
from fivedice.web.runtime import operator_pages as operation, stream as live
from fivedice.web.runtime.bot_runner import House
from fivedice.web.runtime.cluster import neighbourhood
from fivedice.web.runtime.metrics import Metrics
from fivedice.web.runtime.notifier import Bell
from fivedice.web.runtime.services import Desk, in_thread
from fivedice.web.runtime.watched_tables import WatchedStore, WatchedTables
from fivedice.web.settings import Settings

HERE = Path(__file__).parent
WAITING_CALLERS = 48


def create_app(settings: Settings) -> Litestar:
    """The whole server for these settings."""
    bell = Bell()
    limits, metrics = Limits(settings), Metrics()
    engine = open_database(settings.database_url)

    def ring(state: TableState) -> None:
        bell.ring(state.id, state.version)
        if state.house_to_move:
            house.wake(state.id)

    tables = WatchedTables(WatchedStore(engine, limits), ring, limits, metrics)
    house = House(tables, settings.bot_pause)
    coaches = Coaches(settings.solves_waiting)
    desk = Desk(tables, bell, house, settings, limits=limits, metrics=metrics, coaches=coaches)
    app = Litestar(
        route_handlers=[_pages(), api.router],
        state=State({"desk": desk}),
        lifespan=[_lifespan, *neighbourhood(engine, desk)],
        before_request=refuse_foreign_origin,
        exception_handlers=EXCEPTIONS,
        before_send=[add_headers],
        template_config=TemplateConfig(instance=template_engine()),
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
