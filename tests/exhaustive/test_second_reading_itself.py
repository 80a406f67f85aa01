"""The second reading against the documents' worked examples and the table for five equal dice."""

from itertools import combinations_with_replacement

from exhaustive.further_readings import rolls_allowed
from exhaustive.second_reading import BOXES, DICE, UPPER, options, totals
from for_each import for_each

THIRTEEN = ("yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice", "yahtzee-plain")
FIVE_DICE = (*THIRTEEN, "yatzy")
LADDERS = ("yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice")
FOURS = (4, 4, 4, 4, 4)
PLAIN_FOURS = {"fours": 20, "aces": 0, "full_house": 0, "chance": 20}
PLAIN_LOWER = {"three_of_a_kind": 20, "full_house": 0, "small_straight": 0, "large_straight": 0}
SUMS = dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), (20, 0))


def points(book: str, roll: str) -> dict[str, int]:
    """Return the points of a roll in each box of an empty card."""
    dice = tuple(sorted(int(pip) for pip in roll.replace("-", "")))
    return {box: worth for box, (worth, _) in options(book, {}, dice).items()}


def card(book: str, *still_open: str, five: int | None = None) -> dict[str, int]:
    """A card with all boxes filled but the named ones; `five` is what the five-of-a-kind box holds."""
    filled = {box: 0 for box in BOXES[book] if box not in still_open}
    if five is None:
        filled.pop("five_of_a_kind", None)
    else:
        filled["five_of_a_kind"] = five
    return filled


@for_each("book", FIVE_DICE)
def test_three_fives_in_each_upper_box(book: str) -> None:
    worth = points(book, "5-2-5-6-5")
    assert [worth[box] for box in UPPER] == [0, 2, 0, 0, 15, 6]


@for_each("book", THIRTEEN)
def test_four_in_a_row_is_a_small_straight_only(book: str) -> None:
    worth = points(book, "2-3-2-5-4")
    assert (worth["small_straight"], worth["large_straight"]) == (30, 0)


@for_each("book", THIRTEEN)
def test_large_straight_is_also_a_small_one(book: str) -> None:
    for roll in ("1-2-3-4-5", "6-5-4-3-2"):
        worth = points(book, roll)
        assert (worth["small_straight"], worth["large_straight"]) == (30, 40)
    assert points(book, "1-3-4-5-6")["small_straight"] == 30
    assert points(book, "1-2-3-5-6")["small_straight"] == 0


@for_each("book", THIRTEEN)
def test_full_house(book: str) -> None:
    assert points(book, "3-3-2-3-2")["full_house"] == 25
    assert points(book, "4-4-4-4-4")["full_house"] == 0
    assert points(book, "4-4-4-4-1")["full_house"] == 0
    assert points(book, "4-4-4-2-1")["full_house"] == 0


@for_each("book", FIVE_DICE)
def test_poor_roll_dumped_in_fives(book: str) -> None:
    assert points(book, "2-3-3-4-6")["fives"] == 0


def test_turn_and_joker_examples_and_order() -> None:
    filled = {"aces": 3, "fives": 15, "sixes": 24, "four_of_a_kind": 18, "small_straight": 30}
    legal = options("yahtzee", filled, (2, 2, 2, 3, 3))
    assert not legal.keys() & filled.keys()
    assert (legal["twos"], legal["three_of_a_kind"], legal["full_house"]) == ((6, 0), (12, 0), (25, 0))
    legal = SUMS | {"full_house": (25, 0), "small_straight": (30, 0), "large_straight": (40, 0)}
    assert options("yahtzee", {"five_of_a_kind": 0, "fours": 12}, FOURS) == legal
    filled: dict[str, int] = {}
    for box in BOXES["yatzy-forced"]:
        assert list(options("yatzy-forced", filled, (2, 3, 4, 5, 6))) == [box]
        filled[box] = 0
    assert options("yatzy-forced", {}, FOURS) == {"aces": (0, 0)}
    used = ([], [1], [1, 1], [1, 1, 7], [3, 3], [2, 4, 3])
    assert [rolls_allowed("maxi-yatzy", earlier) for earlier in used] == [3, 5, 7, 3, 3, 3]
    assert [rolls_allowed(book, [1, 1]) for book in ("maxi-yatzy-plain", "kniffel", "crag")] == [3, 3, 2]


# The table for five alike, row by row.


@for_each("book", THIRTEEN)
def test_five_box_open(book: str) -> None:
    zeros = dict.fromkeys((*UPPER, "full_house", "small_straight", "large_straight"), (0, 0))
    del zeros["fours"]
    assert options(book, {"fours": 12}, FOURS) == zeros | SUMS | {"five_of_a_kind": (50, 0)}


@for_each("book", ["yardzee", "yahtzee", "yahtzee-classic"])
def test_fifty_and_face_box_open(book: str) -> None:
    assert options(book, {"five_of_a_kind": 50}, FOURS) == {"fours": (20, 100)}


# what the five-of-a-kind box holds, which boxes are open, and where five fours may go for how many points
FILLED: list[tuple[str, int, str, dict[str, int]]] = [
    ("yahtzee", 50, "aces full_house chance", {"full_house": 25, "chance": 20}),
    ("yahtzee", 50, "aces sixes", {"aces": 0, "sixes": 0}),
    ("yahtzee", 0, "fours aces chance", {"fours": 20}),
    ("yahtzee", 0, "aces small_straight", {"small_straight": 30}),
    ("yahtzee", 0, "aces sixes", {"aces": 0, "sixes": 0}),
    ("yahtzee-classic", 50, "aces full_house chance", {"aces": 0, "full_house": 25, "chance": 20}),
    ("yahtzee-classic", 50, "aces sixes", {"aces": 0, "sixes": 0}),
    ("yahtzee-classic", 0, "fours aces chance", {"fours": 20, "aces": 0, "chance": 20}),
    ("yahtzee-classic", 0, "aces small_straight", {"aces": 0, "small_straight": 0}),
    ("yardzee", 50, "aces full_house chance", {"aces": 0}),
    ("yardzee", 50, " ".join(PLAIN_LOWER), PLAIN_LOWER),
    ("yardzee", 0, "fours aces chance", {"fours": 20, "aces": 0, "chance": 20}),
    ("yardzee", 0, "aces full_house", {"aces": 0, "full_house": 0}),
    *(("yahtzee-free-choice", five, "fours aces full_house chance", PLAIN_FOURS) for five in (50, 0)),
    *(
        (
            "yahtzee-free-choice",
            five,
            "aces full_house large_straight",
            {"aces": 0, "full_house": 25, "large_straight": 40},
        )
        for five in (50, 0)
    ),
    *(("yahtzee-plain", five, "fours aces full_house chance", PLAIN_FOURS) for five in (50, 0)),
    *(("yatzy", five, "aces fours full_house", {"aces": 0, "fours": 20, "full_house": 0}) for five in (50, 0)),
    ("kniffel", 0, "aces fours full_house chance", PLAIN_FOURS),
]


@for_each(("book", "five", "still_open", "legal"), FILLED)
def test_filled_five_box(book: str, five: int, still_open: str, legal: dict[str, int]) -> None:
    """A box that holds 50 pays 100 extra in the books with a ladder; a zero pays nothing."""
    extra = 100 if five and book in LADDERS else 0
    found = options(book, card(book, *still_open.split(), five=five), FOURS)
    assert found == {box: (worth, extra) for box, worth in legal.items()}


@for_each("book", LADDERS)
@for_each("five", [50, 0])
def test_only_five_alike_is_narrowed(book: str, five: int) -> None:
    """Any other roll goes in any open box, whatever the five-of-a-kind box holds."""
    still_open = BOXES[book][:11] + BOXES[book][12:]
    for dice in combinations_with_replacement(range(1, 7), 5):
        if dice[0] != dice[4]:
            assert tuple(options(book, {"five_of_a_kind": five}, dice)) == still_open


@for_each("book", BOXES)
def test_every_roll_has_a_box_until_the_card_is_full(book: str) -> None:
    number = DICE.get(book, 5)
    for face in range(1, 7):
        for box in BOXES[book]:
            for five in (50, 0):
                filled = {other: 0 for other in BOXES[book] if other != box}
                if "five_of_a_kind" in filled:
                    filled["five_of_a_kind"] = five
                assert list(options(book, filled, (face,) * number)) == [box]
    assert options(book, dict.fromkeys(BOXES[book], 0), (1,) * number) == {}


# Yatzy and its kin.


@for_each(
    ("roll", "worth"),
    [
        ("666555", {"villa": 33, "full_house": 28, "two_pairs": 22, "tower": 0, "three_of_a_kind": 18}),
        ("222266", {"tower": 20, "full_house": 18, "villa": 0, "three_pairs": 0, "two_pairs": 16}),
        ("222666", {"villa": 24, "full_house": 22, "three_of_a_kind": 18}),
        ("223366", {"three_pairs": 22, "two_pairs": 18, "one_pair": 12, "full_house": 0}),
        ("133355", {"full_house": 19, "villa": 0, "tower": 0}),
        ("444445", {"five_of_a_kind": 20, "four_of_a_kind": 16, "full_house": 0, "tower": 0}),
        ("444444", {"six_of_a_kind": 100, "five_of_a_kind": 20, "villa": 0, "tower": 0, "two_pairs": 0}),
        ("123456", {"small_straight": 15, "large_straight": 20, "full_straight": 21, "chance": 21}),
        ("123455", {"small_straight": 15, "large_straight": 0, "full_straight": 0}),
        ("234566", {"small_straight": 0, "large_straight": 20, "full_straight": 0}),
    ],
)
@for_each("book", ["maxi-yatzy", "maxi-yatzy-plain"])
def test_maxi_yatzy(book: str, roll: str, worth: dict[str, int]) -> None:
    found = points(book, roll)
    assert {box: found[box] for box in worth} == worth


# The books that came later.


@for_each(
    ("still_open", "legal"),
    [
        (("fours", "chance"), {"fours": (20, 50)}),
        (("aces", "full_house", "chance"), {"full_house": (25, 0), "chance": (20, 0)}),
        (("small_straight", "large_straight"), {"small_straight": (30, 0), "large_straight": (40, 0)}),
        (("aces", "sixes"), {"aces": (0, 0), "sixes": (0, 0)}),
    ],
)
def test_a_further_kniffel(still_open: tuple[str, ...], legal: dict[str, tuple[int, int]]) -> None:
    assert options("kniffel", card("kniffel", *still_open, five=50), FOURS) == legal


@for_each(
    ("book", "roll", "worth"),
    [
        ("yahtzee", "3-3-3-2-4", {"threes": 9, "twos": 2, "fours": 4}),
        ("yahtzee", "5-5-5-2-1", {"three_of_a_kind": 18, "chance": 18, "fives": 15, "twos": 2, "aces": 1}),
        ("yahtzee", "2-2-2-2-6", {"four_of_a_kind": 14, "three_of_a_kind": 14, "chance": 14, "twos": 8, "sixes": 6}),
        ("yahtzee", "3-3-3-5-5", {"full_house": 25, "three_of_a_kind": 19, "chance": 19, "threes": 9, "fives": 10}),
        ("yatzy", "66655", {"full_house": 28}),
        ("yatzy", "14466", {"two_pairs": 20, "one_pair": 12}),
        ("yatzy", "55556", {"one_pair": 10, "two_pairs": 0, "full_house": 0}),
        ("yatzy", "55556", {"three_of_a_kind": 15, "four_of_a_kind": 20, "chance": 26}),
        ("yatzy", "66666", {"five_of_a_kind": 50, "one_pair": 12, "four_of_a_kind": 24}),
        ("yatzy", "66666", {"two_pairs": 0, "full_house": 0}),
        ("yatzy", "12345", {"small_straight": 15, "large_straight": 0}),
        ("yatzy", "23456", {"small_straight": 0, "large_straight": 20}),
        ("yatzy", "23455", {"small_straight": 0, "large_straight": 0}),
        ("kniffel", "3-3-2-3-2", {"full_house": 25, "three_of_a_kind": 13, "four_of_a_kind": 0, "threes": 9}),
        ("kniffel", "1-3-4-5-6", {"small_straight": 30, "large_straight": 0}),
        ("kniffel", "4-4-4-4-4", {"full_house": 0, "five_of_a_kind": 50, "three_of_a_kind": 20}),
        ("kismet", "2-2-5-5-1", {"two_pairs": 15, "flush": 0, "three_of_a_kind": 0}),
        ("kismet", "2-2-6-6-1", {"two_pairs": 0}),
        ("kismet", "3-3-3-3-1", {"two_pairs": 13, "four_of_a_kind": 38, "full_house": 0}),
        ("kismet", "6-6-6-1-1", {"full_house": 35, "full_house_one_color": 40, "flush": 35, "two_pairs": 20}),
        ("kismet", "6-6-6-5-5", {"full_house": 43, "full_house_one_color": 0, "flush": 0, "two_pairs": 0}),
        ("kismet", "1-1-1-1-6", {"flush": 35, "four_of_a_kind": 35, "two_pairs": 10, "full_house_one_color": 0}),
        ("kismet", "2-3-4-5-6", {"straight": 30, "yarborough": 20}),
        ("kismet", "1-2-3-4-6", {"straight": 0}),
        ("kismet", "5-5-5-5-5", {"five_of_a_kind": 75, "four_of_a_kind": 50, "full_house": 0, "two_pairs": 25}),
        ("yacht", "6-6-6-5-5", {"full_house": 28, "four_of_a_kind": 0, "chance": 28}),
        ("yacht", "6-6-6-6-5", {"full_house": 0, "four_of_a_kind": 24, "chance": 29}),
        ("yacht", "3-3-3-3-3", {"five_of_a_kind": 50, "four_of_a_kind": 12, "full_house": 0, "threes": 15}),
        ("yacht", "1-2-3-4-5", {"small_straight": 30, "large_straight": 0}),
        ("yacht", "2-3-4-5-6", {"small_straight": 0, "large_straight": 30}),
        ("yacht", "1-3-4-5-6", {"small_straight": 0, "large_straight": 0}),
        ("crag", "6-6-1", {"crag": 50, "thirteen": 26, "sixes": 12}),
        ("crag", "2-5-6", {"crag": 0, "thirteen": 26}),
        ("crag", "4-4-4", {"three_of_a_kind": 25, "fours": 12, "thirteen": 0, "crag": 0}),
        ("crag", "1-3-5", {"odd_straight": 20, "low_straight": 0}),
        ("crag", "2-3-4", {"odd_straight": 0, "even_straight": 0, "low_straight": 0, "high_straight": 0}),
    ],
)
def test_points_of_a_roll(book: str, roll: str, worth: dict[str, int]) -> None:
    found = points(book, roll)
    assert {box: found[box] for box in worth} == worth


@for_each(("upper", "bonus"), [(62, 0), (63, 35), (70, 35), (71, 55), (77, 55), (78, 75), (105, 75)])
def test_kismet_bonus_steps(upper: int, bonus: int) -> None:
    assert totals("kismet", {"sixes": upper}, 0) == (upper, bonus, 0, upper + bonus)


@for_each("book", ["yacht", "crag"])
def test_neither_yacht_nor_crag_has_a_bonus(book: str) -> None:
    assert totals(book, THREE_OF_EACH, 0) == (63, 0, 0, 63)


# Adding up.

THREE_OF_EACH = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
FOUR_OF_EACH = {"aces": 4, "twos": 8, "threes": 12, "fours": 16, "fives": 20, "sixes": 24}


@for_each(
    ("book", "upper", "bonus"),
    [(book, THREE_OF_EACH, 35) for book in THIRTEEN]
    + [("yatzy", THREE_OF_EACH, 50), ("yatzy-forced", THREE_OF_EACH, 50), ("kniffel", THREE_OF_EACH, 35)]
    + [("maxi-yatzy", FOUR_OF_EACH, 100), ("maxi-yatzy-plain", FOUR_OF_EACH, 100)],
)
def test_upper_bonus_begins_exactly_at_its_threshold(book: str, upper: dict[str, int], bonus: int) -> None:
    threshold = sum(upper.values())
    assert totals(book, upper, 0) == (threshold, bonus, 0, threshold + bonus)
    one_short = upper | {"aces": upper["aces"] - 1}
    assert totals(book, one_short, 0) == (threshold - 1, 0, 0, threshold - 1)


def test_totals_bonuses_and_extras() -> None:
    uneven = THREE_OF_EACH | {"aces": 1, "sixes": 24}
    assert totals("yardzee", uneven, 0) == (67, 35, 0, 102)
    filled = THREE_OF_EACH | {"five_of_a_kind": 50, "chance": 20}
    assert totals("yahtzee", filled, 12) == (63, 35, 1270, 1368)
    assert totals("kniffel", filled, 4) == (63, 35, 270, 368)
