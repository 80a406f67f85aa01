"""The chances of winning come true as often as they say; `make calibration` asks twenty thousand games."""

from __future__ import annotations

import os

import pytest

import fivedice as fd
from analysis.calibration import Said, bins, by_moves, by_simulation
from fivedice.solver import solve

FULL = bool(os.environ.get("FIVEDICE_ANALYSIS"))
FEWEST = 15  # of which a share can be told


def check(said: list[Said], allowance: float = 0.0) -> None:
    for each in bins(said):
        if each.count >= FEWEST:
            assert abs(each.came - each.said) <= 4 * each.error + allowance, each


@pytest.mark.campaign
def test_what_is_said_exactly_comes_true() -> None:
    """Yatzy in the order of the sheet: so few cards that every chance is exact."""
    solution = solve(fd.book("yatzy-forced"))
    said = list(by_simulation(solution, 20_000 if FULL else 300, 1))
    assert all(each.exact for each in said)
    check(said)


@pytest.mark.campaign
def test_what_is_said_in_mid_turn_comes_true() -> None:
    said = list(by_moves(solve(fd.book("yatzy-forced")), 2000 if FULL else 40, 2))
    assert len(said) >= 20
    check(said)


@pytest.mark.campaign
@pytest.mark.skipif(not FULL, reason="quick chances need the spreads of a book that takes seconds")
def test_what_is_said_quickly_comes_nearly_true() -> None:
    said = list(by_simulation(solve(fd.book("yahtzee-plain")), 4000, 3))
    check([each for each in said if not each.exact], 0.03)
    check([each for each in said if each.exact])


def test_a_table_that_says_too_much_is_found_out() -> None:
    boast = [Said(0.9, float(number % 2), exact=True) for number in range(200)]
    with pytest.raises(AssertionError):
        check(boast)
