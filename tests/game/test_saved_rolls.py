"""Rolls that a turn leaves unused may be spent later, where the book allows it."""

import pytest

import fivedice as fd
from fivedice.core.game import Throw
from fivedice.core.notation.cards import read_turn
from fivedice.core.notation.jsonform import game_from_json, game_to_json, position_from_json, position_to_json
from for_each import for_each
from rules.houses import CHANCE, extend, face_box, load

SAVING = load(face_box(1), face_box(2), CHANCE, head=["dice = 2", "save_rolls = true"])


def saving(names: tuple[str, ...] = ("Ann",)) -> fd.Game:
    return fd.Game.new(SAVING, names, dice=fd.dice.real(), first=0)


def test_turn_has_its_rolls_and_all_saved_ones() -> None:
    game = saving()
    game.roll("11")
    game.mark("aces")  # two rolls are left over
    assert (game.position.card.saved, game.position.rolls_left, game.position.rolls_in_turn) == (2, 5, 5)
    for number in range(1, 6):
        assert game.next_place.roll == number
        game.roll("16")
        if number < 5:
            game.hold("6")
    with pytest.raises(fd.IllegalMove, match="No rolls left"):
        game.hold("6")
    game.mark("twos")
    assert (game.position.card.saved, game.position.rolls_left) == (0, 3)


def test_saved_rolls_are_per_player() -> None:
    game = saving(("Ann", "Bob"))
    game.roll("11")
    game.mark("aces")
    assert game.position.rolls_left == 3
    game.roll("12")
    game.hold("2")
    game.roll("22")
    game.mark("twos")
    assert [card.saved for card in game.position.cards] == [2, 1]
    assert (game.position.seat, game.position.rolls_left) == (0, 5)


def test_undo_returns_rolls_and_other_books_save_none() -> None:
    game = saving()
    game.roll("11")
    before = game.position
    game.mark("aces")
    assert game.undo() == before
    game = fd.Game.new("yatzy", dice=fd.dice.real())
    game.roll("11111")
    game.mark("aces")
    assert (game.position.card.saved, game.position.rolls_left) == (0, 3)


def test_final_dice_say_how_many_rolls_were_left() -> None:
    game = saving()
    game.roll("11", last=True, saved=2)
    game.mark("aces")
    game.roll("22", last=True, saved=4)
    game.mark("twos")
    assert game.position.card.saved == 4
    game = saving()
    game.roll("11", last=True, saved=2)
    assert {type(move).__name__ for move in game.position.choices()} == {"Mark"}
    with pytest.raises(fd.IllegalMove, match="are the final dice of this turn"):
        game.hold("1")
    with pytest.raises(fd.IllegalMove, match="can leave 0 to 0 rolls"):
        saving().play(Throw(fd.Roll.parse("11"), saved=1))


@for_each(
    ("game", "saved", "most"), [(saving(), 3, 2), (saving(), -1, 2), (fd.Game.new("yatzy", dice=fd.dice.real()), 1, 0)]
)
def test_turn_cannot_leave_more_rolls_than_it_had(game: fd.Game, saved: int, most: int) -> None:
    dice = "1" * game.book.dice
    with pytest.raises(fd.IllegalMove, match=f"This turn can leave 0 to {most} rolls for later. You entered '?{saved}"):
        game.roll(dice, last=True, saved=saved)


def test_cards_with_saved_rolls_are_checked() -> None:
    assert fd.Scorecard.of(SAVING, {"aces": 2}, saved=2).saved == 2
    for wrong in (3, -1, True):
        with pytest.raises(fd.IllegalCard, match="can have 0 to 2 saved rolls"):
            fd.Scorecard.of(SAVING, {"aces": 2}, saved=wrong)
    with pytest.raises(fd.IllegalCard, match="can have 0 to 0 saved rolls"):
        fd.Scorecard.of(fd.book("yatzy"), {"aces": 2}, saved=1)


def whole_game() -> fd.Game:
    """One turn with final dice, one with one roll, one with all seven."""
    game = saving()
    game.roll("11", last=True, saved=2)
    game.mark("aces")
    game.roll("22")
    game.mark("twos")
    for number in range(7):
        game.roll("36")
        if number < 6:
            game.hold("6")
    game.mark("chance")
    return game


def test_notation_carries_saved_rolls() -> None:
    game = whole_game()
    assert game.is_over
    assert "~11+2=1s:2" in fd.write_game(game)
    assert fd.read_game(fd.write_game(game), SAVING).moves == game.moves
    assert game_from_json(game_to_json(game), SAVING).moves == game.moves
    for step in game.steps:
        text = fd.write_position(step.after)
        assert fd.read_position(text, SAVING) == step.after, text
        assert position_from_json(position_to_json(step.after), SAVING) == step.after
    assert fd.write_position(game.steps[1].after) == "house 1s:2+2 0 - 5"


@for_each(
    ("text", "sentence"),
    [
        ("house 1s:2+x 0 - 3", "Write saved rolls as a number behind a plus, such as 4s:12+2."),
        ("house 1s:2+ 0 - 3", "Write saved rolls as a number behind a plus, such as 4s:12+2."),
        ("house 1s:2+3 0 - 3", "can have 0 to 2 saved rolls. It has 3."),
        ("house 1s:2+2 0 - 6", "A turn has 5 rolls."),
    ],
)
def test_impossible_text_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(fd.FivediceError) as caught:
        fd.read_position(text, SAVING)
    assert sentence in str(caught.value)


def test_longest_turn_is_the_limit_of_notation() -> None:
    assert SAVING.most_rolls == 7
    wide = extend("yatzy", "save_rolls = true")
    assert wide.most_rolls == 3 + 2 * 14
    assert len(read_turn("12345>1/" * 30 + "12345=1s:1", wide).moves) == 2 * 31
    with pytest.raises(fd.MalformedError, match=r"A turn has at most 31 rolls\. This one has 32"):
        read_turn("12345>1/" * 31 + "12345=1s:1", wide)
    rolls = {"rolls": ["12345"] * 32, "keeps": ["1"] * 31, "box": "aces", "points": 1}
    record = game_to_json(fd.Game.new(wide, dice=fd.dice.real())) | {"turns": [rolls]}
    with pytest.raises(fd.FivediceError, match="A turn has at most 31 rolls"):
        game_from_json(record, wide)


def test_replacement_player_uses_the_saved_rolls() -> None:
    game = saving(("Ann", "Bob"))
    game.roll("11")
    game.mark("aces")
    assert (game.position.seat, game.position.rolls_left) == (1, 3)
    game.skip()
    assert (game.position.seat, game.position.rolls_left) == (0, 5)
