"""Keeping the tally of all dice up to date: each finished table is read once."""

from __future__ import annotations

from threading import Lock

from fivedice.table.events import Opened, Rolled
from fivedice.table.fairness import Tally
from fivedice.table.store import Store

AT_ONCE = 500  # tables that one look may read: a page must not wait for a long past


class DiceCounts:
    """The tally of a server, in memory: it can always be counted again from the logs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tally = Tally()
        self._last = ("", "")  # when the table counted last was finished, and its id
        self._lock = Lock()

    def look(self) -> tuple[Tally, bool]:
        """The tally, and whether it is complete; a long past is counted over several looks."""
        with self._lock:
            found = self._store.finished_after(*self._last, limit=AT_ONCE)
            for when, table in found:
                self._count(table)
                self._last = (when, table)
            return self._tally.copy(), len(found) < AT_ONCE

    def _count(self, table: str) -> None:
        events = self._store.events_after(table, 0)
        opened = events[0]
        if isinstance(opened, Opened) and not opened.real_dice:
            self._tally.add_game([event for event in events if isinstance(event, Rolled)])
