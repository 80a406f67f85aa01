"""Opening the database: SQLite that survives a power cut, or PostgreSQL, migrated to the newest schema.

When it says no, `refusal_of` has the words for people and the code for programs. A full disk, a disk that became
read-only and a database that went away are nobody's mistake at the table. Nothing is half written then, and everything
goes on by itself once the cause is gone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError, TimeoutError as PoolTimeout

from fivedice.errors import MalformedError, quote
from fivedice.folders import data_folder
from fivedice.table.refusals import Refusal
from fivedice.table.store.database_file import OPTION, FileWatch, make_folder, watch_of

NEWEST = "0006"  # the schema that this program reads and writes
SQLITE_POOL = {"pool_size": 8, "max_overflow": 56}
# An error that comes into the log must not bring keys and players along.
QUIET = {"hide_parameters": True}
# A server of PostgreSQL grants a hundred connections by default, and several of our processes share them.
POSTGRESQL_POOL = {"pool_size": 8, "max_overflow": 8}
# Whoever holds a row and has gone silent must not keep the others waiting for ever.
_OPTIONS = "-c lock_timeout=10s -c idle_in_transaction_session_timeout=30s"


def database_url() -> str:
    """The database that the web table and the terminal table share by default."""
    return f"sqlite:///{data_folder() / 'tables.db'}"


class NewerSchema(Exception):  # noqa: N818 - said on to whoever opens the database
    """A database with a schema that this program has never heard of."""


def open_database(url: str, *, careful: bool = False) -> Engine:
    """An engine for the URL, its folder made and its schema brought up to date; `careful` looks at every page."""
    engine = connect_to(url)
    try:
        migrate(engine)
        if careful:
            _check_pages(engine, url)
    except DBAPIError as error:
        engine.dispose()
        raise MalformedError("store.unusable", database=shown(url), reason=first_line(error.orig)) from error
    except NewerSchema as error:
        engine.dispose()
        raise MalformedError("store.newer", database=shown(url)) from error
    if (file := watch_of(engine)) is not None:
        file.begin()
    return engine


def _check_pages(engine: Engine, url: str) -> None:
    """A broken page of SQLite is told at the start, not to whoever first needs it; PostgreSQL watches over its own."""
    if engine.dialect.name == "sqlite":
        with for_reading(engine).connect() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if found != "ok":
            engine.dispose()
            raise MalformedError("store.broken-file", database=shown(url), reason=first_line(found))


def connect_to(url: str) -> Engine:
    """An engine for the URL; nothing is asked of the database yet."""
    address = address_of(url)
    if address.get_backend_name() == "sqlite":
        return _sqlite(address)
    # Asked before each use whether the connection still stands: a restart of the database is then hardly noticed.
    arguments = {"application_name": f"fivedice-{secrets.token_hex(4)}", "connect_timeout": 10, "options": _OPTIONS}
    return create_engine(address, pool_pre_ping=True, connect_args=arguments, **QUIET, **POSTGRESQL_POOL)


def for_reading(engine: Engine) -> Engine:
    """The same database for those who only look: no lock on SQLite, no BEGIN and ROLLBACK around each question."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(fivedice_look=True)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def address_of(url: str) -> URL:
    """The URL as SQLAlchemy wants it, or a refusal that names the two kinds that there are."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise MalformedError("store.not-a-url", url=quote(url)) from None
    if address.drivername in {"postgresql", "postgres"}:
        address = address.set(drivername="postgresql+psycopg")
    if address.drivername == "postgresql+psycopg":
        _need_psycopg()
    elif address.get_backend_name() != "sqlite":
        raise MalformedError("store.unknown-database", kind=quote(address.drivername))
    return address


def shown(url: str) -> str:
    """The URL as it may stand in a message or a log: without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return quote(url)


def _need_psycopg() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:  # pragma: no cover - the extra is always installed in development
        raise MalformedError("store.package-missing", package=str(error.name)) from None


def migrate(engine: Engine, revision: str = NEWEST) -> None:
    """Bring the schema up to date, or to a known earlier state; a second process waits for the first."""
    with for_reading(engine).connect() as connection:
        if revision_of(connection) == revision:
            return  # as at nearly every start, which is quicker without the tools for migrating
    from fivedice.table.store.upgrade import upgrade

    upgrade(engine, revision)


def revision_of(connection: Connection) -> str | None:
    """Which schema a database has; None if it has none of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()
    return found


def _sqlite(address: URL) -> Engine:
    engine = create_engine(address, **QUIET, **SQLITE_POOL)
    file = address.database or ":memory:"
    if not file.startswith((":memory:", "file:")):
        _watch(engine, Path(file))
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _watch(engine: Engine, path: Path) -> None:
    make_folder(path.parent)
    file = FileWatch(path)
    engine.update_execution_options(**{OPTION: file})
    event.listen(engine, "do_connect", lambda *_: file.prepare())
    event.listen(engine, "engine_disposed", lambda _: file.let_go())


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Wait for other writers, keep readers out of their way, and sync every commit to disk.

    EXTRA is FULL, and syncs the folder too when the first journal is deleted, just before the file is switched to WAL:
    a journal that comes back after a power cut would roll everything back.
    """
    connection.isolation_level = None  # SQLAlchemy's own BEGIN is replaced below
    for pragma in ("busy_timeout = 10000", "synchronous = EXTRA", "journal_mode = WAL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Any) -> None:
    """Take the write lock at once where writing is meant, so that nobody fails half-way for want of it."""
    options = connection.get_execution_options()
    if options.get("fivedice_look"):
        return  # each question is answered from a snapshot of its own, as on PostgreSQL
    connection.exec_driver_sql("BEGIN" if options.get("fivedice_read") else "BEGIN IMMEDIATE")


def first_line(problem: object) -> str:
    """The first line of an error: drivers explain themselves at length, and a message or a log has one line."""
    return str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__


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
