"""The fast solver against the slow one in fractions, on many odd little books."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

from fivedice.solver import solve
from for_each import for_each
from long import LONG, few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book, random_card, saving_book


@for_each("make", [random_book, newer_book, saving_book])
@for_each("seed", few(range(240), 6))
def test_random_books_have_the_value_of_fractions(seed: int, make: Make) -> None:
    _agree(Random(seed), make)


@settings(max_examples=60 if LONG else 8, deadline=None)
@given(seed=integers(1000, 10**9), make=sampled_from([newer_book, saving_book]))
def test_any_book_has_the_value_of_fractions(seed: int, make: Make) -> None:
    _agree(Random(seed), make)


def _agree(random: Random, make: Make) -> None:
    book = make(random)
    solution = solve(book, cache=False)
    search = exact.Search(book, exact.Fraction, additive=True)
    for card in [exact.Scorecard.empty(book), *(random_card(random, book) for _ in range(4))]:
        assert solution.value(card) == pytest.approx(float(search.worth(card)), abs=1e-10), card
