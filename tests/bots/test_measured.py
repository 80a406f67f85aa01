"""The labels of the bots are true, rise with the level, and are spread evenly."""

import json
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest

import fivedice as fd
from fivedice.core.rules import book
from fivedice.players import bots
from fivedice.players.bots.levels import find_level
from fivedice.players.bots.solo_games import measure
from fivedice.solver import solve
from fivedice.solver.runtime.solve_limits import takes_long
from for_each import for_each
from long import LONG, few

GAMES = 4000 if LONG else 1000  # of perfect play; the fewer, the wider is what chance allows
FEW = 200 if LONG else 6  # of those who are asked for every move
QUICK = [key for key in fd.SHIPPED if not takes_long(book(key))]
OFFERED = [(level, key) for level in bots.LEVELS for key in fd.SHIPPED if key in bots.means(level)]


def test_every_offered_level_is_measured() -> None:
    for level in bots.LEVELS[:-1]:
        assert set(bots.means(level)) >= set(QUICK if level == "perfect" else fd.SHIPPED)
    assert bots.means("champion") == {}, "what it scores depends on the others"


@for_each(("level", "key"), few(OFFERED, 8))
def test_labels_match_a_new_measurement(level: str, key: str) -> None:
    label = bots.measured(level, key)
    assert label is not None
    if key not in bots.means(level) or level not in bots.offered(book(key)):
        pytest.skip("its solution is not stored here")
    mean, sd = label
    games = GAMES if level == "perfect" else FEW
    played = measure(find_level(level), book(key), games, seed=99)
    assert abs(played.mean - mean) < 4.5 * sqrt(sd**2 / games + _error(level, key) ** 2)
    if games > 100:
        assert played.sd == pytest.approx(sd, rel=4.5 / sqrt(2 * games) + 0.05)


def _error(level: str, key: str) -> float:
    """The standard error of a label, as it stands in the file."""
    file = Path(bots.__file__).with_name("measured.json")
    found = json.loads(file.read_text(encoding="utf-8"))["levels"][level][key]
    assert found["error"] == pytest.approx(found["sd"] / sqrt(found["games"]), abs=0.01)
    return float(found["error"])


@for_each("key", fd.SHIPPED)
def test_means_rise_with_the_level(key: str) -> None:
    """Where nothing is left to plan, as in a fixed order of boxes, the best of them are equal within chance."""
    levels = [level for level in bots.LEVELS if key in bots.means(level)]
    for weaker, stronger in pairwise(levels):
        error = sqrt(_error(weaker, key) ** 2 + _error(stronger, key) ** 2)
        assert bots.means(stronger)[key] - bots.means(weaker)[key] > (-2 * error if book(key).fixed_order else 0), (
            stronger
        )


@for_each("key", ["yahtzee", "yardzee", "yatzy"])
def test_levels_are_spread_evenly(key: str) -> None:
    means = [bots.means(level)[key] for level in bots.LEVELS[:-1]]
    shares = [(mean - means[0]) / (means[-1] - means[0]) for mean in means]
    even = [step / (len(means) - 1) for step in range(len(means))]
    assert shares == pytest.approx(even, abs=0.08)
    assert means[0] < means[-1] / 2, "the first game of a child"


@for_each("key", QUICK)
def test_perfect_label_matches_the_exact_value(key: str) -> None:
    label = bots.measured("perfect", key)
    assert label is not None
    value = solve(book(key)).value(fd.Scorecard.empty(book(key)))
    assert abs(label[0] - value) < 4.5 * _error("perfect", key)


def test_unmeasured_levels_have_no_label() -> None:
    assert bots.measured("steady", "our-house") is None
    assert set(bots.means("steady")) == set(fd.SHIPPED)
