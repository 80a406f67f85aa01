"""The variance of every state: against the exact odds, which are worked out in quite another way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from fivedice import Roll, Scorecard, book
from fivedice.solver import solve, spread as spreads
from fivedice.solver.runtime import solution_cache as table_store
from fivedice.solver.solution import state_of
from solver.tiny_books import Make, newer_book, random_book, random_card, tiny_book

LATE = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "chance": 22, "full_house": 25}


def sd(card: Scorecard) -> float:
    state = state_of(card)
    return float(spreads.spread(solve(card.book))[state.mask, state.flag, state.upper]) ** 0.5


@pytest.mark.parametrize("key", ["yahtzee-plain", "yatzy-forced"])
def test_from_the_empty_card_it_is_that_of_the_odds(key: str) -> None:
    rules = book(key)
    assert sd(Scorecard.empty(rules)) == pytest.approx(solve(rules).odds().sd, abs=1e-9)


@pytest.mark.parametrize("make", [random_book, newer_book])
@pytest.mark.parametrize("number", range(25))
def test_from_any_card_of_any_tiny_book_it_is_that_of_the_odds(number: int, make: Make) -> None:
    random = Random(number)
    rules = tiny_book(random, make)
    solution = solve(rules, cache=False)
    found = spreads.fill(solution.compiled, solution.table)
    for card in (random_card(random, rules) for _ in range(5)):
        state = state_of(card)
        here, odds = (state.mask, state.flag, state.upper), solution.odds(card)
        assert found.variance[here] == pytest.approx(odds.sd**2, abs=1e-7)
        assert found.bonus[here] == pytest.approx(odds.upper_bonus, abs=1e-12)


@pytest.mark.parametrize("five", [None, 0, 50])
def test_where_extras_are_paid_too(five: int | None) -> None:
    rules = book("yahtzee-classic")
    marks = LATE if five is None else LATE | {"five_of_a_kind": five}
    card = Scorecard.of(rules, marks)
    assert sd(card) == pytest.approx(solve(rules).odds(card).sd, abs=1e-9)


def test_in_mid_turn_mean_and_variance_are_those_of_the_odds() -> None:
    rules = book("yahtzee-plain")
    solution, card = solve(rules), Scorecard.of(rules, {"fours": 12, "chance": 20, "sixes": 18, "threes": 9})
    grid, roll = solution.compiled.lattice, Roll.parse("11355")
    chances = np.zeros(len(grid.rolls))
    chances[grid.row[roll.faces] - grid.first_roll] = 1.0
    mean, variance = spreads.mean_and_variance(solution, state_of(card), chances, 1)
    odds = solution.odds(card, roll, 1)
    assert card.total + mean == pytest.approx(odds.mean, abs=1e-9)
    assert variance == pytest.approx(odds.sd**2, abs=1e-7)


def test_it_is_kept_beside_the_values_and_never_taken_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    values, variances = np.zeros((2, 1, 1)), np.ones((2, 1, 1))
    name = "a" * 32
    assert table_store.save(name, values)
    assert table_store.save(name, variances, spreads.KIND)
    assert np.array_equal(table_store.load(name, (2, 1, 1)), values)  # type: ignore[arg-type]
    (tmp_path / f"{name}.values").replace(tmp_path / f"{name}.spread")
    assert table_store.load(name, (2, 1, 1), spreads.KIND) is None
