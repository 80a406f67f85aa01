"""The web application, and the pages for its operator: /health and /metrics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from litestar import Litestar, MediaType, Router, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Server
from litestar.response import Response
from litestar.template.config import TemplateConfig

from fivedice import __version__
from fivedice.core.rules import SHIPPED, shipped
from fivedice.table.refusals import NotAllowed, Refusal
from fivedice.web import api, http, pages
from fivedice.web.api.api_commands import CommandUnion, DescribedShapes, EncodedOnce
from fivedice.web.api.api_shapes import ABOUT, COMPONENTS
from fivedice.web.cluster import cluster_lifespan
from fivedice.web.http.answers import LARGEST_BODY, add_headers, error_response
from fivedice.web.http.client_limits import CONTEXT
from fivedice.web.http.handling import BoundedRequest, in_thread
from fivedice.web.http.identity import refuse_foreign_origin
from fivedice.web.http.page_files import template_engine
from fivedice.web.http.settings import Settings, networks
from fivedice.web.jobs.telemetry import CONTENT_TYPE
from fivedice.web.jobs.work_process import work
from fivedice.web.middleware import add_middleware
from fivedice.web.pages import circle, daily, home, house_rules, pad, play, train
from fivedice.web.services.app_services import AppServices, create_services, dependencies

# A new page is a decorated function in one of these folders; a new folder is one more name here.
FEATURES = (home, play, pad, house_rules, daily, circle, train, pages, http)
HERE = Path(__file__).parent
SQUEEZED = 6  # gzip level: 100 bytes less per page than 4, for 0.1 ms; higher ones save little
UNSQUEEZED = [
    r"/live",
    r"^/static/",
    r"\.pdf$",
    r"\.png$",
    r"^/pad/values/",
    r"^/schema",
]  # streams, and what is already compressed


class WebApp(Litestar):
    """The application behind our own middleware, which also sees unknown addresses."""

    def __init__(self, services: AppServices) -> None:
        handlers = [handler for part in FEATURES for handler in _handlers(part)]
        super().__init__(
            route_handlers=[
                Router("/", route_handlers=[*handlers, health, metrics], include_in_schema=False),
                Router("/api", route_handlers=_handlers(api)),
            ],
            dependencies=dependencies(services),
            state=State({"services": services}),
            lifespan=[partial(_lifespan, services), *cluster_lifespan(services)],
            before_request=refuse_foreign_origin,
            exception_handlers={Exception: error_response},
            request_class=BoundedRequest,
            before_send=[add_headers],
            template_config=TemplateConfig(instance=template_engine(services.settings.root)),
            compression_config=CompressionConfig(backend="gzip", gzip_compress_level=SQUEEZED, exclude=UNSQUEEZED),
            openapi_config=OpenAPIConfig(
                "Fivedice",
                __version__,
                path="/schema",
                render_plugins=[EncodedOnce()],
                description=ABOUT,
                components=COMPONENTS,
                servers=[Server(services.settings.root or "/")],
            ),
            plugins=[CommandUnion(), DescribedShapes()],
            request_max_body_size=LARGEST_BODY,
            debug=False,  # even if the framework's environment variable is set
            logging_config=None,  # `server` sets up logging
        )
        self.asgi_handler = add_middleware(self, self.asgi_handler, services)


def create_app(settings: Settings) -> WebApp:
    """Return the application for these settings, with new services."""
    return WebApp(create_services(settings))


def _handlers(package: ModuleType) -> list[HTTPRouteHandler]:
    """Return all route handlers in the modules of a package."""
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    found = (value for module in modules for value in vars(module).values())
    return list(dict.fromkeys(value for value in found if isinstance(value, HTTPRouteHandler)))


_NEVER_KEPT = {"cache-control": "no-store"}


@get("/health", media_type=MediaType.JSON)
async def health(services: AppServices) -> Response[dict[str, Any]]:
    problem = await services.health.problem()
    found = {
        "status": "ok" if problem is None else "unavailable",
        "ready": problem is None,
        "database": problem or "ok",
        "version": __version__,
    }
    return Response(found, status_code=200 if problem is None else 503, headers=_NEVER_KEPT)


@get("/metrics")
async def metrics(services: AppServices) -> Response[bytes]:
    context = CONTEXT.get()
    if context is None or not context.comes_from(networks(services.settings.metrics_from)):
        raise NotAllowed("web.metrics-not-yours")
    await _take_stock(services)
    return Response(services.metrics.text(), media_type=CONTENT_TYPE, headers=_NEVER_KEPT)


async def _take_stock(services: AppServices) -> None:
    """Update the gauges, which are only measured on request."""
    services.metrics.streams.set(services.limits.streams)
    services.metrics.solving.set(services.solutions.running)
    with suppress(Refusal):  # an unreachable database, which /health reports
        for phase, count in (await in_thread(services.tables.store.tables_by_phase)).items():
            services.metrics.tables.labels(phase).set(count)


@asynccontextmanager
async def _lifespan(services: AppServices, _: Litestar) -> AsyncIterator[None]:
    services.notifier.attach()
    services.bots.attach()
    services.housekeeping.attach()
    services.notices.attach()
    if services.settings.prepare:
        services.solutions.prepare(shipped(key) for key in SHIPPED)
    try:
        yield
    finally:
        services.notifier.close()
        await services.notices.close()
        await services.housekeeping.close()
        await services.bots.close()
        await in_thread(services.solutions.close)
        work.close()
        services.tables.store.close()
