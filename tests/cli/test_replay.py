"""`fivedice replay` and `fivedice demo`."""

import io
import json

import pytest

import fivedice as fd


def play_game(players: list[str], *, book: str = "yatzy", turns: int | None = None) -> fd.Game:
    game = fd.Game.new(book, players, dice=fd.dice.seeded(11))
    while not game.is_over and (turns is None or turns > 0):
        game.roll()
        legal = game.position.ruling().legal
        game.mark(max(legal, key=lambda box: legal[box].points))
        turns = None if turns is None else turns - 1
    return game


def test_finished_games_show_winner_tie_or_score(fivedice, tmp_path) -> None:
    game = play_game(["Ann", "Bob"])
    file = tmp_path / "game.txt"
    file.write_text(fd.write_game(game))
    code, out, _ = fivedice("replay", str(file))
    assert code == 0
    assert f"{game.winners[0]} wins with {max(game.outcome.totals)}." in out
    assert out.count("=") >= 30
    assert "Sum with bonus" in out
    game = play_game(["Ann"])
    file.write_text(fd.write_game(game))
    assert f"Final score: {game.outcome.totals[0]}." in fivedice("replay", str(file))[1]
    game = fd.Game.new("yatzy", ["Ann", "Bob"], dice=fd.dice.real())
    for box in game.book.boxes:
        for _ in game.players:
            game.roll("12346")
            game.mark(box.key)
    file.write_text(fd.write_game(game))
    assert "Ann and Bob share the win" in fivedice("replay", str(file))[1]


def test_markup_in_names_is_shown_literally(fivedice, tmp_path):
    names = ["[/red]", "[bold]Bo[/]"]
    file = tmp_path / "game.txt"
    file.write_text(fd.write_game(play_game(names)))
    code, out, err = fivedice("replay", str(file))
    assert (code, err) == (0, "")
    sheet = next(line for line in out.splitlines() if line.strip().startswith("Yatzy"))
    assert all(name in sheet for name in names)


def test_unfinished_game_names_the_player_on_turn(fivedice, tmp_path):
    game = play_game(["Ann", "[b]Bob[/b]"], turns=3)
    file = tmp_path / "game.txt"
    file.write_text(fd.write_game(game))
    out = fivedice("replay", str(file))[1]
    assert f"In progress: {game.players[game.position.seat]}’s turn." in out
    assert "[b]Bob[/b]" in out  # a name is shown, never interpreted


def test_replay_reads_json_and_standard_input(fivedice_json, monkeypatch):
    game = play_game(["Ann", "Bob"])
    monkeypatch.setattr("sys.stdin", io.StringIO(fd.write_game(game)))
    shown = fivedice_json("replay", "-")
    assert shown == fd.notation.game_to_json(game)


def test_older_house_rules_game_needs_its_book(fivedice, tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('extends = "yatzy"\nrolls = 2\n')
    record = tmp_path / "game.txt"
    game = play_game(["Ann"], book=str(house))
    del game.tags["Rules"]
    record.write_text(fd.write_game(game))
    code, _, err = fivedice("replay", str(record))
    assert code == 2
    assert "'yatzy-house'" in err
    assert fivedice("replay", str(record), "--book", str(house))[0] == 0


@pytest.mark.parametrize(
    ("content", "said"), [(b"nonsense", "Book"), (b"\xff\xfe\x00", "not UTF-8"), (None, "can’t be read")]
)
def test_bad_files_are_refused_by_name(fivedice, tmp_path, content, said):
    file = tmp_path / "game.txt"
    if content is not None:
        file.write_bytes(content)
    code, out, err = fivedice("replay", str(file))
    assert (code, out) == (2, "")
    assert said in err


def test_wrong_score_names_round_and_player(fivedice, tmp_path):
    text = fd.write_game(play_game(["Ann"]))
    first = text.splitlines()[6]
    wrong = first.rsplit(":", 1)[0] + ":1"
    file = tmp_path / "game.txt"
    file.write_text(text.replace(first, wrong))
    code, _, err = fivedice("replay", str(file))
    assert code == 2
    assert "Round 1, " in err
    assert "Ann" in err


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_demo_plays_every_book_and_repeats_with_a_seed(fivedice, key):
    first = fivedice("demo", key, "--seed", "5")
    assert first[0] == 0
    assert first == fivedice("demo", key, "--seed", "5")


def test_demo_without_a_seed_and_several_games_in_any_form(fivedice, tmp_path) -> None:
    assert "A game of Yahtzee" in fivedice("demo")[1]
    game = play_game(["Ann", "Bob"], turns=3)
    game.comments = {0: "At the [b]harbour[/b]", 2: "a pity"}
    texts = fd.write_game(game) * 2, json.dumps([fd.notation.game_to_json(game)] * 2)
    file = tmp_path / "games.txt"
    for text in texts:
        file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        code, out, err = fivedice("replay", str(file))
        assert (code, err) == (0, "")
        assert "Game 2 of 2" in out
        assert out.count("At the [b]harbour[/b]\n") == out.count("  a pity\n") == 2


def test_demo_names_boxes_in_the_language_of_the_reader(fivedice) -> None:
    out = fivedice("demo", "yatzy", "--seed", "5", "--lang", "fi")[1]
    assert all(name in out for name in ("Yläosa", "Ykköset", "Neljä samaa", "Yhteispisteet"))
    assert "Upper" not in out
    assert "Sixes" not in out
