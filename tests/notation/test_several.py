"""Records handed over in any number and either form."""

from __future__ import annotations

import json

import pytest

import fivedice as fd
from fivedice.notation import game_to_json, read_games
from for_each import for_each


def game(seed: int) -> fd.Game:
    played = fd.Game.new("yatzy-forced", ["Ann", "Bob"], dice=fd.dice.seeded(seed))
    played.roll()
    played.mark("1s")
    return played


TEXTS = [fd.write_game(game(seed)) for seed in (1, 2)]


@for_each("between", ["", "\n", "\n\n \n"])
def test_texts_one_after_the_other(between: str) -> None:
    assert [fd.write_game(each) for each in read_games(between.join(TEXTS))] == TEXTS


@for_each("several", [False, True])
def test_json_alone_or_in_a_list(several: bool) -> None:
    data = game_to_json(game(1))
    read = read_games(json.dumps([data, data] if several else data))
    assert [fd.write_game(each) for each in read] == TEXTS[:1] * (2 if several else 1)


@for_each("text", ["", "  \n", "[]"])
def test_nothing_is_no_game(text: str) -> None:
    assert read_games(text) == []


@for_each(
    ("text", "message"),
    [
        ("{", "This is not JSON"),
        ("[" * 2000, "Write a tag as"),
        ("{" + '"a":' * 3 + "}", "is not JSON"),
        ("[{}]", "'book'"),
        ("{" + " " * (1 << 20), "At most"),
        ("hello", "needs one value for the tag"),
    ],
)
def test_what_is_no_record_is_refused_and_quoted(text: str, message: str) -> None:
    with pytest.raises(fd.MalformedError, match=message.replace("[", r"\[")):
        read_games(text)
