"""`fivedice score`."""

import pytest

import fivedice as fd


def test_score_as_json(fivedice_json) -> None:
    shown = fivedice_json("score", "yahtzee", "44444", "--card", "4s:12,yz:50,yb:100")
    assert list(shown) == ["book", "dice", "legal", "bonus", "closed"]
    assert (shown["book"], shown["dice"], shown["bonus"]) == ("yahtzee", "44444", 100)
    assert shown["legal"]["large_straight"] == 40
    assert shown["closed"]["fours"] == "Fours already has 12."
    by_key = fivedice_json("score", "yahtzee", "44444", "--card", "fours=12, five_of_a_kind=50")
    assert by_key == fivedice_json("score", "yahtzee", "44444", "--card", "4s:12,yz:50")
    full = "1s:3,2s:6,3s:9,4s:12,5s:15,6s:18,3k:20,4k:20,fh:25,ss:30,ls:40,yz:50,ch:20"
    shown = fivedice_json("score", "yahtzee", "44444", "--card", full)
    assert (shown["legal"], shown["bonus"]) == ({}, 0)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_score_lists_every_box_as_legal_or_closed(fivedice_json, key):
    book = fd.book(key)
    shown = fivedice_json("score", key, "4" * book.dice)
    assert set(shown["legal"]) | set(shown["closed"]) == set(book.index)
    assert not set(shown["legal"]) & set(shown["closed"])


def test_score_as_text(fivedice) -> None:
    code, out, _ = fivedice("score", "yahtzee", "44444", "--card", "4s:12,yz:50")
    assert code == 0
    assert out.count("joker") == 3
    assert out.count("Fours is scored, so 4-4-4-4-4") == 1
    assert "Aces, Twos, Threes, Fives and Sixes" in out
    assert "YAHTZEE Bonus: 100 more points" in out
    out = fivedice("score", "yatzy", "66655")[1]
    assert "28" in out
    assert "Closed" not in out
    assert "extra" not in out


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
def test_bad_input_of_score_is_quoted(fivedice, arguments, quoted):
    code, out, err = fivedice("score", *arguments)
    assert (code, out) == (2, "")
    assert quoted in err
