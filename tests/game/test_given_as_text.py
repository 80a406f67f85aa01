"""Books, rolls and keeps given as text, and games that continue from a position."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.core import notation

CARD = fd.Scorecard.of(fd.book("yatzy"), {"fours": 12})


def test_dice_are_accepted_as_text_faces_or_values() -> None:
    for keep in ("66", "6-6", [6, 6], (6, 6), fd.Roll.parse("66"), fd.Keep.parse("66")):
        assert fd.Hold(keep) == fd.Hold(fd.Keep.parse("66")) == fd.Hold(keep="66")
    assert fd.Hold("-") == fd.Hold([]) == fd.Hold(fd.Keep(()))
    assert fd.Throw("64246", last=True) == fd.Throw(fd.Roll.parse("24466"), last=True)
    roll = fd.Roll.parse("24466")
    assert CARD.options("24466") == CARD.options([2, 4, 4, 6, 6]) == CARD.options(roll)
    assert CARD.ruling("44444").legal == CARD.ruling(fd.Roll.parse("44444")).legal
    assert fd.dice.ways("24466") == fd.dice.ways(roll) == 30
    assert fd.dice.keeps_of("24466") == fd.dice.keeps_of(roll)
    assert fd.RollOff(CARD.book, 2).throw("13456").throws == (fd.Roll.parse("13456"),)


def test_books_are_accepted_by_key_or_path(tmp_path: Path) -> None:
    yatzy, file = fd.book("yatzy"), tmp_path / "ours.toml"
    file.write_text(fd.write_book("crag").replace('"crag"', '"ours"'), encoding="utf-8")
    for book in ("yatzy", yatzy):
        assert fd.Scorecard.of(book, {"4s": 12}) == CARD
        assert fd.Scorecard.empty(book).book is yatzy
        assert fd.Position.start(book, 2) == fd.Position.start(yatzy, 2)
        assert fd.Game.new(book).book is yatzy
        assert fd.write_book(book) == yatzy.text
        assert notation.read_card("4s:12", book) == CARD
        assert notation.write_turn(notation.read_turn("24466=4s:8", book), book) == "24466=4s:8"
        assert notation.card_from_json({"marks": {"fours": 12}}, book) == CARD
        assert fd.read_position("yatzy - 0 - 3", book) == fd.Position.start(yatzy, 1)
    for path in (file, str(file)):
        game = fd.Game.new(path)
        assert fd.Scorecard.empty(path).book == game.book
        assert fd.read_game(fd.write_game(game), path).book == game.book
        assert fd.read_games(json.dumps(notation.game_to_json(game)), path)[0].book == game.book


def test_refusal_names_the_accepted_types() -> None:
    wrong: dict[str, Callable[[], object]] = {
        "6": lambda: fd.Hold(6),  # type: ignore[arg-type]
        "one digit per die": lambda: fd.Hold("6x"),
        "None": lambda: CARD.options(None),  # type: ignore[arg-type]
        "Give rules by their key, such as 'yatzy', .* You gave 7": lambda: fd.book(7),  # type: ignore[arg-type]
        "You gave None": lambda: fd.Scorecard.empty(None),  # type: ignore[arg-type]
        "Give a Position, .* You gave 'yatzy": lambda: fd.Game.of("yatzy - 0 - 3"),  # type: ignore[arg-type]
    }
    for says, call in wrong.items():
        with pytest.raises(fd.MalformedError, match=says):
            call()


def test_game_continues_from_a_position() -> None:
    position = fd.read_position("yatzy 1s:3|4s:12 1 24466 2")
    game = fd.Game.of(position, dice=fd.dice.scripted("144 66"))
    assert (game.position, game.players, game.book) == (position, ("Player 1", "Player 2"), position.book)
    game.hold("66")
    assert str(game.roll().after.dice) == "14466"
    assert game.mark("sixes").after.cards[1].total == 24
    assert game.position.seat == 0
    assert game.undo(3) == position
    with pytest.raises(fd.IllegalMove, match="take back"):
        game.undo()
    for write in (fd.write_game, notation.game_to_json):
        with pytest.raises(fd.IllegalRecord, match="has no record"):
            write(game)
    with pytest.raises(fd.IllegalMove, match="2 score sheets"):
        fd.Game.of(position, ["Ann"])
    begun = fd.Game.of(fd.Position.start("yatzy", 2, 1), ["Ann", "Bob"])
    assert fd.read_game(fd.write_game(begun)) == begun, "from the start it has a record"
