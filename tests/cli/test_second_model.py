"""The commands with books of several bonuses, extras of all kinds and saved rolls."""

import json
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.core.notation import write_game
from fivedice.core.rules import RuleBook, write_book
from rules.second_houses import BY_STEP, COLOURED, SAVING, STEPPED


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path_factory.getbasetemp() / "solutions"))


@pytest.fixture
def file(tmp_path):
    """A book as a file."""

    def write(book: RuleBook) -> str:
        path: Path = tmp_path / f"{book.key}.toml"
        path.write_text(write_book(book), encoding="utf-8")
        return str(path)

    return write


def play_game(book: RuleBook, turns: int | None = None) -> fd.Game:
    """Each player scores the first roll where it pays most."""
    game = fd.Game.new(book, ["Ann", "Bob"], dice=fd.dice.seeded(4))
    while not game.is_over and turns != 0:
        game.roll()
        legal = game.position.ruling().legal
        game.mark(max(legal, key=lambda box: legal[box].points))
        turns = None if turns is None else turns - 1
    return game


def test_score_names_the_section_due_first(fivedice, fivedice_json, file):
    assert fivedice_json("score", file(STEPPED), "112")["legal"] == {"aces": 2, "twos": 2}
    assert "The Upper section comes first." in fivedice("score", file(STEPPED), "112")[1]
    legal = fivedice_json("score", file(STEPPED), "112", "--card", "1s:2,2s:2")["legal"]
    assert legal == {"pair": 12, "chance": 4}


def test_score_handles_colours_totals_saved_rolls_and_extras(fivedice_json, file) -> None:
    assert fivedice_json("score", file(COLOURED), "144")["legal"] == {
        "even": 0,
        "odd": 5,
        "low": 0,
        "nine": 15,
        "flush": 35,
        "crag": 50,
    }
    assert fivedice_json("score", file(SAVING), "112", "--card", "aces=2+2")["legal"].keys() == {
        "twos",
        "pair",
        "chance",
    }
    assert fivedice_json("score", file(BY_STEP), "111", "--card", "1s:3,yz:50,yb:50/1")["bonus"] == 20


def test_game_with_saved_rolls_is_replayed(fivedice, file, tmp_path):
    record = tmp_path / "game.txt"
    record.write_text(write_game(play_game(SAVING, turns=3)), encoding="utf-8")
    code, out, _ = fivedice("replay", str(record), "--book", file(SAVING))
    assert code == 0
    (saved,) = [line.split()[-2:] for line in out.splitlines() if "Saved rolls" in line]
    assert saved == ["2", "4"], "Bob began, and every turn left two"
    record.write_text(write_game(play_game(SAVING)), encoding="utf-8")
    assert "Saved rolls" not in fivedice("replay", str(record), "--book", file(SAVING))[1]


def test_odds_and_hints_with_bonuses_and_saved_rolls(fivedice, fivedice_json, file) -> None:
    found = fivedice_json("odds", file(STEPPED))
    beside = found["mean"] - sum(found["boxes"].values())
    out = fivedice("odds", file(STEPPED))[1]
    (line,) = [line for line in out.splitlines() if line.split()[:2] == ["All", "bonuses"]]
    assert float(line.split()[-1]) == pytest.approx(beside, abs=0.006)
    assert beside > 10, "two bonuses and the steps of the first"
    simulated = fivedice("simulate", file(STEPPED), "--games", "2000")[1]
    (line,) = [line for line in simulated.splitlines() if line.split()[:2] == ["All", "bonuses"]]
    assert float(line.split()[-1]) == pytest.approx(beside, rel=0.1)
    code, out, _ = fivedice("odds", file(SAVING))
    assert code == 0
    assert "from the empty score sheet:" in out
    assert "Odds are not worked out where rolls are saved, only expected totals." in " ".join(out.split())
    assert list(fivedice_json("odds", file(SAVING), "--card", "1s:2+1")) == ["mean"]
    code, _, err = fivedice("chase", file(SAVING), "--target", "20")
    assert code != 0
    assert "Odds are not worked out" in err
    answer = fivedice_json("hint", file(SAVING), "112", "--rolls-left", "4", "--card", "1s:2+2")
    assert {next(iter(option)) for option in answer["options"]} == {"keep", "box"}
    code, _, err = fivedice("hint", file(SAVING), "112", "--rolls-left", "5", "--card", "1s:2+2")
    assert code != 0
    assert "4" in err


@pytest.mark.parametrize("book", [SAVING, STEPPED, BY_STEP], ids=lambda book: book.key)
def test_reports_and_statistics_of_every_kind(fivedice, fivedice_json, file, tmp_path, book):
    record = tmp_path / "game.txt"
    record.write_text(write_game(play_game(book)), encoding="utf-8")
    answer = fivedice_json("report", str(record), "--book", file(book))
    for player in answer["players"]:
        right = player["expected_at_start"] + player["luck"] - player["lost"]
        assert player["total"] == pytest.approx(right, abs=1e-9)
        assert (player["better_than"] is None) == book.save_rolls
    assert fivedice("report", str(record), "--book", file(book), "--turns")[0] == 0
    code, out, _ = fivedice("stats", str(record), "--book", file(book), "--name", "Ann")
    assert code == 0
    assert "Choosing the box at the end" in out
    made = tmp_path / "report.json"
    assert fivedice("report", str(record), "--book", file(book), "--out", str(made))[0] == 0
    assert json.loads(made.read_text(encoding="utf-8"))["finished"]


@pytest.mark.parametrize("key", ["kniffel", "kismet", "yacht", "crag", "maxi-yatzy"])
def test_demo_of_each_new_book(fivedice, key):
    code, out, _ = fivedice("demo", key, "--seed", "3")
    assert code == 0
    assert "Ann" in out
