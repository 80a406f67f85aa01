"""Stated chances of winning come true as often as they say."""

import os

import pytest

import fivedice as fd
from analysis.calibration import Said, bins, by_moves, by_simulation, off, rounds, told_rounds
from fivedice.solver import solve

FULL = bool(os.environ.get("FIVEDICE_ANALYSIS"))
FEWEST = 15  # cases for a meaningful share


def check(said: list[Said]) -> None:
    for each in [*bins(said), *rounds(said)]:
        if each.count >= FEWEST:
            assert off(each) <= 4, each


@pytest.mark.campaign
def test_stated_chances_come_true() -> None:
    """Yatzy in the order of the sheet: so few cards that nothing has to be prepared."""
    solution = solve(fd.book("yatzy-forced"))
    check(list(by_simulation(solution, 20_000 if FULL else 75, 1)))


@pytest.mark.campaign
def test_mid_turn_chances_come_true() -> None:
    said = list(by_moves(solve(fd.book("yatzy-forced")), 2000 if FULL else 24, 2))
    assert len(said) >= 20
    check(said)


@pytest.mark.campaign
@pytest.mark.skipif(not FULL, reason="early cards need what is prepared of a book")
def test_first_round_chances_come_true() -> None:
    solution = solve(fd.book("yahtzee-plain"))
    solution.prepare()
    check(list(by_simulation(solution, 4000, 3)))


def test_calibration_table_is_printed_and_wrong_ones_detected() -> None:
    from analysis.calibration_chart import BEGIN, END, page_table, with_table

    said = [Said((number % 20) / 20, float(number % 2), round=number % 13) for number in range(400)]
    told = page_table(bins(said), told_rounds(said))
    lines = told.splitlines()
    assert {line.count("|") for line in lines} == {11}
    assert lines[-1].split("|")[6].strip() == "10 to 13"
    games = [[int(line.split("|")[place]) for line in lines[2:]] for place in (4, 10)]
    assert [sum(each) for each in games] == [400, sum(each.share > 0.5 for each in said)]
    assert with_table(f"a\n{BEGIN}\nold\n{END}\nb", told) == f"a\n{BEGIN}\n{told}\n{END}\nb"
    boast = [Said(0.9, float(number % 2), round=3) for number in range(200)]
    with pytest.raises(AssertionError):
        check(boast)
