"""Telling screens and bots that a table has changed."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from fivedice.table.state import TableState
from fivedice.web.runtime.intended_holds import Held, IntendedHolds

HEARTBEAT = 15.0


class TableNotifier:
    """Wakes the live streams of a table and whoever plays for its bots. It may be told from any thread.

    Streams are told version numbers, and which dice somebody is about to keep. Bots are told which table waits for
    them: they read `bot_tables`.
    """

    def __init__(self) -> None:
        self.holds = IntendedHolds()
        self.pass_on: Callable[[str, Held], None] = _no_neighbours  # other processes, where there are any
        self.bot_tables: asyncio.Queue[str] = asyncio.Queue()
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._versions: dict[str, int] = {}  # only of tables where somebody waits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Remember the loop that the streams run on."""
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def notify(self, state: TableState) -> None:
        """A table stands like this now."""
        self._on_loop(self._changed, state.id, state.version, state.house_to_move)

    def heard(self, table: str, version: int) -> None:
        """Another process has changed a table; its bots are the business of that process."""
        self._on_loop(self._changed, table, version, False)

    def hold(self, table: str, held: Held) -> None:
        """Somebody chose the dice that they are going to keep."""
        self.heard_hold(table, held)
        self.pass_on(table, held)

    def heard_hold(self, table: str, held: Held) -> None:
        """The same, said at another process."""
        if self.holds.note(table, held):
            self._on_loop(self._wake, table)

    def _on_loop(self, action: Callable[..., None], *arguments: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action, *arguments)

    def waited_for(self) -> list[str]:
        """The tables that somebody listens to; may be asked from any thread."""
        return list(self._waiting)

    def close(self) -> None:
        """Let every stream end, so that the server can stop at once."""
        self._closed = True
        for waiting in self._waiting.values():
            for woken in waiting:
                woken.set()

    async def listen(
        self, table: str, after: int, newest: Callable[[], Awaitable[int]]
    ) -> AsyncIterator[int | Held | None]:
        """Versions as they come, beginning with any after `after`, and dice that are chosen; None is a heartbeat."""
        woken, told = asyncio.Event(), None
        self._waiting[table].add(woken)
        try:
            self._heard_of(table, await newest())  # asked once we listen, so that nothing falls in between
            while not self._closed:
                if self._versions[table] > after:
                    after = self._versions[table]
                    yield after
                elif (held := self.holds.last(table)) is not told:  # of several since, the last one counts
                    told = held
                    yield held
                elif not await _rung(woken):
                    yield None
        finally:
            self._waiting[table].discard(woken)
            if not self._waiting[table]:
                del self._waiting[table]
                self._versions.pop(table, None)

    def _changed(self, table: str, version: int, bot_to_move: bool) -> None:
        if bot_to_move:
            self.bot_tables.put_nowait(table)
        if table in self._waiting:
            self._heard_of(table, version)
            self._wake(table)

    def _wake(self, table: str) -> None:
        for woken in self._waiting.get(table, ()):
            woken.set()

    def _heard_of(self, table: str, version: int) -> None:
        self._versions[table] = max(version, self._versions.get(table, 0))


def _no_neighbours(_: str, __: Held) -> None:
    """For a process that is alone with its database."""


async def _rung(woken: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):  # `wait_for` would start a task for every stream and every version
            await woken.wait()
    rung = woken.is_set()
    woken.clear()
    return rung
