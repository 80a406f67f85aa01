"""Worked examples of the rules, many under the sentence that they are printed with."""

import fivedice as fd
from for_each import for_each
from rules.houses import options as worth
from support.worked_examples import EXAMPLES, UPPER

THIRTEEN = ("yardzee", "yahtzee", "yahtzee-classic")
JOKER_BOXES = ("three_of_a_kind", "four_of_a_kind", "full_house", "small_straight", "large_straight", "chance")
THREE_EACH = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15}
FOURS = "4-4-4-4-4"


def extras(book: str, dice: str, held: dict[str, int]) -> set[int]:
    card = fd.Scorecard.of(fd.book(book), held)
    return {entry.bonus for entry in card.options(fd.Roll.parse(dice)).values()}


def all_but(book: str, *still_open: str, five: int) -> dict[str, int]:
    """A card of zeros with the named boxes open."""
    return {
        box.key: five if box.key == "five_of_a_kind" else 0 for box in fd.book(book).boxes if box.key not in still_open
    }


# The Yardzee book and the classic Yahtzee page


@for_each(("books", "dice", "points"), EXAMPLES)
def test_points_of_worked_examples(books: str, dice: str, points: dict[str, int]) -> None:
    for book in books.split():
        found = worth(book, dice)
        assert {box: found[box] for box in points} == points, book


@for_each("book", THIRTEEN)
@for_each(("sixes", "upper", "bonus"), [(18, 63, 35), (12, 57, 0), (24, 69, 35)])
def test_if_the_total_of_the_upper_scores_is_63_or_more_add_a_bonus_of_35(
    book: str, sixes: int, upper: int, bonus: int
) -> None:
    card = fd.Scorecard.of(book, THREE_EACH | {"sixes": sixes})
    assert (card.upper_total, card.upper_bonus, card.total) == (upper, bonus, upper + bonus)


@for_each("book", THIRTEEN)
def test_a_first_one_scores_50_but_you_may_take_it_as_a_top_row_score_and_safeguard_your_bonus(book: str) -> None:
    options = worth(book, FOURS)
    assert (options["five_of_a_kind"], options["fours"], len(options)) == (50, 20, 13)
    assert extras(book, FOURS, {}) == {0}


@for_each("book", ["yardzee", "yahtzee-classic"])
def test_if_you_roll_4_4_4_4_4_and_the_fours_category_is_not_filled_you_must_score_the_fours_category(
    book: str,
) -> None:
    assert worth(book, FOURS, {"five_of_a_kind": 50}) == {"fours": 20}
    assert extras(book, FOURS, {"five_of_a_kind": 50}) == {100}


def test_yardzee_if_the_corresponding_upper_category_is_filled_you_must_score_zero_anywhere_on_the_upper_section() -> (
    None
):
    options = worth("yardzee", FOURS, {"five_of_a_kind": 50, "fours": 12})
    assert options == dict.fromkeys(("aces", "twos", "threes", "fives", "sixes"), 0)


def test_classic_if_the_corresponding_category_is_filled_you_may_put_the_score_anywhere_on_the_upper_section() -> None:
    options = worth("yahtzee-classic", FOURS, {"five_of_a_kind": 50, "fours": 12})
    assert {box: options[box] for box in UPPER if box != "fours"} == dict.fromkeys(set(UPPER) - {"fours"}, 0)


def test_classic_for_the_small_straight_large_straight_and_full_house_you_would_score_30_40_and_25() -> None:
    options = worth("yahtzee-classic", FOURS, {"five_of_a_kind": 50, "fours": 12})
    assert [options[box] for box in ("small_straight", "large_straight", "full_house")] == [30, 40, 25]
    assert [options[box] for box in ("three_of_a_kind", "four_of_a_kind", "chance")] == [20, 20, 20]


def test_you_can_take_2_3_3_4_6_in_the_fives_category_it_will_score_0() -> None:
    game = fd.Game.new("yahtzee-classic", ["Ann"], dice=fd.dice.scripted("23346"))
    game.roll()
    game.mark("fives")
    assert game.position.cards[0].held("fives") == 0


@for_each("book", [*THIRTEEN, "yatzy"])
def test_you_can_roll_anything_and_put_it_in_the_chance_category(book: str) -> None:
    options = [worth(book, str(roll))["chance"] for roll in fd.dice.rolls(5)]
    assert options == [roll.total for roll in fd.dice.rolls(5)]


# The boxed Yahtzee


def test_only_equal_dice_and_two_straights_score_the_highest_boxes() -> None:
    large = [str(roll) for roll in fd.dice.rolls(5) if worth("yahtzee", str(roll))["large_straight"]]
    assert large == ["12345", "23456"]
    scored = [str(roll) for roll in fd.dice.rolls(5) if worth("yahtzee", str(roll))["five_of_a_kind"] == 50]
    assert scored == ["11111", "22222", "33333", "44444", "55555", "66666"]


def test_you_get_a_yahtzee_bonus_for_each_additional_yahtzee_you_roll() -> None:
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.scripted("66666 55555 44444 33333"))
    for box in ("five_of_a_kind", "fives", "fours", "threes"):
        game.roll()
        game.mark(box)
    card = game.position.cards[0]
    assert (card.bonuses, card.extra_total, card.lower_total, card.total) == (3, 300, 350, 350 + 60)


def test_ten_chips_do_not_cap_the_bonus() -> None:
    held = all_but("yahtzee", "chance", five=50)
    card = fd.Scorecard.of(fd.book("yahtzee"), held, bonuses=11)
    assert card.options(fd.Roll.parse("66666")) == {"chance": fd.Entry(30, 100)}


def test_if_you_have_already_entered_zero_in_the_yahtzee_box_you_do_not_earn_a_bonus() -> None:
    assert extras("yahtzee", FOURS, {"five_of_a_kind": 0}) == {0}
    assert worth("yahtzee", FOURS, {"five_of_a_kind": 0}) == {"fours": 20}


def test_joker_you_roll_5_fours_and_decide_to_score_40_points_in_the_large_straight_box() -> None:
    game = fd.Game.new("yahtzee", ["You"], dice=fd.dice.scripted("12356 44461 44444"))
    for box in ("five_of_a_kind", "fours"):
        game.roll()
        game.mark(box)
    game.roll()
    assert set(game.position.ruling().legal) == set(JOKER_BOXES)
    game.mark("large_straight")
    card = game.position.cards[0]
    assert (card.held("five_of_a_kind"), card.held("large_straight"), card.bonuses) == (0, 40, 0)


def test_if_the_upper_box_and_all_lower_boxes_are_filled_you_must_enter_a_zero_in_any_open_upper_box() -> None:
    held = all_but("yahtzee", "aces", "sixes", five=0)
    assert worth("yahtzee", FOURS, held) == {"aces": 0, "sixes": 0}


def test_add_100_points_for_each_check_mark_and_enter_the_totals_as_the_sheet_lays_them_out() -> None:
    held = {"fours": 16, "fives": 25, "sixes": 24, "full_house": 25, "five_of_a_kind": 50}
    totals = fd.Scorecard.of(fd.book("yahtzee"), held, bonuses=2).totals
    assert (totals.upper, totals.bonus, totals.upper_with_bonus) == (65, 35, 100)
    assert (totals.lower_boxes, totals.extra, totals.lower, totals.grand) == (75, 200, 275, 375)


def test_a_turn_example_you_are_well_into_a_4_player_game() -> None:
    yours = {"11123": "aces", "55512": "fives", "66661": "sixes", "44442": "four_of_a_kind", "12346": "small_straight"}
    script = [throw for throw in yours for _ in range(4)] + ["23445", "2", "233"]
    game = fd.Game.new("yahtzee", ["You", "Left", "Across", "Right"], dice=fd.dice.scripted(script))
    for box in yours.values():
        for _ in game.players:
            game.roll()
            game.mark(box)
    card = game.position.card
    assert [card.held(box) for box in yours.values()] == [3, 15, 24, 18, 30]

    game.roll()
    game.hold("2345")  # "You decide to set aside the Small Straight and reroll one die."
    game.roll()  # "You roll a Two."
    assert game.position.roll == fd.Roll.parse("2-2-3-4-5")
    game.hold("22")  # "You decide to set aside the twos and reroll the remaining 3 dice."
    game.roll()  # "You roll 1 Two and 2 Threes."
    options = game.position.ruling().legal
    assert (options["twos"].points, options["three_of_a_kind"].points, options["full_house"].points) == (6, 12, 25)
    assert game.position.rolls_left == 0
    game.mark("full_house")  # "You decide on the Full House"
    assert game.position.cards[0].held("full_house") == 25
    assert game.position.seat == 1  # "Play then passes to the left."


# Yatzy


def test_1_4_4_6_6_becomes_a_full_house_6_6_6_5_5_giving_you_a_total_score_of_28() -> None:
    game = fd.Game.new("yatzy", ["You"], dice=fd.dice.scripted("14466 642 55"))
    game.roll()
    game.hold("66")  # "You leave the sixes and roll the three other dice again."
    game.roll()  # "The second roll gives you 6-4-2."
    game.hold("666")  # "Again you leave the six and roll the remaining two dice, which give you 5-5."
    game.roll()
    assert game.position.roll == fd.Roll.parse("6-6-6-5-5")
    game.mark("full_house")
    assert game.position.cards[0].total == 28


def test_you_have_to_fill_in_a_row_after_every_turn_even_if_it_is_just_a_0() -> None:
    game = fd.Game.new("yatzy", ["You"], dice=fd.dice.scripted("12346"))
    game.roll()
    game.mark("five_of_a_kind")
    assert game.position.cards[0].held("five_of_a_kind") == 0


@for_each(("sixes", "bonus"), [(18, 50), (12, 0)])
def test_a_player_who_earns_63_points_or_more_on_the_first_part_gets_50_bonus_points(sixes: int, bonus: int) -> None:
    assert fd.Scorecard.of("yatzy", THREE_EACH | {"sixes": sixes}).upper_bonus == bonus


# The table for five alike, row by row

SUMS = dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), 20)
FIXED = {"full_house": 25, "small_straight": 30, "large_straight": 40}
PLAIN_FOURS = dict.fromkeys((*UPPER, *FIXED), 0) | SUMS | {"fours": 20}
OPEN_UPPER = {box: 0 for box in UPPER if box != "fours"}
JOKERS = SUMS | FIXED
PLAIN_LOWER = {box: PLAIN_FOURS[box] for box in JOKERS}
WITHOUT_FOURS = {box: points for box, points in PLAIN_FOURS.items() if box != "fours"}
FACE_ONLY = {"fours": 20}

TABLE = {
    # book: (50 and face open), (50 and face filled), (0 and face open), (0 and face filled), does 50 pay 100
    "yahtzee": (FACE_ONLY, JOKERS, FACE_ONLY, JOKERS, True),
    "yahtzee-classic": (FACE_ONLY, OPEN_UPPER | JOKERS, PLAIN_FOURS, WITHOUT_FOURS, True),
    "yardzee": (FACE_ONLY, OPEN_UPPER, PLAIN_FOURS, WITHOUT_FOURS, True),
    "yahtzee-free-choice": (PLAIN_FOURS, OPEN_UPPER | JOKERS, PLAIN_FOURS, OPEN_UPPER | JOKERS, True),
    "yahtzee-plain": (PLAIN_FOURS, WITHOUT_FOURS, PLAIN_FOURS, WITHOUT_FOURS, False),
}


@for_each("book", TABLE)
def test_five_alike_box_open_any_open_box_at_its_plain_value_no_bonus(book: str) -> None:
    plain = {box: points for box, points in PLAIN_FOURS.items() if box != "aces"}
    assert worth(book, FOURS, {"aces": 3}) == plain | {"five_of_a_kind": 50}
    assert extras(book, FOURS, {"aces": 3}) == {0}


@for_each("book", TABLE)
@for_each(("row", "five", "fours"), [(0, 50, None), (1, 50, 12), (2, 0, None), (3, 0, 12)])
def test_five_alike_box_filled(book: str, row: int, five: int, fours: int | None) -> None:
    held = {"five_of_a_kind": five} | ({} if fours is None else {"fours": fours})
    assert worth(book, FOURS, held) == TABLE[book][row]
    assert extras(book, FOURS, held) == {100 if five and TABLE[book][4] else 0}


@for_each("five", [50, 0])
def test_yahtzee_five_alike_with_the_lower_section_full_goes_up_for_zero(five: int) -> None:
    held = all_but("yahtzee", "aces", "twos", five=five)
    assert worth("yahtzee", FOURS, held) == {"aces": 0, "twos": 0}
    assert extras("yahtzee", FOURS, held) == {100 if five else 0}


def test_yardzee_five_alike_with_the_upper_section_full_goes_down_at_plain_value() -> None:
    held = dict.fromkeys(UPPER, 0) | {"five_of_a_kind": 50}
    assert worth("yardzee", FOURS, held) == PLAIN_LOWER
    assert extras("yardzee", FOURS, held) == {100}


def test_classic_five_alike_with_one_section_full_goes_in_the_other() -> None:
    upper_full = dict.fromkeys(UPPER, 0) | {"five_of_a_kind": 50}
    lower_full = all_but("yahtzee-classic", "aces", "twos", five=50)
    assert worth("yahtzee-classic", FOURS, upper_full) == JOKERS
    assert worth("yahtzee-classic", FOURS, lower_full) == {"aces": 0, "twos": 0}


@for_each("book", ["yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice"])
def test_what_matters_is_that_the_box_holds_50_now_not_which_five_of_a_kind_came_first(book: str) -> None:
    game = fd.Game.new(book, ["Ann"], dice=fd.dice.scripted("66666 55555 44444"))
    for box in ("sixes", "five_of_a_kind", "fours"):
        game.roll()
        game.mark(box)
    assert game.position.cards[0].bonuses == 1
