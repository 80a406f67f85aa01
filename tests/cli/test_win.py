"""`fivedice win`."""

import pytest

ONE = "1s:3,2s:6,3s:9,4s:12,5s:15,6s:18,3k:22,4k:0,fh:25,ss:30"
TWO = "1s:2,2s:6,3s:9,4s:8,5s:15,6s:24,3k:20,4k:0,fh:25,ss:30"


def test_win_has_the_documented_shape(fivedice_json):
    shown = fivedice_json("win", f"yahtzee {ONE}|{TWO} 0 44126 2")
    assert shown["exact"] is True
    assert sum(shown["shares"]) == pytest.approx(1, abs=1e-12)
    best = shown["options"][0]
    assert best["share"] == shown["shares"][0]
    assert best["loss"] == 0
    assert all(("keep" in each) != ("box" in each) for each in shown["options"])
    before = fivedice_json("win", f"yahtzee {ONE}|{TWO} 0 - 3")
    assert before["options"] == []


def test_win_in_words_and_unreadable_positions(fivedice) -> None:
    out = fivedice("win", f"yahtzee {ONE}|{TWO} 1 44126 1")[1]
    assert "Player 2 wins " in out
    assert "Exact, if everyone plays to win. Ties are split." in out
    planned = fivedice("win", f"yahtzee {ONE}|{TWO}|{TWO} 1 44126 1")[1]
    assert "Planned: the player on turn plays to win, the others for points." in planned
    code, _, said = fivedice("win", "yahtzee 44126")
    assert code == 2
    assert "yahtzee 44126" in said
