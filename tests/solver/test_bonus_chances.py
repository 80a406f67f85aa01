"""The chance of the upper bonus in every state against the exact odds."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from fivedice import Scorecard, book
from fivedice.solver import bonus, solve
from fivedice.solver.runtime import solution_files as table_store
from fivedice.solver.solution import state_of
from for_each import for_each
from long import few
from solver.tiny_books import Make, newer_book, random_book, random_card, tiny_book

LATE = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "five_of_a_kind": 50, "chance": 22, "full_house": 25}


@for_each(("key", "marks"), few([("yatzy-forced", {}), ("yahtzee-plain", {}), ("yahtzee-classic", LATE)], 1))
def test_bonus_chance_of_shipped_books_matches_the_odds(key: str, marks: dict[str, int]) -> None:
    solution = solve(book(key))
    card = Scorecard.of(solution.book, marks)
    state = state_of(card)
    found = bonus.bonus_chances(solution)[state.mask, state.flag, state.upper]
    assert found == pytest.approx(solution.odds(card).upper_bonus, abs=1e-12)
    assert bonus.known(solution) is not None


@for_each("make", [random_book, newer_book])
@for_each("number", few(range(25), 8))
def test_bonus_chance_of_tiny_books_matches_the_odds(number: int, make: Make) -> None:
    random = Random(number)
    rules = tiny_book(random, make)
    solution = solve(rules, cache=False)
    found = bonus.fill(solution.compiled, solution.table)  # type: ignore[arg-type]
    for card in (random_card(random, rules) for _ in range(5)):
        state = state_of(card)
        assert found[state.mask, state.flag, state.upper] == pytest.approx(solution.odds(card).upper_bonus, abs=1e-12)


def test_bonus_chances_are_stored_apart_from_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    values, chances = np.zeros((2, 1, 1)), np.ones((2, 1, 1))
    name = "a" * 32
    assert table_store.save(name, values)
    assert table_store.save(name, chances, bonus.KIND)
    assert np.array_equal(table_store.load(name, (2, 1, 1)), values)  # type: ignore[arg-type]
    (tmp_path / f"{name}.values").replace(tmp_path / f"{name}.{bonus.KIND}")
    assert table_store.load(name, (2, 1, 1), bonus.KIND) is None
