"""Comments in records, where something is wrong in one, and texts from every kind of computer."""

import json
import pickle

import pytest

import fivedice as fd
from fivedice.core.notation import game_from_json, game_to_json, read_games
from for_each import for_each

MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
RECORD = """\
[Fivedice "1"]
[Book "yahtzee"]
[Players "Ann" "Bob"]

{Played at the harbour}
1. 13466=ss:0 {a pity} 24466>44/24446=4s:12
2. 12345=ls:40 {at once!} 11111=yz:50 {well, well}
* 40 62
"""


def test_comments_stay_with_their_turn() -> None:
    game = fd.read_game(RECORD)
    assert game.comments == {0: "Played at the harbour", 2: "a pity", 8: "at once!", 10: "well, well"}
    written = fd.write_game(game)
    assert written.split("\n\n")[1] == RECORD.split("\n\n")[1]
    assert fd.read_game(written) == game
    assert fd.write_game(fd.read_game(written)) == written
    assert game_from_json(json.loads(json.dumps(game_to_json(game)))) == game


def test_comments_are_added_during_play() -> None:
    game = fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.real(), first=0)
    game.comment("before")
    game.roll("24466")
    game.comment("nice")
    game.comment("dice")
    game.mark("chance")
    game.comment("and so on")
    assert fd.write_game(game).splitlines()[-3:] == ["{before}", "1. 24466=ch:22 {nice dice and so on}", "* 22 0"]
    game.undo()
    assert game.comments == {0: "before", 1: "nice dice"}
    assert "24466 {nice dice}" in fd.write_game(game)


def test_comments_on_joining_and_leaving() -> None:
    game = fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.real(), first=0)
    game.leave(1)
    game.comment("the last bus")
    assert "-1 {the last bus}" in fd.write_game(game)
    assert fd.read_game(fd.write_game(game)) == game
    assert game_from_json(game_to_json(game)) == game


@for_each("text", ["", "  ", "a {b}", "a } b", "two\nlines", "\x07", None, 3])
def test_unwritable_comments_are_refused(text: object) -> None:
    game = fd.read_game(RECORD)
    with pytest.raises(fd.MalformedError, match="A comment is text on one line"):
        game.comment(text)  # type: ignore[arg-type]
    game.comments[0] = text  # type: ignore[assignment]
    for write in (fd.write_game, game_to_json):
        with pytest.raises(fd.MalformedError, match="A comment is text on one line"):
            write(game)


def test_empty_comments_and_errors_without_a_text() -> None:
    plain = RECORD.replace("{Played at the harbour}", "{ }").replace("{a pity}", "{}")
    assert fd.read_game(plain).comments == {8: "at once!", 10: "well, well"}
    with pytest.raises(fd.MalformedError) as caught:
        fd.Roll.parse("x")
    assert (caught.value.line, caught.value.column) == (None, None)
    with pytest.raises(fd.IllegalRecord) as refused:
        game_from_json(game_to_json(fd.read_game(RECORD)) | {"totals": [1, 2]})
    assert (refused.value.line, refused.value.column) == (None, None)


@for_each(
    ("before", "after", "line", "column", "error"),
    [
        ('[Fivedice "1"]', '[Fivedice "9"]', 1, 1, fd.MalformedError),
        ('[Book "yahtzee"]', '[Book "yatzee"]', 2, 1, fd.UnknownBook),
        ('[Book "yahtzee"]', "[Book yahtzee]", 2, 1, fd.MalformedError),
        ('[Book "yahtzee"]\n', "", 1, 1, fd.MalformedError),
        ('[Book "yahtzee"]', '[Book "yahtzee"]\n[Fingerprint "x"]', 3, 1, fd.IllegalRecord),
        ('[Players "Ann" "Bob"]', '[Players ""]', 3, 1, fd.MalformedError),
        ('[Players "Ann" "Bob"]', '[Players "Ann" "Bob"]\n[First "x"]', 4, 1, fd.MalformedError),
        ('[Players "Ann" "Bob"]', '[Players "Ann" "Bob"]\n[RollOff "x"]', 4, 1, fd.MalformedError),
        ('[Players "Ann" "Bob"]', '[Players "Ann" "Bob"]\n[Absent "x"]', 4, 1, fd.MalformedError),
        ('[Players "Ann" "Bob"]', '[Players "Ann" "Bob"]\n[Date "a" "b"]', 4, 1, fd.MalformedError),
        ('[Players "Ann" "Bob"]', '[Players "Ann" "Bob"]\n[Players "Ann"]', 4, 1, fd.MalformedError),
        ("1. 13466=ss:0", "1. 13466=ss:1", 6, 4, fd.IllegalRecord),
        ("24466>44/24446=4s:12", "24466>55/24446=4s:12", 6, 24, fd.IllegalRecord),
        ("24466>44/24446=4s:12", "24466>44/24446=4s:x", 6, 24, fd.MalformedError),
        ("2. 12345", "3. 12345", 7, 1, fd.MalformedError),
        ("{a pity}", "{a pity", 6, 15, fd.MalformedError),
        ("{a pity}", "{a {pity}}", 6, 1, fd.MalformedError),
        ("{a pity}", "{a\x07pity}", 6, 15, fd.MalformedError),
        ("12345=ls:40 {at once!} 11111=yz:50 {well, well}", "{nothing}", 7, 1, fd.MalformedError),
        ("13466=ss:0 {a pity} 24466", "13466=ss:0  {a pity} 24466", 6, 1, fd.MalformedError),
        ("{a pity}", "{a} {pity}", 6, 1, fd.MalformedError),
        ("1. 13466=ss:0 {a pity}", "1. {a pity} 13466=ss:0", 6, 1, fd.MalformedError),
        ("2. 12345=ls:40 {at once!} 11111=yz:50 {well, well}", "2.", 7, 1, fd.MalformedError),
        ("* 40 62", "* 40 61", 8, 1, fd.IllegalRecord),
        ("* 40 62\n", "", 7, 1, fd.MalformedError),
    ],
)
def test_errors_have_line_and_column(
    before: str, after: str, line: int, column: int, error: type[fd.FivediceError]
) -> None:
    assert RECORD.count(before) == 1
    wrong = RECORD.replace(before, after)
    with pytest.raises(error) as caught:
        fd.read_game(wrong)
    found = caught.value
    assert (found.line, found.column) == (line, column)  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(found)).line == line  # noqa: S301 - our own
    with pytest.raises(error) as caught:
        read_games(f"{RECORD}\n{wrong}")
    assert (caught.value.line, caught.value.column) == (9 + line, column)  # type: ignore[attr-defined]


def test_invalid_json_is_located() -> None:
    with pytest.raises(fd.MalformedError) as caught:
        read_games('{"book": "yahtzee",\n  "turns" []}')
    assert (caught.value.line, caught.value.column) == (2, 11)
    with pytest.raises(fd.MalformedError) as deep:
        read_games('{"a":' * 100_000)
    assert deep.value.line is None


@for_each("end", ["\n", "\r\n"])
@for_each("mark", ["", MARK])
def test_any_line_ends_and_byte_order_mark_are_read(end: str, mark: str) -> None:
    text = mark + RECORD.replace("\n", end)
    assert fd.read_game(text) == fd.read_game(RECORD)
    assert fd.read_games(text + text) == [fd.read_game(RECORD)] * 2
    data = mark + json.dumps(game_to_json(fd.read_game(RECORD)), indent=1).replace("\n", end)
    assert fd.read_games(data) == [fd.read_game(RECORD)]
