"""Read the database, and write to it in groups: concurrent writes share one commit.

A commit waits for the disk; inserting a row does not. So the first thread commits for all threads that are waiting by
then. Each call still returns only when its own rows are on disk. A job that fails does not affect others in its group.

On PostgreSQL other processes write at the same time. Two groups that lock the same tables in a different order would
deadlock. The database then aborts one of them, and that group is written job by job.

`refusal_of` turns errors of the database into refusals, with a message for people and a code for programs. A full disk,
a read-only disk or an unreachable database is not a player's mistake. Nothing is half written then, and games continue
without a restart once the cause is fixed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Select, Table
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, TimeoutError as PoolTimeout

from fivedice.store.database import for_reading, watch_of
from fivedice.table.refusals import Quota, Refusal

LARGEST_GROUP = 64

_T = TypeVar("_T")
_Result: TypeAlias = tuple[Any, BaseException | None]  # of a job; the error is None if it succeeded


class CannotWrite(Refusal, code="cannot-write", status=503):
    """The disk of the database cannot be written to."""


class DiskFull(CannotWrite, code="disk-full", status=507):
    """The disk of the database is full."""


class DatabaseAway(Refusal, code="database-away", status=503):
    """The database does not answer; a commit that was under way may or may not have happened."""


_FULL, _READ_ONLY, _BROKEN = "store.disk-full", "store.read-only", "store.disk-broken"
_BUSY, _AWAY, _DAMAGED = "store.locked", "store.away", "store.pages-damaged"

# The names of SQLite's error codes, and the first characters of PostgreSQL's.
_SQLITE = {
    "SQLITE_FULL": (DiskFull, _FULL),
    "SQLITE_READONLY": (CannotWrite, _READ_ONLY),
    "SQLITE_CANTOPEN": (DatabaseAway, _AWAY),
    "SQLITE_IOERR": (CannotWrite, _BROKEN),
    "SQLITE_BUSY": (CannotWrite, _BUSY),
    "SQLITE_LOCKED": (CannotWrite, _BUSY),
    "SQLITE_CORRUPT": (CannotWrite, _DAMAGED),
    "SQLITE_NOTADB": (CannotWrite, _DAMAGED),
}
_POSTGRESQL = {
    "53100": (DiskFull, _FULL),
    "53": (DatabaseAway, _AWAY),  # too many connections, out of memory
    "25006": (CannotWrite, _READ_ONLY),
    "57P": (DatabaseAway, _AWAY),  # shutting down, or starting
    "08": (DatabaseAway, _AWAY),
    "58": (CannotWrite, _BROKEN),
    "55P03": (CannotWrite, _BUSY),
    "40": (CannotWrite, _BUSY),
    "XX001": (CannotWrite, _DAMAGED),
    "XX002": (CannotWrite, _DAMAGED),
}


def refusal_of(error: BaseException | None) -> Refusal | None:
    """Return the refusal for an error of the database, or None if the error is a bug in this program.

    SQLite ends the transaction when the disk is full, and the rollback then fails as well. So earlier errors in the
    chain are examined too.
    """
    while error is not None:
        found = _words_for(error)
        if found is not None:
            return found
        error = error.__context__
    return None


def _words_for(error: BaseException) -> Refusal | None:
    if isinstance(error, PoolTimeout):
        return DatabaseAway(_AWAY)
    if not isinstance(error, DBAPIError):
        return None
    name = getattr(error.orig, "sqlite_errorname", None) or ""
    state = getattr(error.orig, "sqlstate", None) or ""
    for known, found in ((_SQLITE, name), (_POSTGRESQL, state)):
        for start, (refusal, kind) in known.items():
            if found.startswith(start):
                return refusal(kind)
    silent = not getattr(error.orig, "sqlstate", None) and not hasattr(error.orig, "sqlite_errorname")
    unreached = silent and isinstance(error, OperationalError | InterfaceError)  # the driver could not even connect
    return DatabaseAway(_AWAY) if error.connection_invalidated or unreached else None


@contextmanager
def as_refusals() -> Iterator[None]:
    """Raise errors of the database in this block as refusals if `refusal_of` knows them, otherwise unchanged."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error


Reading: TypeAlias = Callable[[], AbstractContextManager[Connection]]


def reader(engine: Engine) -> Reading:
    """Return a function that opens a connection for reading and raises errors of the database as refusals."""
    only_looks = for_reading(engine)

    @contextmanager
    def reading() -> Iterator[Connection]:
        with as_refusals(), only_looks.connect() as connection, connection.begin():
            yield connection

    return reading


class StorePart:
    """The parts of the store share its writer, its reader and its quota."""

    def __init__(self, writer: Writer, reading: Reading, quota: Quota) -> None:
        self._writer, self._reading, self._quota = writer, reading, quota

    def _read(self, query: Select[Any]) -> Sequence[Any]:
        """Return all rows of a query."""
        with self._reading() as connection:
            return connection.execute(query).all()

    def _read_value(self, query: Select[Any]) -> Any:
        """Return the only column of the only row of a query, or None without a row."""
        with self._reading() as connection:
            return connection.execute(query).scalar_one_or_none()


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert those rows that do not exist yet, even if another process inserts the same ones at the same time."""
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")  # importing both would be slow
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


class VersionConflict(Exception):  # noqa: N818 - never shown to users; the service tries again
    """Another process or thread appended first."""


class _Job:
    """Hold the work that a thread wants committed, and its result or error afterwards."""

    __slots__ = ("done", "error", "result", "work")

    def __init__(self, work: Callable[[Connection], Any]) -> None:
        self.work = work
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None

    def finish(self, result: Any = None, error: BaseException | None = None) -> None:
        """Store the result or the error, and let the waiting thread continue."""
        self.result, self.error, self.done = result, error, True


class Writer:
    """Write to the database from any number of threads. All changes go through this class.

    Concurrent writes share a commit. First all jobs run in one transaction. If one of them fails, all run again in one
    transaction, each with a savepoint. If PostgreSQL aborted the transaction for a deadlock, they run one by one.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: deque[_Job] = deque()
        self._at_work = Lock()
        self._file = watch_of(engine)

    def write(self, job: Callable[[Connection], _T]) -> _T:
        """Run the job in a transaction and return its result; on disk when this returns, undone if it raises.

        Raise VersionConflict if the row has changed or the key exists, and a refusal if the database cannot write.
        The job may run more than once.
        """
        mine = _Job(job)
        self._waiting.append(mine)
        while not mine.done:
            with self._at_work:  # the thread that holds this lock commits for all waiting threads
                if not mine.done:
                    self._commit([self._waiting.popleft() for _ in range(min(LARGEST_GROUP, len(self._waiting)))])
        if mine.error is not None:
            with as_refusals():
                raise mine.error
        result: _T = mine.result
        return result

    def _commit(self, group: list[_Job]) -> None:
        """Commit these jobs and finish each of them."""
        try:
            results: list[_Result] = self._in_transaction(
                lambda connection: [(job.work(connection), None) for job in group]
            )
        except BaseException as error:
            results = self._recover(group, error)
        for job, (result, failure) in zip(group, results, strict=True):
            job.finish(result, failure)

    def _recover(self, group: list[_Job], error: BaseException) -> list[_Result]:
        """Return the results of a group whose shared transaction failed."""
        if _is_own_fault(error):
            if len(group) == 1:
                return [(None, _as_conflict(error))]
            try:
                return self._in_transaction(lambda connection: [_attempt(connection, job) for job in group])
            except BaseException as again:
                error = again
        if len(group) > 1 and _is_deadlock(error):  # a single job locks the rows of one table only
            for job in group:
                self._commit([job])
            return [(job.result, job.error) for job in group]
        return [(None, error)] * len(group)

    def _in_transaction(self, work: Callable[[Connection], _T]) -> _T:
        """Run the work in a transaction and return its result. Raise DatabaseReplaced if the file was replaced."""
        if self._file is not None:
            self._file.check()
        with self._engine.begin() as connection:
            result = work(connection)
        if self._file is not None:
            self._file.check()
        return result


def _is_own_fault(error: BaseException) -> bool:
    """Return whether a job caused the error, rather than the database."""
    return isinstance(error, IntegrityError) or (isinstance(error, Exception) and not isinstance(error, DBAPIError))


def _as_conflict(error: BaseException) -> BaseException:
    """Return the error to raise for a job: VersionConflict if a row exists already, since another writer was first."""
    return VersionConflict() if isinstance(error, IntegrityError) else error


def _is_deadlock(error: BaseException) -> bool:
    """Return whether PostgreSQL asks for a retry: after a deadlock or a serialization failure."""
    return isinstance(error, DBAPIError) and str(getattr(error.orig, "sqlstate", "")).startswith("40")


def _attempt(connection: Connection, job: _Job) -> _Result:
    """Run one job in the shared transaction and return its result; undo only this job if it causes an error itself."""
    try:
        with connection.begin_nested():
            return job.work(connection), None
    except Exception as error:
        if not _is_own_fault(error):  # the database may have ended the transaction
            raise
        return None, _as_conflict(error)
