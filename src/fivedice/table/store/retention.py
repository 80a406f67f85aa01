"""Games that nobody touched for long are put away: their log, seats and results go, and the row of the table stays.

The row keeps its address from being anything else, and the word of its dice from serving a second table whose rolls
somebody knows already. Whoever opens its link is told.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from fivedice.table.store import schema
from fivedice.table.store.access import Writer

PUT_AWAY = "put away"  # no sentence: the phase of such a row
AT_ONCE = 50  # tables in one transaction: nobody waits long behind it
_LARGEST_EDITION = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Retention:
    """Days for which a game is kept after its last change; 0 is for ever."""

    unfinished: int = 180
    finished: int = 1095


class Attic:
    """Puts tables away."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def sweep(self, keep: Retention, now: datetime | None = None) -> int:
        """Put away some of the tables whose time is over, and say how many; less than AT_ONCE: none is left."""
        now = now or datetime.now(UTC)
        return self._writer.write(lambda connection: _sweep(connection, keep, now))


def _sweep(connection: Connection, keep: Retention, now: datetime) -> int:
    gone: list[str] = []
    for days, phases in ((keep.unfinished, ("seating", "playing")), (keep.finished, ("finished", "given up"))):
        if days:
            gone += _untouched(connection, phases, now - timedelta(days=days), AT_ONCE - len(gone))
    for table in gone:
        put_away(connection, table)
    return len(gone)


def _untouched(connection: Connection, phases: tuple[str, ...], since: datetime, most: int) -> list[str]:
    row = schema.tables.c
    old = (row.phase.in_(phases), row.updated < since.isoformat(timespec="milliseconds"))
    # Locked, so that nobody makes a move there meanwhile; SQLite has one writer anyway.
    return list(connection.execute(select(row.id).where(*old).limit(most).with_for_update(skip_locked=True)).scalars())


def put_away(connection: Connection, table: str) -> None:
    for rows in (schema.events, schema.seats, schema.results, schema.handovers, schema.parts, schema.openings):
        connection.execute(delete(rows).where(rows.c.table_id == table))
    # Servers that know the table see by the edition that it is another now.
    edition = 1 + secrets.randbelow(_LARGEST_EDITION)
    bare = {"phase": PUT_AWAY, "version": 0, "secret": "", "house_to_move": False, "edition": edition}
    connection.execute(update(schema.tables).where(schema.tables.c.id == table).values(**bare))
