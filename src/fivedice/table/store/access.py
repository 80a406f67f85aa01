"""Reading, and writing in groups: whoever comes while the disk is busy shares the next commit.

A commit waits for the disk, a row does not. So the first writer commits for all who have come by then, and everybody
still returns only when their own rows are on disk. Each job of a group has a savepoint: one that is refused harms no
other.

On PostgreSQL other processes write at the same time. Two groups that want the same tables in different order would wait
for each other for ever; the database ends one of them, and that one is then written job by job.

When the database says no, `refusal_of` has the words for people and the code for programs. A full disk, a disk that
became read-only and a database that went away are nobody's mistake at the table. Nothing is half written then, and
everything goes on by itself once the cause is gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from importlib import import_module
from threading import Lock
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Table, event, text
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, TimeoutError as PoolTimeout
from sqlalchemy.sql.base import Executable

from fivedice.table.refusals import Refusal
from fivedice.table.store.database import for_reading
from fivedice.table.store.database_file import watch_of

LARGEST_GROUP = 64

_T = TypeVar("_T")
_Work: TypeAlias = "Callable[[Connection], Any] | Callable[[Line], Any]"


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


class Prepared:
    """A statement of the hot path: its SQL is made once, and then goes straight to the driver.

    Errors come as from any other statement, and whoever listens to the statements of an engine hears of these too.
    """

    def __init__(self, statement: Executable, *columns: str) -> None:
        """`columns` are those that an UPDATE or INSERT sets, with the values that `run` is given for them."""
        self._statement, self._columns = statement, list(columns) or None
        self._made: dict[tuple[str, str], tuple[str, list[str] | None]] = {}  # by what the driver wants

    def run(self, connection: Line, given: Mapping[str, Any]) -> Any:
        """The cursor of the driver, for its rows and their count."""
        dialect = connection.dialect
        sql, order = self._made.get((dialect.name, dialect.paramstyle)) or self._make(connection)
        values = given if order is None else [given[name] for name in order]
        cursor, listeners = _cursor_of(connection)
        for listener in listeners:
            listener(connection, cursor, sql, values, None, False)
        try:
            cursor.execute(sql, values)
        except dialect.loaded_dbapi.Error as error:
            raise _of_driver(connection, cursor, sql, error) from error
        return cursor

    def _make(self, connection: Line) -> tuple[str, list[str] | None]:
        dialect = connection.dialect
        compiled = self._statement.compile(dialect=dialect, column_keys=self._columns)  # type: ignore[attr-defined]
        made = self._made[dialect.name, dialect.paramstyle] = str(compiled), compiled.positiontup
        return made


def _cursor_of(line: Line) -> tuple[Any, Any]:
    """A cursor of the driver, and who listens."""
    if isinstance(line, BareLine):
        return line.cursor, line.listeners
    return line.connection.cursor(), line.dispatch.before_cursor_execute


def _of_driver(connection: Line, cursor: Any, sql: str, error: Exception) -> BaseException:
    """An error as SQLAlchemy tells it; a connection that is lost is not used again."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, connection.connection, cursor)  # type: ignore[arg-type]
    if lost:
        connection.invalidate(error)
    base = dialect.loaded_dbapi.Error
    return DBAPIError.instance(sql, None, error, base, connection_invalidated=lost, dialect=dialect)


def _connected(engine: Engine) -> Any:
    """From the pool, with the errors of SQLAlchemy."""
    base = engine.dialect.loaded_dbapi.Error
    try:
        return engine.raw_connection()
    except base as error:
        raise DBAPIError.instance("CONNECT", None, error, base, dialect=engine.dialect) from error


class BareLine:
    """As much of a connection as prepared statements need: SQLAlchemy's own takes longer to make than a move to write.

    The connection of the driver comes from the same pool, and goes back to it.
    """

    def __init__(self, engine: Engine) -> None:
        self.dialect = engine.dialect
        self.connection = _connected(engine)
        self.cursor = self.connection.cursor()
        self.listeners: tuple[Any, ...] = ()
        self._heard: Any = engine.dispatch

    def begin(self) -> None:
        """Drivers begin by themselves, except that of SQLite, which is told to take the lock for writing at once."""
        self.listeners = tuple(self._heard.before_cursor_execute)
        if self.dialect.name == "sqlite":
            _BEGIN.run(self, {})

    def invalidate(self, error: BaseException | None = None) -> None:
        self.connection.invalidate(error)

    def commit(self) -> None:
        for listener in self._heard.commit:
            listener(self)
        try:
            self.connection.commit()
        except self.dialect.loaded_dbapi.Error as error:
            raise _of_driver(self, None, "COMMIT", error) from error

    def roll_back(self) -> None:
        with suppress(Exception):  # what was wrong before counts, and nothing is written either way
            self.connection.rollback()


Line: TypeAlias = Connection | BareLine
_BEGIN = Prepared(text("BEGIN IMMEDIATE"))


class VersionConflict(Exception):  # noqa: N818 - never shown to anybody; the service tries again
    """Somebody else appended first."""


class _Job:
    """Something to be written for somebody who waits; what came of it is told once it is on disk, or cannot be."""

    __slots__ = ("done", "plain", "result", "trouble", "work")

    def __init__(self, work: _Work, *, plain: bool) -> None:
        self.work: Callable[[Any], Any] = work
        self.plain, self.done = plain, False
        self.result: Any = None
        self.trouble: BaseException | None = None

    def succeed(self, result: Any) -> None:
        self.result, self.done = result, True

    def fail(self, trouble: BaseException) -> None:
        self.trouble, self.done = trouble, True


class Writer:
    """The one way to change the database, from any number of threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: deque[_Job] = deque()
        self._at_work = Lock()
        self._file = watch_of(engine)
        self._kept: BareLine | None = None  # for whoever commits next
        event.listen(engine, "engine_disposed", lambda _: self._let_go())

    def write(self, job: Callable[[Connection], _T]) -> _T:
        """Run the job in a transaction; on disk when this returns, undone if it raises."""
        result: _T = self._do(_Job(job, plain=False))
        return result

    def write_plainly(self, job: Callable[[Line], None]) -> None:
        """The same for a job that runs prepared statements alone, as moves do."""
        self._do(_Job(job, plain=True))

    def _do(self, mine: _Job) -> Any:
        self._waiting.append(mine)
        while not mine.done:
            with self._at_work:  # whoever holds this commits for all who wait
                if not mine.done:
                    self._commit_group()
        if mine.trouble is None:
            return mine.result
        with as_refusals():
            raise mine.trouble

    def _commit_group(self) -> None:
        group = [self._waiting.popleft() for _ in range(min(LARGEST_GROUP, len(self._waiting)))]
        try:
            self._commit(group)
        except DBAPIError as error:
            if len(group) > 1 and _entangled(error):
                self._commit_singly(group)
            else:
                _fail(group, error)
        except BaseException as error:  # the disk said no: to all of them
            _fail(group, error)

    def _commit(self, group: list[_Job]) -> None:
        """One transaction for all; nobody is answered before it is through."""
        if len(group) == 1:
            self._commit_alone(group[0])
            return
        plain = all(job.plain for job in group)
        try:
            results = self._in_transaction(lambda line: [job.work(line) for job in group], plain=plain)
        except Exception as trouble:
            if isinstance(trouble, DBAPIError) and not isinstance(trouble, IntegrityError):
                raise
            self._commit_apart(group, plain=plain)
        else:
            for job, result in zip(group, results, strict=True):
                job.succeed(result)

    def _commit_apart(self, group: list[_Job], *, plain: bool) -> None:
        """In one transaction still, but what one of them cannot do is undone alone. Mostly all can do what they want,
        and a savepoint for each would be as many statements as a move has.
        """
        for answer in self._in_transaction(lambda line: [_attempt(line, job) for job in group], plain=plain):
            answer()

    def _commit_alone(self, job: _Job) -> None:
        """Most come alone. The transaction is theirs then; a savepoint in it would be two more statements."""
        try:
            result = self._in_transaction(job.work, plain=job.plain)
        except (IntegrityError, VersionConflict):
            job.fail(VersionConflict())
        except DBAPIError:
            raise
        except Exception as error:
            job.fail(error)
        else:
            job.succeed(result)

    def _in_transaction(self, work: Callable[[Any], _T], *, plain: bool) -> _T:
        """In the file that was opened: it may have been deleted or replaced, and then a commit is worth nothing."""
        if self._file is not None:
            self._file.check()
        result = self._on_bare_line(work) if plain else self._on_connection(work)
        if self._file is not None:
            self._file.check()
        return result

    def _on_connection(self, work: Callable[[Any], _T]) -> _T:
        with self._engine.begin() as connection:
            return work(connection)

    def _on_bare_line(self, work: Callable[[Any], _T]) -> _T:
        """Mostly on the line of the move before: to put it into the pool and take it out again is much of a move."""
        line, self._kept = self._kept or BareLine(self._engine), None
        try:
            line.begin()
            result = work(line)
            line.commit()
        except BaseException:
            line.roll_back()
            line.connection.close()
            raise
        if self._file is None:  # a database that is no file may go away, and the pool finds out
            line.connection.close()
        else:
            self._kept = line
        return result

    def _let_go(self) -> None:
        """All connections of the engine are to be closed."""
        with self._at_work:
            line, self._kept = self._kept, None
            if line is not None:
                line.invalidate()

    def _commit_singly(self, group: list[_Job]) -> None:
        """A job alone holds the rows of one table and can wait for nobody who waits for it."""
        for entry in group:
            try:
                self._commit([entry])
            except BaseException as error:
                _fail([entry], error)


def _fail(group: list[_Job], error: BaseException) -> None:
    for job in group:
        job.fail(error)


def _entangled(error: DBAPIError) -> bool:
    """PostgreSQL's class of "try it again": a deadlock, or order that cannot be made up."""
    return str(getattr(error.orig, "sqlstate", "")).startswith("40")


_SAVEPOINT, _BACK, _RELEASE = (
    Prepared(text(f"{what} job")) for what in ("SAVEPOINT", "ROLLBACK TO SAVEPOINT", "RELEASE SAVEPOINT")
)


def _attempt(line: Line, job: _Job) -> Callable[[], None]:
    """Run one job inside the shared transaction; what tells its caller after the commit."""
    _SAVEPOINT.run(line, {})
    try:
        result = job.work(line)
    except (IntegrityError, VersionConflict):
        _BACK.run(line, {})
        return partial(job.fail, VersionConflict())
    except DBAPIError:  # the database itself may have dropped the transaction: nobody may write on in it
        raise
    except Exception as error:  # whatever it is, it is this job's own
        _BACK.run(line, {})
        return partial(job.fail, error)
    _RELEASE.run(line, {})
    return partial(job.succeed, result)
