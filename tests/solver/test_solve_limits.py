"""Estimates and limits of solving from the data of a book alone."""

from random import Random

import pytest

from fivedice.core.rules import SHIPPED, book, load_book
from fivedice.errors import IllegalError
from fivedice.solver import solve
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime.solve_limits import MOST_SUMS, Answers, estimate, has_odds, states, too_large
from fivedice.solver.solution import outlook
from fivedice.solver.values.saved_values import places, work_steps
from for_each import for_each
from solver.tiny_books import Make, newer_book, random_book, saving_book

HUGE = """
format = 1
extends = "yahtzee"
[bonuses.low]
name = "Low"
section = "lower"
threshold = 100
points = 50
[bonuses.all]
name = "All"
boxes = ["aces", "chance"]
threshold = 35
points = 10
[bonuses.more]
name = "More"
boxes = ["twos", "chance"]
threshold = 40
points = 10
"""


@for_each("make", [random_book, newer_book, saving_book])
@for_each("seed", range(40))
def test_estimated_states_are_an_upper_bound(seed: int, make: Make) -> None:
    rules = make(Random(seed))
    compiled = compiled_book(rules)
    assert work_plan.count_states(compiled) <= states(rules)
    table = sum(places(compiled).sizes.tolist()) if rules.save_rolls else compiled.shape[0] * compiled.shape[1]
    assert table <= states(rules)


@for_each("key", SHIPPED)
def test_every_shipped_book_is_solvable(key: str) -> None:
    rules = book(key)
    assert estimate(rules).answers is (Answers.VALUES if rules.save_rolls else Answers.ODDS)
    assert has_odds(rules) == (estimate(rules).answers is Answers.ODDS)
    assert estimate(rules).takes_minutes == rules.save_rolls


def test_estimate_of_saved_rolls_is_close() -> None:
    compiled, size = compiled_book(book("maxi-yatzy")), estimate(book("maxi-yatzy"))
    sizes = places(compiled).sizes
    two_layers = 8 * int((sizes[1:] + sizes[:-1]).max())
    assert 0.8 < size.memory / two_layers < 1.25
    assert 0.8 < size.stored / (4 * int(sizes.sum())) < 1.25
    assert int(work_steps(compiled).sum()) == 118_423_509


def test_oversized_book_is_refused_but_playable() -> None:
    rules = load_book(HUGE)
    assert estimate(rules).answers is Answers.NOTHING
    assert too_large(rules)
    compiled = compiled_book(rules)
    assert not compiled.complete
    assert compiled.flags == 2
    with pytest.raises(IllegalError, match=f"{MOST_SUMS}"):
        solve(rules, cache=False)
    assert outlook(rules, "exact").bias.any(), "planned by par"
