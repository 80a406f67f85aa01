"""Backups and restores during play, between both kinds of database."""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, insert, select

from fivedice.store import schema
from fivedice.store.backups import backup_file as backups
from fivedice.store.backups.backup_file import BackupError, backup, restore
from fivedice.store.backups.integrity import Contents, check_everything
from fivedice.store.database import connect_to, migrate, open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.service import Tables
from postgres import Postgres
from support.tables import finish, play, start_game
from table.table_harness import ANN, BOB, summary


@pytest.fixture
def other(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An empty database of the other kind."""
    if database.startswith("sqlite"):
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path}/other.db"


def everything(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    found = {}
    with engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            rows = [dict(row) for row in connection.execute(select(table)).mappings()]
            for row in rows:
                row.pop("edition", None)
            found[table.name] = sorted(rows, key=repr)
    return found


def of(url: str) -> dict[str, list[dict[str, Any]]]:
    engine = open_database(url)
    found = everything(engine)
    engine.dispose()
    return found


@pytest.fixture
def played(tables: Tables, store: Store) -> str:
    """Store two tables, one of them finished, and a player's choices."""
    finish(tables, start_game(tables, ANN))
    store.choices.remember(ANN, {"name": "Ann \N{GRINNING FACE}"})
    table = start_game(tables, ANN, BOB)
    play(tables, table)
    return table


def test_restore_into_the_other_kind_of_database(
    played: str, database: str, other: str, engine: Engine, tmp_path: Path
) -> None:
    file = tmp_path / "tables.backup"
    contents = backup(database, file)
    assert (contents.tables, contents.people) == (2, 1)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "it holds the seeds of the dice"
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == ["tables.backup"]
    assert restore(other, file) == contents
    assert of(other) == everything(engine)
    again = tmp_path / "again.backup"
    assert backup(other, again) == contents
    restore(database, again, replace=True)
    assert of(database) == of(other)
    assert Tables(Store(engine)).state(played).version == sum(row["table_id"] == played for row in of(other)["events"])


@pytest.fixture
def postgres_tools(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools of the server's own version are found first."""
    monkeypatch.setenv("PATH", f"{postgres.tools}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("postgres_tools")
def test_postgresql_dump_restores_into_both_kinds(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(postgres_url)
    tables = Tables(Store(engine))
    finish(tables, start_game(tables, ANN))
    tables.store.choices.remember(ANN, {"name": "Ann \N{GRINNING FACE} \\ \t\n\u2028"})
    tables.store.shelf.save('extends = "yatzy"\nname = "Ours"\n# a tab\there, and \\N\n', ANN)
    file, portable = tmp_path / "dump", tmp_path / "portable"
    contents = backup(postgres_url, file)
    assert file.read_bytes().startswith(b"PGDMP")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert backup(postgres_url, portable, portable=True) == contents
    assert portable.read_bytes().startswith(b"SQLite")
    before, sqlite = everything(engine), f"sqlite:///{tmp_path}/other.db"
    assert restore(sqlite, file) == contents
    assert of(sqlite) == before
    assert restore(postgres_url, file, replace=True) == contents
    assert everything(engine) == before
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BackupError, match=r"dump is a dump of PostgreSQL\. Install pg_restore, or"):
        restore(sqlite, file, replace=True)
    assert backup(postgres_url, file, replace=True) == contents
    assert file.read_bytes().startswith(b"SQLite"), "row by row where there is no tool"
    engine.dispose()


@pytest.mark.usefixtures("postgres_tools")
def test_dump_of_an_older_schema_is_migrated_on_restore(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.database()
    engine = connect_to(url)
    migrate(engine, "0001")
    ann = {"id": "ann", "choices": {"name": "Ann"}, "seen": "now"}
    with engine.begin() as connection:
        connection.execute(insert(schema.players).values(**ann))
    engine.dispose()
    backup(url, tmp_path / "dump")
    restore(f"sqlite:///{tmp_path}/new.db", tmp_path / "dump")
    assert of(f"sqlite:///{tmp_path}/new.db")["players"] == [ann]


def test_backup_during_play_is_consistent(tables: Tables, database: str, other: str, tmp_path: Path) -> None:
    enough, acknowledged, opened = Event(), [0], [0]

    def go_on() -> None:
        """Play game after game: one log takes a bounded number of events, however long the backups take."""
        while not enough.is_set():
            before, table = acknowledged[0], start_game(tables, ANN)
            opened[0] += 1
            while not enough.is_set() and tables.state(table).game.outcome is None:  # type: ignore[union-attr]
                play(tables, table)
                acknowledged[0] = before + tables.state(table).version

    playing = Thread(target=go_on)
    playing.start()
    try:
        for number in range(5):
            before = acknowledged[0]
            contents = backup(database, tmp_path / f"{number}.backup")  # checked: no gap, everything folds
            assert before <= contents.events <= acknowledged[0] + 4  # of an opening or a turn on its way
    finally:
        enough.set()
        playing.join()
    assert restore(other, tmp_path / "0.backup").tables <= opened[0]


def test_checking_does_not_block_moves(
    tables: Tables, played: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, moves = tables.state(played).version, iter([1])

    def check_while_they_play(connection: Connection, *_: object) -> Contents:
        found = check_everything(connection)
        if next(moves, None):
            play(tables, played)  # from another connection
        assert check_everything(connection) == found, "the same moment"
        return found

    monkeypatch.setattr(backups, "check_everything", check_while_they_play)
    assert backups.check(database).tables == 2
    assert tables.state(played).version > before


def test_moves_during_the_copy_are_not_in_the_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = f"sqlite:///{tmp_path}/source.db"
    playing = Tables(Store(open_database(database)))
    table = start_game(playing, ANN, BOB)
    monkeypatch.setattr(backups, "_PAGES", 1)
    before = of(database)
    seen: list[tuple[int, int]] = []

    def play_on(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 3:
            play(playing, table)

    file = tmp_path / "tables.backup"
    backup(database, file, progress=play_on)
    playing.store.close()
    assert of(f"sqlite:///{file}") == before != of(database)
    assert seen[-1] == (0, 1), "games are counted, too"


def test_running_servers_serve_the_restored_data(tables: Tables, database: str, tmp_path: Path) -> None:
    """Even where the other history has come to the very same version."""
    table = start_game(tables, ANN)
    backup(database, tmp_path / "b")
    before = tables.state(table)
    play(tables, table)
    gone = summary(tables.state(table))
    restore(database, tmp_path / "b", replace=True)
    assert summary(tables.state(table)) == summary(before)
    version = tables.execute(table, cmd.RollDice(ANN), version=before.version, key="new").version
    assert version == before.version + 1
    other_process = Tables(Store(open_database(database)))
    held = (0, 1, 2)
    other_process.execute(table, cmd.RollDice(ANN, held), version=version, key="newer")
    now = summary(tables.state(table))
    assert now["version"] == gone["version"]
    assert now != gone
    other_process.store.close()


def test_command_decided_before_a_restore_is_not_written(
    tables: Tables, store: Store, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same version number, but another table: the command is decided again."""
    table = start_game(tables, ANN)
    backup(database, tmp_path / "b")
    append, restores = store.append, []

    def restore_first(*arguments: Any, **options: Any) -> None:
        if not restores:
            restores.append(restore(database, tmp_path / "b", replace=True))
        append(*arguments, **options)

    monkeypatch.setattr(store, "append", restore_first)
    headers: list[Any] = []
    found = store.header
    monkeypatch.setattr(store, "header", lambda *asked: headers.append(found(*asked)) or headers[-1])
    tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version, key="k")
    assert len({header.edition for header in headers}) == 2, "it looked again"
    assert len(tables.state(table).rolls) == 1


@pytest.mark.usefixtures("played")
def test_restore_overwrites_only_on_request(database: str, engine: Engine, tmp_path: Path) -> None:
    file = tmp_path / "tables.backup"
    backup(database, file)
    with pytest.raises(BackupError, match=r"exists already\. Choose another name, or overwrite it with --replace"):
        backup(database, file)
    backup(database, file, replace=True)
    before = everything(engine)
    with pytest.raises(BackupError, match=r"already\. Overwrite them with --replace"):
        restore(database, file)
    assert everything(engine) == before


@pytest.mark.usefixtures("played")
def test_failed_restore_changes_nothing(
    database: str, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(database, tmp_path / "b")
    before = everything(engine)
    copy = backups._copy_rows

    def break_off(*arguments: Any) -> None:
        copy(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(backups, "_copy_rows", break_off)
    with pytest.raises(KeyboardInterrupt):
        restore(database, tmp_path / "b", replace=True)
    assert everything(engine) == before


def damage(statement: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return damage


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda path: path.unlink(), "can’t be read: No such file"),
        (lambda path: path.write_text("Dear Ann"), "is not a backup of Fivedice"),
        (lambda path: os.truncate(path, 20_000), "(is not a backup of Fivedice|can’t be used)"),
        (damage("DROP TABLE alembic_version"), "is not a backup of Fivedice"),
        (damage("UPDATE alembic_version SET version_num = '9999'"), "was written by a newer Fivedice"),
        (damage("DELETE FROM events WHERE version = 2"), "is damaged. The log of game .* has gaps"),
        (damage("DELETE FROM events WHERE version = (SELECT max(version) FROM events)"), "has gaps, or ends before"),
        (damage("DELETE FROM events"), "The log of game .* is missing"),
        (damage("UPDATE events SET kind = 'Danced' WHERE version = 3"), "can’t be replayed"),
    ],
)
def test_damaged_backup_is_refused(damage: Callable[[Path], None], sentence: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    engine = open_database(url)
    tables = Tables(Store(engine))
    play(tables, start_game(tables, ANN))
    file = tmp_path / "b"
    backup(url, file)
    damage(file)
    before = everything(engine)
    with pytest.raises(BackupError, match=sentence) as refusal:
        restore(url, file, replace=True)
    assert str(file) in str(refusal.value)
    assert everything(engine) == before
    engine.dispose()


def test_damaged_database_is_backed_up_and_reported(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    tables = Tables(Store(open_database(url)))
    play(tables, start_game(tables, ANN))
    tables.store.close()
    damage("DELETE FROM events WHERE version = 2")(tmp_path / "tables.db")
    with pytest.raises(BackupError, match=r"was written, but its contents are damaged\. The log of game"):
        backup(url, tmp_path / "b")
    with closing(sqlite3.connect(tmp_path / "b")) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (1,)


def test_older_schema_is_backed_up_unchanged_and_migrated_on_restore(tmp_path: Path) -> None:
    """The backup before an upgrade may be taken by a newer program."""
    url = f"sqlite:///{tmp_path}/old.db"
    engine = connect_to(url)
    migrate(engine, "0001")
    ann = {"id": "ann", "choices": {"name": "Ann"}, "seen": "now"}
    with engine.begin() as connection:
        connection.execute(insert(schema.players).values(**ann))
    engine.dispose()
    backup(url, tmp_path / "b")
    with closing(sqlite3.connect(tmp_path / "b")) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
    restore(f"sqlite:///{tmp_path}/new.db", tmp_path / "b")
    assert of(f"sqlite:///{tmp_path}/new.db")["players"] == [ann]


def test_newer_schema_and_missing_database_are_not_backed_up(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path}/tables.db").dispose()
    damage("UPDATE alembic_version SET version_num = '9999'")(tmp_path / "tables.db")
    with pytest.raises(BackupError, match=r"tables\.db was written by a newer Fivedice. Update this one"):
        backup(f"sqlite:///{tmp_path}/tables.db", tmp_path / "b")
    assert not (tmp_path / "b").exists()
    with pytest.raises(BackupError, match="has no games of Fivedice yet"):
        backup(f"sqlite:///{tmp_path}/empty.db", tmp_path / "b")
    with pytest.raises(BackupError, match="/dev/null/b can’t be written: Not a directory"):
        backup(f"sqlite:///{tmp_path}/empty.db", Path("/dev/null/b"))
    with pytest.raises(BackupError, match="can’t be read"):
        backup("postgresql://dice@127.0.0.1:1/dice", tmp_path / "b")
    assert not (tmp_path / "b").exists()
