"""Hourly archiving and deletion of old games, a few at a time.

At the start, check the pages of a large database file once. Each time, first finish deletions that were interrupted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from fivedice.store.forgetting import Forgetting
from fivedice.store.retention import AT_ONCE, Retention
from fivedice.store.table_store import Store

log = logging.getLogger(__name__)

HOURLY = 3600.0
BETWEEN = 1.0  # seconds between two batches, so that players do not wait


class Housekeeping:
    """The background task that archives and deletes old games."""

    def __init__(self, store: Store, keep: Retention, on_damage: Callable[[], None] = lambda: None) -> None:
        self._store, self._on_damage = store, on_damage
        self._attic = store.attic
        self._forgetting = Forgetting(store)
        self._keep = keep
        self._task: asyncio.Task[None] | None = None

    def attach(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        await self._check_pages()
        while True:
            await asyncio.sleep(BETWEEN if await self._handful() == AT_ONCE else HOURLY)

    async def _check_pages(self) -> None:
        found = await asyncio.to_thread(self._store.find_broken_page)
        if found is not None:
            log.error("the database is damaged: %s. Restore a backup.", found)
            self._on_damage()

    async def _handful(self) -> int:
        try:
            await asyncio.to_thread(self._forgetting.finish)
            count = await asyncio.to_thread(self._attic.sweep, self._keep)
        except Exception as error:  # such as a full disk or an unreachable database: retry later
            log.warning("old games could not be put away: %s", type(error).__name__)
            return 0
        if count:
            log.info("old games moved: %d", count)
        return count
