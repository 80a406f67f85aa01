"""Records handed over in any number and either form."""

import json

import pytest

import fivedice as fd
from fivedice.core.notation import game_to_json, read_games
from for_each import for_each


def game(seed: int) -> fd.Game:
    played = fd.Game.new("yatzy-forced", ["Ann", "Bob"], dice=fd.dice.seeded(seed))
    played.roll()
    played.mark("1s")
    return played


TEXTS = [fd.write_game(game(seed)) for seed in (1, 2)]


@for_each("between", ["", "\n", "\n\n \n"])
def test_several_texts_in_one_input(between: str) -> None:
    assert [fd.write_game(each) for each in read_games(between.join(TEXTS))] == TEXTS


@for_each("several", [False, True])
def test_json_alone_or_in_a_list_is_read(several: bool) -> None:
    data = game_to_json(game(1))
    read = read_games(json.dumps([data, data] if several else data))
    assert [fd.write_game(each) for each in read] == TEXTS[:1] * (2 if several else 1)


def test_records_carry_their_house_rules() -> None:
    house = fd.load_book('extends = "yatzy"\nname = "Ours: \\"four\\" rolls"\nrolls = 4')
    played = fd.Game.new(house, ["Ann"], dice=fd.dice.seeded(1))
    played.roll()
    texts = [TEXTS[0], fd.write_game(played), TEXTS[1]]
    data = [game_to_json(each) for each in (game(1), played, game(2))]
    for form in ("\n".join(texts), json.dumps(data)):
        read = read_games(form)
        assert [fd.write_game(each) for each in read] == texts
        assert fd.write_book(read[1].book) == fd.write_book(house)


def test_rules_in_a_record_are_checked() -> None:
    house = fd.load_book('extends = "yatzy"\nrolls = 4')
    text = fd.write_game(fd.Game.new(house, ["Ann"], dice=fd.dice.real()))
    rules = next(line for line in text.splitlines() if line.startswith("[Rules "))
    older = text.replace(f"{rules}\n", "")
    assert fd.write_game(fd.read_game(older, house)) == older  # a sealed record stays as it was
    other = text.replace("rolls = 4", "rolls = 5")
    for wrong, book, error, reason in (
        (older, None, fd.UnknownBook, "no rules 'yatzy-house'"),
        (other, None, fd.IllegalRecord, "Give the rules it was played by"),
        (text.replace("rolls = 4", "rolls = 40"), None, fd.IllegalRecord, "line 9: .*from 1 to 9"),
        (text.replace(rules, '[Rules "rolls"]'), None, fd.IllegalRecord, "The rules in this record"),
        (text.replace('[Book "yatzy-house"]', '[Book "other"]'), None, fd.IllegalError, "The text is about 'other'"),
        (text, fd.book("yatzy"), fd.IllegalError, "The text is about 'yatzy-house'"),
    ):
        with pytest.raises(error, match=reason):
            fd.read_game(wrong, book)
    assert fd.read_game(text, house).book is house


@for_each("text", ["", "  \n", "[]"])
def test_empty_input_is_refused(text: str) -> None:
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
def test_non_record_is_refused_and_quoted(text: str, message: str) -> None:
    with pytest.raises(fd.MalformedError, match=message.replace("[", r"\[")):
        read_games(text)
