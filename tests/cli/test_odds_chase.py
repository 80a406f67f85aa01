"""`fivedice odds` and `fivedice chase`."""

from itertools import product
from math import prod

import pytest

CARD = "1s:3,2s:6,3s:9,4s:12,5s:15,6s:18,3k:22,4k:0,fh:25"
LAST = f"{CARD},ss:30,ls:40,yz:0"  # 215 points; only Chance is open


def tail(least: int) -> float:
    """Chance alone, worked out by hand: keep 5 and 6, then 4 too; every die goes its own way."""
    die = {1: 1 / 18, 2: 1 / 18, 3: 1 / 18, 4: 1 / 6, 5: 1 / 3, 6: 1 / 3}
    return sum(prod(die[face] for face in dice) for dice in product(die, repeat=5) if sum(dice) >= least)


def test_odds_in_json(fivedice_json) -> None:
    shown = fivedice_json("odds", "yahtzee", "--card", LAST, "--at-least", "220", "240", "246")
    assert list(shown) == ["mean", "sd", "quantiles", "at_least", "upper_bonus", "boxes", "extras"]
    assert shown["mean"] == pytest.approx(215 + 70 / 3)
    assert list(shown["quantiles"]) == ["0.05", "0.25", "0.5", "0.75", "0.95"]
    assert shown["at_least"] == {"220": pytest.approx(1), "240": pytest.approx(tail(25)), "246": 0}
    assert shown["upper_bonus"] == 1
    assert shown["boxes"]["chance"] == pytest.approx(70 / 3)
    assert shown["extras"] == 0
    assert list(fivedice_json("odds", "yahtzee", "--card", CARD)["at_least"]) == ["200", "250", "300", "350"]


def test_odds_in_words(fivedice):
    code, out, err = fivedice("odds", "yahtzee", "--card", CARD)
    assert (code, err) == (0, "")
    for words in (
        "from this score sheet: 223.71 on average, standard deviation 24.92",
        "Upper bonus: in 100.0%",
        "Lg. Straight",
    ):
        assert words in out
    assert "YAHTZEE Bonus" in out
    assert "from the empty score sheet" in fivedice("odds", "yatzy-forced")[1]


def test_chase_has_the_documented_shape(fivedice_json):
    shown = fivedice_json("chase", "yahtzee", "--target", "240", "--card", LAST)
    assert list(shown) == ["target", "chance", "options"]
    assert (shown["target"], shown["options"]) == (240, [])
    with_dice = fivedice_json(
        "chase", "yahtzee", "--target", "240", "--card", LAST, "--dice", "11466", "--rolls-left", "1"
    )
    assert with_dice["options"][0] == {"keep": "466", "value": pytest.approx(10 / 36), "loss": 0}
    assert with_dice["chance"] == pytest.approx(10 / 36)
    assert {"box": "chance", "value": 0.0, "loss": pytest.approx(10 / 36)} in with_dice["options"]


def test_impossible_total_has_odds_of_0_percent(fivedice):
    assert fivedice("chase", "yahtzee", "--target", "2000")[1] == "Yahtzee: 2000 or more with odds of 0%.\n"


def test_chase_in_words(fivedice):
    out = fivedice("chase", "yahtzee", "--target", "240", "--card", LAST, "--dice", "11466", "--rolls-left", "1")[1]
    assert "240 or more with odds of 27.7778%" in out
    assert "keep 4-6-6" in out
    assert "--json shows all" in out
    assert "9.3408%" in fivedice("chase", "yahtzee", "--target", "250", "--card", CARD)[1]


def test_unreachable_target_needs_no_solving(fivedice_json, monkeypatch):
    """The highest score is 1575 from the empty sheet, and 245 from the last box."""
    import fivedice.solver.win.plans  # noqa: F401 - loaded during the test, it would keep what is put here instead

    monkeypatch.setattr("fivedice.solver.chase.fill_rows", lambda *_, **__: pytest.fail("worked out"))
    for target, more in ((1576, []), (2000, []), (10**9, []), (246, ["--card", LAST])):
        assert fivedice_json("chase", "yahtzee", "--target", str(target), *more)["chance"] == 0, target
    dice = ("--card", LAST, "--dice", "11466", "--rolls-left", "1")
    assert fivedice_json("chase", "yahtzee", "--target", "246", *dice)["options"][0]["value"] == 0
    assert "246" in fivedice_json(*ROLLED, "--for", "246")["sentence"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chase", "yahtzee", "--target", "9", "--dice", "11466"], "Use --dice and --rolls-left together"),
        (["chase", "yahtzee", "--target", "9", "--dice", "1146", "--rolls-left", "1"], "1-1-4-6"),
        (["chase", "yahtzee", "--target", "9", "--dice", "11466", "--rolls-left", "3"], "0 to 2 rolls"),
        (["chase", "yahtzee", "--target", "9", "--card", "zz:1"], "zz"),
        (["chase", "maxi-yatzy-plain", "--target", "900"], "fuller score sheet"),
        (["chase", "maxi-yatzy", "--target", "900"], "Odds are not worked out where rolls are saved"),
        (["odds", "yahtzee", "--card", "6s:7"], "7"),
        (["odds", "no-such-book"], "no-such-book"),
    ],
)
def test_bad_input_exits_with_two_and_a_reason(fivedice, arguments, words):
    code, out, err = fivedice(*arguments)
    assert (code, out) == (2, "")
    assert words in err


@pytest.mark.parametrize("arguments", [["chase", "yahtzee"], ["chase", "yahtzee", "--target", "many"], ["odds"]])
def test_wrong_usage_of_odds_exits_with_two(fivedice, arguments):
    assert fivedice(*arguments)[0] == 2


# --- what a hint is for ---

ROLLED = ("hint", "yahtzee", "11466", "--rolls-left", "1", "--card", LAST)  # two ones are rolled again: 215 and Chance


def test_hint_for_a_total_and_for_the_win(fivedice_json):
    """By hand: with 4-6-6 kept two dice need 10 for 241; against 241 the same is half a win, and 6-6 has more of it."""
    points = fivedice_json(*ROLLED)
    assert (points["for"], points["options"][0]["keep"]) == ("points", "466")
    total = fivedice_json(*ROLLED, "--for", "241")
    assert (total["for"], total["options"][0]["value"]) == (241, pytest.approx(6 / 36))
    assert "Odds of reaching 241: 17%." in total["sentence"]
    done = LAST.replace("4k:0", "4k:26") + ",ch:0"  # 241
    won = fivedice_json(*ROLLED, "--against", done)
    assert (won["for"], won["options"][0]["keep"]) == ("win", "66")
    assert won["options"][0]["value"] == pytest.approx(27.5 / 216)
    assert "You trail by 26 with 1 box left. Odds to win: 13%. For points you would keep 4-6-6" in won["sentence"]
    assert "Exact: the other player has finished." in won["sentence"]
    assert fivedice_json(*ROLLED, "--for", "points", "--against", done)["options"][0]["keep"] == "466"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--for", "glory"), "Play for points, win or a score such as 275, not for 'glory'."),
        (("--for", "beat"), "not for 'beat'"),
        (("--for", "win"), "--against CARD"),
        (("--against", "zz:1"), "zz"),
    ],
)
def test_invalid_aims_are_refused(fivedice, arguments, words):
    code, _, said = fivedice(*ROLLED, *arguments)
    assert code == 2
    assert words in said


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
