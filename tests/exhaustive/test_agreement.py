"""The engine's options and totals against the second reading, for every roll on every kind of card.

The campaign `exhaustive` compares all cases. Otherwise it is a quarter of the cards, another every day. Of the rolls
it is those with all dice the same, because only there do the books differ by more than their points, and every twelfth
of the others, shifted from card to card so that each roll has its turn. Where all dice the same are nothing special, it
is one card in eight.
"""

import os
import random
from collections.abc import Iterator

import pytest

import fivedice as fd
from exhaustive import second_reading as second
from for_each import for_each
from long import few, long_only

pytestmark = pytest.mark.campaign

FULL = bool(os.environ.get("FIVEDICE_EXHAUSTIVE"))
STRIDE = 12
THIRTEEN = ("yardzee", "yahtzee", "yahtzee-classic", "yahtzee-free-choice", "yahtzee-plain", "kniffel")
MAXI = ("maxi-yatzy", "maxi-yatzy-plain")
FIVE_STATES = {"open": None, "fifty": 50, "zero": 0}
QUARTERS = range(4)
YATZY_CHUNKS = range(32)

# A filled box does not affect the legality of others, except the five-of-a-kind box: so any
# plausible points will do, and they make the totals worth adding.
TYPICAL = {
    "aces": 3,
    "twos": 8,
    "threes": 9,
    "fours": 16,
    "fives": 20,
    "sixes": 24,
    "one_pair": 12,
    "two_pairs": 22,
    "three_pairs": 30,
    "three_of_a_kind": 15,
    "four_of_a_kind": 20,
    "five_of_a_kind": 50,
    "small_straight": 15,
    "large_straight": 20,
    "full_straight": 21,
    "full_house": 25,
    "villa": 33,
    "tower": 32,
    "chance": 23,
    "six_of_a_kind": 100,
    "straight": 30,
    "flush": 35,
    "full_house_one_color": 38,
    "yarborough": 23,
    "odd_straight": 20,
    "even_straight": 20,
    "low_straight": 20,
    "high_straight": 20,
    "thirteen": 26,
    "crag": 50,
}

Pair = tuple[fd.Roll, tuple[int, ...]]


def pairs(dice: int) -> list[Pair]:
    return [(roll, roll.faces) for roll in fd.dice.rolls(dice)]


def samples(dice: int) -> list[list[Pair]]:
    """The rolls to look at on a card, by the number of the card modulo the stride."""
    everything = pairs(dice)
    if FULL:
        return [everything] * STRIDE
    return [
        [pair for place, pair in enumerate(everything) if pair[0].alike or (place + 5 * shift) % STRIDE == 0]
        for shift in range(STRIDE)
    ]


SAMPLES = {dice: samples(dice) for dice in (3, 5, 6)}


def filled_boxes(book: str, mask: int, five: int | None = None) -> dict[str, int]:
    """The card of a mask: half of its boxes hold points and half hold zeros, which half depends on the mask."""
    sheet = second.BOXES[book]
    held = {
        box: TYPICAL[box] if (mask >> place ^ mask ^ place) & 1 else 0
        for place, box in enumerate(sheet)
        if mask >> place & 1
    }
    return held if five is None else held | {"five_of_a_kind": five}


def engine_card(book: fd.RuleBook, filled: dict[str, int], bonuses: int) -> fd.Scorecard:
    return fd.Scorecard(book, tuple(filled.get(box.key) for box in book.boxes), bonuses)


def compare(key: str, numbered_cards: Iterator[tuple[int, dict[str, int], int]]) -> None:
    book = fd.book(key)
    for number, filled, bonuses in numbered_cards:
        card = engine_card(book, filled, bonuses)
        sums = (card.upper_total, card.upper_bonus, card.lower_total, card.total)
        assert sums == second.totals(key, filled, bonuses), (key, filled, bonuses)
        for roll, dice in SAMPLES[book.dice][number % STRIDE]:
            found = {box: (entry.points, entry.bonus) for box, entry in card.options(roll).items()}
            if found != second.options(key, filled, dice):
                pytest.fail(f"{key} {filled} {roll}: {found}, not {second.options(key, filled, dice)}")


def spread(mask: int, hole: int) -> int:
    """The mask with a bit put in at `hole`, which stays open there."""
    low = mask & ((1 << hole) - 1)
    return low | (mask >> hole) << (hole + 1)


def thirteen_box_cards(key: str, five: int | None, quarter: int) -> Iterator[tuple[int, dict[str, int], int]]:
    hole = second.BOXES[key].index("five_of_a_kind")
    pays = key != "yahtzee-plain" and five == 50
    for mask in range(quarter, 4096, 4):
        filled = filled_boxes(key, spread(mask, hole), five)
        most = len(filled) - 1 if key != "kniffel" else sum(box in second.UPPER for box in filled)
        yield mask // 4, filled, min(most, mask % 5) if pays else 0


@for_each("quarter", few(QUARTERS, 1))
@for_each("state", FIVE_STATES)
@for_each("key", few(THIRTEEN, 4))
def test_thirteen_box_books_agree(key: str, state: str, quarter: int) -> None:
    cards = thirteen_box_cards(key, FIVE_STATES[state], quarter)
    like_others = key == "yahtzee-plain" or (key == "kniffel" and state != "fifty")  # a sum of boxes, or as elsewhere
    compare(key, (card for card in cards if FULL or not like_others or card[0] % 8 == 0))


@for_each("chunk", few(YATZY_CHUNKS, 8))
def test_yatzy_agrees(chunk: int) -> None:
    masks = (mask for mask in range(chunk, 1 << 15, len(YATZY_CHUNKS)) if FULL or odd_one(mask, 15))
    compare("yatzy", ((number, filled_boxes("yatzy", mask), 0) for number, mask in enumerate(masks)))


def test_fixed_order_yatzy_agrees() -> None:
    """Only sixteen cards can come up, so all rolls are tried on each."""
    cards = [filled_boxes("yatzy-forced", (1 << filled) - 1) for filled in range(16)]
    compare("yatzy-forced", ((shift, card, 0) for card in cards for shift in range(STRIDE)))


@for_each("key", ["yacht", "crag"])
def test_small_sheets_agree(key: str) -> None:
    boxes = len(second.BOXES[key])
    masks = (mask for mask in range(1 << boxes) if FULL or odd_one(mask, boxes))
    compare(key, ((number, filled_boxes(key, mask), 0) for number, mask in enumerate(masks)))


@for_each("chunk", few(YATZY_CHUNKS, 8))
def test_kismet_agrees(chunk: int) -> None:
    masks = (mask for mask in range(chunk, 1 << 15, len(YATZY_CHUNKS)) if FULL or odd_one(mask, 15))
    compare("kismet", ((number, filled_boxes("kismet", mask), 0) for number, mask in enumerate(masks)))


def odd_one(mask: int, boxes: int) -> bool:
    """One card in eight, and all that are nearly empty or nearly full."""
    filled = mask.bit_count()
    return not 2 <= filled <= boxes - 2 or (mask * 37 + filled) % 8 == 0


@for_each("upper", range(106))
def test_every_upper_total_of_kismet_agrees(upper: int) -> None:
    """The bonus depends on the total alone, so it may stand in one box; what the box could hold does not matter."""
    held = {"sixes": upper, "flush": 35}
    card = engine_card(fd.book("kismet"), held, 0)
    assert (card.upper_total, card.upper_bonus, card.lower_total, card.total) == second.totals("kismet", held, 0)


def maxi_masks() -> list[int]:
    """The edges and a fixed draw from the million cards of twenty boxes."""
    full = (1 << 20) - 1
    edges = [0, full] + [1 << place for place in range(20)] + [full ^ 1 << place for place in range(20)]
    return edges + random.Random(20).sample(range(1 << 20), 1958)


@for_each("quarter", few(QUARTERS, 1))
@for_each("key", MAXI)
def test_maxi_yatzy_agrees(key: str, quarter: int) -> None:
    masks = maxi_masks()[quarter :: 4 if FULL or key == "maxi-yatzy" else 16]
    compare(key, ((number, filled_boxes(key, mask), 0) for number, mask in enumerate(masks)))


@long_only
@for_each("chunk", range(16))
def test_every_card_of_maxi_yatzy_agrees(chunk: int) -> None:
    """A million cards, each with two rolls of the 462, so that each roll meets 4,500 of them."""
    book, everything = fd.book("maxi-yatzy"), pairs(6)
    for mask in range(chunk, 1 << 20, 16):
        filled = filled_boxes("maxi-yatzy", mask)
        card = engine_card(book, filled, 0)
        for roll, dice in everything[mask // 16 % 231 :: 231]:
            found = {box: (entry.points, entry.bonus) for box, entry in card.options(roll).items()}
            assert found == second.options("maxi-yatzy", filled, dice), (filled, roll)


@for_each("dice", [3, 5, 6])
def test_sample_reaches_every_roll(dice: int) -> None:
    seen = {roll for sample in SAMPLES[dice] for roll, _ in sample}
    assert seen == set(fd.dice.rolls(dice))
    assert all(len(sample) >= {3: 9}.get(dice, 25) for sample in SAMPLES[dice])
    assert all({(face,) * dice for face in range(1, 7)} <= {faces for _, faces in sample} for sample in SAMPLES[dice])


@for_each("key", THIRTEEN)
def test_cards_reach_every_mask_once(key: str) -> None:
    for five in FIVE_STATES.values():
        cards = [filled for quarter in QUARTERS for _, filled, _ in thirteen_box_cards(key, five, quarter)]
        assert len({frozenset(filled) for filled in cards}) == len(cards) == 4096
        assert {filled.get("five_of_a_kind") for filled in cards} == {five}


def test_every_shipped_book_is_compared() -> None:
    compared = {*THIRTEEN, *MAXI, "yatzy", "yatzy-forced", "kismet", "yacht", "crag"}
    assert compared == set(fd.SHIPPED) == set(second.BOXES)


def test_one_card_in_eight_is_a_fair_sample() -> None:
    for boxes in (12, 13, 15):
        masks = [mask for mask in range(1 << boxes) if odd_one(mask, boxes)]
        assert {mask.bit_count() for mask in masks} == set(range(boxes + 1))
        assert all(len({mask >> place & 1 for mask in masks}) == 2 for place in range(boxes))
