"""The labels of the bots are true, rise with the level, and are spread evenly."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import pytest

import fivedice as fd
from fivedice import bots
from fivedice.bots.players import find_level
from fivedice.bots.solo_games import measure
from fivedice.rules import book
from fivedice.solver import solve
from fivedice.solver.runtime.solve_limits import takes_long
from long import LONG

GAMES = 4000 if LONG else 1000  # the fewer, the wider is what chance allows
MEASURED = 200_000
FEW = 10, 300  # games that save rolls, here and measured: they are played move by move


@pytest.mark.parametrize("key", fd.SHIPPED)
@pytest.mark.parametrize("level", bots.LEVELS)
def test_the_label_is_within_chance_of_a_new_measurement(key: str, level: str) -> None:
    label = bots.measured(level, key)
    assert label is not None
    mean, sd = label
    games, measured = FEW if book(key).save_rolls else (GAMES, MEASURED)
    played = measure(find_level(level), book(key), games, seed=99)
    assert abs(played.mean - mean) < 4.5 * sd * sqrt(1 / games + 1 / measured)
    assert played.sd == pytest.approx(sd, rel=4.5 / sqrt(2 * min(games, measured)) + 0.05)


@pytest.mark.parametrize("key", fd.SHIPPED)
def test_means_rise_with_the_level_in_every_book(key: str) -> None:
    means = [bots.means(level)[key] for level in bots.LEVELS]
    assert all(weaker < stronger for weaker, stronger in pairwise(means))


@pytest.mark.parametrize("key", ["yahtzee", "yatzy"])
def test_levels_are_spread_evenly_from_greedy_to_perfect(key: str) -> None:
    means = [bots.means(level)[key] for level in bots.LEVELS[1:]]
    shares = [(mean - means[0]) / (means[-1] - means[0]) for mean in means]
    even = [step / (len(means) - 1) for step in range(len(means))]
    assert shares == pytest.approx(even, abs=0.06)


@pytest.mark.parametrize("key", [key for key in fd.SHIPPED if not takes_long(book(key))])
def test_perfect_is_labelled_with_the_exact_value_within_chance(key: str) -> None:
    label = bots.measured("perfect", key)
    assert label is not None
    value = solve(book(key)).value(fd.Scorecard.empty(book(key)))
    assert abs(label[0] - value) < 4.5 * label[1] / sqrt(MEASURED)


def test_what_was_not_measured_has_no_label() -> None:
    assert bots.measured("steady", "our-house") is None
    assert set(bots.means("steady")) == set(fd.SHIPPED)
