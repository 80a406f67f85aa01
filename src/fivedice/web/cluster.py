"""Communication with other server processes on the same database: changes, presence and bots to take over."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from threading import Event, Thread
from typing import Any

from litestar import Litestar
from sqlalchemy import Engine

from fivedice.store.database import first_line
from fivedice.web.live import notifications as sharing
from fivedice.web.live.bot_runner import BotRunner
from fivedice.web.live.notifier import IntendedHold, Presence, TableNotifier
from fivedice.web.services.app_services import AppServices

log = logging.getLogger(__name__)

BEAT = 5.0  # seconds between two exchanges of presence
BREATH = 1.0  # seconds between two checks whether to stop
SHORTEST_WAIT, LONGEST_WAIT = 0.1, 5.0  # seconds before reconnecting


class Cluster:
    """Links this process to the others. Only for PostgreSQL: one process alone serves a SQLite file."""

    def __init__(self, engine: Engine, notifier: TableNotifier, bots: BotRunner, presence: Presence) -> None:
        self._engine = engine
        self._notifier = notifier
        self._bots = bots
        self._presence = presence
        self._stop = Event()
        self.in_step = Event()  # set while connected and up to date
        self._process = sharing.process_name(engine)
        self._thread = Thread(target=self._listen, name="cluster", daemon=True)
        self._beats: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._beats = self._loop.create_task(self._look_around())
        self._notifier.pass_on = lambda table, held: self._tell(
            sharing.HoldNotice(self._process, table, held.moment, held.slots, held.page)
        )
        self._notifier.pass_hang_up = lambda player: self._tell(sharing.KeyNotice(self._process, player))
        self._notifier.pass_sign = lambda *sign: self._tell(sharing.SignNotice(self._process, *sign))
        self._thread.start()

    async def close(self) -> None:
        self._stop.set()
        if self._beats is not None:
            self._beats.cancel()
            await asyncio.gather(self._beats, return_exceptions=True)
        await asyncio.to_thread(self._thread.join, 2 * BREATH)

    def _listen(self) -> None:
        """Listen until the server stops. After any error, reconnect and catch up."""
        wait = SHORTEST_WAIT
        while not self._stop.is_set():
            try:
                with sharing.listening(self._engine) as ear:
                    self._catch_up()  # after listening has begun, so that nothing is missed
                    wait = SHORTEST_WAIT
                    while not self._stop.is_set():
                        for notice in ear.hear(BREATH):
                            if notice.process != self._process:  # our own changes are already known here
                                self._pass_on(notice)
            except Exception as error:
                log.warning("the line to the other processes broke (%s); again in %.1f s", first_line(error), wait)
                self.in_step.clear()
                self._on_loop(self._presence.start_over)
                self._stop.wait(wait * random.uniform(0.5, 1.5))  # noqa: S311 - spreads the reconnects of all processes
                wait = min(2 * wait, LONGEST_WAIT)

    def _catch_up(self) -> None:
        for table, version in sharing.newest_versions(self._engine, self._notifier.waited_for()).items():
            self._notifier.heard(table, version)
        self.in_step.set()

    def _pass_on(self, notice: sharing.Notice) -> None:
        if isinstance(notice, sharing.TableNotice):
            self._notifier.heard(notice.table, notice.version)
        elif isinstance(notice, sharing.HoldNotice):
            self._notifier.heard_hold(notice.table, IntendedHold(notice.moment, notice.slots, notice.page))
        elif isinstance(notice, sharing.KeyNotice):
            self._presence.forget(notice.player)
            self._notifier.heard_hang_up(notice.player)
        elif isinstance(notice, sharing.SignNotice):
            self._notifier.heard_sign(notice.table, notice.seat, notice.picture)
        else:
            self._on_loop(self._presence.heard, notice.seen)

    def _tell(self, notice: sharing.HoldNotice | sharing.KeyNotice | sharing.SignNotice) -> None:
        """Send a notice. If that fails, the others see dice at the next roll, and streams send only version numbers."""
        try:
            sharing.tell(self._engine, notice)
        except Exception as error:
            log.warning("a %s did not reach the other processes: %s", type(notice).__name__, first_line(error))

    def _on_loop(self, action: Callable[..., None], *arguments: Any) -> None:
        """Schedule an action on the event loop, which owns the presence. Safe to call from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action, *arguments)

    async def _look_around(self) -> None:
        """Send our presence to the other processes, and take over tables where a bot is waiting."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                await asyncio.to_thread(sharing.tell_people, self._engine, self._process, self._presence.take_news())
                self._bots.stand_in(await asyncio.to_thread(sharing.waiting_for_house, self._engine))
            except Exception as error:
                log.warning("the other processes cannot be reached: %s", first_line(error))


Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def cluster_lifespan(services: AppServices) -> list[Lifespan]:
    """Return the lifespan of the cluster; an empty list unless the database is PostgreSQL."""
    if services.engine.dialect.name != "postgresql":
        return []
    cluster = Cluster(services.engine, services.notifier, services.bots, services.presence)

    @asynccontextmanager
    async def run_cluster(_: Litestar) -> AsyncIterator[None]:
        cluster.attach()
        try:
            yield
        finally:
            await cluster.close()

    return [run_cluster]
