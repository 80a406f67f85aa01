"""Reading, and writing in groups: concurrent writes share one commit.

A commit waits for the disk, a row does not. So the first writer commits for all that wait by then, and each still
returns only when its own rows are on disk. A job that fails harms no other in its group.

On PostgreSQL other processes write at the same time. Two groups that want the same tables in different order would wait
for each other for ever; the database ends one of them, and that one is then written job by job.

When the database says no, `refusal_of` has the words for people and the code for programs. A full disk, a disk that
became read-only and a database that went away are nobody's mistake at the table. Nothing is half written then, and
everything goes on by itself once the cause is gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, TimeoutError as PoolTimeout

from fivedice.store.database import for_reading
from fivedice.store.database_file import watch_of
from fivedice.table.refusals import Refusal

LARGEST_GROUP = 64

_T = TypeVar("_T")
_Result: TypeAlias = tuple[Any, BaseException | None]  # of a job; the error is None where it succeeded


class CannotWrite(Refusal):
    """The disk under the database refuses."""

    code = "cannot-write"
    status = 503


class DiskFull(CannotWrite):
    """No room is left."""

    code = "disk-full"
    status = 507


class DatabaseAway(Refusal):
    """Nobody answers; a commit that was under way may or may not have happened."""

    code = "database-away"
    status = 503


_FULL, _READ_ONLY, _BROKEN = "store.disk-full", "store.read-only", "store.disk-broken"
_BUSY, _AWAY, _DAMAGED = "store.locked", "store.away", "store.pages-damaged"

# What SQLite calls its results, and the first digits of what PostgreSQL answers.
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
    "57P": (DatabaseAway, _AWAY),  # it is shutting down, or starting
    "08": (DatabaseAway, _AWAY),
    "58": (CannotWrite, _BROKEN),
    "55P03": (CannotWrite, _BUSY),
    "40": (CannotWrite, _BUSY),
    "XX001": (CannotWrite, _DAMAGED),
    "XX002": (CannotWrite, _DAMAGED),
}


def refusal_of(error: BaseException | None) -> Refusal | None:
    """The refusal that says what this error of the database means, or None if it means a mistake of ours.

    SQLite ends the transaction when the disk is full, and rolling it back then fails as well: the first error is the
    one that counts.
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
    return DatabaseAway(_AWAY) if error.connection_invalidated or _without_answer(error) else None


def _without_answer(error: DBAPIError) -> bool:
    """A driver that could not even connect has no code to show."""
    silent = not getattr(error.orig, "sqlstate", None) and not hasattr(error.orig, "sqlite_errorname")
    return silent and isinstance(error, OperationalError | InterfaceError)


@contextmanager
def as_refusals() -> Iterator[None]:
    """Errors of the database inside become refusals, where there are words for them."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error


Reading: TypeAlias = Callable[[], AbstractContextManager[Connection]]


def reader(engine: Engine) -> Reading:
    """What gives a connection for one look; trouble with the database is told in words."""
    only_looks = for_reading(engine)

    @contextmanager
    def reading() -> Iterator[Connection]:
        with as_refusals(), only_looks.connect() as connection, connection.begin():
            yield connection

    return reading


def insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows that are not there yet; another process may be inserting the same ones just now."""
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")  # loading the other one takes long
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), rows)


class VersionConflict(Exception):  # noqa: N818 - never shown to anybody; the service tries again
    """Somebody else appended first."""


class _Job:
    """Hold what a thread wants written, and its result or error once it is on disk or cannot be."""

    __slots__ = ("done", "error", "result", "work")

    def __init__(self, work: Callable[[Connection], Any]) -> None:
        self.work = work
        self.done = False
        self.result: Any = None
        self.error: BaseException | None = None

    def finish(self, result: Any = None, error: BaseException | None = None) -> None:
        """Let the thread that waits go on."""
        self.result, self.error, self.done = result, error, True


class Writer:
    """The one way to change the database, from any number of threads.

    Concurrent writes share a commit, in three steps: all jobs in one transaction; if one of them fails, all again in
    one transaction with a savepoint for each; if PostgreSQL ended the transaction for a deadlock, one by one.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: deque[_Job] = deque()
        self._at_work = Lock()
        self._file = watch_of(engine)

    def write(self, job: Callable[[Connection], _T]) -> _T:
        """Run the job in a transaction; on disk when this returns, undone if it raises.

        Raises VersionConflict if the row has changed or the key exists, and a refusal if the database cannot write.
        The job may run more than once.
        """
        mine = _Job(job)
        self._waiting.append(mine)
        while not mine.done:
            with self._at_work:  # the thread that holds this commits for all that wait
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
        if len(group) > 1 and _is_deadlock(error):  # a job alone holds the rows of one table, and waits for no other
            for job in group:
                self._commit([job])
            return [(job.result, job.error) for job in group]
        return [(None, error)] * len(group)

    def _in_transaction(self, work: Callable[[Connection], _T]) -> _T:
        """Check before and after that the file is the one that was opened: otherwise a commit is worth nothing."""
        if self._file is not None:
            self._file.check()
        with self._engine.begin() as connection:
            result = work(connection)
        if self._file is not None:
            self._file.check()
        return result


def _is_own_fault(error: BaseException) -> bool:
    """Return whether one job failed, rather than the database."""
    return isinstance(error, IntegrityError) or (isinstance(error, Exception) and not isinstance(error, DBAPIError))


def _as_conflict(error: BaseException) -> BaseException:
    """Return what the thread that wrote is told: a row that exists already means that another was first."""
    return VersionConflict() if isinstance(error, IntegrityError) else error


def _is_deadlock(error: BaseException) -> bool:
    """Return whether PostgreSQL says "try it again": a deadlock, or an order that cannot be made up."""
    return isinstance(error, DBAPIError) and str(getattr(error.orig, "sqlstate", "")).startswith("40")


def _attempt(connection: Connection, job: _Job) -> _Result:
    """Run one job inside the shared transaction; undo it alone if it fails by its own fault."""
    try:
        with connection.begin_nested():
            return job.work(connection), None
    except Exception as error:
        if not _is_own_fault(error):  # the database may have dropped the transaction: nothing may go on in it
            raise
        return None, _as_conflict(error)
