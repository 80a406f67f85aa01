"""Open the database: SQLite that survives a power cut, or PostgreSQL, migrated to the newest schema.

The file of a SQLite database is private. A process can go on using a file that was deleted, moved or replaced while
open: moves would be accepted, and lost when the process ends. So the file is checked before each write, and again
before the write is confirmed.
"""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError

from fivedice.errors import MalformedError, quote
from fivedice.folders import data_folder
from fivedice.table.refusals import Refusal

log = logging.getLogger(__name__)

# The connection that was used last is used next, because it has pages and statements in its cache.
SQLITE_POOL = {"pool_size": 8, "max_overflow": 56, "pool_use_lifo": True}
# Errors in the log must not contain keys or player ids.
QUIET = {"hide_parameters": True}
OPTION = "fivedice_file"  # of an engine: the `FileWatch` of its file
_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700
_ENDINGS = ("-wal", "-shm", "-serving")

_Identity: TypeAlias = tuple[int, int]


class DatabaseReplaced(Refusal, code="database-replaced", status=503):
    """The database file is missing, or is not the one that was opened."""


class FileWatch:
    """Detect whether the file, or the write-ahead log of SQLite next to it, has been replaced."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file, self._log = str(path), f"{path}-wal"  # as text, since each move checks them
        self._known: _Identity | None = None
        self._known_log: _Identity | None = None
        self._filled = False

    def prepare(self) -> None:
        """Create a missing file as private before the first connection; later only `check` it.

        SQLite itself would create a missing file empty and readable for all users.
        """
        if self._known is None:
            with suppress(OSError):  # it exists, or cannot be created: SQLite says why
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _PRIVATE_FILE))
        else:
            self.check()

    def begin(self) -> None:
        """Require the same file from now on, and make it and the files next to it private to the owner."""
        self._known = _identity(_stat(self._file))
        for ending in ("", *_ENDINGS):
            _close_to_others(Path(f"{self.path}{ending}"), _PRIVATE_FILE)

    def check(self) -> None:
        """Raise DatabaseReplaced if it is another file now. This takes two calls of stat, a few microseconds."""
        if self._known is None:
            return
        file = _stat(self._file)
        is_empty = file is None or file.st_size == 0
        if _identity(file) != self._known or (is_empty and self._filled):  # replaced, or cut
            raise _refuse_other(self._file)
        self._filled = self._filled or not is_empty
        found = _identity(_stat(self._log))
        if self._known_log is None:
            self._known_log = found
        elif found != self._known_log:
            raise _refuse_other(self._log)

    def let_go(self) -> None:
        """Accept another write-ahead log: SQLite deletes it with the last connection and creates a new one later."""
        self._known_log = None


def sqlite_engine(address: URL) -> Engine:
    """Return an engine that syncs every commit to disk before it counts as done."""
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
    """Take the write lock at the start of a transaction that writes, so that it cannot fail half-way without it."""
    options = connection.get_execution_options()
    if options.get("fivedice_look"):
        return  # each query reads a snapshot of its own, as on PostgreSQL
    connection.exec_driver_sql("BEGIN" if options.get("fivedice_read") else "BEGIN IMMEDIATE")


def watch_of(engine: Engine) -> FileWatch | None:
    """Return the watch over the file of an engine, or None if it has no file."""
    found: FileWatch | None = engine.get_execution_options().get(OPTION)
    return found


def make_folder(folder: Path) -> None:
    """Create the folder of a database. Raise MalformedError if that is not possible.

    The folder is made private if it is new or Fivedice's own; any other existing folder is left as it is.
    """
    missing = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MalformedError("store.no-folder", folder=str(folder), reason=str(error.strerror)) from None
    if missing or _is_our_own(folder):
        _close_to_others(folder, _PRIVATE_FOLDER)


def _is_our_own(folder: Path) -> bool:
    try:
        return folder.samefile(data_folder())
    except (OSError, RuntimeError):  # it does not exist, or there is no home folder
        return False


def _close_to_others(path: Path, mode: int) -> None:
    """Remove the rights of other users if the system allows it: network drives and Windows may not support this."""
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)


def _refuse_other(file: str) -> DatabaseReplaced:
    """Log which file it is, and return the refusal, which does not show the path to visitors."""
    log.error("the database file was deleted or replaced: %s", file)
    return DatabaseReplaced("store.replaced")


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116 - twice as fast, and every move needs it
    except OSError:
        return None


def _identity(found: os.stat_result | None) -> _Identity | None:
    return None if found is None else (found.st_dev, found.st_ino)


NEWEST = "0015"  # the schema that this program reads and writes
CHECKED_AT_START = 64 << 20  # bytes: the pages of such a SQLite file are checked in a third of a second
# A PostgreSQL server allows 100 connections by default, and several of our processes share them.
POSTGRESQL_POOL = {"pool_size": 8, "max_overflow": 8, "pool_use_lifo": True}
# A connection that holds a lock and has stopped responding must not block the others for ever.
_OPTIONS = "-c lock_timeout=10s -c idle_in_transaction_session_timeout=30s"


def database_url() -> str:
    """Return the URL of the database that the web server and the terminal share by default."""
    return f"sqlite:///{data_folder() / 'tables.db'}"


class NewerSchema(Exception):  # noqa: N818 - turned into an error for the user by the callers
    """The database has a schema that this version does not know."""


def open_database(url: str, *, careful: bool = False) -> Engine:
    """Create the folder, migrate the schema, and return an engine for the URL. Raise MalformedError if that fails.

    With `careful` every page is checked. A large file is left out, since this takes seconds: the caller checks it
    later, see `is_large`.
    """
    engine = connect_to(url)
    try:
        migrate(engine)
        if careful and not is_large(engine):
            _check_pages(engine, url)
    except DBAPIError as error:
        engine.dispose()
        raise MalformedError("store.unusable", database=hide_password(url), reason=first_line(error.orig)) from error
    except NewerSchema as error:
        engine.dispose()
        raise MalformedError("store.newer", database=hide_password(url)) from error
    if (file := watch_of(engine)) is not None:
        file.begin()
    return engine


def _check_pages(engine: Engine, url: str) -> None:
    """Raise MalformedError if a page of a SQLite file is broken, before a game needs it; PostgreSQL checks its own."""
    found = find_broken_page(engine)
    if found is not None:
        engine.dispose()
        raise MalformedError("store.broken-file", database=hide_password(url), reason=found)


def is_large(engine: Engine) -> bool:
    """Return whether the file of a SQLite database is too large to be checked before a server starts."""
    file = watch_of(engine)
    return file is not None and file.path.exists() and file.path.stat().st_size > CHECKED_AT_START


def find_broken_page(engine: Engine) -> str | None:
    """Check every page of a SQLite file, and return what is wrong with the first broken one, or None."""
    if engine.dialect.name != "sqlite":
        return None
    try:
        with for_reading(engine).connect() as connection:
            found: str = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    except DatabaseError as error:  # so broken that it cannot be checked
        return first_line(error.orig)
    return None if found == "ok" else first_line(found)


def connect_to(url: str) -> Engine:
    """Return an engine for the URL without connecting yet. Raise MalformedError if the URL is not usable."""
    address = address_of(url)
    if address.get_backend_name() == "sqlite":
        return sqlite_engine(address)
    # Each connection is tested before use, so that a restart of the database is hardly noticed.
    arguments = {"application_name": f"fivedice-{secrets.token_hex(4)}", "connect_timeout": 10, "options": _OPTIONS}
    return create_engine(address, pool_pre_ping=True, connect_args=arguments, **QUIET, **POSTGRESQL_POOL)


def for_reading(engine: Engine) -> Engine:
    """Return an engine for reading only: without a lock on SQLite, without BEGIN and ROLLBACK around each query."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(fivedice_look=True)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def address_of(url: str) -> URL:
    """Return the URL as SQLAlchemy needs it. Raise MalformedError unless it is for SQLite or PostgreSQL."""
    try:
        address = make_url(url)
    except ArgumentError:
        raise MalformedError("store.not-a-url", url=quote(url)) from None
    if address.drivername in {"postgresql", "postgres"}:
        address = address.set(drivername="postgresql+psycopg")
    if address.drivername == "postgresql+psycopg":
        try:
            import psycopg  # noqa: F401
        except ImportError as error:  # pragma: no cover - the extra is always installed in development
            raise MalformedError("store.package-missing", package=str(error.name)) from None
    elif address.get_backend_name() != "sqlite":
        raise MalformedError("store.unknown-database", kind=quote(address.drivername))
    return address


def hide_password(url: str) -> str:
    """Return the URL without its password, for messages and logs."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return quote(url)


def migrate(engine: Engine, revision: str = NEWEST) -> None:
    """Migrate the schema to a revision, one process at a time. Raise NewerSchema if the current one is unknown."""
    with for_reading(engine).connect() as connection:
        if revision_of(connection) == revision:
            return  # the usual case: do not spend time on importing Alembic
    import_module("fivedice.store.migrations").upgrade(
        engine, revision
    )  # by name, because its steps build on the store


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the schema, or None if the database has no schema of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()
    return found


def first_line(problem: object) -> str:
    """Return the first line of an error, for messages and logs: drivers often write several."""
    return str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
