"""`fivedice stats`: over files, over the games of this terminal, as CSV and JSON."""

import csv
import io
from pathlib import Path

import pytest

import fivedice as fd


def play_game(seed: int, names: list[str], book: str = "yatzy-forced") -> fd.Game:
    game = fd.Game.new(book, names, dice=fd.dice.seeded(seed), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    return game


@pytest.fixture
def records(tmp_path: Path) -> str:
    file = tmp_path / "games.txt"
    unfinished = fd.Game.new("yatzy-forced", ["Ann"], dice=fd.dice.seeded(9))
    unfinished.roll()
    games = [play_game(1, ["Ann", "=Bob"]), play_game(2, ["ann"]), unfinished]
    games[0].tags = {"Date": "2024-02-29"}
    file.write_text("\n".join(map(fd.write_game, games)), encoding="utf-8")
    return str(file)


def test_stats_of_one_player_in_words(fivedice, records):
    code, out, _ = fivedice("stats", records, "--name", "ANN")
    assert code == 0
    totals = [play_game(1, ["Ann", "=Bob"]).position.cards[0].total, play_game(2, ["ann"]).position.cards[0].total]
    assert f"2 games, {sum(totals) / 2:.1f} on average, best {max(totals)}" in out
    assert "Perfect play: 122.6 on average." in out
    assert "Where points are lost" in out


def test_rules_without_a_solution_are_left_out_and_named(fivedice, tmp_path) -> None:
    large, small = tmp_path / "large.txt", tmp_path / "small.txt"
    games = [play_game(seed, ["Ann"], "maxi-yatzy") for seed in (1, 2)]
    large.write_text("".join(map(fd.write_game, games)), encoding="utf-8")
    small.write_text(fd.write_game(play_game(1, ["Ann"])), encoding="utf-8")
    code, out, err = fivedice("stats", str(large), str(small))
    assert (code, "1 game, " in out, "Maxi Yatzy" in out) == (0, True, False)
    assert err.count("Games of Maxi Yatzy are left out. Solving Maxi Yatzy takes") == 1
    assert fivedice("stats", str(large))[0] == 2


def test_stats_json_has_games_and_box_means(fivedice_json, records):
    (book,) = fivedice_json("stats", records)["books"]
    assert (book["count"], book["judged"]) == (3, 3)
    assert [game["when"] for game in book["games"]] == ["", "2024-02-29", "2024-02-29"]
    for game in book["games"]:
        assert 122.5585273964 + game["luck"] - game["lost"] == pytest.approx(game["total"], abs=1e-6)
    ones = [game["boxes"][book["boxes"][0]["box"]] for game in book["games"]]
    assert book["boxes"][0]["mean"] == pytest.approx(sum(ones) / 3)
    assert sum(box["perfect"] for box in book["boxes"]) <= book["perfect"]["mean"]
    lost = sum(game["lost"] for game in book["games"]) / 3
    assert sum(step["lost"] for step in book["lost_by_step"]) == pytest.approx(lost)
    assert sum(box["lost"] for box in book["boxes"]) == pytest.approx(lost)


def test_csv_is_readable_and_has_no_formulas(fivedice, records):
    rows = list(csv.DictReader(io.StringIO(fivedice("stats", records, "--csv")[1])))
    assert [row["name"] for row in rows] == ["Ann", "'=Bob", "ann"]
    boxes = sum(int(points) for name, points in rows[0].items() if name.startswith("box_"))
    assert boxes + 50 * int(rows[0]["upper_bonus"]) == int(rows[0]["total"])


def test_stats_of_this_terminal(fivedice, monkeypatch, tmp_path):
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path))
    code, _, err = fivedice("stats")
    assert (code, "There is no finished game to count." in err) == (2, True)
    moves = "roll\nscore {}\n"
    lines = "".join(moves.format(box.key) for box in fd.book("yatzy-forced").boxes)
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert fivedice("play", "yatzy-forced", "Ann", "--plain", "--seed", "1")[0] == 0
    code, out, _ = fivedice("stats")
    assert code == 0
    assert "1 game, " in out


def test_unknown_player_name_is_quoted(fivedice, records):
    code, _, err = fivedice("stats", records, "--name", "Zoe")
    assert (code, "'Zoe'" in err) == (2, True)
