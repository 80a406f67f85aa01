"""The second reading against the documents' worked examples and the table for five equal dice."""

from itertools import combinations_with_replacement

from exhaustive.further_readings import rolls_allowed
from exhaustive.second_reading import BOXES, DICE, UPPER, options, totals
from for_each import for_each
from support.worked_examples import EXAMPLES

THIRTEEN = ("yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice", "yahtzee-plain")
LADDERS = ("yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice")
FOURS = (4, 4, 4, 4, 4)
PLAIN_FOURS = {"fours": 20, "aces": 0, "full_house": 0, "chance": 20}
PLAIN_LOWER = {"three_of_a_kind": 20, "full_house": 0, "small_straight": 0, "large_straight": 0}
SUMS = dict.fromkeys(("three_of_a_kind", "four_of_a_kind", "chance"), (20, 0))


def card(book: str, *still_open: str, five: int | None = None) -> dict[str, int]:
    """A card with all boxes filled but the named ones; `five` is what the five-of-a-kind box holds."""
    filled = {box: 0 for box in BOXES[book] if box not in still_open}
    if five is None:
        filled.pop("five_of_a_kind", None)
    else:
        filled["five_of_a_kind"] = five
    return filled


@for_each(("books", "dice", "points"), EXAMPLES)
def test_points_of_worked_examples(books: str, dice: str, points: dict[str, int]) -> None:
    for book in books.split():
        found = options(book, {}, tuple(sorted(map(int, dice))))
        assert {box: found[box][0] for box in points} == points, book


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
