"""A book in words, for patterns and rules that the shipped books do not have."""

from __future__ import annotations

import pytest

import fivedice as fd
from fivedice.rules.book_diff import differences
from fivedice.rules.book_facts import box_rule, facts, number


def house(changes: str, base: str = "yahtzee") -> fd.RuleBook:
    return fd.load_book(f'extends = "{base}"\n{changes}')


@pytest.mark.parametrize(
    ("changes", "box", "sentence"),
    [
        ("[boxes.fours]\npoints = 7", "fours", "At least one of the fours: 7 points."),
        ("[boxes.fours]\npoints = 1", "fours", "At least one of the fours: 1 point."),
        ('[boxes.fours]\npoints = "all"', "fours", "At least one of the fours: the total of all dice."),
        (
            "[boxes.full_house]\nsame_face = true",
            "full_house",
            "Three of one face and two of the same or another: 25 points.",
        ),
        ('[boxes.chance]\npoints = "matching"', "chance", "Any dice: the sum of those dice."),
        (
            '[boxes.chance]\npattern = "groups"\nsizes = [2, 2]\nsame_face = true',
            "chance",
            "Two pairs, of any faces: the total of all dice.",
        ),
    ],
)
def test_a_box_explains_itself(changes: str, box: str, sentence: str) -> None:
    book = house(changes)
    assert box_rule(book.box(box), book) == sentence


@pytest.mark.parametrize(
    ("changes", "topic", "sentence"),
    [
        ("bonus = false", "Upper bonus", "None."),
        ("rolls = 1", "Rolls", "Up to one roll a turn."),
        ("fixed_order = true", "Order of boxes", "From the top of the sheet down."),
        ("alike = false", "All dice alike again: pays", "Nothing extra."),
        ("alike = false", "All dice alike again: goes", "Where any other roll may go, for what they show."),
        (
            "[alike]\nrepeat = false",
            "All dice alike again: pays",
            "100 points, once a game, while their own box holds points.",
        ),
        (
            "alike.ladder = [{boxes = 'any', worth = 'joker', face_box = 'filled'}, {boxes = 'any', worth = 'zero'}]",
            "All dice alike again: goes",
            (
                "If their own box is filled, even by a zero: in any open box (once that box is filled), as a joker; "
                "otherwise in any open box, for zero."
            ),
        ),
    ],
)
def test_a_rule_explains_itself(changes: str, topic: str, sentence: str) -> None:
    assert facts(house(changes))[topic] == sentence


def test_large_numbers_are_digits() -> None:
    assert (number(9), number(10)) == ("nine", "10")


def test_another_order_is_a_difference_only_where_order_is_a_rule() -> None:
    turned = ", ".join(f'"{key}"' for key in reversed(fd.book("yatzy").index))
    one, other = house("fixed_order = true", "yatzy"), house(f"fixed_order = true\nsequence = [{turned}]", "yatzy")
    assert [row.topic for row in differences(one, other)] == ["Order of the sheet"]
    free = house(f"sequence = [{turned}]", "yatzy")
    assert differences(fd.book("yatzy"), free) == ()


def test_a_box_that_only_the_other_book_has_is_named() -> None:
    shorter = house("[boxes]\nchance = false")
    (only,) = differences(shorter, fd.book("yahtzee"))
    assert (only.topic, only.ours) == ("Chance", "(no such box)")
