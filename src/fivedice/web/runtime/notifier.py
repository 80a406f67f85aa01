"""Telling the screens that a table has changed."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

HEARTBEAT = 15.0


class Bell:
    """Wakes the live streams of a table. It may be rung from any thread, and carries only version numbers."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._versions: dict[str, int] = {}  # only of tables where somebody waits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Remember the loop that the streams run on."""
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def ring(self, table: str, version: int) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, table, version)

    def waited_for(self) -> list[str]:
        """The tables that somebody listens to; may be asked from any thread."""
        return list(self._waiting)

    def close(self) -> None:
        """Let every stream end, so that the server can stop at once."""
        self._closed = True
        for waiting in self._waiting.values():
            for woken in waiting:
                woken.set()

    async def listen(self, table: str, after: int, newest: Callable[[], Awaitable[int]]) -> AsyncIterator[int | None]:
        """Versions as they come, beginning with any after `after`; None is a heartbeat."""
        woken = asyncio.Event()
        self._waiting[table].add(woken)
        try:
            self._heard_of(table, await newest())  # asked once we listen, so that nothing falls in between
            while not self._closed:
                if self._versions[table] > after:
                    after = self._versions[table]
                    yield after
                elif not await _rung(woken):
                    yield None
        finally:
            self._waiting[table].discard(woken)
            if not self._waiting[table]:
                del self._waiting[table]
                self._versions.pop(table, None)

    def _wake(self, table: str, version: int) -> None:
        if table in self._waiting:
            self._heard_of(table, version)
            for woken in self._waiting[table]:
                woken.set()

    def _heard_of(self, table: str, version: int) -> None:
        self._versions[table] = max(version, self._versions.get(table, 0))


async def _rung(woken: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):  # `wait_for` would start a task for every stream and every version
            await woken.wait()
    rung = woken.is_set()
    woken.clear()
    return rung
