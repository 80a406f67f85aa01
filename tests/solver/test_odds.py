"""The distribution of the final total: against published figures, fractions, and identities."""

import threading
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree as ET

import pytest

import fivedice as fd
from fivedice.core.dice import Roll, rolls, ways
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, book
from fivedice.errors import IllegalCard, IllegalError, IllegalMove
from fivedice.solver import Solution, solve
from fivedice.solver.odds import Odds
from for_each import for_each
from long import LONG, few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book, random_card, tiny_book
from support.books import late_cards


def mean_by_parts(odds: Odds, rules: RuleBook) -> float:
    extra = rules.alike.extra if rules.alike else 0
    bonus = rules.bonus.points if rules.bonus else 0
    return sum(odds.box_means.values()) + extra * odds.extra_mean + bonus * odds.upper_bonus


def assert_same(odds: Odds, other: dict[int, float], near: float = 1e-12) -> None:
    assert set(odds.pmf) == set(other)
    assert max(abs(odds.pmf[total] - chance) for total, chance in other.items()) < near


@for_each(
    ("key", "sd", "median", "bonus", "highest"),
    [("yahtzee", 59.608, 248, 0.681, 1575), ("yatzy", 38.496, 249, 0.898, 374)],
)
def test_odds_of_the_empty_card(
    key: str,
    sd: float,
    median: int,
    bonus: float,
    highest: int,
    solved: Callable[[str], Solution],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not LONG:
        monkeypatch.delenv(
            "FIVEDICE_TABLES", raising=False
        )  # what is shipped: compared with a fresh solve in test_shipped_tables
    solution = solved(key)
    odds = solution.odds()
    assert sum(odds.pmf.values()) == pytest.approx(1, abs=1e-12)
    assert odds.mean == pytest.approx(solution.value(Scorecard.empty(solution.book)), abs=1e-9)
    assert mean_by_parts(odds, solution.book) == pytest.approx(odds.mean, abs=1e-9)
    assert odds.sd == pytest.approx(sd, abs=0.001)
    assert odds.quantile(0.5) == median
    assert odds.upper_bonus == pytest.approx(bonus, abs=0.0005)
    assert max(odds.pmf) == highest
    if key == "yahtzee":
        assert odds.at_least(300) == pytest.approx(0.1433, abs=0.00005)


@for_each("key", few(["yahtzee", "yardzee", "yahtzee-classic", "yatzy", "yatzy-forced", "yahtzee-plain"], 3))
def test_odds_sum_to_one_and_their_mean_is_the_value(key: str, solved: Callable[[str], Solution]) -> None:
    solution = solved(key)
    for card in late_cards(solution.book, 8):
        odds = solution.odds(card)
        assert sum(odds.pmf.values()) == pytest.approx(1, abs=1e-12)
        assert odds.mean == pytest.approx(card.total + solution.value(card), abs=1e-9)
        assert mean_by_parts(odds, solution.book) == pytest.approx(odds.mean, abs=1e-9)
        assert min(odds.pmf) >= card.total
        assert min(odds.pmf.values()) > 0
        held = {box.key: mark for box, mark in zip(card.book.boxes, card.marks, strict=True) if mark is not None}
        assert held.items() <= odds.box_means.items()


@for_each("make", [random_book, newer_book])
@for_each("seed", few(range(60), 8))
def test_odds_of_random_books_match_fractions(seed: int, make: Make) -> None:
    """To the last digit, so ties are broken alike too."""
    random = Random(seed)
    rules = tiny_book(random, make)
    solution = solve(rules, cache=False)
    for card in (Scorecard.empty(rules), random_card(random, rules)):
        odds = solution.odds(card)
        assert_same(odds, {total: float(chance) for total, chance in exact.distribution(card).items()})
        if make is random_book:
            assert mean_by_parts(odds, rules) == pytest.approx(odds.mean, abs=1e-9)


def test_odds_of_turns_forced_boxes_and_full_cards(solved: Callable[[str], Solution]) -> None:
    solution = solved("yahtzee")
    card = next(late_cards(solution.book, 1, 11))
    whole, mixed = solution.odds(card), dict.fromkeys(solution.odds(card).pmf, 0.0)
    for roll in rolls(5):
        for total, chance in solution.odds(card, roll, 2).pmf.items():
            mixed[total] += chance * ways(roll) / 6**5
    assert_same(whole, mixed)
    solution = solved("yardzee")
    for card in late_cards(solution.book, 5, 9):
        roll = Roll.parse("33333")
        best = solution.advise(card, roll, 0)[0].box
        after = solution.odds(exact.score_box(card, str(best), roll))
        assert_same(solution.odds(card, roll, 0), dict(after.pmf))
    solution = solved("yahtzee")
    marks = {box.key: 0 for box in solution.book.boxes} | {"sixes": 30, "fives": 25, "fours": 20}
    odds = solution.odds(Scorecard.of(solution.book, marks))
    assert (odds.pmf, odds.mean, odds.sd, odds.upper_bonus) == ({110: 1.0}, 110, 0, 1)
    assert [odds.quantile(share) for share in (0, 0.5, 1)] == [110, 110, 110]
    assert [odds.at_least(total) for total in (110, 111)] == [1, 0]


def test_quantiles_agree_and_impossible_questions_are_refused(solved: Callable[[str], Solution]) -> None:
    odds = solved("yatzy").odds(next(late_cards(book("yatzy"), 1)))
    for share in (0.0, 0.01, 0.25, 0.5, 0.99, 1.0):
        total = odds.quantile(share)
        assert 1 - odds.at_least(total + 1) >= share - 1e-12
        assert 1 - odds.at_least(total) < share + 1e-12
    with pytest.raises(IllegalError):
        odds.quantile(1.5)
    solution = solved("yahtzee")
    card = Scorecard.empty(solution.book)
    with pytest.raises(IllegalCard):
        solution.odds(Scorecard.empty(book("yatzy")))
    with pytest.raises(IllegalMove):
        solution.odds(card, Roll.parse("12345"), 3)
    with pytest.raises(IllegalMove):
        solution.odds(card, rolls_left=1)


def test_interruption_stops_all_threads_of_odds(solved: Callable[[str], Solution]) -> None:
    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved("yahtzee").odds(next(late_cards(book("yahtzee"), 1)), progress=interrupt)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fivedice-solver")]


def test_odds_do_not_depend_on_threads(solved: Callable[[str], Solution], monkeypatch: pytest.MonkeyPatch) -> None:
    card = next(late_cards(book("yahtzee"), 1))
    usual = solved("yahtzee").odds(card)
    monkeypatch.setattr("fivedice.solver.runtime.worker_threads.cores", lambda: 3)
    assert solved("yahtzee").odds(card).pmf == usual.pmf


@for_each("seed", range(4))
def test_identities_hold_for_odd_books(seed: int) -> None:
    random = Random(1000 + seed)
    rules = random_book(random)
    solution = solve(rules, cache=False)
    for card in (random_card(random, rules) for _ in range(5)):
        odds = solution.odds(card)
        assert sum(odds.pmf.values()) == pytest.approx(1, abs=1e-12)
        assert odds.mean == pytest.approx(card.total + solution.value(card), abs=1e-9)


SVG = "{http://www.w3.org/2000/svg}"


def odds(pmf: dict[int, float]) -> Odds:
    return Odds(pmf, 0.5, {}, 0.0)


@for_each("pmf", [{0: 1.0}, {250: 1.0}, {200: 0.5, 201: 0.5}, dict.fromkeys(range(100, 500), 1 / 400)])
def test_bars_stand_on_the_floor_inside_the_picture(pmf: dict[int, float]) -> None:
    chart = odds(pmf).plot()
    drawn = ET.fromstring(chart.svg)  # noqa: S314 - our own
    bars = [rect for rect in drawn.iter(f"{SVG}rect") if rect.get("class", "").startswith("bar")]
    assert bars
    for bar in bars:
        x, y, width, height = (float(bar.get(name, "")) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + width <= chart.width
        assert y + height == pytest.approx(160)
    assert max(float(bar.get("height", "")) for bar in bars) == pytest.approx(136)


def test_charts_show_the_odds(solved) -> None:
    found = odds(dict.fromkeys(range(100, 500), 1 / 400))
    chart = found.plot()
    assert chart.about == "Mean 299.5, standard deviation 115.5. Half of all games end with 199 to 399."
    assert "mean 299.5" in found._repr_svg_()
    assert repr(found) == "<Odds of totals 100 to 499: mean 299.50, sd 115.47>"
    assert [row[0] for row in chart.rows][:2] == ["100\N{EN DASH}105", "106\N{EN DASH}111"]
    assert odds({7: 1.0}).plot().rows[0] == ("7", "100%")
    solution = solved("yahtzee")
    card = fd.Scorecard.of(solution.book, dict.fromkeys([*solution.book.index][:11], 0))
    found = solution.odds(card)
    assert len(repr(found)) < 200
    assert ET.fromstring(found._repr_svg_()).find(f"{SVG}title") is not None  # noqa: S314
