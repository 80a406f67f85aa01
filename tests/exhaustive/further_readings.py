"""A second reading of the five books that came later, made from their description alone.

As in `second_reading`: no code of the engine, and numbers where they are used. Kniffel is read by its own ladder,
Kismet by opposite faces, Crag by naming its dice. Saved rolls are counted by what was used, not by what is left.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product

Dice = tuple[int, ...]
Card = Mapping[str, int]
Options = dict[str, tuple[int, int]]
Values = dict[Dice, dict[str, int]]

NUMBERS = ("aces", "twos", "threes", "fours", "fives", "sixes")

KNIFFEL = (
    *NUMBERS,
    *(
        "three_of_a_kind",
        "four_of_a_kind",
        "full_house",
        "small_straight",
        "large_straight",
        "five_of_a_kind",
        "chance",
    ),
)
KISMET = (
    *NUMBERS,
    *("two_pairs", "three_of_a_kind", "straight", "flush", "full_house", "full_house_one_color"),
    *("four_of_a_kind", "yarborough", "five_of_a_kind"),
)
YACHT = (*NUMBERS, *("full_house", "four_of_a_kind", "small_straight", "large_straight", "chance", "five_of_a_kind"))
CRAG = (
    *NUMBERS,
    *("odd_straight", "even_straight", "low_straight", "high_straight", "three_of_a_kind", "thirteen", "crag"),
)


def _numbers(dice: Dice) -> dict[str, int]:
    value = dict.fromkeys(NUMBERS, 0)
    for die in dice:
        value[NUMBERS[die - 1]] += die
    return value


def _open(value: dict[str, int], card: Card) -> Options:
    """Any open box, nothing extra."""
    return {box: (points, 0) for box, points in value.items() if box not in card}


# Kniffel.


def _kniffel_value(dice: Dice) -> dict[str, int]:
    """Sorted dice, so that equal ones lie side by side."""
    a, b, c, d, e = dice
    three = a == c or b == d or c == e
    four = a == d or b == e
    house = (a == c and d == e and c != d) or (a == b and c == e and b != c)
    shown = "".join(map(str, sorted(set(dice))))
    value = _numbers(dice)
    value["three_of_a_kind"] = a + b + c + d + e if three else 0
    value["four_of_a_kind"] = a + b + c + d + e if four else 0
    value["full_house"] = 25 if house else 0
    value["small_straight"] = 30 if any(row in shown for row in ("1234", "2345", "3456")) else 0
    value["large_straight"] = 40 if shown in ("12345", "23456") else 0
    value["five_of_a_kind"] = 50 if a == e else 0
    value["chance"] = a + b + c + d + e
    return value


def _kniffel(card: Card, dice: Dice) -> Options:
    # After a zero in the box, and before anything is in it, five of a kind are an ordinary roll.
    if len(set(dice)) > 1 or card.get("five_of_a_kind", 0) != 50:
        return _open(_KNIFFEL[dice], card)
    face, number_box = dice[0], NUMBERS[dice[0] - 1]
    if number_box not in card:
        return {number_box: (5 * face, 50)}
    jokers = {
        "three_of_a_kind": 5 * face,
        "four_of_a_kind": 5 * face,
        "full_house": 25,
        "small_straight": 30,
        "large_straight": 40,
        "chance": 5 * face,
    }
    below = {box: (points, 0) for box, points in jokers.items() if box not in card}
    if below:
        return below
    return {box: (0, 0) for box in NUMBERS if box not in card}


# Kismet: opposite faces add up to seven and have one colour.


def _colour(die: int) -> str:
    return {1: "black", 6: "black", 2: "red", 5: "red", 3: "green", 4: "green"}[die]


def _pairs_of_one_colour(dice: Dice) -> bool:
    """Two pairs of one colour: whichever dice make them, four are left of one colour that fall into two equal pairs."""
    for colour in ("black", "red", "green"):
        mine = [die for die in dice if _colour(die) == colour]
        pairs = sum(mine.count(face) // 2 for face in set(mine))
        if pairs >= 2:
            return True
    return False


def _kismet_value(dice: Dice) -> dict[str, int]:
    total = sum(dice)
    times = sorted((dice.count(face) for face in set(dice)), reverse=True)
    one_colour = len({_colour(die) for die in dice}) == 1
    value = _numbers(dice)
    value["two_pairs"] = total if _pairs_of_one_colour(dice) else 0
    value["three_of_a_kind"] = total if times[0] >= 3 else 0
    value["straight"] = 30 if times == [1, 1, 1, 1, 1] and dice[4] - dice[0] == 4 else 0
    value["flush"] = 35 if one_colour else 0
    value["full_house"] = total + 15 if times == [3, 2] else 0
    value["full_house_one_color"] = total + 20 if times == [3, 2] and one_colour else 0
    value["four_of_a_kind"] = total + 25 if times[0] >= 4 else 0
    value["yarborough"] = total
    value["five_of_a_kind"] = total + 50 if times == [5] else 0
    return value


def _kismet(card: Card, dice: Dice) -> Options:
    return _open(_KISMET[dice], card)


# Yacht.


def _yacht_value(dice: Dice) -> dict[str, int]:
    value = _numbers(dice)
    low, middle, high = dice[0], dice[2], dice[4]
    house = low != high and dice.count(low) + dice.count(high) == 5 and dice.count(low) in (2, 3)
    value["full_house"] = sum(dice) if house else 0
    value["four_of_a_kind"] = 4 * middle if dice.count(middle) >= 4 else 0  # four alike always take in the middle die
    value["small_straight"] = 30 if dice == (1, 2, 3, 4, 5) else 0
    value["large_straight"] = 30 if dice == (2, 3, 4, 5, 6) else 0
    value["chance"] = sum(dice)
    value["five_of_a_kind"] = 50 if low == high else 0
    return value


def _yacht(card: Card, dice: Dice) -> Options:
    return _open(_YACHT[dice], card)


# Crag.

THIRTEENS = {(1, 6, 6), (2, 5, 6), (3, 4, 6), (3, 5, 5), (4, 4, 5)}


def _crag_value(dice: Dice) -> dict[str, int]:
    value = _numbers(dice)
    value["odd_straight"] = 20 if dice == (1, 3, 5) else 0
    value["even_straight"] = 20 if dice == (2, 4, 6) else 0
    value["low_straight"] = 20 if dice == (1, 2, 3) else 0
    value["high_straight"] = 20 if dice == (4, 5, 6) else 0
    value["three_of_a_kind"] = 25 if dice in {(face, face, face) for face in range(1, 7)} else 0
    value["thirteen"] = 26 if dice in THIRTEENS else 0
    value["crag"] = 50 if dice in ((1, 6, 6), (3, 5, 5), (4, 4, 5)) else 0
    return value


def _crag(card: Card, dice: Dice) -> Options:
    return _open(_CRAG[dice], card)


_FIVE = list(combinations_with_replacement(range(1, 7), 5))
_THREE = sorted({tuple(sorted(dice)) for dice in product(range(1, 7), repeat=3)})
_KNIFFEL: Values = {dice: _kniffel_value(dice) for dice in _FIVE}
_KISMET: Values = {dice: _kismet_value(dice) for dice in _FIVE}
_YACHT: Values = {dice: _yacht_value(dice) for dice in _FIVE}
_CRAG: Values = {dice: _crag_value(dice) for dice in _THREE}

BOXES = {"kniffel": KNIFFEL, "kismet": KISMET, "yacht": YACHT, "crag": CRAG}
BOOKS = {"kniffel": _kniffel, "kismet": _kismet, "yacht": _yacht, "crag": _crag}


def upper_bonus(book: str, upper: int) -> int:
    if book == "kniffel":
        return 35 if upper >= 63 else 0
    if book == "kismet":  # the highest step alone
        if upper < 63:
            return 0
        if upper < 71:
            return 35
        return 55 if upper < 78 else 75
    return 0


# Rolls.


def rolls_allowed(book: str, used: Sequence[int]) -> int:
    """How many rolls a turn has, by how many each earlier turn of the same player has used."""
    if book == "crag":
        return 2
    if book == "maxi-yatzy":  # three for every turn so far and this one, less the rolls used
        return 3 * (len(used) + 1) - sum(used)
    return 3
