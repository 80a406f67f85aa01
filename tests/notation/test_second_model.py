"""Saved rolls and extras of several amounts in text and JSON."""

import pytest

import fivedice as fd
from fivedice.core.notation import (
    card_from_json,
    card_to_json,
    game_from_json,
    game_to_json,
    read_card,
    read_game,
    read_position,
    read_turn,
    write_card,
    write_game,
    write_position,
    write_turn,
)
from fivedice.errors import FivediceError, IllegalCard, MalformedError
from for_each import for_each
from rules.second_houses import BY_STEP, RISING, SAVING, STEPPED

LONG = "112>-/134>-/134>4/224>-/333>33/334=ch:10"


def game_with(*turns: str) -> fd.Game:
    text = "\n".join(f"{number}. {turn}" for number, turn in enumerate(turns, 1))
    return (
        fd.Game.new(SAVING, ["Ann"]) if not turns else read_game(f'[Book "saving"]\n{text}\n* {_total(turns)}', SAVING)
    )


def _total(turns: tuple[str, ...]) -> int:
    return sum(int(turn.rpartition(":")[2]) for turn in turns)


@for_each("text", ["1s:3+2", "1s:3,ch:10+4", "1s:0,2s:4,1p:6+1", "ch:10"])
def test_saved_rolls_follow_a_plus(text: str) -> None:
    card = read_card(text, SAVING)
    assert card.saved == int(text.partition("+")[2] or 0)
    assert write_card(card) == text
    assert card_from_json(card_to_json(card), SAVING) == card


@for_each("text", ["1s:3+3", "-+1", "1s:3+", "1s:3+x", "1s:3+-1", "1s:3+1+1"])
def test_impossible_saved_rolls_are_refused(text: str) -> None:
    with pytest.raises((MalformedError, IllegalCard)):
        read_card(text, SAVING)


def test_saved_rolls_need_a_book_and_count_in_positions() -> None:
    with pytest.raises(IllegalCard, match="0 to 0 saved rolls"):
        read_card("1s:2+1", STEPPED)
    text = "saving 1s:3+2|ch:9+2 1 - 5"
    position = read_position(text, SAVING)
    assert (position.rolls_in_turn, position.rolls_left) == (5, 5)
    assert write_position(position) == text
    assert read_position("saving 1s:3+2|ch:9+2 1 344 4", SAVING).roll_number == 2
    with pytest.raises(FivediceError):
        read_position("saving 1s:3+2|ch:9+2 1 - 6", SAVING)


def test_tallies_and_sums_of_extras() -> None:
    card = read_card("1s:3,yz:50,ch:12,yb:70/2", BY_STEP)
    assert (card.bonuses, card.extra_total) == (2, 70)
    assert write_card(card) == "1s:3,yz:50,ch:12,yb:70/2"
    assert card_from_json(card_to_json(card), BY_STEP) == card
    for wrong in ("1s:3,yz:50,ch:12,yb:70", "1s:3,yz:50,ch:12,yb:80/2"):
        with pytest.raises(IllegalCard):
            read_card(wrong, BY_STEP)
    assert [read_card(f"1s:3,2s:6,3s:9,yz:50,yb:{paid}", RISING).bonuses for paid in (10, 30, 70)] == [1, 2, 3]
    with pytest.raises(IllegalCard):
        read_card("1s:3,2s:6,3s:9,yz:50,yb:20", RISING)
    with pytest.raises(IllegalCard):
        read_card("1s:3,2s:6,yz:50,yb:30/2", RISING)


def test_turns_that_spend_saved_rolls() -> None:
    game = game_with("111=1s:3", "122=2s:4", LONG)
    assert game.position.card.saved == 2 + 2 + 3 - 6
    assert write_game(read_game(write_game(game), SAVING)) == write_game(game)
    assert write_game(game_from_json(game_to_json(game), SAVING)) == write_game(game)
    with pytest.raises(FivediceError, match="No rolls left"):
        game_with("111=1s:3", LONG)
    with pytest.raises(MalformedError, match="at most"):
        read_turn("/".join(["111>-"] * SAVING.most_rolls + ["111"]), SAVING)
    assert (
        len(read_turn("/".join(["111>-"] * (SAVING.most_rolls - 1) + ["111"]), SAVING).moves)
        == 2 * SAVING.most_rolls - 1
    )


def test_final_dice_may_leave_rolls_over() -> None:
    turn = read_turn("~144+1=ch:9", SAVING)
    assert turn.moves[0] == fd.Throw(fd.Roll.parse("144"), last=True, saved=1)
    assert write_turn(turn, SAVING) == "~144+1=ch:9"
    assert game_with("~144+1=ch:9").position.card.saved == 1
    assert game_with("~144=ch:9").position.card.saved == 0
    assert write_game(game_from_json(game_to_json(game_with("~144+2=ch:9")), SAVING)).count("~144+2=ch:9") == 1
    with pytest.raises(FivediceError, match="0 to 2 rolls"):
        game_with("~144+3=ch:9")
