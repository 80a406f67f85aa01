"""How a handler is declared: a plain function that runs in a thread, because the store waits for the disk.

Which threads, its `lane` says: those of pages, if it says nothing. See `lanes`. Its page is made there too, so that the
loop, which serves the streams, never does. One that neither asks the store nor works for a millisecond says
`lane=None`, and runs at once.

The few that wait for something else are asynchronous, by the framework's own `get` and `post`; their one way to the
table is `in_thread`. What a handler needs it names as parameters: see `visitors`. What it can refuse, beside what a
table refuses, is below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeAlias, TypeVar

import litestar
from litestar import Request
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.response import Template

from fivedice.table.refusals import Refusal
from fivedice.web.http.client_limits import VISIT
from fivedice.web.http.lanes import MOVES, PAGES, Lane

Result = TypeVar("Result")
Req: TypeAlias = Request[Any, Any, State]
Declared: TypeAlias = Callable[[Callable[..., Any]], HTTPRouteHandler]


def _declare(
    method: Callable[..., Declared], path: str | list[str], *, lane: Lane | None = PAGES, **options: Any
) -> Declared:
    def declared(function: Callable[..., Any]) -> HTTPRouteHandler:
        if lane is None:
            return method(path, sync_to_thread=False, **options)(function)

        @wraps(function)
        async def handler(*arguments: Any, **named: Any) -> Any:
            return await lane.run(_answered, function, *arguments, **named)

        return method(path, **options)(handler)

    return declared


get = partial(_declare, litestar.get)
post = partial(_declare, litestar.post)


def _answered(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
    """What a handler answers; a page is made here and now."""
    answer, visit = function(*arguments, **named), VISIT.get()
    if isinstance(answer, Template) and visit is not None and visit.scope is not None:
        answer.to_asgi_response(None, Request(visit.scope))
    return answer


async def in_thread(action: Callable[..., Result], *arguments: Any) -> Result:
    """Never on the loop that serves the streams."""
    return await MOVES.run(action, *arguments)


class NotFound(Refusal):
    """There is nothing at this address, or nothing yet."""

    code = "not-found"
    status = 404


class NoKey(Refusal):
    """A program that has not said who it is."""

    code = "no-key"
    status = 401


class NotReady(Refusal):
    """It will be there in a moment."""

    code = "error"
    status = 503


class HandsFull(Refusal):
    """Too much waits to be worked out, whoever asked for it."""

    code = "coach-busy"
    status = 503
