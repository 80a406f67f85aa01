"""Open the database: SQLite that survives a power cut, or PostgreSQL, migrated to the newest schema."""

from __future__ import annotations

import secrets

from sqlalchemy import URL, Connection, Engine, create_engine, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError

from fivedice.errors import MalformedError, quote
from fivedice.folders import data_folder
from fivedice.store.database_file import QUIET, sqlite_engine, watch_of

NEWEST = "0013"  # the schema that this program reads and writes
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
    from fivedice.store.upgrade import upgrade

    upgrade(engine, revision)


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the schema, or None if the database has no schema of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()
    return found


def first_line(problem: object) -> str:
    """Return the first line of an error, for messages and logs: drivers often write several."""
    return str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
