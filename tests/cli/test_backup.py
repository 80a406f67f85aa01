"""`fivedice backup` and `fivedice restore`."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.service import Tables

Fivedice = Callable[..., tuple[int, str, str]]


def test_backup_and_restore_round_trip(
    fivedice: Fivedice, fivedice_json: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, file = f"sqlite:///{tmp_path}/tables.db", tmp_path / "tables.backup"
    tables = Tables(Store(open_database(url)))
    tables.open("ann", "yatzy")
    tables.store.close()
    (tmp_path / "settings.toml").touch()
    monkeypatch.setenv("FIVEDICE_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("FIVEDICE_DATABASE", url)  # as the server finds it
    assert fivedice("backup", str(file)) == (0, f"Saved {file}: 1 games with 1 events, 0 people.\n", "")
    exists = f"fivedice: {file} exists already. Choose another name, or overwrite it with --replace.\n"
    assert fivedice("backup", str(file)) == (2, "", exists)
    new = f"sqlite:///{tmp_path}/new.db"
    assert fivedice_json("restore", str(file), "--database", new) == {"tables": 1, "events": 1, "people": 0}
    full = f"fivedice: {url} has games already. Overwrite them with --replace.\n"
    assert fivedice("restore", str(file)) == (2, "", full)
    code, out, _ = fivedice("restore", str(file), "--replace")
    assert (code, out) == (0, f"Restored {file}: 1 games with 1 events, 0 people.\n")
    none = f"fivedice: {tmp_path / 'none'} can’t be read: No such file or directory.\n"
    assert fivedice("restore", str(tmp_path / "none")) == (2, "", none)


def test_a_database_is_checked_without_writing(
    fivedice: Fivedice, fivedice_json: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    (tmp_path / "settings.toml").touch()
    monkeypatch.setenv("FIVEDICE_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("FIVEDICE_DATABASE", url)
    tables = Tables(Store(open_database(url)))
    table = tables.open("ann", "yahtzee")
    tables.store.close()
    assert fivedice_json("backup", "--check") == {"tables": 1, "events": 1, "people": 0}
    assert fivedice("backup", "--check")[1] == "The database is fine: 1 games with 1 events, 0 people.\n"
    assert fivedice("backup") == (
        2,
        "",
        "fivedice: Name the file: fivedice backup games.backup. To check only, use --check.\n",
    )
    with closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
        database.execute("DELETE FROM events")
    code, _, problem = fivedice("backup", "--check")
    assert code == 2
    assert table in problem
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []
