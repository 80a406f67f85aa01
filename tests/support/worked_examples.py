"""Points of rolls on an empty card: worked examples of the rules, and others counted by hand.

The engine and the second reading are both compared with them.
"""

UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
_THIRTEEN = "yardzee yahtzee yahtzee-classic yahtzee-free-choice yahtzee-plain"
_MAXI = "maxi-yatzy maxi-yatzy-plain"

# The books, the dice, and the points of some boxes; a comment quotes the rules.
EXAMPLES: list[tuple[str, str, dict[str, int]]] = [
    # "If you roll 5-2-5-6-5 … in the fives category your total would be 15", in two or six 2 and 6, else a zero.
    (f"{_THIRTEEN} yatzy", "52565", dict(zip(UPPER, (0, 2, 0, 0, 15, 6), strict=True))),
    # "If you rolled 2-3-2-5-4 you could score 30 in small straight, or 0 in large straight."
    (_THIRTEEN, "23254", {"small_straight": 30, "large_straight": 0}),
    (_THIRTEEN, "12345", {"small_straight": 30, "large_straight": 40}),
    (_THIRTEEN, "65432", {"small_straight": 30, "large_straight": 40}),
    *((_THIRTEEN, dice, {"small_straight": 30}) for dice in ("12346", "23455", "34561")),
    (_THIRTEEN, "12356", {"small_straight": 0}),
    (_THIRTEEN, "33232", {"full_house": 25}),  # "3-3-2-3-2 would score 25 in the full house category."
    (_THIRTEEN, "44444", {"full_house": 0, "five_of_a_kind": 50, "fours": 20}),
    *((_THIRTEEN, dice, {"full_house": 0}) for dice in ("44441", "44421")),
    # "At least three of the same die faces" score the total of all the dice.
    (_THIRTEEN, "66612", {"three_of_a_kind": 21, "four_of_a_kind": 0}),
    (_THIRTEEN, "66662", {"three_of_a_kind": 26, "four_of_a_kind": 26}),
    (f"{_THIRTEEN} yatzy", "23346", {"fives": 0}),
    # The boxed Yahtzee: its pictures are lost, but the printed scores allow only one roll each.
    ("yahtzee", "33324", dict(zip(UPPER, (0, 2, 9, 4, 0, 0), strict=True))),
    ("yahtzee", "55521", {"three_of_a_kind": 18, "chance": 18, "fives": 15, "twos": 2, "aces": 1}),
    ("yahtzee", "22226", {"four_of_a_kind": 14, "three_of_a_kind": 14, "chance": 14, "twos": 8, "sixes": 6}),
    ("yahtzee", "33355", {"full_house": 25, "three_of_a_kind": 19, "chance": 19, "threes": 9, "fives": 10}),
    ("yahtzee", "66541", {"chance": 22}),
    # Each combination of Yatzy gives the total of the dice in it.
    ("yatzy", "66553", {"one_pair": 12, "two_pairs": 22}),
    ("yatzy", "12346", {"one_pair": 0, "small_straight": 0, "chance": 16}),
    ("yatzy", "66663", {"two_pairs": 0}),
    ("yatzy", "66633", {"two_pairs": 18}),
    ("yatzy", "66612", {"three_of_a_kind": 18}),
    ("yatzy", "44441", {"four_of_a_kind": 16}),
    ("yatzy", "66655", {"full_house": 28}),
    ("yatzy", "14466", {"two_pairs": 20, "one_pair": 12}),
    ("yatzy", "55556", {"one_pair": 10, "two_pairs": 0, "full_house": 0}),
    ("yatzy", "55556", {"three_of_a_kind": 15, "four_of_a_kind": 20, "chance": 26}),
    ("yatzy", "66666", {"five_of_a_kind": 50, "one_pair": 12, "four_of_a_kind": 24, "two_pairs": 0, "full_house": 0}),
    ("yatzy", "11111", {"five_of_a_kind": 50}),
    ("yatzy", "12345", {"small_straight": 15, "large_straight": 0}),
    ("yatzy", "23456", {"small_straight": 0, "large_straight": 20}),
    ("yatzy", "23455", {"small_straight": 0, "large_straight": 0}),
    ("kniffel", "33232", {"full_house": 25, "three_of_a_kind": 13, "four_of_a_kind": 0, "threes": 9}),
    ("kniffel", "13456", {"small_straight": 30, "large_straight": 0}),
    ("kniffel", "44444", {"full_house": 0, "five_of_a_kind": 50, "three_of_a_kind": 20}),
    ("kismet", "22551", {"two_pairs": 15, "flush": 0, "three_of_a_kind": 0}),  # red, both of them
    ("kismet", "22661", {"two_pairs": 0}),  # red and black
    ("kismet", "33331", {"two_pairs": 13, "four_of_a_kind": 38, "full_house": 0}),  # two pairs of one colour
    ("kismet", "66611", {"full_house": 35, "full_house_one_color": 40, "flush": 35, "two_pairs": 20}),
    ("kismet", "66612", {"flush": 0}),
    ("kismet", "66655", {"full_house": 43, "full_house_one_color": 0, "flush": 0, "two_pairs": 0}),
    ("kismet", "66666", {"full_house_one_color": 0}),
    ("kismet", "55553", {"four_of_a_kind": 48, "three_of_a_kind": 23}),
    ("kismet", "11116", {"flush": 35, "four_of_a_kind": 35, "two_pairs": 10, "full_house_one_color": 0}),
    ("kismet", "12345", {"straight": 30}),
    ("kismet", "23456", {"straight": 30, "yarborough": 20}),
    ("kismet", "12346", {"straight": 0, "yarborough": 16}),
    ("kismet", "22222", {"five_of_a_kind": 60}),
    ("kismet", "22221", {"five_of_a_kind": 0}),
    ("kismet", "55555", {"five_of_a_kind": 75, "four_of_a_kind": 50, "full_house": 0, "two_pairs": 25}),
    ("yacht", "52565", {"fives": 15}),
    ("yacht", "66655", {"full_house": 28, "four_of_a_kind": 0, "chance": 28}),
    ("yacht", "66666", {"full_house": 0, "four_of_a_kind": 24}),
    ("yacht", "66665", {"full_house": 0, "four_of_a_kind": 24, "chance": 29}),
    ("yacht", "33333", {"five_of_a_kind": 50, "four_of_a_kind": 12, "full_house": 0, "threes": 15}),
    ("yacht", "12345", {"small_straight": 30, "large_straight": 0}),
    ("yacht", "23456", {"small_straight": 0, "large_straight": 30}),
    ("yacht", "13456", {"small_straight": 0, "large_straight": 0, "chance": 19}),
    ("crag", "661", {"crag": 50, "thirteen": 26, "sixes": 12}),
    *(("crag", dice, {"crag": 50}) for dice in ("553", "445")),
    ("crag", "652", {"crag": 0, "thirteen": 26}),
    ("crag", "662", {"thirteen": 0}),
    ("crag", "444", {"three_of_a_kind": 25, "fours": 12, "thirteen": 0, "crag": 0}),
    ("crag", "555", {"three_of_a_kind": 25, "fives": 15}),
    ("crag", "135", {"odd_straight": 20, "low_straight": 0}),
    ("crag", "246", {"even_straight": 20}),
    ("crag", "123", {"low_straight": 20}),
    ("crag", "456", {"high_straight": 20}),
    ("crag", "234", {"odd_straight": 0, "even_straight": 0, "low_straight": 0, "high_straight": 0}),
    (_MAXI, "666555", {"villa": 33, "full_house": 28, "two_pairs": 22, "tower": 0, "three_of_a_kind": 18}),
    (_MAXI, "222266", {"tower": 20, "full_house": 18, "villa": 0, "three_pairs": 0, "two_pairs": 16}),
    (_MAXI, "222666", {"villa": 24, "full_house": 22, "three_of_a_kind": 18}),
    (_MAXI, "223366", {"three_pairs": 22, "two_pairs": 18, "one_pair": 12, "full_house": 0}),
    (_MAXI, "133355", {"full_house": 19, "villa": 0, "tower": 0}),
    (_MAXI, "444445", {"five_of_a_kind": 20, "four_of_a_kind": 16, "full_house": 0, "tower": 0}),
    (_MAXI, "444444", {"six_of_a_kind": 100, "five_of_a_kind": 20, "villa": 0, "tower": 0, "two_pairs": 0}),
    (_MAXI, "123456", {"small_straight": 15, "large_straight": 20, "full_straight": 21, "chance": 21}),
    (_MAXI, "123455", {"small_straight": 15, "large_straight": 0, "full_straight": 0}),
    (_MAXI, "234566", {"small_straight": 0, "large_straight": 20, "full_straight": 0}),
]
