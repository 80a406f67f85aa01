"""A second reading of the rule books, made from the documents alone; `further_readings` has those that came later.

It exists to be compared with the engine, so it shares nothing with it and is written the other way round:
each book is spelled out in plain functions, with its numbers standing where they are used. Repetition
between books is wanted here; a slip in one place must not be able to hide in all of them.

What each roll is worth by itself is worked out once, when the module is loaded. A call then only has to
leave out the filled boxes and, for five alike, follow the book's own ladder.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement

from exhaustive import further_readings as further

Dice = tuple[int, ...]
Card = Mapping[str, int]
Options = dict[str, tuple[int, int]]

UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")

_THIRTEEN = (
    *UPPER,
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
_YATZY = (
    *UPPER,
    *("one_pair", "two_pairs", "three_of_a_kind", "four_of_a_kind", "small_straight", "large_straight"),
    *("full_house", "chance", "five_of_a_kind"),
)
_MAXI = (
    *UPPER,
    *("one_pair", "two_pairs", "three_pairs", "three_of_a_kind", "four_of_a_kind", "five_of_a_kind"),
    *("small_straight", "large_straight", "full_straight", "full_house", "villa", "tower", "chance", "six_of_a_kind"),
)

BOXES: dict[str, tuple[str, ...]] = {
    "yardzee": _THIRTEEN,
    "yahtzee": _THIRTEEN,
    "yatzy": _YATZY,
    "yahtzee-classic": _THIRTEEN,
    "yahtzee-free-choice": _THIRTEEN,
    "yahtzee-plain": _THIRTEEN,
    "yatzy-forced": _YATZY,
    "maxi-yatzy": _MAXI,
    "maxi-yatzy-plain": _MAXI,
    **further.BOXES,
}
DICE = {"maxi-yatzy": 6, "maxi-yatzy-plain": 6, "crag": 3}  # the others have five
EXTRA = {"kniffel": 50}  # what a further five of a kind pays; the others that pay at all pay 100


# The points of one roll in every box, ignoring the card.


def _upper_part(dice: Dice) -> Options:
    return {
        "aces": (1 * dice.count(1), 0),
        "twos": (2 * dice.count(2), 0),
        "threes": (3 * dice.count(3), 0),
        "fours": (4 * dice.count(4), 0),
        "fives": (5 * dice.count(5), 0),
        "sixes": (6 * dice.count(6), 0),
    }


def _has_four_in_a_row(dice: Dice) -> bool:
    faces = set(dice)
    return {1, 2, 3, 4} <= faces or {2, 3, 4, 5} <= faces or {3, 4, 5, 6} <= faces


def _thirteen_boxes(dice: Dice) -> Options:
    total = sum(dice)
    pattern = sorted(Counter(dice).values())
    value = _upper_part(dice)
    value["three_of_a_kind"] = (total if pattern[-1] >= 3 else 0, 0)
    value["four_of_a_kind"] = (total if pattern[-1] >= 4 else 0, 0)
    # Exactly three and two: five alike shows only one face, so it is not a natural full house.
    value["full_house"] = (25 if pattern == [2, 3] else 0, 0)
    value["small_straight"] = (30 if _has_four_in_a_row(dice) else 0, 0)
    value["large_straight"] = (40 if dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) else 0, 0)
    value["five_of_a_kind"] = (50 if pattern == [5] else 0, 0)
    value["chance"] = (total, 0)
    return value


def _faces_at_least(dice: Dice, times: int) -> list[int]:
    """Return the faces shown by at least that many dice, highest first."""
    return [face for face in (6, 5, 4, 3, 2, 1) if dice.count(face) >= times]


def _alike(dice: Dice, times: int) -> int:
    """Only the matching dice are summed; of two triples among six dice the higher one counts."""
    faces = _faces_at_least(dice, times)
    return times * faces[0] if faces else 0


def _pairs(dice: Dice, wanted: int) -> int:
    """Return the sum of the `wanted` highest pairs of different faces, or 0; four of a kind make one pair, not two."""
    faces = _faces_at_least(dice, 2)
    return 2 * sum(faces[:wanted]) if len(faces) >= wanted else 0


def _yatzy_boxes(dice: Dice) -> Options:
    value = _upper_part(dice)
    value["one_pair"] = (_pairs(dice, 1), 0)
    value["two_pairs"] = (_pairs(dice, 2), 0)
    value["three_of_a_kind"] = (_alike(dice, 3), 0)
    value["four_of_a_kind"] = (_alike(dice, 4), 0)
    value["small_straight"] = (15 if dice == (1, 2, 3, 4, 5) else 0, 0)
    value["large_straight"] = (20 if dice == (2, 3, 4, 5, 6) else 0, 0)
    value["full_house"] = (sum(dice) if sorted(Counter(dice).values()) == [2, 3] else 0, 0)
    value["chance"] = (sum(dice), 0)
    value["five_of_a_kind"] = (50 if dice[0] == dice[4] else 0, 0)
    return value


def _maxi_full_house(dice: Dice) -> int:
    """Three of one face and two of another out of the six dice, whichever choice sums highest."""
    best = 0
    for three in _faces_at_least(dice, 3):
        for two in _faces_at_least(dice, 2):
            if two != three:
                best = max(best, 3 * three + 2 * two)
    return best


def _maxi_boxes(dice: Dice) -> Options:
    pattern = sorted(Counter(dice).values())
    value = _upper_part(dice)
    value["one_pair"] = (_pairs(dice, 1), 0)
    value["two_pairs"] = (_pairs(dice, 2), 0)
    value["three_pairs"] = (_pairs(dice, 3), 0)
    value["three_of_a_kind"] = (_alike(dice, 3), 0)
    value["four_of_a_kind"] = (_alike(dice, 4), 0)
    value["five_of_a_kind"] = (_alike(dice, 5), 0)
    value["small_straight"] = (15 if {1, 2, 3, 4, 5} <= set(dice) else 0, 0)
    value["large_straight"] = (20 if {2, 3, 4, 5, 6} <= set(dice) else 0, 0)
    value["full_straight"] = (21 if dice == (1, 2, 3, 4, 5, 6) else 0, 0)
    value["full_house"] = (_maxi_full_house(dice), 0)
    value["villa"] = (sum(dice) if pattern == [3, 3] else 0, 0)
    value["tower"] = (sum(dice) if pattern == [2, 4] else 0, 0)
    value["chance"] = (sum(dice), 0)
    value["six_of_a_kind"] = (100 if pattern == [6] else 0, 0)
    return value


# Pairs are faster to walk through than a dict, and these are walked through in every call.
Values = dict[Dice, list[tuple[str, tuple[int, int]]]]
_FIVE_DICE: list[Dice] = list(combinations_with_replacement(range(1, 7), 5))
_SIX_DICE: list[Dice] = list(combinations_with_replacement(range(1, 7), 6))
_THIRTEEN_VALUES: Values = {roll: list(_thirteen_boxes(roll).items()) for roll in _FIVE_DICE}
_YATZY_VALUES: Values = {roll: list(_yatzy_boxes(roll).items()) for roll in _FIVE_DICE}
_MAXI_VALUES: Values = {roll: list(_maxi_boxes(roll).items()) for roll in _SIX_DICE}


# The pieces that the ladders for five alike are made of.


def _plain(card: Card, dice: Dice) -> Options:
    """Any open box of a 13-box sheet at its plain value, no bonus."""
    return {box: worth for box, worth in _THIRTEEN_VALUES[dice] if box not in card}


def _face_box(dice: Dice) -> str:
    return UPPER[dice[0] - 1]


def _open_upper_for_nothing(card: Card, bonus: int) -> Options:
    return {box: (0, bonus) for box in UPPER if box not in card}


def _open_lower_as_joker(card: Card, dice: Dice, bonus: int) -> Options:
    total = 5 * dice[0]
    value = {
        "three_of_a_kind": (total, bonus),
        "four_of_a_kind": (total, bonus),
        "full_house": (25, bonus),
        "small_straight": (30, bonus),
        "large_straight": (40, bonus),
        "chance": (total, bonus),
    }
    return {box: worth for box, worth in value.items() if box not in card}


def _open_lower_plain(card: Card, dice: Dice, bonus: int) -> Options:
    """Five alike is neither a full house nor a straight unless a joker makes it one."""
    total = 5 * dice[0]
    value = {
        "three_of_a_kind": (total, bonus),
        "four_of_a_kind": (total, bonus),
        "full_house": (0, bonus),
        "small_straight": (0, bonus),
        "large_straight": (0, bonus),
        "chance": (total, bonus),
    }
    return {box: worth for box, worth in value.items() if box not in card}


# The books.


def _yahtzee(card: Card, dice: Dice) -> Options:
    if dice[0] != dice[4] or "five_of_a_kind" not in card:
        return _plain(card, dice)
    # A zero in the box loses the hundred but not the joker rules.
    bonus = 100 if card["five_of_a_kind"] == 50 else 0
    if _face_box(dice) not in card:
        return {_face_box(dice): (5 * dice[0], bonus)}
    return _open_lower_as_joker(card, dice, bonus) or _open_upper_for_nothing(card, bonus)


def _yahtzee_classic(card: Card, dice: Dice) -> Options:
    # Additional Yahtzees are only spoken of where the first one was scored in the box.
    if dice[0] != dice[4] or card.get("five_of_a_kind") != 50:
        return _plain(card, dice)
    if _face_box(dice) not in card:
        return {_face_box(dice): (5 * dice[0], 100)}
    return _open_upper_for_nothing(card, 100) | _open_lower_as_joker(card, dice, 100)


def _yardzee(card: Card, dice: Dice) -> Options:
    if dice[0] != dice[4] or card.get("five_of_a_kind") != 50:
        return _plain(card, dice)
    if _face_box(dice) not in card:
        return {_face_box(dice): (5 * dice[0], 100)}
    # The Yardzee book knows no joker: a zero above, and plain values below once the upper half is full.
    return _open_upper_for_nothing(card, 100) or _open_lower_plain(card, dice, 100)


def _yahtzee_free_choice(card: Card, dice: Dice) -> Options:
    if dice[0] != dice[4] or "five_of_a_kind" not in card:
        return _plain(card, dice)
    bonus = 100 if card["five_of_a_kind"] == 50 else 0
    if _face_box(dice) in card:
        return _open_upper_for_nothing(card, bonus) | _open_lower_as_joker(card, dice, bonus)
    anywhere = _open_upper_for_nothing(card, bonus) | _open_lower_plain(card, dice, bonus)
    anywhere[_face_box(dice)] = (5 * dice[0], bonus)
    return anywhere


def _yahtzee_plain(card: Card, dice: Dice) -> Options:
    return _plain(card, dice)


def _yatzy(card: Card, dice: Dice) -> Options:
    return {box: worth for box, worth in _YATZY_VALUES[dice] if box not in card}


def _yatzy_forced(card: Card, dice: Dice) -> Options:
    for box, worth in _YATZY_VALUES[dice]:
        if box not in card:
            return {box: worth}
    return {}


def _maxi_yatzy(card: Card, dice: Dice) -> Options:
    return {box: worth for box, worth in _MAXI_VALUES[dice] if box not in card}


_BOOKS = {
    "yardzee": _yardzee,
    "yahtzee": _yahtzee,
    "yatzy": _yatzy,
    "yahtzee-classic": _yahtzee_classic,
    "yahtzee-free-choice": _yahtzee_free_choice,
    "yahtzee-plain": _yahtzee_plain,
    "yatzy-forced": _yatzy_forced,
    "maxi-yatzy": _maxi_yatzy,
    "maxi-yatzy-plain": _maxi_yatzy,
    **further.BOOKS,
}


def options(book: str, filled: Mapping[str, int], dice: tuple[int, ...]) -> dict[str, tuple[int, int]]:
    """The legal boxes for sorted dice: box key -> (points, extra bonus paid now)."""
    return _BOOKS[book](filled, dice)


def _upper_bonus(book: str, upper: int) -> int:
    if book in further.BOOKS:
        return further.upper_bonus(book, upper)
    if book in ("maxi-yatzy", "maxi-yatzy-plain"):
        return 100 if upper >= 84 else 0
    if book in ("yatzy", "yatzy-forced"):
        return 50 if upper >= 63 else 0
    return 35 if upper >= 63 else 0


def totals(book: str, filled: Mapping[str, int], extras: int) -> tuple[int, int, int, int]:
    """Upper total without bonus, upper bonus, lower total with what was paid extra, grand total.

    `extras` is how many times something extra has been paid, as the check marks on the pad count it.
    """
    upper = sum(points for box, points in filled.items() if box in UPPER)
    lower = sum(points for box, points in filled.items() if box not in UPPER) + EXTRA.get(book, 100) * extras
    bonus = _upper_bonus(book, upper)
    return upper, bonus, lower, upper + bonus + lower
