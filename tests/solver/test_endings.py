"""Prepared endings of a game: against fractions and against forward chances."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fivedice.core.dice import rolls
from fivedice.core.game import Scorecard
from fivedice.core.rules import book
from fivedice.solver import Solution, endings, solve
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.odds import Odds, play_on
from fivedice.solver.odds.forward_pass import Finish
from fivedice.solver.solution import state_of
from fivedice.solver.values.turn_choices import certain_roll
from for_each import for_each
from long import LONG, few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book, random_card, tiny_book


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """As if every card were an early one: all is taken from what is prepared, in a folder of its own."""
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    monkeypatch.setattr("fivedice.solver.endings.QUICK", 0)
    monkeypatch.setattr("fivedice.solver.endings._kept", endings.MappedCache("ends"))
    return tmp_path


def forward(solution: Solution, card: Scorecard, chances: np.ndarray | None = None, rerolls: int = 0) -> Finish:
    """The other way: from the very card."""
    start, left = (
        (solution.compiled.lattice.weights, solution.book.rolls - 1) if chances is None else (chances, rerolls)
    )
    return play_on(solution.compiled, solution.table, state_of(card), start, left)  # type: ignore[arg-type]


def assert_same(found: Finish, other: Finish, near: float = 1e-12) -> None:
    length = max(len(found.chances), len(other.chances))
    padded = [np.pad(each.chances, (0, length - len(each.chances))) for each in (found, other)]
    assert np.abs(padded[0] - padded[1]).max() < near
    assert found.chances.sum() == pytest.approx(1, abs=near)
    assert (found.bonus, found.extras) == pytest.approx((other.bonus, other.extras), abs=near)
    assert found.boxes == pytest.approx(other.boxes, abs=1e-10)


def parse_int(odds: Odds) -> dict[int, float]:
    return dict(odds.pmf)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("make", [random_book, newer_book])
@pytest.mark.parametrize("seed", few(range(30), 4))
def test_endings_of_random_books_match_fractions(seed: int, make: Make) -> None:
    random = Random(seed)
    rules = tiny_book(random, make)
    solution = solve(rules, cache=False)
    solution.prepare()
    for card in (Scorecard.empty(rules), random_card(random, rules)):
        wanted = {total: float(chance) for total, chance in exact.distribution(card).items()}
        found = parse_int(solution.odds(card))
        assert found == pytest.approx(wanted, abs=1e-12)
        assert sum(found.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("make", [random_book, newer_book])
@pytest.mark.parametrize("seed", few(range(30, 45), 4))
def test_mid_turn_endings_match_forward_chances(seed: int, make: Make) -> None:
    random = Random(seed)
    rules = tiny_book(random, make)
    solution = solve(rules, cache=False)
    solution.prepare()
    cards = [Scorecard.empty(rules), *(random_card(random, rules) for _ in range(4))]
    for card in (card for card in cards if not card.is_full):
        roll, left = random.choice(list(rolls(rules.dice, rules.faces))), random.randrange(rules.rolls)
        chances = certain_roll(solution.compiled.lattice, roll.faces)
        assert_same(solution.finish(card, chances, left), forward(solution, card, chances, left))
        assert_same(solution.finish(card), forward(solution, card))


@pytest.fixture(scope="module")
def early(solved: Callable[[str], Solution]) -> Solution:
    """A shipped book: one whose files take 190 MB, or a smaller one."""
    solution = solved("yahtzee-plain" if LONG else "crag")
    solution.prepare()
    return solution


def test_endings_of_early_cards(early: Solution) -> None:
    random, empty = Random(5), Scorecard.empty(early.book)
    assert early.odds(empty).mean == pytest.approx(early.value(empty), abs=1e-9)
    lower = early.book.boxes[-1].key
    for marks in ({}, {"fours": 8}, {lower: 0, "sixes": 12}, {"aces": 1, "twos": 4}):
        card = Scorecard.of(early.book, marks)
        roll = random.choice(list(rolls(early.book.dice)))
        chances = certain_roll(early.compiled.lattice, roll.faces)
        assert_same(early.finish(card), forward(early, card))
        assert_same(early.finish(card, chances, 2), forward(early, card, chances, 2))


@pytest.mark.usefixtures("early")
def test_stored_endings_are_shared(early: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    before = parse_int(early.odds())
    monkeypatch.setattr("fivedice.solver.endings._kept", endings.MappedCache("ends"))
    assert not early.is_prepared(Scorecard.empty(early.book), read=False)
    assert early.is_prepared(Scorecard.empty(early.book))
    assert early.is_prepared(Scorecard.empty(early.book), read=False), "once read it stays in memory"
    assert parse_int(early.odds()) == before


def test_damaged_endings_are_ignored(patient: Path) -> None:
    solution = solve(tiny_book(Random(3)), cache=False)
    solution.prepare()
    card = Scorecard.empty(solution.book)
    before, files = parse_int(solution.odds()), sorted(patient.glob("*.ends*"))
    assert files
    content = bytearray(files[0].read_bytes())
    content[-3] ^= 1
    files[0].write_bytes(content)
    endings._kept.memory.clear()
    assert not solution.is_prepared(card)
    assert parse_int(solution.odds()) == pytest.approx(before, abs=1e-12), "pushed forward instead"
    solution.prepare()
    assert solution.is_prepared(card)
    assert parse_int(solution.odds()) == before


def test_stopped_preparation_leaves_nothing(patient: Path) -> None:
    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    solution = solve(tiny_book(Random(4)), cache=False)
    with pytest.raises(KeyboardInterrupt):
        solution.prepare(interrupt)
    assert not solution.is_prepared(Scorecard.empty(solution.book))
    assert patient.exists()


def test_late_cards_need_no_preparation_and_large_books_get_none(solved: Callable[[str], Solution]) -> None:
    solution = solved("yatzy")
    marks = dict.fromkeys([box.key for box in solution.book.boxes[: 15 - solution.quick_boxes]], 0)
    assert solution.is_prepared(Scorecard.of(solution.book, marks), read=False)
    large = compiled_book(book("maxi-yatzy-plain"))
    assert endings.layers_to_keep(large) is None
    assert endings.prepare("none", large, np.zeros(1)) is None
    assert 8 <= endings.quick_boxes(large) < large.boxes


@for_each("key", few(["yahtzee", "yatzy", "kniffel", "yardzee", "kismet", "yacht", "crag"], 3))
def test_stored_endings_are_bounded(key: str) -> None:
    compiled = compiled_book(book(key))
    layers = endings.layers_to_keep(compiled)
    assert layers is not None
    assert 8 * sum(endings.layout_of(compiled).sizes[list(layers)]) < 800e6
