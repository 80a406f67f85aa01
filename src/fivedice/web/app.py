"""Putting the server together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
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
from fivedice.web.api import routes as api
from fivedice.web.api.api_shapes import COMPONENTS
from fivedice.web.coach import coach_pages as coach
from fivedice.web.fairness import fairness_pages as fair
from fivedice.web.home import new_game as opening, pages
from fivedice.web.house_rules import house_rules_pages as books, rules_form as house_building
from fivedice.web.http import static_files as files
from fivedice.web.http.failures import EXCEPTIONS, LARGEST_BODY
from fivedice.web.http.headers import add_headers
from fivedice.web.http.identity import refuse_foreign_origin
from fivedice.web.http.middleware import add_middleware
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
from fivedice.web.runtime.cluster import cluster_lifespan
from fivedice.web.runtime.services import AppServices, create_services, in_thread
from fivedice.web.settings import Settings

HERE = Path(__file__).parent
WAITING_CALLERS = 48


class WebApp(Litestar):
    """The application behind our own middleware, which also sees what leads nowhere."""

    def __init__(self, services: AppServices) -> None:
        super().__init__(
            route_handlers=[_pages(), api.router],
            state=State({"services": services}),
            lifespan=[partial(_lifespan, services), *cluster_lifespan(services)],
            before_request=refuse_foreign_origin,
            exception_handlers=EXCEPTIONS,
            before_send=[add_headers],
            template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
            compression_config=CompressionConfig(backend="gzip", exclude=[r"/live"]),
            openapi_config=_openapi(),
            request_max_body_size=LARGEST_BODY,
            logging_config=None,  # `server` sets up the log, once for everything
        )
        self.asgi_handler = add_middleware(self.asgi_handler, services)


def create_app(settings: Settings) -> WebApp:
    """The whole server for these settings."""
    return WebApp(create_services(settings))


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
async def _lifespan(services: AppServices, _: Litestar) -> AsyncIterator[None]:
    # Callers that wait for the disk share its next commit: the more may wait, the more are served by it.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WAITING_CALLERS, "table"))
    services.notifier.attach()
    services.bots.attach()
    if services.settings.prepare:
        services.solutions.prepare(shipped(key) for key in SHIPPED)
    try:
        yield
    finally:
        services.notifier.close()
        await services.bots.close()
        services.odds_board.close()
        await in_thread(services.solutions.close)
        services.tables.store.close()
