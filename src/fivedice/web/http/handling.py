"""How a handler is declared: a plain function that runs in a thread, because the store waits for the disk.

One that neither asks the store nor works for long says `sync_to_thread=False`, and runs at once.

The few that wait for something else are asynchronous, by the framework's own `get` and `post`; their one way to a
thread is `in_thread`. What a handler needs it names as parameters: see `visitors`. What it can refuse, beside what a
table refuses, is below.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar

import litestar
from litestar import Request
from litestar.datastructures import State

from fivedice.table.refusals import Refusal

Result = TypeVar("Result")
Req: TypeAlias = Request[Any, Any, State]

get = partial(litestar.get, sync_to_thread=True)
post = partial(litestar.post, sync_to_thread=True)


async def in_thread(action: Callable[..., Result], *arguments: Any) -> Result:
    """Never on the loop that serves the streams."""
    return await asyncio.to_thread(action, *arguments)


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
