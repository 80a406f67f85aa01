"""Turns and whole games as text and as JSON: read, written, refused."""

import copy
import json

import pytest

import fivedice as fd
from fivedice.core import notation
from for_each import for_each
from rules.houses import CHANCE, face_box, load

YAHTZEE = fd.book("yahtzee")
TURN = "24466>44/24446>444/14444=4k:17"
HEAD = f'[Fivedice "1"]\n[Book "yahtzee"]\n[Fingerprint "{YAHTZEE.fingerprint}"]\n[Players "Ann" "Bob"]\n[First "0"]\n'
RECORD = f"""{HEAD}
1. {TURN} 66666=yz:50
2. 11234>11/11156=1s:3 16666>6666/66666=6s:30
3. 22345
* 20 180
"""


def test_design_example_of_a_turn() -> None:
    turn = notation.read_turn(TURN, YAHTZEE)
    assert notation.write_turn(turn, YAHTZEE) == TURN
    assert (turn.points, turn.joker, len(turn.moves)) == (17, False, 6)


@for_each(
    "text",
    [
        "24466",
        "24466>44",
        "24466>-/11111",
        "24466>-",
        "44444=ls:40!",
        "1=ch:1",
        "~24466",
        "~14444=4k:17",
        "~44444=ls:40!",
    ],
)
def test_turns_round_trip(text: str) -> None:
    assert notation.write_turn(notation.read_turn(text, YAHTZEE), YAHTZEE) == text


@for_each(
    "text",
    [
        "",
        "=4k:17",
        "24466>",
        "24466/24446",
        "24466>44/",
        ">44/24446",
        "24466>44>4/24446",
        "24066=ch:18",
        "24466=ch",
        "24466=ch:",
        "24466=ch:18!!",
        "24466=ch:-1",
        "24466=ch:22 ",
        "24466=CH:22",
        "24466 =ch:22",
        "24466==ch:22",
        "~",
        "~~24466",
        "~24466>44",
        "~24466>44/24446=4s:12",
        "24466>44/~24446=4s:12",
        "24466~=ch:22",
    ],
)
def test_invalid_turn_is_malformed(text: str) -> None:
    with pytest.raises(fd.MalformedError, match=r"Write a turn as|After = write code:points") as caught:
        notation.read_turn(text, YAHTZEE)
    assert repr(text) in str(caught.value)


def test_turn_with_unknown_box_is_illegal() -> None:
    with pytest.raises(fd.IllegalRecord, match=r"Yahtzee has no box '1p'\. The turn is '24466=1p:12'"):
        notation.read_turn("24466=1p:12", YAHTZEE)


def test_records_are_read_freely_and_written_in_one_form() -> None:
    game = fd.read_game(RECORD)
    assert fd.write_game(game) == RECORD
    assert [card.total for card in game.position.cards] == [20, 180]
    assert game.position.seat == 0
    assert str(game.position.dice) == "22345"
    free = RECORD.replace("\n", "\r\n").replace("24466>44", "64642>44") + "\n\n"
    free = "\n".join(line for line in free.split("\n") if not line.startswith(("[Fivedice", "[Fingerprint", "[First")))
    assert fd.write_game(fd.read_game(free)) == RECORD
    game = fd.read_game('[Book "yatzy"]\n* 0')
    assert (game.players, game.first, game.moves) == (("Player",), 0, ())


def test_roll_offs_are_recorded() -> None:
    game = fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.seeded(1))
    assert game.roll_off is not None
    again = fd.read_game(fd.write_game(game))
    assert again.roll_off == game.roll_off
    assert fd.write_game(again) == fd.write_game(game)
    without_first = "\n".join(line for line in fd.write_game(game).split("\n") if not line.startswith("[First"))
    assert fd.read_game(without_first).first == game.first
    data = notation.game_to_json(game)
    assert notation.game_from_json(data).roll_off == game.roll_off
    alone = fd.Game.new("yahtzee", ["Ann"], roll_off=fd.RollOff(YAHTZEE, 1))
    assert "RollOff" not in fd.write_game(alone)
    assert fd.read_game(fd.write_game(alone)).players == ("Ann",)


def test_custom_tags_are_kept() -> None:
    game = fd.read_game(RECORD)
    game.tags = {"Date": "2024-02-29", "Note": 'a "quoted"\nline\u2028\\ and \u0085'}
    text = fd.write_game(game)
    assert fd.read_game(text).tags == game.tags
    assert fd.write_game(fd.read_game(text)) == text
    assert notation.game_from_json(notation.game_to_json(game)).tags == game.tags


@for_each("tags", [{"date": "x"}, {"Book": "yatzy"}, {"A b": "x"}, {"": "x"}, {"Date": 3}])
def test_unreadable_tags_are_not_written(tags: dict[str, str]) -> None:
    game = fd.read_game(RECORD)
    game.tags = tags
    for write in (fd.write_game, notation.game_to_json):
        with pytest.raises(fd.MalformedError, match="A tag needs a word with a capital, a text"):
            write(game)
    data = notation.game_to_json(fd.read_game(RECORD)) | {"tags": tags}
    with pytest.raises(fd.MalformedError, match="A tag needs a word with a capital, a text"):
        notation.game_from_json(data)


def change(old: str, new: str) -> str:
    assert old in RECORD
    return RECORD.replace(old, new, 1)


MALFORMED = {
    "no text": ("", "needs one value for the tag 'Book'. It has 0 values"),
    "no book": (change('[Book "yahtzee"]\n', ""), "needs one value for the tag 'Book'"),
    "two books": (change('"yahtzee"', '"yahtzee" "yatzy"'), "It has 2 values"),
    "a tag twice": (RECORD + '[Book "yahtzee"]', "The tag 'Book' occurs twice"),
    "a broken tag": (change('"yahtzee"]', "yahtzee]"), "The record has '[Book yahtzee]'"),
    "a small tag": ("[book]\n* 0", "The record has '[book]'"),
    "bad quotes": (change('"Ann"', '"A\\x"'), "in quotation marks as JSON does"),
    "another format": (change('[Fivedice "1"]', '[Fivedice "2"]'), "format '2'. Only format 1 can be read"),
    "no totals": (change("* 20 180\n", ""), "has no last line of totals"),
    "tags alone": (HEAD, "has no last line of totals"),
    "a round too far": (change("2. ", "3. "), "Round 2 must be written as '2. ' and one turn per player"),
    "a round without a number": (change("2. ", ""), "Round 2 must be written as '2. '"),
    "a turn too many": (change(f"1. {TURN}", f"1. {TURN} {TURN}"), "Round 1 has 3 turns for 2 players"),
    "a broken turn": (
        change("=4k:17", "=4k"),
        "write code:points, such as 4k:17. You entered '24466>44/24446>444/14444=4k'",
    ),
    "a round too short": (change(" 66666=yz:50", ""), "Round 2 begins before every player has finished round 1"),
    "a round unfinished": (change("66666=yz:50", "66666"), "Round 2 begins before every player has finished round 1"),
    "no name": (change('"Ann"', '""'), "A name has 1 to 60 visible characters on one line. You entered ''"),
    "no seat": (change('[First "0"]', '[First "one"]'), "A seat is a number from 0. The record has 'one'"),
    "too long": (RECORD + "\n" * 1024 * 1024, "characters. At most 1048576 can be read"),
}


ILLEGAL = {
    "wrong points": (change("=4k:17", "=4k:18"), "444/14444=4k:18' (Ann): 4 of a Kind scores 17"),
    "a joker that is none": (change("=4k:17", "=4k:17!"), "4 of a Kind scores 17. The record says 17 as a joker"),
    "held dice that were not there": (change(">444/", ">4444/"), "You cannot keep 4-4-4-4. The dice are 2-4-4-4-6"),
    "held dice that vanish": (change("/14444", "/11144"), "You kept 4-4-4, but 1-1-1-4-4 does not contain them"),
    "a fourth roll": (change("/14444=", "/14444>4444/44444="), "No rolls left"),
    "six dice": (change("24466>", "244666>"), "Yahtzee uses 5 dice, each 1 to 6. You entered 2-4-4-6-6-6"),
    "a box that is forced": (change("66666=6s:30", "66666=ch:30"), "6-6-6-6-6 must go in Sixes, which is open"),
    "a box filled twice": (change("=1s:3 ", "=4k:0 "), "4 of a Kind already has 17"),
    "an unknown box": (change("=4k:17", "=1p:8"), "Yahtzee has no box '1p'"),
    "wrong totals": (change("* 20 180", "* 20 181"), "The totals are '* 20 180'. The record says '* 20 181'"),
    "too early an end": (change("* 20 180", "= 20 180"), "The record says '= 20 180'"),
    "another book": (change('"yahtzee"', '"yardzee"'), "was played by other rules named 'yardzee'"),
    "a turn torn in two": (
        change(">444/14444=4k:17 66666=yz:50", ">444 14444=4k:17"),
        "(Ann): The turn before it is not finished",
    ),
    "nobody's start": (change('[First "0"]', '[First "2"]'), "The first seat must be from 0 to 1"),
    "a roll-off that disagrees": (HEAD + '[RollOff "11111" "66666"]\n* 0 0', "match the roll-off"),
    "a roll-off that goes on": (HEAD + '[RollOff "66666" "11111" "1"]\n* 0 0', "The roll-off is over"),
    "a roll-off of six dice": (HEAD + '[RollOff "666666" "11111"]\n* 0 0', "Yahtzee uses 5 dice, each 1 to 6"),
}


KINDS = (fd.MalformedError, MALFORMED, fd.IllegalError), (fd.IllegalError, ILLEGAL, fd.MalformedError)


@for_each(
    ("error", "text", "reason", "other"),
    [(error, *case, other) for error, cases, other in KINDS for case in cases.values()],
    ids=[*MALFORMED, *ILLEGAL],
)
def test_refused_records(error: type[Exception], text: str, reason: str, other: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        fd.read_game(text)
    assert reason in str(caught.value)
    assert not isinstance(caught.value, other)


def test_joker_marks_ends_and_house_rules_are_checked() -> None:
    text = '[Book "yahtzee"]\n1. 12346=yz:0\n2. 44441=4s:16\n3. 44444=ls:40!\n* 56'
    assert "3. 44444=ls:40!\n" in fd.write_game(fd.read_game(text))
    with pytest.raises(fd.IllegalRecord, match=r"Lg\. Straight scores 40 as a joker. The record says 40"):
        fd.read_game(text.replace("!", ""))
    tiny = load(CHANCE)
    done = '[Book "house"]\n1. 12345=ch:15\n= 15'
    assert fd.read_game(done, tiny).is_over
    with pytest.raises(fd.IllegalRecord, match=r"Round 2, '12345=ch:15' \(Player\): The game is over"):
        fd.read_game(done.replace("\n= 15", "\n2. 12345=ch:15\n= 15"), tiny)
    tiny, other = load(CHANCE), load(face_box(1), CHANCE)
    game = fd.Game.new(tiny, ["Ann"], dice=fd.dice.real())
    del game.tags["Rules"]
    text = fd.write_game(game)
    assert fd.read_game(text, tiny).book is tiny
    with pytest.raises(fd.IllegalRecord, match="Give the rules it was played by"):
        fd.read_game(text, other)
    with pytest.raises(fd.UnknownBook, match="There are no rules 'house'"):
        fd.read_game(text)


# JSON


@pytest.fixture
def data() -> dict[str, object]:
    return json.loads(json.dumps(notation.game_to_json(fd.read_game(RECORD))))


def test_game_in_json(data: dict[str, object]) -> None:
    assert data["totals"] == [20, 180]
    assert data["finished"] is False
    assert data["roll_off"] is None
    assert data["turns"][0] == {  # type: ignore[index]
        "rolls": ["24466", "24446", "14444"],
        "keeps": ["44", "444"],
        "box": "four_of_a_kind",
        "points": 17,
        "joker": False,
    }
    assert data["turns"][-1] == {"rolls": ["22345"], "keeps": []}  # type: ignore[index]
    assert fd.write_game(notation.game_from_json(data)) == RECORD


def test_optional_keys_of_json(data: dict[str, object]) -> None:
    for key in ("format", "fingerprint", "first", "roll_off", "tags"):
        del data[key]
    assert fd.write_game(notation.game_from_json(data)) == RECORD


ONE_ROLL: dict[str, object] = {"rolls": ["12345"], "keeps": []}
HALF_TURN = ONE_ROLL | {"keeps": ["1"]}
JSON_CASES = [
    ({"format": 2}, fd.MalformedError, "format '2'"),
    ({"format": "1"}, fd.MalformedError, "'format' must be of type int"),
    ({"players": []}, fd.MalformedError, "at least one player"),
    ({"players": [3]}, fd.MalformedError, "must contain only texts"),
    ({"players": "Ann"}, fd.MalformedError, "'players' must be of type list"),
    ({"first": -1}, fd.MalformedError, "A seat is a number from 0. The record has '-1'"),
    ({"first": 5}, fd.IllegalError, "The first seat must be from 0 to 1"),
    ({"fingerprint": "0"}, fd.IllegalRecord, "was played by other rules"),
    ({"fingerprint": 0}, fd.MalformedError, "'fingerprint' must be of type str"),
    ({"roll_off": []}, fd.IllegalError, "match the roll-off"),
    ({"roll_off": [5]}, fd.MalformedError, "must contain only texts"),
    ({"players": [], "roll_off": ["12345"]}, fd.IllegalError, "at least 1 player"),
    ({"tags": {"Date": 3}}, fd.MalformedError, "A tag needs a word with a capital, a text"),
    ({"tags": {"RollOff": "12345"}}, fd.MalformedError, "A tag needs a word with a capital, a text"),
    ({"tags": []}, fd.MalformedError, "'tags' must be of type dict"),
    ({"totals": [20, 181]}, fd.IllegalRecord, "The totals are 20 and 180, finished is false"),
    ({"finished": True}, fd.IllegalRecord, "The record says otherwise"),
    ({"finished": 0}, fd.MalformedError, "'finished' must be of type bool"),
    ({"turns": [3]}, fd.MalformedError, "Give a JSON object. This is 3"),
    ({"turns": [{"rolls": [], "keeps": []}]}, fd.MalformedError, "Rolls and keeps must alternate, a roll first"),
    ({"turns": [{"rolls": ["12345"], "keeps": ["1", "2"]}]}, fd.MalformedError, "Rolls and keeps must alternate"),
    ({"turns": [{"rolls": ["12345"] * 3, "keeps": ["1"]}]}, fd.MalformedError, "Rolls and keeps must alternate"),
    ({"turns": [{"rolls": ["12x45"], "keeps": []}]}, fd.MalformedError, "You entered '12x45'"),
    ({"turns": [ONE_ROLL | {"box": "x", "points": 1}]}, fd.IllegalError, "has no box 'x'"),
    ({"turns": [ONE_ROLL | {"box": "chance"}]}, fd.MalformedError, "'points' must be of type int"),
    (
        {"turns": [ONE_ROLL | {"box": "chance", "points": 16}]},
        fd.IllegalRecord,
        "Turn 1 .Ann.: Chance scores 15. The record says 16",
    ),
    ({"turns": [HALF_TURN, ONE_ROLL]}, fd.IllegalRecord, "Turn 2 .Ann.: The turn before it is not finished"),
]


@pytest.mark.parametrize(("change", "kind", "reason"), JSON_CASES)
def test_game_in_json_is_checked(
    data: dict[str, object], change: dict[str, object], kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        notation.game_from_json(copy.deepcopy(data) | change)


# Turns of which only the final dice are known


def test_final_dice_are_recorded() -> None:
    final, first = (notation.read_turn(text, YAHTZEE) for text in ("~14444=4k:17", "14444=4k:17"))
    assert final != first
    assert final.moves[0] == fd.Throw(fd.Roll.parse("14444"), last=True)
    text = RECORD.replace(TURN, "~14444=4k:17")
    game = notation.read_game(text)
    assert notation.write_game(game) == text
    data = json.loads(json.dumps(notation.game_to_json(game)))
    assert [turn.get("final_dice") for turn in data["turns"]] == [True, None, None, None, None]
    assert notation.write_game(notation.game_from_json(data)) == text
    data = notation.game_to_json(notation.read_game(RECORD))
    data["turns"][0]["final_dice"] = "yes"
    with pytest.raises(fd.MalformedError, match="'final_dice' must be of type bool"):
        notation.game_from_json(data)


@for_each(
    "turn",
    [
        {"rolls": ["24466", "24446"], "keeps": ["44"]},
        {"rolls": ["24466"], "keeps": ["44"]},
        {"rolls": ["24466", "24446"], "keeps": []},
    ],
)
def test_final_dice_with_other_rolls_are_refused(turn: dict[str, list[str]]) -> None:
    data = notation.game_to_json(notation.read_game(RECORD)) | {"turns": [turn | {"final_dice": True}]}
    with pytest.raises(fd.MalformedError, match=r"alternate, a roll first|Final dice are one roll"):
        notation.game_from_json(data)
