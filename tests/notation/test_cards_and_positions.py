"""Cards and positions as text and as JSON: read, written, refused."""

import pytest

import fivedice as fd
from fivedice.core import notation
from for_each import for_each
from rules.houses import ALIKE, CHANCE, extend, face_box, load

YAHTZEE = fd.book("yahtzee")
POSITION = "yahtzee 1s:3,6s:18,yz:0|2s:6,fh:25,yz:50,yb:100 1 24466 2"


def test_design_examples_of_positions() -> None:
    position = fd.read_position(POSITION)
    assert fd.write_position(position) == POSITION
    assert (position.seat, str(position.dice), position.rolls_left) == (1, "24466", 2)
    assert (position.card.bonuses, position.card.total) == (1, 6 + 25 + 50 + 100)
    tiny = load(CHANCE)
    position = fd.read_position("house ch:12|ch:13 0 - 3", tiny)
    assert position.outcome == fd.Outcome((12, 13), (1,))
    assert fd.write_position(position) == "house ch:12|ch:13 0 - 3"


@for_each(
    "text",
    [
        "yatzy - 0 - 3",
        "yatzy -|- 1 - 3",
        "yahtzee - 0 44 2",
        "yahtzee - 0 - 2",
        "yahtzee - 0 24466 0",
        "maxi-yatzy 1p:12 0 123456 1",
        "yatzy-forced 1s:0,2s:4 0 - 3",
    ],
)
def test_positions_round_trip(text: str) -> None:
    position = fd.read_position(text)
    assert fd.write_position(position) == text
    assert notation.position_from_json(notation.position_to_json(position)) == position


MALFORMED = [
    "",
    "yahtzee",
    "yahtzee - 0 24466",
    "yahtzee - 0 24466 2 2",
    "yahtzee - x 24466 2",
    "yahtzee - 0 24466 x",
    "yahtzee - -1 24466 2",
    "yahtzee - 0 24x66 2",
    "yahtzee - 0 246677777 2",
    "yahtzee 4s 0 24466 2",
    "yahtzee 4s:x 0 24466 2",
    "yahtzee 4s:12, 0 24466 2",
    "yahtzee 4S:12 0 24466 2",
    "yahtzee 4s:-4 0 24466 2",
    "yahtzee 4s:123456 0 24466 2",
    "yahtzee - 1234567 - 3",
]


@for_each("text", MALFORMED)
def test_unreadable_text_is_malformed(text: str) -> None:
    with pytest.raises(fd.MalformedError) as caught:
        fd.read_position(text)
    assert not isinstance(caught.value, fd.IllegalError)
    assert any(repr(part) in str(caught.value) for part in [text, *text.split(), *text.replace(" ", ",").split(",")])


ILLEGAL = {
    "yahtzee - 1 24466 2": "There is no seat 1. Seats are numbered from 0 to 0",
    "yahtzee 4s:13 0 24466 2": "Fours cannot hold 13",
    "yahtzee 4s:12,4s:12 0 24466 2": "fills the box '4s' twice",
    "yahtzee 7s:12 0 24466 2": "Yahtzee has no box '7s'. Its codes are 1s, 2s",
    "yahtzee yz:50,yb:100 0 24466 2": "can have at most 0 extra bonuses",
    "yahtzee 4s:12,yz:50,yb:50 0 24466 2": "The tally must be a multiple of 100. It is 50",
    "yatzy 4s:12,yz:50,yb:100 0 24466 2": "Yatzy has no extra bonus. The tally is 100",
    "yahtzee - 0 244666 2": "Yahtzee uses 5 dice, each 1 to 6. You entered 2-4-4-6-6-6",
    "yahtzee - 0 24467 2": "Yahtzee uses 5 dice, each 1 to 6. You entered 2-4-4-6-7",
    "yahtzee - 0 24466 4": "A turn has 3 rolls",
    "yahtzee - 0 24466 3": "Dice are rolled before the first roll",
    "yahtzee - 0 44 3": "Dice are kept before the first roll",
    "yahtzee - 0 44 0": "Dice must still be rolled, but no roll is left",
    "yatzy-forced 2s:4 0 - 3": "Ones cannot be open above a scored box",
}


@for_each("text", ILLEGAL)
def test_impossible_positions_are_illegal(text: str) -> None:
    with pytest.raises(fd.IllegalError, match=ILLEGAL[text]) as caught:
        fd.read_position(text)
    assert not isinstance(caught.value, fd.MalformedError)


def test_positions_name_their_book_and_follow_the_sheet() -> None:
    tiny = load(CHANCE)
    with pytest.raises(fd.IllegalError, match="The score sheet of seat 0 is full"):
        fd.read_position("house ch:12|- 0 - 3", tiny)
    with pytest.raises(fd.IllegalError, match="The game is over, so no dice are in play"):
        fd.read_position("house ch:12 0 12345 2", tiny)
    with pytest.raises(fd.IllegalError, match="The game is over, so no dice are in play"):
        fd.read_position("house ch:12 0 - 2", tiny)
    for name in ("../x.toml", "yahtzee.toml", "house"):
        with pytest.raises(fd.UnknownBook, match=f"no rules '{name}'"):
            fd.read_position(f"{name} - 0 - 3")
    with pytest.raises(fd.IllegalError, match=r"The text is about 'yatzy'\. The rules given are 'yahtzee'"):
        fd.read_position("yatzy - 0 - 3", YAHTZEE)
    assert fd.read_position("yahtzee - 0 - 3", YAHTZEE).book is YAHTZEE
    fifty = extend("yahtzee", "[alike]", "extra = 50")
    card = notation.read_card("5s:25,6s:30,yz:50,yb:100", fifty)
    assert card.bonuses == 2
    assert notation.write_card(card) == "5s:25,6s:30,yz:50,yb:100"
    assert notation.read_card("yz:50,yb:0", fifty).bonuses == 0
    assert notation.read_card("", fifty) == notation.read_card("-", fifty) == fd.Scorecard.empty(fifty)
    assert notation.write_card(notation.read_card("ch:12,1s:3", YAHTZEE)) == "1s:3,ch:12"


# JSON


def test_card_in_json_has_its_totals() -> None:
    card = fd.Scorecard.of(YAHTZEE, {"fours": 12, "five_of_a_kind": 50}, bonuses=1)
    data = notation.card_to_json(card)
    assert data == {
        "marks": {"fours": 12, "five_of_a_kind": 50},
        "bonuses": 1,
        "upper_total": 12,
        "upper_bonus": 0,
        "lower_total": 150,
        "total": 162,
    }
    assert notation.card_from_json(data, YAHTZEE) == card
    assert notation.card_from_json({"marks": {}}, YAHTZEE) == fd.Scorecard.empty(YAHTZEE)


@for_each(
    ("change", "kind", "reason"),
    [
        ({"seat": "1"}, fd.MalformedError, "'seat' must be of type int. It is '1'"),
        ({"seat": True}, fd.MalformedError, "'seat' must be of type int. It is True"),
        ({"seat": 7}, fd.IllegalError, "There is no seat 7"),
        ({"seat": -1}, fd.IllegalError, "There is no seat −1"),
        ({"cards": []}, fd.MalformedError, "'cards' is empty"),
        ({"cards": [3]}, fd.MalformedError, "Give a JSON object. This is 3"),
        ({"cards": [{"marks": {"fours": 13}}]}, fd.IllegalCard, "Fours cannot hold 13"),
        ({"cards": [{"marks": {"fours": None}}]}, fd.IllegalCard, "Fours cannot hold None"),
        ({"dice": "2446x"}, fd.MalformedError, "one digit per die, such as 24466. You entered '2446x'"),
        ({"dice": 24466}, fd.MalformedError, "'dice' must be of type str. It is 24466"),
        ({"rolls_left": -1}, fd.IllegalError, "A turn has 3 rolls"),
        ({"book": "chess"}, fd.UnknownBook, "no rules 'chess'"),
        ({"book": None}, fd.MalformedError, "'book' must be of type str. It is None"),
    ],
)
def test_position_in_json_is_checked(change: dict[str, object], kind: type[Exception], reason: str) -> None:
    data = notation.position_to_json(fd.read_position(POSITION))
    with pytest.raises(kind, match=reason):
        notation.position_from_json(data | change)


@for_each("data", [None, 3, "x", [], {}])
def test_other_json_is_malformed_as_position(data: object) -> None:
    for read in (notation.position_from_json, notation.game_from_json):
        with pytest.raises(fd.MalformedError):
            read(data)


def test_house_rules_are_given_along() -> None:
    house = load(face_box(1), ALIKE, CHANCE)
    position = fd.Position.start(house, 2)
    assert fd.read_position(fd.write_position(position), house) == position
    assert notation.position_from_json(notation.position_to_json(position), house) == position
    with pytest.raises(fd.UnknownBook):
        fd.read_position(fd.write_position(position))
