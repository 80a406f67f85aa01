"""`fivedice data`: the data kept about a player, by key or for this terminal."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.service import Tables
from fivedice.terminal.session import TERMINAL

Fivedice = Callable[..., tuple[int, str, str]]
KEY = "k" * 30
ANN, BOB = player_id(KEY), player_id("b" * 30)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    url = f"sqlite:///{tmp_path}/tables.db"
    (tmp_path / "settings.toml").touch()
    monkeypatch.setenv("FIVEDICE_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("FIVEDICE_DATABASE", url)
    tables = Tables(Store(open_database(url)))
    tables.store.choices.remember(ANN, {"name": "Annabel"})
    then = [cmd.SitDown(ANN, "Annabel"), cmd.SitDown(BOB, "Bob"), cmd.StartGame(ANN)]
    tables.open(ANN, "yatzy", then=then)
    tables.open(TERMINAL, "yatzy", then=[cmd.SitDown(TERMINAL, "Tess"), cmd.StartGame(TERMINAL)])
    yield tables
    tables.store.close()


def test_data_is_shown_and_written(
    fivedice: Fivedice, fivedice_json: Callable[..., Any], tables: Tables, tmp_path: Path
) -> None:
    assert tables.store.own_data.of(ANN)["games"]
    out = fivedice("data", "--key", KEY)[1]
    assert out.startswith("Name: Annabel. 1 game, 0 house rules.\n")
    assert [game["name"] for game in fivedice_json("data")["games"]] == ["Tess"]
    file = tmp_path / "mine.json"
    assert fivedice("data", "export", "--key", KEY, "--out", str(file))[0] == 0
    assert json.loads(file.read_text()) == json.loads(fivedice("data", "export", "--key", KEY)[1])
    assert json.loads(file.read_text())["games"][0]["name"] == "Annabel"


def test_data_is_deleted_after_confirmation(
    fivedice: Fivedice, fivedice_json: Callable[..., Any], tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tables.store.own_data.of(ANN)["games"][0]["id"]
    code, _, err = fivedice("data", "delete", "--key", KEY)
    assert (code, "--yes" in err) == (2, True)
    assert tables.state(table).seats[0].given == "Annabel"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{KEY}\n"))
    assert fivedice_json("data", "delete", "--key", "-", "--yes") == {"games": 1}
    assert [seat.name for seat in tables.state(table).seats] == ["Former player 1", "Bob"]
    assert fivedice("data", "delete", "--yes")[1] == "Deleted. 1 game was changed or deleted.\n"
    assert fivedice_json("data")["games"] == []


def test_keys_are_never_quoted(fivedice: Fivedice, tables: Tables) -> None:
    assert tables.store.own_data.of(ANN)
    code, out, err = fivedice("data", "--key", " ")
    assert (code, out, err) == (2, "", "fivedice: The key is empty. Give the key of a browser or a program.\n")
