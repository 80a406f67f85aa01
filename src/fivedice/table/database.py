"""Opening the database: SQLite that survives a power cut, migrated to the newest schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url

MIGRATIONS = Path(__file__).parent / "migrations"


def open_database(url: str) -> Engine:
    """An engine for the URL, its folder made and its schema brought up to date."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite" and address.database:
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, pool_size=8, max_overflow=56)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_immediate)
    migrate(engine)
    return engine


def migrate(engine: Engine) -> None:
    """Bring the schema up to date; a second process waits for the first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Wait for other writers, keep readers out of their way, and sync every commit to disk."""
    connection.isolation_level = None  # SQLAlchemy's own BEGIN is replaced below
    for pragma in ("busy_timeout = 10000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Any) -> None:
    """Take the write lock at once where writing is meant, so that nobody fails half-way for want of it."""
    readonly = connection.get_execution_options().get("fivedice_read", False)
    connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")
