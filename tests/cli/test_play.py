"""`fivedice play` and `fivedice games`: accepted input, refusals, and saved games."""

import json
import sqlite3
from io import StringIO
from pathlib import Path

import pytest

from fivedice.core.notation import read_game

HOUSE = 'extends = "yahtzee"\nname = "Our Yahtzee"\n[bonus]\npoints = 50\n'


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("sys.stdin", StringIO())
    return tmp_path / "data"


def assert_refused(result, *words: str) -> None:
    code, out, err = result
    assert (code, out) == (2, "")
    assert err.startswith("fivedice: ")
    assert "Traceback" not in err
    assert all(word in err for word in words), err


def test_missing_terminal_names_the_alternative(fivedice, data_folder):
    assert_refused(fivedice("play"), "fivedice play --plain")
    assert not data_folder.exists(), "nothing was begun"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Ann", "Bob"], ["There are no rules 'Ann'", "fivedice play yahtzee Ann Bob"]),
        (["yahtze"], ["Did you mean 'yahtzee'?"]),
        (["yahtzee", "A\x1bB"], ["A name has 1 to 60 visible characters"]),
        (["yahtzee", " "], ["A name has 1 to 60 visible characters"]),
        (["yahtzee", "Ann", "Ann"], ["Two players are called 'Ann'"]),
        (["yahtzee", "--bot", "clever"], ["There is no bot 'clever'", "steady"]),
        (["yahtzee", "--pad", "--bot", "steady"], ["can’t roll real dice"]),
        (["missing.toml"], ["missing.toml", "cannot be read"]),
        (["--resume"], ["No game is in progress"]),
        (["--game", "xyz"], ["There is no game 'xyz'"]),
        (["yatzy", "--resume"], ["Use --resume or --game without rules or names"]),
        (["yahtzee", *(f"P{number}" for number in range(13))], ["full"]),
    ],
)
def test_unplayable_arguments_are_refused(fivedice, arguments, words):
    assert_refused(fivedice("play", *arguments, "--plain"), *words)
    assert fivedice("games")[1] == "No games yet. Start one with: fivedice play\n"


def test_invalid_house_rules_file_is_refused(fivedice, tmp_path):
    for name, content in {"bad.toml": b"[[[", "binary.toml": b"\xff\xfe", "odd.toml": b'extends = "chess"'}.items():
        (tmp_path / name).write_bytes(content)
        assert_refused(fivedice("play", str(tmp_path / name), "--plain"), name)


@pytest.mark.parametrize("command", [["play", "--plain"], ["games"], ["games", "export"]])
def test_unusable_data_folder_is_reported(fivedice, tmp_path, monkeypatch, command):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "file"))
    assert_refused(fivedice(*command), "Games can’t be kept in", "FIVEDICE_DATA")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "tables.db").write_text("this is not a database")
    monkeypatch.setenv("FIVEDICE_DATA", str(broken))
    assert_refused(fivedice(*command), "file is not a database")


def test_locked_database_is_reported(fivedice, data_folder, monkeypatch):
    assert fivedice("play", "--plain")[0] == 0
    monkeypatch.setattr("fivedice.store.database._set_up_sqlite", lambda connection, _: impatient(connection))
    holder = sqlite3.connect(data_folder / "tables.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert_refused(fivedice("play", "--plain"), "another program blocks the database")
    holder.rollback()
    holder.close()


def impatient(connection) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout = 1")


def test_games_are_listed_and_exported(fivedice, fivedice_json, tmp_path):
    assert fivedice("play", "yatzy", "Ann", "Bob", "--plain", "--seed", "1")[0] == 0
    (entry,) = fivedice_json("games")["games"]
    assert (entry["book"], entry["names"], entry["phase"]) == ("yatzy", ["Ann", "Bob"], "playing")
    assert "in progress" in fivedice("games")[1]
    record = fivedice("games", "export", entry["id"])[1]
    assert read_game(record).players == ("Ann", "Bob")
    assert fivedice("games", "export", "--out", str(tmp_path / "all.txt"))[0] == 0
    assert (tmp_path / "all.txt").read_text() == record
    assert_refused(fivedice("games", "export", "nothing"), "There is no game 'nothing'")
    assert_refused(fivedice("games", "export", "--out", str(tmp_path)), "can’t be written")


def test_ids_may_start_with_a_hyphen_and_be_shortened(fivedice, monkeypatch):
    ids = iter(["-abcdefghijk", "word", "-abXXXXXXXXX", "word"])
    with monkeypatch.context() as foreseen:
        foreseen.setattr("fivedice.table.service.table_creation.secrets.token_urlsafe", lambda _: next(ids))
        for name in ("Ann", "Bob"):
            assert fivedice("play", "yatzy", name, "--plain", "--seed", "1")[0] == 0
    for typed in ("-abcdefghijk", "-abc"):
        assert read_game(fivedice("games", "export", typed)[1]).players == ("Ann",)
    assert read_game(fivedice("games", "export", "-abX")[1]).players == ("Bob",)
    assert "-abcdefg " in fivedice("games")[1]
    assert_refused(fivedice("games", "export", "-ab"), "2 games begin with '-ab'")
    assert_refused(fivedice("games", "export", "-abd"), "There is no game '-abd'")
    assert_refused(fivedice("games", "export", ""), "There is no game ''")


def test_game_continues_without_its_rules_file(fivedice, tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text(HOUSE)
    assert "Our Yahtzee." in fivedice("play", str(file), "--plain")[1]
    file.unlink()
    assert "Our Yahtzee." in fivedice("play", "--resume", "--plain")[1]


def test_bot_from_a_file(fivedice, fivedice_json, tmp_path, monkeypatch):
    file = tmp_path / "my_bot.py"
    file.write_text("class Steady:\n    def choose(self, position):\n        return position.legal_moves[-1]\n")
    with monkeypatch.context() as fresh:
        fresh.setattr("fivedice.players.bots.registry._registered", {})
        assert fivedice("play", "crag", "Ann", "--bot", f"{file}:Steady", "--plain", "--seed", "1")[0] == 0
    assert fivedice_json("games")["games"][0]["names"] == ["Ann", "My-steady bot"]
    with monkeypatch.context() as fresh:
        fresh.setattr("fivedice.players.bots.registry._registered", {})
        assert fivedice("play", "--resume", "--bot", f"{file}:Steady", "--plain")[0] == 0
    assert_refused(fivedice("play", "crag", "--bot", f"{file}:Nothing", "--plain"), "my_bot.py:Nothing")
    assert_refused(fivedice("play", "--resume", "--bot", "steady", "--plain"), "--resume")


def test_programming_error_prints_one_line(fivedice, monkeypatch):
    monkeypatch.setattr("fivedice.terminal.plain_table.PlainTable.play", lambda _: json.loads("{"))
    code, _, err = fivedice("play", "--plain")
    assert code == 1
    assert "An unexpected error occurred (JSONDecodeError" in err
    assert err.count("\n") == 1


def test_house_rules_games_are_listed_by_name(fivedice, fivedice_json, tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text('extends = "yatzy"\nname = "Our [own] Yatzy"\nrolls = 4\n', encoding="utf-8")
    assert fivedice("play", str(file), "Ann", "--plain", "--seed", "1")[0] == 0
    entry = fivedice_json("games")["games"][0]
    assert entry["house"] == "Our [own] Yatzy"
    assert "Our [own] Yatzy" in fivedice("games")[1]
    assert fivedice("play", "yahtzee", "Bob", "--plain", "--seed", "1")[0] == 0
    assert fivedice("games", "export", "--out", str(tmp_path / "all.txt"))[0] == 0
    assert {each["book"] for each in fivedice_json("replay", str(tmp_path / "all.txt"))} == {"yahtzee", "yatzy-house"}
    assert entry["book"] not in fivedice("games")[1]
