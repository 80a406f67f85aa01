"""The schema, its migrations, and the settings of every connection."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect
from sqlalchemy.exc import IntegrityError

from fivedice.errors import MalformedError
from fivedice.store import schema
from fivedice.store.database import NEWEST, migrate, open_database
from fivedice.store.migrations import DOWNGRADES, UPGRADES, downgrade
from for_each import for_each
from postgres import Postgres


def differences(engine: Engine) -> list[object]:
    with engine.begin() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), schema.metadata))


def names(engine: Engine) -> set[str]:
    return set(inspect(engine).get_table_names())


def test_newest_schema_is_the_last_migration() -> None:
    """A migration that is not named as the newest would never run."""
    assert max(UPGRADES) == NEWEST
    assert sorted(UPGRADES) == sorted(DOWNGRADES) == [f"{number:04}" for number in range(1, len(UPGRADES) + 1)]


def test_migrations_build_the_schema_with_its_constraints(engine: Engine) -> None:
    assert names(engine) == {*schema.metadata.tables, "alembic_version"}
    assert differences(engine) == []
    # Comparing metadata does not look at everything.
    found = inspect(engine)
    assert [unique["column_names"] for unique in found.get_unique_constraints("events")] == [["table_id", "key"]]
    assert [index["name"] for index in found.get_indexes("seats")] == ["seats_by_player"]
    for table in schema.metadata.sorted_tables:
        keys = [column.name for column in table.primary_key]
        assert found.get_pk_constraint(table.name)["constrained_columns"] == keys
        foreign = {key["referred_table"] for key in found.get_foreign_keys(table.name)}
        assert foreign == {key.column.table.name for key in table.foreign_keys}


def test_migrations_go_down_and_up_again(engine: Engine) -> None:
    downgrade(engine)
    assert names(engine) == {"alembic_version"}
    migrate(engine)
    assert differences(engine) == []
    migrate(engine)  # nothing is left to do
    assert differences(engine) == []


def test_sqlite_connections_wait_and_sync(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path}/tables.db")
    connections = [engine.connect() for _ in range(12)]  # more than the pool keeps
    try:
        for connection in connections:
            asked = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
            found = [connection.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]  # type: ignore[attr-defined]
            assert found == ["wal", 3, 10000, 1]  # 3 is EXTRA: more than FULL, which is 2
    finally:
        for connection in connections:
            connection.close()
        engine.dispose()


def test_postgresql_connections_sync_and_bound_waits(postgres_url: str) -> None:
    engine = open_database(postgres_url)
    asked = ("synchronous_commit", "transaction_isolation", "lock_timeout", "idle_in_transaction_session_timeout")
    with engine.connect() as connection:
        found = [connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in asked]
        assert found == ["on", "read committed", "10s", "30s"]
        assert connection.exec_driver_sql("SHOW application_name").scalar_one().startswith("fivedice-")
    engine.dispose()


def test_concurrent_starts_migrate_once(postgres: Postgres) -> None:
    """Without the lock all but one would fail on an existing table."""
    url = postgres.database()
    with ThreadPoolExecutor(6) as pool:
        engines = list(pool.map(open_database, [url] * 6))
    assert differences(engines[0]) == []
    for engine in engines:
        engine.dispose()


@for_each(
    ("url", "sentence"),
    [
        ("nonsense", "'nonsense' is not a database URL. Use one such as sqlite:"),
        ("mysql://host/name", "'mysql' is not supported. Use one such as sqlite:"),
        (
            "postgresql://dice:pass-word@127.0.0.1:1/tables",
            "The database postgresql://dice:***@127.0.0.1:1/tables can’t",
        ),
        ("sqlite:////dev/null/x/tables.db", "Games can’t be kept in /dev/null/x: Not a directory."),
    ],
)
def test_unopenable_database_is_named(url: str, sentence: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        open_database(url)
    assert sentence in str(refusal.value)
    assert "pass-word" not in str(refusal.value)


def test_folder_is_created_and_foreign_file_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 1000)
    with pytest.raises(MalformedError, match="file is not a database"):
        open_database(f"sqlite:///{path}")
    assert path.read_text() == "Dear Ann, " * 1000
    path = tmp_path / "not" / "there 100%" / "tables.db"
    engine = open_database(f"sqlite:///{path}")
    engine.dispose()
    assert path.exists()


def test_events_need_their_table(engine: Engine) -> None:
    row = {"table_id": "none", "version": 1, "kind": "Left", "data": {"seat": 0}, "at": "now"}
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(schema.events.insert().values(**row))


def test_hashes_and_codes_fit_their_columns() -> None:
    lengths = {column.name: column.type.length for column in schema.tables.columns if hasattr(column.type, "length")}
    assert lengths["id"] >= 16
    assert lengths["secret"] >= 64
    assert schema.events.c.key.type.length >= 64  # type: ignore[attr-defined]
    assert schema.handovers.c.code.type.length >= 64  # type: ignore[attr-defined]
    assert schema.seats.c.name.type.length >= 60  # type: ignore[attr-defined]
