"""Telling the screens that a table has changed, and knowing who is there."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic

HEARTBEAT = 15.0
SEEN_LATELY = 40.0  # a little more than two heartbeats: a screen that misses both has gone


class Bell:
    """Wakes the live streams of a table. It may be rung from any thread, and carries only version numbers."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._versions: dict[str, int] = {}
        self._seen: dict[tuple[str, str], float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Remember the loop that the streams run on."""
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def ring(self, table: str, version: int) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, table, version)

    def close(self) -> None:
        """Let every stream end, so that the server can stop at once."""
        self._closed = True
        for table in list(self._waiting):
            self._wake(table, self._versions.get(table, 0))

    def saw(self, table: str, player: str) -> None:
        """Somebody's screen asked for something."""
        self._seen[table, player] = monotonic()

    def present(self, table: str) -> frozenset[str]:
        """Everyone whose screen was heard of lately."""
        oldest = monotonic() - SEEN_LATELY
        return frozenset(
            player for (where, player), when in self._seen.copy().items() if where == table and when > oldest
        )

    async def listen(self, table: str, version: int, player: str | None) -> AsyncIterator[int | None]:
        """New versions as they come, beginning with any after `version`; None is a heartbeat."""
        woken = asyncio.Event()
        self._waiting[table].add(woken)
        try:
            while not self._closed:
                if player is not None:
                    self.saw(table, player)
                if self._versions.get(table, 0) > version:
                    version = self._versions[table]
                    yield version
                    continue
                woken.clear()
                await self._heard(woken)
                yield None
        finally:
            self._waiting[table].discard(woken)
            if not self._waiting[table]:
                del self._waiting[table]

    async def _heard(self, woken: asyncio.Event) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(woken.wait(), HEARTBEAT)

    def _wake(self, table: str, version: int) -> None:
        self._versions[table] = max(version, self._versions.get(table, 0))
        for woken in self._waiting.get(table, ()):
            woken.set()
