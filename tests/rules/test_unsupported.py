"""Unsupported rules are refused by name, with the line; misspelt ones keep their error."""

from copy import deepcopy

import pytest

import fivedice as fd
from fivedice.core.rules.toml_writer import tables_of, write_tables
from for_each import for_each
from long import few

BOX = ('name = "Plus"', 'code = "pl"', 'section = "lower"', 'pattern = "anything"')

COLUMNS = "Several columns for one player are not supported."
ROLL = "Points that depend on the number of the roll are not supported."
ANNOUNCED = "Announcements are not supported."
OTHERS = "Effects on other players’ score sheets are not supported."
CODE = "Code is not supported."
OTHER_BOX = "Points that depend on another box are not supported."
CONDITION = "Conditions between boxes are not supported."
REPEATED = "Boxes that score several times, and a conversion of points at the end, are not supported."

# Written lines, the blamed line last, and the name of the rule.
WRITTEN = {
    "three columns": (["columns = 3"], COLUMNS),
    "columns by name": (["[columns.down]"], COLUMNS),
    "a column that counts twice": (["[sheet]", "column_multiplier = 2"], COLUMNS),
    "a box in a column": (["[boxes.chance]", "column = 2"], COLUMNS),
    "more points in the first roll": (["[boxes.full_house]", "first_roll_points = 45"], ROLL),
    "points served": (["[boxes.full_house]", "served = 45"], ROLL),
    "points by roll": (["[boxes.full_house]", "points_by_roll = [45, 35, 25]"], ROLL),
    "a table of points by roll": (["[boxes.full_house]", "points = { first_roll = 80, later = 50 }"], ROLL),
    "a table of points by number": (["[boxes.large_straight]", "points = { 1 = 66, 2 = 56, 3 = 46 }"], ROLL),
    "points by roll in words": (["[boxes.full_house]", 'points = "50, or 80 on the first roll"'], ROLL),
    "an extra by roll": (["[alike]", "extra = { first = 200, later = 100 }"], ROLL),
    "points by roll alone": (["[boxes.plus]", *BOX, "first_roll_points = 80"], ROLL),
    "an announced box": (["[boxes.full_house]", "announce = true"], ANNOUNCED),
    "points if announced": (["[boxes.full_house]", "points = { announced = 50, silent = 25 }"], ANNOUNCED),
    "a part about calling": (["[announcements]"], ANNOUNCED),
    "opponents lose": (["[alike]", "opponents = -20"], OTHERS),
    "others lose": (["[boxes.chance]", "others_lose = 20"], OTHERS),
    "stolen points": (["[boxes.chance]", 'points = "steal 20"'], OTHERS),
    "Python": (["[boxes.chance]", 'python = "sum(dice)"'], CODE),
    "Python for the book": (['code = "def score(dice): ..."'], CODE),
    "a function": (["[boxes.chance]", 'points = "lambda dice: sum(dice)"'], CODE),
    "a call": (["[boxes.chance]", 'points = "max(dice)"'], CODE),
    "a comparison": (["[boxes.chance]", 'points = "all if all > 20"'], CODE),
    "a condition of the dice": (["[boxes.chance]", 'points = "all when high"'], CODE),
    "a pattern of one's own": (["[boxes.chance]", 'pattern = "lambda dice: 6 in dice"'], CODE),
    "twice another box": (["[boxes.chance]", 'points = "2 * twos"'], OTHER_BOX),
    "a sum with another box": (["[boxes.chance]", 'points = "full_house + 5"'], OTHER_BOX),
    "another box by its name": (["[boxes.chance]", 'points = "as Full House"'], OTHER_BOX),
    "a share of a section": (["[boxes.chance]", 'points = "upper_total / 2"'], OTHER_BOX),
    "points by other boxes": (["[boxes.chance]", "points = { twos = 2, threes = 3 }"], OTHER_BOX),
    "a bonus by a box": (["[bonus]", 'points = "chance"'], OTHER_BOX),
    "a box after another": (["[boxes.chance]", 'requires = "full_house"'], CONDITION),
    "a box if": (["[boxes.chance]", 'if = "full_house is filled"'], CONDITION),
    "less than another": (["[boxes.chance]", 'less_than = "full_house"'], CONDITION),
    "beside two others": (["[boxes.chance]", 'between = ["twos", "threes"]'], CONDITION),
    "a bonus with a condition": (["[bonus]", "only_if_all_filled = true"], CONDITION),
    "a box three times": (["[boxes.chance]", "times = 3"], REPEATED),
    "boxes that repeat": (["[boxes.chance]", "repeat = 4"], REPEATED),
    "a conversion at the end": (["[conversion]"], REPEATED),
}


@for_each("kind", WRITTEN)
def test_unsupported_rule_is_named(kind: str) -> None:
    lines, name = WRITTEN[kind]
    with pytest.raises(fd.BookError) as caught:
        fd.load_book("\n".join(['extends = "yahtzee"', *lines]), file="house.toml")
    assert str(caught.value).startswith(f"house.toml, line {len(lines) + 1}: {name} ")
    key = lines[-1].strip("[]").split(" ")[0].split(".")[0]
    assert f"{key}'" in caught.value.reason, "the way out names the line"
    assert caught.value.path[-1] == key


# Misspelt and unknown keys keep their error.
OTHERWISE = {
    "rols = 4": "'rols' is not a known key. Did you mean 'rolls'?",
    "[alike]\ntimes = 3": "'alike.times' is not a known key.",
    "[sheet]\nrows = 3": "'sheet.rows' is not a known key.",
    '[boxes.chance]\npoints = "total"': "'boxes.chance.points' must be ",
    '[boxes.chance]\npoints = "2 * all"': "'boxes.chance.points' must be ",
    '[boxes.chance]\npoints = "chance"': "'boxes.chance.points' must be ",
    "[boxes.chance]\npoints = [66, 56, 46]": "'boxes.chance.points' must be a whole number. It is [66, 56, 46].",
    "[boxes.chance]\npoints = { low = 1 }": "'boxes.chance.points' must be a whole number. It is { low = 1 }.",
    '[boxes.chance]\ncolour = "red"': "'boxes.chance.colour' is not a known key.",
    "[boxes.chance]\ncolour = []": "'boxes.chance.colour' is not a known key.",
    "[boxes.plus]\npoints = 3": "'yahtzee' has no box 'plus', only aces",
    '[boxes.chance]\nname = "if"\ncode = "x"': "'boxes.chance.code' must be two lower-case letters or digits",
    "[alike]\nladder = [3]": "'alike.ladder' must be a list of at most 8 tables.",
    '[boxes]\n"" = { points = 3 }': "The key of a box must be",
}


@for_each("lines", OTHERWISE)
def test_other_errors_are_unchanged(lines: str) -> None:
    with pytest.raises(fd.BookError) as caught:
        fd.load_book(f'extends = "yahtzee"\n{lines}')
    assert caught.value.reason.startswith(OTHERWISE[lines])


@for_each("key", few(fd.SHIPPED, 2))
def test_valid_lines_never_match_unsupported_words(key: str) -> None:
    """Where one line is missing, the others of its table are looked at: none of them may be taken for another rule."""
    whole = tables_of(fd.book(key)) | {"key": "ours"}
    needed = [("key",), ("name",), *(("boxes", box, "points") for box in whole["boxes"])]
    parts = (("bonus", "threshold"), ("bonus", "tiers"), ("alike", "box"))
    needed += [(part, line) for part, line in parts if line in whole.get(part, {})]
    for path in needed:
        less = deepcopy(whole)
        table = less
        for part in path[:-1]:
            table = table[part]
        del table[path[-1]]
        with pytest.raises(fd.BookError) as caught:
            fd.load_book(write_tables(less))
        missing = ("bonus", "threshold") if path == ("bonus", "tiers") else path
        assert caught.value.reason == f"'{'.'.join(missing)}' is missing."
