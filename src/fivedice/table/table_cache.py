"""The tables of a process in memory: brought up to date from the log, and written before they are believed."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NoReturn, TypeVar

from fivedice.errors import quote
from fivedice.table import events as ev
from fivedice.table.fold import folded
from fivedice.table.proof.proving import reveal
from fivedice.table.refusals import StaleVersion, UnknownTable
from fivedice.table.state import TableState
from fivedice.table.store.table_store import Header, NewTable, Store
from fivedice.table.store.writer import VersionConflict

KEPT_IN_MEMORY = 2000
LOCKS = 256  # shared by all tables: a lock for each id that is asked for would never end
TRIES = 5

_T = TypeVar("_T")
_is_id = re.compile(r"[A-Za-z0-9_-]{1,32}").fullmatch


class TableCache:
    """The tables that were asked for lately. Other processes may write to the same ones at any time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, tuple[Header, TableState]] = OrderedDict()
        self._locks = tuple(Lock() for _ in range(LOCKS))
        self._guard = Lock()

    def look(self, table: str) -> tuple[Header, TableState]:
        """The table as it stands now."""
        with self._lock(table):
            return self.fresh(table)

    def persist(self, table: str, attempt: Callable[[], _T]) -> _T:
        """Try again while other processes are quicker, and perhaps be refused by what they did."""
        with self._lock(table):
            for _ in range(TRIES):
                try:
                    return attempt()
                except VersionConflict:
                    continue
        return busy()

    def fresh(self, table: str, key: str | None = None) -> tuple[Header, TableState]:
        """The table with every event that any process has written; for those who hold its lock.

        It stands exactly as the header says, which was read together with whether the key is known: what has come in
        since might be the very command that is now sent a second time.
        """
        header = self._store.header(table, key) if _is_id(table) else None
        if header is None:
            raise UnknownTable("table.unknown", table=quote(table))
        known, state = self._known.get(table, (header, TableState(table)))
        if known.edition != header.edition:
            state = TableState(table)  # restored meanwhile: it may have gone another way from the start
        if state.version < header.version:
            later = self._store.events_after(table, state.version)
            state = folded(state, later[: header.version - state.version])
        self._remember(header, state)
        return header, state

    def create(self, new: NewTable) -> None:
        """Write a new table; whoever opened it looks at it at once, and need not fold it again."""
        self._store.create(new)
        self._remember(new.header, new.state)

    def append(
        self,
        header: Header,
        state: TableState,
        events: tuple[ev.Event, ...],
        key: str | None,
        following: NewTable | None = None,
    ) -> TableState:
        """Write first, believe afterwards: what others see changes only when the commit is through."""
        if not events:
            return state
        after = folded(state, events)
        revealed = reveal(after, header.secret)
        events, after = events + revealed, folded(after, revealed)
        self._store.append(state, after, events, key, following, header.edition)
        self._remember(header, after)
        return after

    def _remember(self, header: Header, state: TableState) -> None:
        with self._guard:
            self._known[header.id] = (header, state)
            self._known.move_to_end(header.id)
            while len(self._known) > KEPT_IN_MEMORY:
                self._known.popitem(last=False)

    def _lock(self, table: str) -> Lock:
        return self._locks[hash(table) % LOCKS]


def busy() -> NoReturn:
    raise StaleVersion("table.busy")
