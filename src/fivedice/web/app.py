"""Putting the server together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Router
from litestar.config.compression import CompressionConfig
from litestar.contrib.jinja import JinjaTemplateEngine
from litestar.datastructures import ResponseHeader, State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.response import Response, Template
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig

from fivedice import __version__
from fivedice.table.database import open_database
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.store import Store
from fivedice.web import actions, api, pages, room
from fivedice.web.bell import Bell
from fivedice.web.desk import Desk
from fivedice.web.house import House
from fivedice.web.pages import page
from fivedice.web.people import person_of, refuse_foreign_origin
from fivedice.web.settings import Settings

HERE = Path(__file__).parent
LARGEST_BODY = 64 * 1024

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
_HEADERS = [
    ResponseHeader(name="content-security-policy", value=_POLICY),
    ResponseHeader(name="x-content-type-options", value="nosniff"),
    ResponseHeader(name="referrer-policy", value="same-origin"),
]


def create_app(settings: Settings) -> Litestar:
    """The whole server for these settings."""
    bell = Bell()
    tables = Tables(Store(open_database(settings.database_url)))
    house = House(tables, settings.bot_pause)

    def ring(table: str, version: int) -> None:
        bell.ring(table, version)
        house.wake(table)

    tables.ring = ring
    desk = Desk(tables, bell, house, settings)
    return Litestar(
        route_handlers=[*pages.handlers, *room.handlers, *actions.handlers, api.router, _static()],
        state=State({"desk": desk}),
        lifespan=[_lifespan],
        before_request=refuse_foreign_origin,
        exception_handlers={Refusal: _refused, HTTPException: _failed},
        response_headers=_HEADERS,
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        compression_config=CompressionConfig(backend="gzip", exclude=[r"/live"]),
        openapi_config=OpenAPIConfig("Fivedice", __version__, path="/schema", render_plugins=[], description=api.ABOUT),
        request_max_body_size=LARGEST_BODY,
    )


def _static() -> Router:
    return create_static_files_router(path="/static", directories=[HERE / "static"])


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    desk: Desk = app.state.desk
    desk.bell.attach()
    desk.house.attach()
    try:
        yield
    finally:
        desk.bell.close()
        await desk.house.close()
        desk.tables.store.close()


def _wants_json(request: Request[Any, Any, State]) -> bool:
    return request.url.path.startswith("/api/") or request.url.path.startswith("/schema")


def _refused(request: Request[Any, Any, State], refusal: Refusal) -> Response[Any] | Template:
    return _answer(request, refusal.status, str(refusal), refusal.code, refusal.version)


def _failed(request: Request[Any, Any, State], error: HTTPException) -> Response[Any] | Template:
    return _answer(request, error.status_code, error.detail, _CODES.get(error.status_code, "error"), None)


_CODES = {400: "malformed", 403: "not-allowed", 404: "not-found", 405: "wrong-method", 413: "too-large"}


def _answer(
    request: Request[Any, Any, State], status: int, sentence: str, code: str, version: int | None
) -> Response[Any] | Template:
    """The same refusal as JSON for programs and as a page for people."""
    if _wants_json(request):
        body = {"error": code, "message": sentence} | ({} if version is None else {"version": version})
        return Response(body, status_code=status, media_type="application/json")
    return page(request, person_of(request), "error.html", status, sentence=sentence, code=status)
