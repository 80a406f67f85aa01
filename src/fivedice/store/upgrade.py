"""Migrate the schema from one revision to another. This module is imported only when needed."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, text

from fivedice.store.database import NewerSchema

MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATING = 0x5D1CE  # the number of the lock that a migrating process holds


def upgrade(engine: Engine, revision: str) -> None:
    """Run the migrations up to this revision in one transaction. Raise NewerSchema if the current one is unknown."""
    config = migrations()
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL lock_timeout = 0"))  # wait however long the first one takes
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATING})
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError as error:  # the database has a revision that we do not know
            raise NewerSchema(str(error)) from error


def require_known(revision: str) -> None:
    """Raise NewerSchema for a revision that this version of Fivedice does not have."""
    try:
        ScriptDirectory.from_config(migrations()).get_revision(revision)
    except CommandError as error:
        raise NewerSchema(str(error)) from error


def migrations() -> Config:
    """Return the Alembic configuration for our migrations; percent signs in the path are escaped."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
