"""Keeping tables: an append-only log of events and what is derived from it, in one transaction a command."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, Select, bindparam, exists, func, select

from fivedice.table.events import Event, from_data
from fivedice.table.proof.promises import Promises
from fivedice.table.state import TableState
from fivedice.table.store import ledger, schema
from fivedice.table.store.handover_links import Handovers
from fivedice.table.store.house_rules_store import Shelf
from fivedice.table.store.ledger import Header, NewTable
from fivedice.table.store.reading import reader
from fivedice.table.store.remembered_choices import Choices
from fivedice.table.store.results import OwnTables, Results
from fivedice.table.store.writer import Writer

# Made once: they are asked for every move, and making them takes longer than the answer.
_KEY_KNOWN = exists().where(schema.events.c.table_id == schema.tables.c.id, schema.events.c.key == bindparam("key"))
_HEADER: Select[Any] = select(
    *(schema.tables.c[name] for name in ("id", "join_code", "secret", "version", "edition")), _KEY_KNOWN
).where(schema.tables.c.id == bindparam("table"))
_EVENTS = (
    select(schema.events.c.kind, schema.events.c.data)
    .where(schema.events.c.table_id == bindparam("table"), schema.events.c.version > bindparam("after"))
    .order_by(schema.events.c.version)
)


class Store:
    """Everything that touches SQL: the tables themselves, and a part for each thing that is kept beside them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = reader(engine)
        self._writer = Writer(engine)
        self.shelf = Shelf(self._writer, self._reading)
        self.promises = Promises(self._writer, self._reading)
        self.handovers = Handovers(self._writer, self._reading)
        self.choices = Choices(self._writer, self._reading)
        self.own_tables = OwnTables(self._reading)
        self.results = Results(self._reading)

    def close(self) -> None:
        self._engine.dispose()

    def create(self, new: NewTable) -> None:
        self._writer.write(lambda connection: ledger.create(connection, new, _now()))

    def header(self, table: str, key: str | None = None) -> Header | None:
        """The row of a table, which says too whether a command with this key has taken effect there."""
        with self._reading() as connection:
            row = connection.execute(_HEADER, {"table": table, "key": key}).one_or_none()
        return None if row is None else Header(*row)

    def events_after(self, table: str, version: int) -> list[Event]:
        with self._reading() as connection:
            return [
                from_data(kind, data) for kind, data in connection.execute(_EVENTS, {"table": table, "after": version})
            ]

    def append(
        self,
        before: TableState,
        after: TableState,
        events: Sequence[Event],
        key: str | None = None,
        following: NewTable | None = None,
        edition: int = 0,
    ) -> None:
        """Append to the log and bring the derived rows along; all or nothing, on disk when this returns.

        A table that follows from it is created in the same transaction.
        """
        now = _now()

        def write(connection: Connection) -> None:
            ledger.advance(connection, before, after, now, edition)
            ledger.append(connection, after.id, before.version, events, key, now)
            if following is not None:
                ledger.create(connection, following, now)

        self._writer.write(write)

    def waiting_for_house(self) -> list[str]:
        """Tables where a bot is on turn: looked up when the server starts."""
        with self._reading() as connection:
            query = select(schema.tables.c.id).where(schema.tables.c.house_to_move)
            return list(connection.execute(query).scalars())

    def finished_after(self, when: str, table: str, limit: int) -> list[tuple[str, str]]:
        """Tables that came to their end after this one, with the time, in that order."""
        found = schema.tables.c
        later = (found.updated > when) | ((found.updated == when) & (found.id > table))
        query = (
            select(found.updated, found.id)
            .where(found.phase.in_(("finished", "given up")), later)
            .order_by(found.updated, found.id)
            .limit(limit)
        )
        with self._reading() as connection:
            return [(updated, key) for updated, key in connection.execute(query)]

    def tables_by_phase(self) -> dict[str, int]:
        """How many tables there are."""
        phase = schema.tables.c.phase
        with self._reading() as connection:
            found = connection.execute(select(phase, func.count()).group_by(phase))
            return {str(name): int(count) for name, count in found}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
