"""Long thoughts beside the screen, which goes on; and leaving never waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

_T = TypeVar("_T")


async def in_background(job: Callable[[], _T]) -> _T:
    """What the job returns or raises. Its thread is a daemon: the pool of asyncio would be waited for at the end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(how: Callable[[Any], None], value: Any) -> None:
        with suppress(RuntimeError):  # the screen has gone meanwhile
            loop.call_soon_threadsafe(lambda: None if future.done() else how(value))

    def work() -> None:
        try:
            settle(future.set_result, job())
        except Exception as error:
            settle(future.set_exception, error)

    Thread(target=copy_context().run, args=(work,), daemon=True).start()  # in the language of the screen
    return await future
