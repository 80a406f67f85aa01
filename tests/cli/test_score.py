"""`fivedice score`."""

from __future__ import annotations

import pytest

import fivedice as fd


def test_json_has_the_documented_shape(fivedice_json):
    shown = fivedice_json("score", "yahtzee", "44444", "--card", "4s:12,yz:50,yb:100")
    assert list(shown) == ["book", "dice", "legal", "bonus", "closed"]
    assert (shown["book"], shown["dice"], shown["bonus"]) == ("yahtzee", "44444", 100)
    assert shown["legal"]["large_straight"] == 40
    assert shown["closed"]["fours"] == "Fours is already filled with 12."


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_every_box_is_either_legal_or_closed(fivedice_json, key):
    book = fd.book(key)
    shown = fivedice_json("score", key, "4" * book.dice)
    assert set(shown["legal"]) | set(shown["closed"]) == set(book.index)
    assert not set(shown["legal"]) & set(shown["closed"])


def test_keys_and_equals_signs_are_understood_too(fivedice_json):
    by_key = fivedice_json("score", "yahtzee", "44444", "--card", "fours=12, five_of_a_kind=50")
    assert by_key == fivedice_json("score", "yahtzee", "44444", "--card", "4s:12,yz:50")


def test_text_marks_jokers_and_groups_closed_boxes_by_reason(fivedice):
    code, out, _ = fivedice("score", "yahtzee", "44444", "--card", "4s:12,yz:50")
    assert code == 0
    assert out.count("joker") == 3
    assert out.count("Fours is filled, so 4-4-4-4-4") == 1
    assert "Aces, Twos, Threes, Fives and Sixes" in out
    assert "YAHTZEE Bonus: 100 more points" in out


def test_text_without_bonus_or_closed_boxes(fivedice):
    out = fivedice("score", "yatzy", "66655")[1]
    assert "28" in out
    assert "Closed" not in out
    assert "extra" not in out


def test_a_full_card_leaves_nothing_and_pays_nothing(fivedice_json):
    full = "1s:3,2s:6,3s:9,4s:12,5s:15,6s:18,3k:20,4k:20,fh:25,ss:30,ls:40,yz:50,ch:20"
    shown = fivedice_json("score", "yahtzee", "44444", "--card", full)
    assert (shown["legal"], shown["bonus"]) == ({}, 0)


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (["yahtzee", "4444"], "You entered 4-4-4-4."),
        (["yahtzee", "44447"], "You entered 4-4-4-4-7."),
        (["yahtzee", "4444x"], "'4444x'"),
        (["yahtzee", "44444", "--card", "4s:13"], "13"),
        (["yahtzee", "44444", "--card", "zz:13"], "'zz'"),
        (["yahtzee", "44444", "--card", "4s"], "'4s'"),
        (["yatzee", "44444"], "'yatzee'"),
    ],
)
def test_bad_input_is_quoted_and_ends_with_two(fivedice, arguments, quoted):
    code, out, err = fivedice("score", *arguments)
    assert (code, out) == (2, "")
    assert quoted in err
