"""As much of Python's sqlite3 as SQLAlchemy needs, over APSW: because only APSW lets a test bring its own files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import *  # noqa: F403 - the names that a driver has to have
from typing import Any

import apsw

paramstyle = "qmark"
sqlite_version_info = tuple(map(int, apsw.sqlite_lib_version().split(".")))


_NAMES = {
    apsw.FullError: "SQLITE_FULL",
    apsw.ReadOnlyError: "SQLITE_READONLY",
    apsw.IOError: "SQLITE_IOERR_WRITE",
    apsw.BusyError: "SQLITE_BUSY",
}


@contextmanager
def _as_sqlite3() -> Iterator[None]:
    """Errors with the classes and the names that the program knows."""
    try:
        yield
    except apsw.Error as error:
        kind = sqlite3.IntegrityError if isinstance(error, apsw.ConstraintError) else sqlite3.OperationalError
        translated = kind(str(error))
        translated.sqlite_errorname = _NAMES.get(type(error), "SQLITE_ERROR")
        raise translated from error


class Connection:
    """One connection, on files of the test's own making."""

    def __init__(self, path: str, vfs: str) -> None:
        self._connection = apsw.Connection(path, vfs=vfs)
        self.isolation_level: str | None = None

    def cursor(self) -> Cursor:
        return Cursor(self._connection)

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Cursor:
        return self.cursor().execute(statement, parameters)

    def commit(self) -> None:
        self._end("COMMIT")

    def rollback(self) -> None:
        self._end("ROLLBACK")

    def close(self) -> None:
        self._connection.close()

    def create_function(self, *_: Any, **__: Any) -> None:
        """Accept the function; no test searches by pattern."""

    def _end(self, how: str) -> None:
        if self._connection.in_transaction:
            try:
                self.execute(how)
            except sqlite3.OperationalError as error:
                if how == "ROLLBACK" or str(error).endswith("-wal"):
                    raise
                # The commit itself is in the log. The checkpoint after it failed, which SQLite passes over to try
                # again later; APSW tells of it all the same.


class Cursor:
    """A result, read at once: nothing here is large."""

    arraysize = 1
    lastrowid = None

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._rows: list[tuple[Any, ...]] = []
        self.description: tuple[tuple[Any, ...], ...] | None = None
        self.rowcount = -1

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Cursor:
        with _as_sqlite3():
            cursor = self._connection.cursor()
            cursor.exec_trace = self._look
            before = self._connection.total_changes()
            self._rows = list(cursor.execute(statement, parameters))
            self.rowcount = -1 if self.description else self._connection.total_changes() - before
        return self

    def executemany(self, statement: str, many: Iterable[Sequence[Any]]) -> Cursor:
        counts = [self.execute(statement, parameters).rowcount for parameters in many]
        self.rowcount = sum(counts)
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._rows.pop(0) if self._rows else None

    def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]:
        taken, self._rows = self._rows[:size], self._rows[size:]
        return taken

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.fetchmany(len(self._rows))

    def close(self) -> None:
        self._rows = []

    def _look(self, cursor: apsw.Cursor, _: str, __: Any) -> bool:
        """Called before the first step, the only moment at which an empty result still has its columns."""
        columns = cursor.get_description()
        self.description = tuple((name, *[None] * 6) for name, _ in columns) or None
        return True
