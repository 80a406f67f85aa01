"""Advice agrees with the values, with the engine's options, and with itself."""

from collections.abc import Callable
from random import Random

import pytest

from fivedice.core.dice import Keep, Roll, keeps_of, rolls, ways
from fivedice.core.game import Scorecard
from fivedice.core.rules import book
from fivedice.errors import IllegalCard, IllegalError, IllegalMove
from fivedice.solver import Solution, solve
from for_each import for_each
from long import few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book, random_card, saving_book

KEYS = ["yahtzee", "yardzee", "yatzy", "yatzy-forced"]


@for_each("key", few(KEYS, 2))
def test_mean_of_best_advice_is_the_value(key: str, solved: Callable[[str], Solution]) -> None:
    solution = solved(key)
    for card in _cards(solution, 4):
        best = [(ways(roll), solution.advise(card, roll, 2)[0].value) for roll in rolls(5)]
        assert sum(weight * value for weight, value in best) / 6**5 == pytest.approx(solution.value(card), abs=1e-9)


@for_each("key", few(KEYS, 2))
def test_box_is_worth_points_plus_next_card(key: str, solved: Callable[[str], Solution]) -> None:
    solution = solved(key)
    random = Random(key)
    for card in _cards(solution, 60):
        roll = Roll((random.randint(1, 6),) * 5) if random.random() < 0.5 else random.choice(rolls(5))
        advice = {each.box: each.value for each in solution.advise(card, roll, 0)}
        assert set(advice) == set(card.options(roll))
        for box, value in advice.items():
            after = exact.score_box(card, str(box), roll)
            assert value == pytest.approx(after.total - card.total + solution.value(after), abs=1e-9)


@for_each("left", [1, 2])
def test_keep_is_worth_the_mean_of_its_rolls(left: int, solved: Callable[[str], Solution]) -> None:
    solution = solved("yahtzee")
    for card in _cards(solution, 2):
        for each in solution.advise(card, Roll.parse("24466"), left)[::5]:
            if each.keep is not None:
                thrown = exact.throws(solution.book, each.keep)
                mean = sum(float(part) * solution.advise(card, roll, left - 1)[0].value for roll, part in thrown)
                assert each.value == pytest.approx(mean, abs=1e-9)


def test_options_are_listed_once_best_first(solved: Callable[[str], Solution]) -> None:
    solution = solved("yahtzee")
    card = Scorecard.empty(solution.book)
    roll = Roll.parse("24466")
    advice = solution.advise(card, roll, 2)
    assert {each.keep for each in advice} - {None} == set(keeps_of(roll)) - {Keep(roll.faces)}
    assert len(advice) == 17 + 13
    assert [each.value for each in advice] == sorted((each.value for each in advice), reverse=True)
    assert advice[0].keep == Keep.parse("66")
    assert advice[0].best
    assert all(each.loss == pytest.approx(advice[0].value - each.value, abs=1e-9) for each in advice)


def test_ties_are_marked(solved: Callable[[str], Solution]) -> None:
    """With nothing left but two boxes that these dice do not fit, it does not matter which gets the zero first."""
    solution = solved("yatzy")
    book_ = solution.book
    marks = {box.key: 0 for box in book_.boxes if box.key not in ("aces", "twos")}
    advice = solution.advise(Scorecard.of(book_, marks), Roll.parse("12345"), 2)
    best = [each for each in advice if each.best]
    assert all(each.loss == 0.0 for each in best)
    assert all(each.loss > 1e-9 for each in advice[len(best) :])
    last = solution.advise(Scorecard.of(book_, {box.key: 0 for box in book_.boxes[1:]}), Roll.parse("23456"), 1)
    assert [each.keep for each in last if each.best] == [Keep(())]
    book_ = book("yahtzee-plain")
    marks = {box.key: 0 for box in book_.boxes if box.key != "five_of_a_kind"}
    advice = solve(book_).advise(Scorecard.of(book_, marks), Roll.parse("11234"), 1)
    assert [str(each.keep) for each in advice if each.best] == ["11"]


@for_each("make", [random_book, newer_book, saving_book])
@for_each("seed", few(range(30), 8))
def test_advice_on_random_books_matches_fractions(seed: int, make: Make) -> None:
    random = Random(seed)
    book_ = make(random)
    card = random_card(random, book_)
    if card.is_full:
        return
    turn = exact.Turn(exact.Search(book_, exact.Fraction, additive=True), card)
    solution = solve(book_, cache=False)
    for left in range(book_.rolls + card.saved):
        roll = random.choice(rolls(book_.dice, book_.faces))
        for each in solution.advise(card, roll, left):
            if each.keep is not None:
                assert each.value == pytest.approx(float(turn.keep(each.keep, left)), abs=1e-10)
        assert solution.advise(card, roll, left)[0].value == pytest.approx(float(turn.best(roll, left)[0]), abs=1e-10)


def test_impossible_questions_are_refused(solved: Callable[[str], Solution]) -> None:
    solution = solved("yahtzee")
    card = Scorecard.empty(solution.book)
    full = Scorecard.of(solution.book, {box.key: 0 for box in solution.book.boxes})
    roll = Roll.parse("24466")
    with pytest.raises(IllegalMove, match="Every box"):
        solution.advise(full, roll, 0)
    for left in (-1, 3):
        with pytest.raises(IllegalMove, match="0 to 2 rolls"):
            solution.advise(card, roll, left)
    with pytest.raises(IllegalError, match="uses 5 dice"):
        solution.advise(card, Roll.parse("244667"), 0)
    with pytest.raises(IllegalCard, match="solution is for"):
        solution.value(Scorecard.empty(book("yatzy")))


def _cards(solution: Solution, count: int) -> list[Scorecard]:
    random = Random(solution.book.key)
    cards = [random_card(random, solution.book) for _ in range(2 * count + 10)]
    return [card for card in cards if not card.is_full][:count]
