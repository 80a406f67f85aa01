"""Putting the server together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader, MutableScopeHeaders, State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.response import Response, Template
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig
from litestar.types import ExceptionHandler, Message, Scope

from fivedice import __version__
from fivedice.rules import SHIPPED, shipped
from fivedice.table.database import open_database
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.store import Store
from fivedice.web import actions, api, live, opening, pages, room
from fivedice.web.api_shapes import COMPONENTS
from fivedice.web.bell import Bell
from fivedice.web.desk import Desk, in_thread
from fivedice.web.house import House
from fivedice.web.pages import page
from fivedice.web.people import person_of, refuse_foreign_origin
from fivedice.web.settings import Settings

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
LARGEST_BODY = 64 * 1024
WAITING_CALLERS = 48

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
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


def create_app(settings: Settings) -> Litestar:
    """The whole server for these settings."""
    bell = Bell()
    tables = Tables(Store(open_database(settings.database_url)))
    house = House(tables, settings.bot_pause)

    def ring(table: str, version: int) -> None:
        bell.ring(table, version)
        house.wake(table)

    tables.ring = ring
    return Litestar(
        route_handlers=[_pages(), api.router, _static()],
        state=State({"desk": Desk(tables, bell, house, settings)}),
        lifespan=[_lifespan],
        before_request=refuse_foreign_origin,
        exception_handlers=_EXCEPTIONS,
        before_send=[_add_headers],
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        compression_config=CompressionConfig(backend="gzip", exclude=[r"/live"]),
        openapi_config=_openapi(),
        request_max_body_size=LARGEST_BODY,
    )


def _pages() -> Router:
    handlers = [handler for part in (pages, room, live, opening, actions) for handler in part.handlers]
    return Router("/", route_handlers=handlers, include_in_schema=False)


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        "Fivedice", __version__, path="/schema", render_plugins=[], description=api.ABOUT, components=COMPONENTS
    )


async def _add_headers(message: Message, _: Scope) -> None:
    """On every response, also those that no handler of ours has made."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in _HEADERS.items():
            headers[name] = value


def _static() -> Router:
    """Asked for again each time, and answered by "not modified": a new version is never mixed with an old page."""
    fresh = CacheControlHeader(no_cache=True)
    return create_static_files_router(
        path="/static", directories=[HERE / "static"], cache_control=fresh, include_in_schema=False
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
        await in_thread(desk.solutions.close)
        desk.tables.store.close()


def _wants_json(request: Request[Any, Any, State]) -> bool:
    return request.url.path.startswith("/api/") or request.url.path.startswith("/schema")


def _refused(request: Request[Any, Any, State], refusal: Refusal) -> Response[Any] | Template:
    return _answer(request, refusal.status, str(refusal), refusal.code, refusal.version)


def _failed(request: Request[Any, Any, State], error: HTTPException) -> Response[Any] | Template:
    code = _CODES.get(error.status_code, "error")
    return _answer(request, error.status_code, _sentence(error), code, None)


def _broken(request: Request[Any, Any, State], error: Exception) -> Response[Any] | Template:
    """Our own mistake: told to the log, not to the caller."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _answer(request, 500, "Something went wrong here, and it is not your fault. Try again.", "broken", None)


def _not_text(request: Request[Any, Any, State], _: UnicodeDecodeError) -> Response[Any] | Template:
    return _answer(request, 400, "The body is not text in UTF-8.", "malformed", None)


_EXCEPTIONS: dict[int | type[Exception], ExceptionHandler[Any]] = {
    Refusal: _refused,
    HTTPException: _failed,
    UnicodeDecodeError: _not_text,
    Exception: _broken,
}
_CODES = {
    400: "malformed",
    401: "no-key",
    403: "not-allowed",
    404: "not-found",
    405: "wrong-method",
    413: "too-large",
}
_SENTENCES = {
    405: "That address does not take this kind of request.",
    413: f"That is too large: more than {LARGEST_BODY // 1024} KiB.",
}


def _sentence(error: HTTPException) -> str:
    """What was wrong, as exactly as the framework knows it."""
    details = error.extra if isinstance(error, ValidationException) and isinstance(error.extra, list) else []
    found = [f"{each.get('key') or 'the body'}: {each['message']}" for each in details if "message" in each]
    return "; ".join(found) or _SENTENCES.get(error.status_code) or error.detail


def _answer(
    request: Request[Any, Any, State], status: int, sentence: str, code: str, version: int | None
) -> Response[Any] | Template:
    """The same refusal as JSON for programs and as a page for people."""
    if _wants_json(request):
        body = {"error": code, "message": sentence} | ({} if version is None else {"version": version})
        return Response(body, status_code=status, media_type="application/json")
    return page(request, person_of(request), "error.html", status, sentence=sentence, code=status)
