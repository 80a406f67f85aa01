"""Whether the server can do its work, for whoever watches over it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

from fivedice.table.store.table_store import Store

log = logging.getLogger(__name__)

FRESH = 1.0  # seconds for which an answer holds: asking often costs the database nothing
PATIENCE = 5.0  # seconds; a database that takes longer is of no use to a table


class Health:
    """Asks the database, at most once a second however many want to know."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._asked = float("-inf")
        self._reachable = False
        self._one_at_a_time = asyncio.Lock()

    async def database(self) -> bool:
        async with self._one_at_a_time:
            if self._clock() - self._asked >= FRESH:
                self._reachable = await self._ask()
                self._asked = self._clock()
        return self._reachable

    async def _ask(self) -> bool:
        try:
            await asyncio.wait_for(asyncio.to_thread(self._store.header, "-"), PATIENCE)
        except Exception as error:  # whatever the driver calls it
            log.error("the database cannot be reached: %s", type(error).__name__)  # noqa: TRY400 - its text may tell too much
            return False
        return True
