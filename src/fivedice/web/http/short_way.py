"""The short way to a handler that people wait for again and again: a move.

The framework can find, feed and answer any handler. Here the same is done for one kind alone: a table in the address, a
body of JSON, somebody with a key. The handler stays as it is declared, with its lane, its refusals and its place in the
documentation. Whatever is not plainly as expected goes the framework's way, before anything has been done.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from time import time
from typing import Any, Self, get_type_hints

from litestar import Litestar, Request
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.serialization import default_serializer, encode_json
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import MsgspecError
from msgspec.json import Decoder

from fivedice.table.refusals import Refusal
from fivedice.web.http.answers import LARGEST_BODY, Header, failed, with_guards
from fivedice.web.http.client_limits import VISIT, WHOLE
from fivedice.web.http.handling import SHORT, Lane
from fivedice.web.http.identity import Person, known_person, own_path, refuse_foreign_origin
from fivedice.web.services import AppServices

SQUEEZED = 4  # how hard answers are compressed: the last percents take longer than all before them
WORTH_IT = 500  # bytes of an answer from which it is compressed
_TABLE = "{table:str}"
_PLAIN_HOST = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:-")
_JSON = (b"content-type", b"application/json")
_OK = b"HTTP/1.1 200 OK\r\n"


@dataclass(frozen=True, slots=True)
class ShortWay:
    """From a request to one handler and back."""

    inside: ASGIApp  # the framework's way
    services: AppServices
    handler: Callable[..., Any]
    lane: Lane
    body: Decoder[Any]
    template: str  # of the address, as the log and the figures have it
    before: str
    after: str

    @classmethod
    def to(cls, handler: HTTPRouteHandler, route: HTTPRoute, inside: ASGIApp, services: AppServices) -> Self:
        function, lane = handler.opt[SHORT]()
        before, _, after = route.path.partition(_TABLE)
        # As tolerant as the framework, which takes "5" for a number.
        body: Decoder[Any] = Decoder(get_type_hints(function)["data"], strict=False)
        return cls(inside, services, function, lane, body, route.path_format, before, after)

    def table(self, path: str) -> str | None:
        """The table in an address that leads here."""
        if not (path.startswith(self.before) and path.endswith(self.after)):
            return None
        table = path[len(self.before) : len(path) - len(self.after)]
        return table if table and "/" not in table else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = await _received(receive)
        asked = self._asked(scope, received)
        if asked is None:
            await self.inside(scope, _again(received, receive), send)
            return
        scope["path_template"] = self.template
        request: Request[Any, Any, Any] = Request(scope)
        try:
            await refuse_foreign_origin(request)
            headers, answer = await self.lane.run(self._answer, known_person(request), scope, asked)
        except Exception as error:
            await failed(request, error).to_asgi_response(None, request)(scope, receive, send)
            return
        if not _sent_whole(scope, headers, answer):
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": answer, "more_body": False})

    def _asked(self, scope: Scope, received: list[Any]) -> Any:
        """The body of a request that has come whole and makes sense; None for the framework to judge."""
        if received[-1]["type"] != "http.request" or received[-1].get("more_body"):
            return None
        content = b"".join([message["body"] for message in received])
        if len(content) > LARGEST_BODY:
            return None
        headers = dict(scope["headers"])
        if headers.get(b"content-type") != b"application/json" or not _PLAIN_HOST.issuperset(headers.get(b"host", b"")):
            return None
        try:
            return self.body.decode(content)
        except (MsgspecError, UnicodeDecodeError, RecursionError, Refusal):
            return None

    def _answer(self, player: Person, scope: Scope, asked: Any) -> tuple[list[Header], bytes]:
        found = self.handler(services=self.services, player=player, table=self.table(own_path(scope)), data=asked)
        answer, headers = encode_json(found, default_serializer), [_JSON]
        if len(answer) >= WORTH_IT and b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b""):
            answer = gzip.compress(answer, SQUEEZED, mtime=0)
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
        headers.append((b"content-length", b"%d" % len(answer)))
        return headers, answer


def _sent_whole(scope: Scope, headers: list[Header], answer: bytes) -> bool:
    """Where the connection can, in one piece: the head is the same as the framework would make of these headers."""
    send: Any = scope.get(WHOLE)
    visit = VISIT.get()
    dated = [(b"date", _format_date(int(time()))), *headers]  # which the server adds to all others
    if send is None or visit is None or not send(_head(with_guards(dated, scope)) + answer):
        return False
    visit.status = 200
    return True


@lru_cache(maxsize=1)
def _format_date(second: int) -> bytes:
    return formatdate(second, usegmt=True).encode()


def _head(headers: list[Header]) -> bytes:
    return b"".join([_OK, *[b"%b: %b\r\n" % header for header in headers], b"\r\n"])


async def _received(receive: Receive) -> list[Any]:
    """The body of a request in its parts, as far as it may be long."""
    received: list[Any] = [await receive()]
    size = 0
    while received[-1].get("more_body") and (size := size + len(received[-1]["body"])) <= LARGEST_BODY:
        received.append(await receive())
    return received


def _again(received: list[Any], receive: Receive) -> Receive:
    """As if nothing had been received yet."""
    waiting = iter(received)

    async def again() -> Any:
        return next(waiting, None) or await receive()

    return again


def short_ways(app: Litestar, inside: ASGIApp, services: AppServices) -> tuple[ShortWay, ...]:
    """One to each handler that is declared so."""
    routes = [route for route in app.routes if isinstance(route, HTTPRoute)]
    declared = [(route, handler) for route in routes for handler in route.route_handlers if SHORT in handler.opt]
    return tuple(ShortWay.to(handler, route, inside, services) for route, handler in declared)
