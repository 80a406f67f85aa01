"""Worked examples, counted by hand, of the books added after the printed rules."""

import pytest

import fivedice as fd
from for_each import for_each
from rules.houses import options as worth

FOURS = "4-4-4-4-4"
JOKERS = {"full_house": 25, "small_straight": 30, "large_straight": 40}


def play_turns(book: str, *turns: tuple[str, str]) -> fd.Game:
    """One player: the dice of each turn, rolls after a bar with all dice thrown again, and the box."""
    game = fd.Game.new(book, ["Ann"], dice=fd.dice.real())
    for dice, box in turns:
        first, *more = dice.split("/")
        game.roll(first)
        for again in more:
            game.hold("")
            game.roll(again)
        game.mark(box)
    return game


# Kniffel


def test_rules_of_a_further_kniffel() -> None:
    card = play_turns("kniffel", ("66666", "Kniffel"), ("44444", "Vierer")).position.cards[0]
    assert (card.held("fours"), card.bonuses, card.extra_total) == (20, 1, 50)
    assert card.total == 50 + 20 + 50
    game = play_turns("kniffel", ("66666", "Kniffel"), ("44461", "Vierer"), ("44444", "Große Straße"))
    card = game.position.cards[0]
    assert (card.held("large_straight"), card.bonuses, card.total) == (40, 0, 50 + 12 + 40)
    assert game.steps[-1].after.cards[0].extra_total == 0
    assert worth("kniffel", FOURS, {"five_of_a_kind": 50}) == {"fours": 20}
    joker = worth("kniffel", FOURS, {"five_of_a_kind": 50, "fours": 12})
    assert joker == dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), 20) | JOKERS
    full = dict.fromkeys((*joker, "fours", "twos", "threes"), 0) | {"five_of_a_kind": 50}
    assert worth("kniffel", FOURS, full) == {"aces": 0, "fives": 0, "sixes": 0}
    open_boxes = worth("kniffel", FOURS, {"five_of_a_kind": 0, "fours": 12})
    assert len(open_boxes) == 11
    assert (open_boxes["full_house"], open_boxes["large_straight"], open_boxes["chance"]) == (0, 0, 20)
    held = {box.key: 0 for box in fd.book("kniffel").boxes if box.key != "aces"} | {"five_of_a_kind": 50}
    card = fd.Scorecard.of(fd.book("kniffel"), held)
    assert card.options(fd.Roll.parse(FOURS)) == {"aces": fd.Entry(0, 0)}


# Kismet


@for_each(("sixes", "bonus"), [(12, 0), (18, 35), (24, 35), (30, 55)])
def test_kismet_bonus_has_steps(sixes: int, bonus: int) -> None:
    held = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": sixes}
    card = fd.Scorecard.of(fd.book("kismet"), held)
    assert (card.upper_bonus, card.total) == (bonus, 45 + sixes + bonus)


def test_kismet_yacht_and_crag_specials() -> None:
    held = {"aces": 4, "twos": 8, "threes": 9, "fours": 12, "fives": 20, "sixes": 24}
    card = fd.Scorecard.of(fd.book("kismet"), held)
    assert (card.upper_total, card.upper_bonus) == (77, 55)
    more = fd.Scorecard.of(fd.book("kismet"), held | {"aces": 5})
    assert (more.upper_total, more.upper_bonus, more.total) == (78, 75, 153)
    options = worth("kismet", FOURS, {"five_of_a_kind": 70, "fours": 12})
    assert len(options) == 13
    assert (options["full_house"], options["straight"], options["flush"]) == (0, 0, 35)
    held = {"aces": 5, "twos": 10, "threes": 15, "fours": 20, "fives": 25, "sixes": 30, "five_of_a_kind": 50}
    card = fd.Scorecard.of(fd.book("yacht"), held)
    assert (card.upper_total, card.upper_bonus, card.total) == (105, 0, 155)
    assert {entry.bonus for entry in card.options(fd.Roll.parse(FOURS)).values()} == {0}
    game = play_turns("crag", ("123/661", "crag"))
    assert game.position.cards[0].total == 50
    game.roll("111")
    game.hold("11")
    game.roll("1")
    assert game.position.rolls_left == 0
    with pytest.raises(fd.IllegalMove):
        game.hold("11")


# Yacht


# Crag


# Maxi Yatzy


def test_saved_rolls_of_maxi_yatzy() -> None:
    game = play_turns("maxi-yatzy", ("666612", "sixes"))
    assert (game.position.cards[0].saved, game.position.rolls_left) == (2, 5)
    game = play_turns("maxi-yatzy", ("666612", "sixes"), ("555512/555551", "fives"))
    assert (game.position.cards[0].saved, game.position.rolls_left) == (3, 6)
    seven = "/".join(["123456"] * 7)
    game = play_turns("maxi-yatzy", ("666612", "sixes"), ("555512", "fives"), (seven, "aces"))
    assert (game.position.cards[0].saved, game.position.rolls_left) == (0, 3)
    with pytest.raises(fd.IllegalMove):
        play_turns("maxi-yatzy", ("666612", "sixes"), ("555512", "fives"), (f"{seven}/123456", "aces"))
    game = play_turns("maxi-yatzy-plain", ("666612", "sixes"))
    assert (game.position.cards[0].saved, game.position.rolls_left) == (0, 3)


def test_saved_rolls_belong_to_one_player() -> None:
    game = fd.Game.new("maxi-yatzy", ["Ann", "Bob"], dice=fd.dice.real(), first=0)
    game.roll("666612")
    game.mark("sixes")
    assert game.position.rolls_left == 3
    game.roll("111123")
    game.hold("1111")
    game.roll("11")
    game.mark("aces")
    assert [card.saved for card in game.position.cards] == [2, 1]
    assert game.position.rolls_left == 5
