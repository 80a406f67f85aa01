"""Middleware for every request: client address, language, limits, host names, metrics and the log."""

from __future__ import annotations

import logging
import re
from asyncio import CancelledError, sleep
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv6Address
from time import perf_counter
from typing import Any, cast
from urllib.parse import urlsplit

from litestar import Litestar, Request
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.response.redirect import ASGIRedirectResponse
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    HTTPScope,
    Message,
    Receive,
    Scope,
    Send,
    WebSocketReceiveMessage,
)
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from fivedice.errors import MalformedError, quote
from fivedice.table.refusals import BadRequest, Refusal
from fivedice.text import current, using
from fivedice.text.languages import ENGLISH, find_language
from fivedice.web.http.answers import error_response
from fivedice.web.http.client_limits import CONTEXT, GONE, LARGEST_HEAD, RequestContext, peer_of, was_forwarded
from fivedice.web.http.handling import SOON
from fivedice.web.http.identity import chosen_language, header, is_loopback, is_program, own_path
from fivedice.web.http.settings import ANY_HOST, LARGEST_PORT, Settings
from fivedice.web.jobs.telemetry import NO_ROUTE
from fivedice.web.services.app_services import AppServices

log = logging.getLogger("fivedice.requests")

UNLIMITED = {"/health"}  # always answered; it queries the database at most once per second


def add_middleware(app: Litestar, inside: ASGIApp, services: AppServices) -> ASGIApp:
    """Return the application with our middleware outermost, so that it also sees unknown addresses."""
    check_path(app, services.settings.path)
    limited = _Limited(inside, services)
    trusted = [proxy.strip() for proxy in services.settings.trusted_proxies.split(",") if proxy.strip()]
    behind_proxies: ASGIApp = limited
    if trusted:
        behind_proxies = cast("ASGIApp", ProxyHeadersMiddleware(cast("Any", limited), trusted_hosts=trusted))

    async def handler(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            # Some proxies remove this prefix and others keep it. `check_path` ensures that no route starts with it.
            scope["root_path"] = root = services.settings.root
            if root and scope["path"] != root and not scope["path"].startswith(f"{root}/"):
                scope["path"] = root + scope["path"]
        scope["fivedice_peer"] = peer_of(scope)  # type: ignore[typeddict-unknown-key]
        with using(find_language(services.settings.language) or ENGLISH):
            await behind_proxies(scope, receive, send)

    return handler


def check_path(app: Litestar, path: str) -> None:
    """Raise MalformedError if `path` starts like one of our routes, which would be ambiguous."""
    first = path.split("/")[:2]
    if path.strip("/") and any(route.path.split("/")[:2] == first for route in app.routes):
        raise MalformedError("web.setting-path-taken", setting="path", value=quote(path), taken="/".join(first))


class _Limited:
    def __init__(self, inside: ASGIApp, services: AppServices) -> None:
        self._inside, self._services = inside, services
        self._warned = False
        self._hosts = Hosts(services.settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._inside(scope, receive, send)
            return
        with using(language_of(Request(scope), current())):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        context, asked, began = self._context_of(scope), _as_get(scope), perf_counter()
        context.scope = asked
        answering = _note_answer(send, context, only_head=scope["method"] == "HEAD")
        token = CONTEXT.set(context)
        try:
            answer = self._apply_limits(asked, context) or self._inside
            await answer(asked, _note_hang_up(receive, context), answering)
        except CancelledError:  # the server is shutting down
            if context.status != GONE:
                raise
            context.wait = SOON
            await _refuse(asked, Stopping("web.stopping"))(asked, receive, answering)
        finally:
            CONTEXT.reset(token)
            self._note(asked, context, perf_counter() - began)
            self._services.limits.leave(context)

    def _context_of(self, scope: Scope) -> RequestContext:
        """Return the context of a request. Its address is not `known` if an untrusted proxy forwarded it."""
        address = peer_of(scope)
        known = not was_forwarded(scope) or address != scope["fivedice_peer"]  # type: ignore[typeddict-item]
        if not known and not self._warned and not self._services.settings.trusted_proxies:
            self._warned = True
            log.warning("a proxy passes requests on: if it is yours, name its address in the setting trusted_proxies")
        return RequestContext(address, known, limits=self._services.limits)

    def _apply_limits(self, scope: HTTPScope, context: RequestContext) -> ASGIApp | None:
        """Return the response that refuses or redirects a request, or None to let it in."""
        if own_path(scope) in UNLIMITED:
            return None
        try:
            self._services.limits.request(context, scope["method"])
            check_head(scope)
            self._hosts.check(scope)
        except Refusal as refusal:
            return _refuse(scope, refusal)
        if not own_path(scope):  # redirect /dice to /dice/, the address that phones install
            return cast("ASGIApp", ASGIRedirectResponse(path=f"{scope['root_path']}/", status_code=308))
        return None

    def _note(self, scope: HTTPScope, context: RequestContext, seconds: float) -> None:
        """Write the log line and the metrics of a request. They name the route: addresses may contain join codes."""
        route = scope.get("path_template") or NO_ROUTE
        self._services.metrics.count_answer(
            scope["method"], route, context.status, None if context.streaming else seconds
        )
        if context.limit is not None:
            self._services.metrics.count_limit(context.limit)
        if log.isEnabledFor(logging.INFO):
            line: dict[str, Any] = {"method": scope["method"][:10], "route": route, "status": context.status}
            line["ms"] = round(1000 * seconds, 1)
            if context.limit is not None:  # log the client only here: the operator may have to block it
                line["client"] = context.client
            log.info("request", extra={"fields": line})


def _note_hang_up(receive: Receive, context: RequestContext) -> Receive:
    """Return a `receive` that records when the caller disconnects. A later response counts as 499."""

    async def receive_and_note() -> HTTPReceiveMessage | WebSocketReceiveMessage:
        message = await receive()
        context.hung_up = context.hung_up or message["type"] == "http.disconnect"
        return message

    return receive_and_note


def _note_answer(send: Send, context: RequestContext, *, only_head: bool) -> Send:
    """Return a `send` that records the status, adds `retry-after`, and delays a client that is refused too often."""
    delayed = False

    async def note_and_send(message: Message) -> None:
        nonlocal delayed
        if message["type"] == "http.response.start":
            first, delayed = not delayed, True
            if first and context.limit is not None and context.limits is not None:
                pause = context.limits.refusal_pause(context)
                if pause:
                    await sleep(pause)
            context.status = GONE if context.hung_up else message["status"]
            if context.wait is not None:
                MutableScopeHeaders.from_message(message)["retry-after"] = str(context.wait)
        elif message["type"] == "http.response.body" and only_head:
            message["body"] = b""
        await send(message)

    return note_and_send


def _refuse(scope: HTTPScope, refusal: Refusal) -> ASGIApp:
    """Return the response to a refused request, for any Host header."""
    request: Request[Any, Any, Any] = Request(nameless(scope))
    return cast("ASGIApp", error_response(request, refusal).to_asgi_response(None, request))


class Stopping(Refusal, code="busy", status=503):
    """The server is shutting down."""


class HeadTooLong(Refusal, code="too-large", status=431):
    """The address and the headers are too long together."""


def check_head(scope: HTTPScope) -> None:
    """Raise HeadTooLong for too many bytes. This is exact; the check of the parser is only approximate."""
    size = len(scope["raw_path"]) + len(scope["query_string"])
    size += sum(len(name) + len(value) + 4 for name, value in scope["headers"])  # a colon, a space and a line break
    if size > LARGEST_HEAD:
        raise HeadTooLong("web.head-too-long", most=LARGEST_HEAD // 1024)


def _as_get(scope: HTTPScope) -> HTTPScope:
    """Return a HEAD request as GET, except for streams: only the body of the response is left out."""
    if own_path(scope) in UNLIMITED:
        scope = nameless(scope)  # monitoring may use any host name
    if scope["method"] != "HEAD" or scope["path"].endswith("/live"):
        return scope
    return cast("HTTPScope", {**scope, "method": "GET"})


def language_of(request: Request[Any, Any, Any], default: str) -> str:
    """Return the language that a person chose, or else the best one for their browser. Programs get English."""
    if is_program(request):
        return ENGLISH
    return chosen_language(request) or _read_language(header(request, b"accept-language"), default)


@lru_cache(maxsize=256)  # browsers send few different headers
def _read_language(header: str, default: str) -> str:
    return negotiate_language(header, default)


def negotiate_language(header: str, default: str, there_are: Sequence[str] | None = None) -> str:
    """Return the best match for an Accept-Language header such as "de-AT, de;q=0.9, en;q=0.5"."""
    found = (find_language(wanted, there_are) for wanted in _by_liking(header.split(",")))
    return next(filter(None, found), default)


def _by_liking(entries: Iterable[str]) -> list[str]:
    liked = [(_quality(quality), name.strip()) for name, _, quality in (entry.partition(";") for entry in entries)]
    return [name for quality, name in sorted(liked, key=lambda each: -each[0]) if quality > 0]


def _quality(text: str) -> float:
    """Return a quality from 0 to 1; 0 if it cannot be parsed."""
    try:
        return float(text.strip().removeprefix("q=")) if text.strip() else 1.0
    except ValueError:
        return 0.0


# Checks of the Host header, against DNS rebinding: another site can make its own host name resolve to this machine, and
# its pages would then share our origin. Their requests still carry the name of that site. A server that only this
# machine can reach accepts the names of this machine only; any other server accepts those that its operator lists.
# Every server refuses an invalid host name. Error messages never repeat the header.
_parts = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?").fullmatch


class OtherHost(Refusal, code="other-host", status=421):
    """The Host header names another server."""


class Hosts:
    """The host names that a server accepts."""

    def __init__(self, settings: Settings) -> None:
        listed = {name.strip().lower() for name in settings.hosts.split(",") if name.strip()}
        outside = urlsplit(settings.base_url).hostname
        open_to_all = ANY_HOST in listed or not (listed or is_loopback(settings.host))
        self._known = None if open_to_all else listed | ({outside.lower()} if outside else set())

    def check(self, scope: HTTPScope) -> None:
        """Raise BadRequest for a missing or invalid Host header, and OtherHost for a name that is not accepted."""
        named = [value for name, value in scope["headers"] if name == b"host"]
        host = _name(named[0].decode("latin-1")) if len(named) == 1 else None
        if host is None:
            raise BadRequest("web.bad-host")
        if self._known is not None and host not in self._known and not is_loopback(host):
            raise OtherHost("web.other-host")


def nameless(scope: HTTPScope) -> HTTPScope:
    """Return a request with the Host header "localhost", for responses to any host name."""
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return cast("HTTPScope", {**scope, "headers": [*others, (b"host", b"localhost")]})


def _name(host: str) -> str | None:
    """Return the host name without the port, or None if it is invalid."""
    found = _parts(host)
    if found is None or int(found[2] or 0) > LARGEST_PORT:
        return None
    name = found[1].lower()
    if not name.startswith("["):
        return name
    try:
        IPv6Address(name[1:-1])
    except ValueError:
        return None
    return name[1:-1]
