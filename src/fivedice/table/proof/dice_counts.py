"""Keeping the tally of all dice up to date: each finished table is read once."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Lock

from fivedice.table.events import Opened, Rolled
from fivedice.table.new_table import book_of
from fivedice.table.proof.dice_statistics import FACES, Tally
from fivedice.table.refusals import Refusal
from fivedice.table.store.table_store import Store

AT_ONCE = 500  # tables that one look may read: a page must not wait for a long past
LATE = timedelta(minutes=1)  # clocks of several machines differ, and a commit may wait for another


class DiceCounts:
    """The tally of a server, in memory: it can always be counted again from the logs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tally = Tally()
        self._last = ("", "")  # when the table looked at last was changed, and its id
        self._counted: set[str] = set()  # a finished table changes when a score is taken back, or for a rematch
        self._lock = Lock()

    def look(self) -> tuple[Tally, bool]:
        """The tally, and whether it is complete; a long past is counted over several looks."""
        with self._lock:
            found = self._store.finished_after(*self._last, limit=AT_ONCE)
            for when, table in found:
                if table not in self._counted:
                    self._count(table)
                self._last = (when, table)
            complete = len(found) < AT_ONCE
            if found and complete:
                self._last = (_a_little_before(found[-1][0]), "")
            return self._tally.copy(), complete

    def _count(self, table: str) -> None:
        """Once the game is over no die is thrown there any more."""
        self._counted.add(table)
        events = self._store.events_after(table, 0)
        opened = events[0]
        if isinstance(opened, Opened) and not opened.real_dice and _faces(opened) == FACES:
            self._tally.add_game([event for event in events if isinstance(event, Rolled)])


def _faces(opened: Opened) -> int | None:
    """How many each die has, if the book can still be read."""
    try:
        return book_of(opened.book, opened.rules).faces
    except Refusal:
        return None


def _a_little_before(when: str) -> str:
    return (datetime.fromisoformat(when) - LATE).isoformat(timespec="milliseconds")
