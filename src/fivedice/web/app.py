"""The web application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Server
from litestar.template.config import TemplateConfig

from fivedice import __version__
from fivedice.core.rules import SHIPPED, shipped
from fivedice.web import api, http, pages
from fivedice.web.api.api_commands import CommandUnion, DescribedShapes, EncodedOnce
from fivedice.web.api.api_shapes import ABOUT, COMPONENTS
from fivedice.web.cluster import cluster_lifespan
from fivedice.web.http.answers import LARGEST_BODY, add_headers, error_response
from fivedice.web.http.handling import BoundedRequest, in_thread
from fivedice.web.http.identity import refuse_foreign_origin
from fivedice.web.http.settings import Settings
from fivedice.web.http.templates import template_engine
from fivedice.web.jobs.work_process import work
from fivedice.web.middleware import add_middleware
from fivedice.web.pages import circle, daily, devices, home, house_rules, pad, play, train
from fivedice.web.services.app_services import AppServices, create_services, dependencies

# A new page is a decorated function in one of these folders; a new folder is one more name here.
FEATURES = (home, play, pad, house_rules, daily, circle, train, devices, pages, http)
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
                Router("/", route_handlers=handlers, include_in_schema=False),
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
