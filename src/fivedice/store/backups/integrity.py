"""Check that a database is intact: no log is missing or has gaps, and every table folds from its first event on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, func, select

from fivedice.errors import FivediceError
from fivedice.store import schema
from fivedice.store.table_store import with_rules
from fivedice.table.actions.events import from_data
from fivedice.table.refusals import OtherBook
from fivedice.table.state import TableState, fold_events

AT_ONCE = 1000  # rows in memory at a time


@dataclass(frozen=True, slots=True)
class Contents:
    """The numbers of tables, events and people in a database."""

    tables: int
    events: int
    people: int


class Damaged(FivediceError):  # noqa: N818 - turned into an error for the user by the callers
    """Events are missing, belong to no table, or cannot be folded."""


def check_everything(connection: Connection, progress: Callable[[int, int], None] | None = None) -> Contents:
    """Read and fold every log, and return the contents of the database. Raise Damaged at the first error.

    `progress` is called with the number of tables that were read and the total.
    """
    heads: dict[str, int] = {}
    for row in connection.execute(select(schema.tables.c.id, schema.tables.c.version)):
        if row.version:  # a table that was put away has no log
            heads[row.id] = row.version
    events, every = 0, len(heads)
    for table, log in _logs(connection):
        if progress is not None:
            progress(every - len(heads), every)
        if table not in heads:
            raise Damaged("store.stray-events", table=table)
        _check_log(connection, table, heads.pop(table), log)
        events += len(log)
    if heads:
        raise Damaged("store.log-missing", table=next(iter(heads)))
    count = select(func.count())
    tables = connection.execute(count.select_from(schema.tables)).scalar_one()
    return Contents(tables, events, connection.execute(count.select_from(schema.players)).scalar_one())


def _logs(connection: Connection) -> Iterator[tuple[str, list[Any]]]:
    log = schema.events.c
    query = select(log.table_id, log.version, log.kind, log.data).order_by(log.table_id, log.version)
    found = connection.execution_options(yield_per=AT_ONCE).execute(query)
    for table, rows in groupby(found, key=lambda row: row.table_id):
        yield str(table), list(rows)


def _check_log(connection: Connection, table: str, version: int, log: list[Any]) -> None:
    if [row.version for row in log] != list(range(1, version + 1)):
        raise Damaged("store.log-gaps", table=table, version=version)
    try:
        fold_events(TableState(table), [from_data(row.kind, with_rules(connection, row.data)) for row in log])
    except OtherBook:
        pass  # not damaged, but played by rules that this version no longer has
    except Exception as error:
        raise Damaged("store.log-broken", table=table, reason=str(error)) from error
