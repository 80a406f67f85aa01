"""The database file is private, and no move is acknowledged in a removed file."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fivedice.errors import MalformedError
from fivedice.store import database
from fivedice.store.database import DatabaseReplaced, open_database
from fivedice.store.retention import Retention
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.service import Tables
from fivedice.web.jobs.telemetry import Health, Housekeeping

posix = pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")


@pytest.fixture
def umask() -> Iterator[None]:
    """Use a system whose default lets others read."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@posix
@pytest.mark.usefixtures("umask")
def test_new_database_is_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tables.db"
    engine = open_database(f"sqlite:///{path}")
    Store(engine).probe()
    assert mode(path.parent) == 0o700
    assert {file.name: mode(file) for file in path.parent.iterdir()} == dict.fromkeys(
        ("tables.db", "tables.db-wal", "tables.db-shm"), 0o600
    )
    engine.dispose()


@posix
@pytest.mark.usefixtures("umask")
def test_existing_database_is_made_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder too where it is our own; a folder that others use is theirs to close."""
    for name, folder_mode in (("ours", 0o700), ("others", 0o777)):
        path = tmp_path / name / "tables.db"
        open_database(f"sqlite:///{path}").dispose()
        path.chmod(0o644)
        path.parent.chmod(0o777)
        monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "ours"))
        open_database(f"sqlite:///{path}").dispose()
        assert (mode(path), mode(path.parent)) == (0o600, folder_mode)


def _deleted(path: Path) -> None:
    path.unlink()


def _replaced(path: Path) -> None:
    """As `cp` of a backup over it with another program's way: a new file under the old name."""
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


def _log_deleted(path: Path) -> None:
    Path(f"{path}-wal").unlink()


def _cut(path: Path) -> None:
    os.truncate(path, 0)


@posix
@pytest.mark.parametrize("harm", [_deleted, _replaced, _log_deleted, _cut])
def test_no_move_is_acknowledged_in_a_removed_file(tmp_path: Path, harm: object) -> None:
    path = tmp_path / "tables.db"
    engine = open_database(f"sqlite:///{path}")
    tables = Tables(Store(engine))
    table = tables.open("ann", "yatzy", then=[cmd.SitDown("ann", "Ann"), cmd.StartGame("ann")])
    harm(path)  # type: ignore[operator]
    version = tables.state(table).version
    with pytest.raises(DatabaseReplaced, match="was deleted or replaced") as refused:
        tables.execute(table, cmd.RollDice("ann"), version=version, key="one")
    said = f"{refused.value} {dict(refused.value.message.args)}"  # the API sends both
    assert str(tmp_path) not in said, "visitors read it"
    engine.dispose()


@posix
def test_file_removed_during_commit_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    engine = open_database(f"sqlite:///{path}")
    store = Store(engine)
    store.probe()
    wrote: list[str] = []

    def job(_: object) -> None:
        wrote.append("here")
        path.unlink()

    with pytest.raises(DatabaseReplaced):
        store._writer.write(job)
    assert wrote
    engine.dispose()


@posix
def test_replaced_file_serves_again(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    engine = open_database(f"sqlite:///{path}")
    store = Store(engine)
    store.probe()
    path.rename(tmp_path / "elsewhere")
    with pytest.raises(DatabaseReplaced):
        store.probe()
    (tmp_path / "elsewhere").rename(path)
    store.probe()
    engine.dispose()


@posix
def test_removed_database_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    """A second connection would create it, and people would find none of their games."""
    path = tmp_path / "tables.db"
    engine = open_database(f"sqlite:///{path}")
    path.unlink()
    with engine.connect(), pytest.raises(DatabaseReplaced):
        engine.connect()
    assert not path.exists()
    engine.dispose()


def test_closed_engine_reopens(tmp_path: Path) -> None:
    """SQLite takes its log away with the last connection, and makes another one."""
    engine = open_database(f"sqlite:///{tmp_path}/tables.db")
    store = Store(engine)
    store.probe()
    engine.dispose()
    store.probe()
    engine.dispose()


def broken(path: Path) -> str:
    """A database with a broken page."""
    engine = open_database(f"sqlite:///{path}")
    tables = Tables(Store(engine))
    for _ in range(40):
        tables.open("ann", "yatzy", then=[cmd.SitDown("ann", "Ann")])
    engine.dispose()
    with closing(sqlite3.connect(path)) as line:
        line.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages = line.execute("PRAGMA page_count").fetchone()[0]
    content = bytearray(path.read_bytes())
    content[4096 * (pages - 2) : 4096 * (pages - 1)] = b"\xff" * 4096
    path.write_bytes(content)
    return f"sqlite:///{path}"


def test_damaged_page_is_reported_at_start(tmp_path: Path) -> None:
    with pytest.raises(MalformedError, match=r"tables\.db is damaged: .*Restore a backup"):
        open_database(broken(tmp_path / "tables.db"), careful=True)


def test_large_file_is_checked_after_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = broken(tmp_path / "tables.db")
    monkeypatch.setattr(database, "CHECKED_AT_START", 1000)
    store = Store(open_database(url, careful=True))
    health = Health(store)
    asyncio.run(Housekeeping(store, Retention(0, 0), health.note_damage)._check_pages())
    assert asyncio.run(health.problem()) == "damaged"
    store.close()
    sound = Store(open_database(f"sqlite:///{tmp_path}/sound.db", careful=True))
    assert sound.find_broken_page() is None
    sound.close()
