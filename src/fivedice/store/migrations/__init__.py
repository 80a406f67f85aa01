"""Migrate the schema, step by step. This package is imported only when needed: Alembic takes time to load.

Each revision has a function that leads to it and one that leads back, by its number. To add one, write both, and name
it as `NEWEST` in `database.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, Engine, text

from fivedice.store.database import NewerSchema, revision_of
from fivedice.store.migrations import first_ten, later

_MIGRATING = 0x5D1CE  # the number of the lock that a migrating process holds


def _steps(prefix: str) -> dict[str, Callable[[], None]]:
    functions = {**vars(first_ten), **vars(later)}
    return {name.removeprefix(prefix): step for name, step in functions.items() if name.startswith(prefix)}


UPGRADES, DOWNGRADES = _steps("upgrade_"), _steps("downgrade_")


def upgrade(engine: Engine, revision: str) -> None:
    """Run the migrations up to this revision in one transaction. Raise NewerSchema if the current one is unknown."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL lock_timeout = 0"))  # wait however long the first one takes
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATING})
        now = revision_of(connection)
        if now is not None:
            require_known(now)
        _run(connection, [step for step in sorted(UPGRADES) if (now or "") < step <= revision], UPGRADES)
        _set_revision(connection, max(now or "", revision))


def downgrade(engine: Engine, revision: str = "") -> None:
    """Take back the migrations after this revision, in one transaction; all of them without one."""
    with engine.begin() as connection:
        now = revision_of(connection) or ""
        _run(connection, [step for step in sorted(DOWNGRADES, reverse=True) if revision < step <= now], DOWNGRADES)
        _set_revision(connection, revision)


def require_known(revision: str) -> None:
    """Raise NewerSchema for a revision that this version of Fivedice does not have."""
    if revision not in UPGRADES:
        raise NewerSchema(revision)


def _run(connection: Connection, revisions: list[str], steps: dict[str, Callable[[], None]]) -> None:
    with Operations.context(MigrationContext.configure(connection)):
        for revision in revisions:
            steps[revision]()


def _set_revision(connection: Connection, revision: str) -> None:
    """Write the revision where Alembic keeps it, since earlier versions of Fivedice read it with Alembic."""
    connection.execute(
        text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    )
    connection.execute(text("DELETE FROM alembic_version"))
    if revision:
        connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})
