"""The reference solver, by hand and by its identities."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

from fivedice.core.game import Scorecard
from fivedice.core.rules import load_book
from fivedice.solver import solve
from for_each import for_each
from long import LONG, few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book, random_card, saving_book

CHANCE = '[boxes.chance]\nname = "Chance"\ncode = "ch"\nsection = "lower"\npattern = "anything"\npoints = "all"\n'


def _one_die(rolls: int) -> Scorecard:
    text = f'format = 1\nkey = "die"\nname = "Die"\ndice = 1\nfaces = 6\nrolls = {rolls}\n{CHANCE}'
    return Scorecard.empty(load_book(text))


def test_one_die_and_one_box_by_hand() -> None:
    """Throw again below the mean of what is to come: 7/2, then 17/4, then 14/3."""
    assert [exact.value(_one_die(rolls)) for rolls in (1, 2, 3)] == [Fraction(7, 2), Fraction(17, 4), Fraction(14, 3)]
    assert exact.chance(_one_die(1), 6) == Fraction(1, 6)
    assert exact.chance(_one_die(3), 6) == 1 - Fraction(5, 6) ** 3
    assert exact.chance(_one_die(3), 7) == 0
    assert exact.distribution(_one_die(1)) == {face: Fraction(1, 6) for face in range(1, 7)}
    assert exact.distribution(_one_die(2)) == {face: Fraction(1 if face < 4 else 3, 12) for face in range(1, 7)}


@for_each("seed", range(12))
def test_distribution_mean_and_chance_agree(seed: int) -> None:
    random = Random(seed)
    book = random_book(random)
    while book.dice * len(book.boxes) > 8:  # the distribution tells every card apart
        book = random_book(random)
    card = random_card(random, book)
    totals = exact.distribution(card)
    assert sum(totals.values()) == 1
    assert sum(total * part for total, part in totals.items()) == card.total + exact.value(card)
    targets = sorted(random.sample(sorted(totals), min(3, len(totals))))
    chances = [exact.chance(card, target) for target in targets]
    assert chances == sorted(chances, reverse=True)
    for target, chance in zip(targets, chances, strict=True):
        assert chance >= sum(part for total, part in totals.items() if total >= target)


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
