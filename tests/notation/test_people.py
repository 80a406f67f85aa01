"""Records of games in which players were skipped, joined or left, and of turns by points alone."""

import pytest

import fivedice as fd
from fivedice.core.game import Game
from fivedice.core.notation import game_from_json, game_to_json, read_game, read_turn, turns_of, write_game, write_turn
from fivedice.core.notation.records import MOST_MARKS
from fivedice.errors import FivediceError, IllegalRecord, MalformedError
from for_each import for_each

HEAD = '[Fivedice "1"]\n[Book "yahtzee"]\n[Players "Ann" "Bob" "Cat"]\n[First "1"]\n'


def record(body: str, totals: str, tags: str = "") -> str:
    return f"{HEAD}{tags}\n{body}\n{totals}\n"


GOOD = [
    record("1. ~12346=ch:16 - ~12346=1s:1\n2. ~12346=1s:1", "* 1 17 0"),
    record("1. ~12346=ch:16 ~12346=ch:16\n2. +2 ~=1s:1 -0 ~=1s:1", "* 16 17 1", '[Absent "2"]\n'),
    record("1. -1", "* 0 0 0"),
    record("1. ~12346=ch:16 -2", "* 0 16 0"),
    record("1. - - -\n2. ~12346=ch:16", "* 0 16 0"),
    record("1. ~12346=ch:16 -2 +2", "* 0 16 0"),
    record("1. -2 12346", "* 0 0 0"),
]


@for_each("text", GOOD)
def test_records_round_trip(text: str) -> None:
    game = read_game(text)
    written = write_game(game)
    assert [line for line in written.splitlines() if not line.startswith("[Fingerprint")] == text.splitlines()
    data = game_to_json(game)
    assert game_to_json(game_from_json(data)) == data
    assert write_game(game_from_json(data)) == written


def test_json_names_seats_where_order_is_not_plain() -> None:
    data = game_to_json(read_game(GOOD[0]))
    assert [next(iter(turn.items())) for turn in data["turns"]] == [("seat", 1), ("skip", 2), ("seat", 0), ("seat", 1)]
    assert game_to_json(read_game(GOOD[1]))["absent"] == [2]
    plain = game_to_json(read_game(record("1. ~12346=ch:16", "* 0 16 0")))
    assert "absent" not in plain
    assert "seat" not in plain["turns"][0]


BAD = [
    ("1. ~12346=ch:16\n2. ~12346=ch:16", "* 0 16 16", MalformedError, "round 1"),
    ("1. ~12346=ch:16 ~12346=ch:16 ~12346=ch:16 ~12346=1s:1", "* 16 17 16", MalformedError, "Round 1"),
    ("1. ~12346=ch:16 ~12346=ch:16 - ~12346=1s:1", "* 0 17 16", MalformedError, "Round 1"),
    ("1. ~12346=ch:16 ~12346=ch:16 ~12346=ch:16 -2\n2. ~12346=1s:1", "* 16 17 16", MalformedError, "Line 1|round 1|1"),
    ("1. 12346\n2. ~12346=ch:16", "* 0 0 16", MalformedError, "round 1"),
    ("1. 12346 -", "* 0 0 0", IllegalRecord, "Dice were rolled"),
    ("1. -3", "* 0 0 0", IllegalRecord, "There is no seat 3"),
    ("1. +", "* 0 0 0", MalformedError, "'\\+'"),
    ("1. -1234", "* 0 0 0", MalformedError, "-1234"),
    ("1. ~=4s:13", "* 0 0 0", IllegalRecord, "Fours"),
    ("1. ~=4s:12!", "* 0 12 0", IllegalRecord, "joker"),
    ("1. ~", "* 0 0 0", MalformedError, "~"),
    ("1. ~+1=4s:12", "* 0 12 0", IllegalRecord, "left over|roll"),
    ("1. " + " ".join(["-"] * (MOST_MARKS + 1)), "* 0 0 0", MalformedError, "10000|10,000"),
]


@for_each(("body", "totals", "kind", "reason"), BAD, ids=range(len(BAD)))
def test_impossible_records_are_refused(body: str, totals: str, kind: type[FivediceError], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        read_game(record(body, totals))


@for_each("text", ["~=4s:12", "~=fh:25", "~+2=4s:12"])
def test_turn_by_points_round_trip(text: str) -> None:
    book = fd.book("maxi-yatzy" if "+" in text else "yahtzee")
    text = text.replace("fh:25", "fh:0") if book.key == "maxi-yatzy" else text
    turn = read_turn(text, book)
    assert turn.by_points
    assert write_turn(turn, book) == text
    game = Game.new(book, ["Ann"], dice=fd.dice.real())
    for move in turn.moves_in(game.position):
        game.play(move)
    (again,) = turns_of(game.steps)
    assert again == turn
    assert game_to_json(game)["turns"][0].get("by_points") is True
    assert write_game(game_from_json(game_to_json(game))) == write_game(game)


def test_points_and_dice_exclude_each_other_in_json() -> None:
    data = game_to_json(read_game(record("1. ~=4s:12", "* 0 12 0")))
    for wrong in ({"rolls": ["44412"]}, {"final_dice": True}):
        with pytest.raises(MalformedError, match="points"):
            game_from_json(data | {"turns": [data["turns"][0] | wrong]})
