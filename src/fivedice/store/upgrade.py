"""Bringing the schema from one revision to another: loaded only where that is needed."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text

from fivedice.store.database import NewerSchema

MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATING = 0x5D1CE  # the number of the lock that migrating processes take by turns


def upgrade(engine: Engine, revision: str) -> None:
    """Run what is missing up to this revision, in one transaction."""
    config = migrations()
    with engine.begin() as connection:
        _wait_for_others(connection)
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:  # the database has a revision that is not among ours
            raise NewerSchema(str(error)) from error


def require_known(revision: str) -> None:
    """Raise NewerSchema for a revision that this version of Fivedice does not have."""
    try:
        ScriptDirectory.from_config(migrations()).get_revision(revision)
    except CommandError as error:
        raise NewerSchema(str(error)) from error


def migrations() -> Config:
    """Where Alembic finds our migrations; a percent sign in the path is no placeholder."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _wait_for_others(connection: Connection) -> None:
    """SQLite has one writer anyway; PostgreSQL would let two processes create the same table."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))  # however long the first one takes
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATING})
