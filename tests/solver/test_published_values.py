"""Values published by others, and our own stored to detect changes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fivedice.core.game import Scorecard
from fivedice.core.rules import load_book
from fivedice.solver import Solution, solve
from for_each import for_each
from long import long_only

PUBLISHED = {
    "yahtzee": 254.58772873,
    "yahtzee-free-choice": 254.58960948,
    "yahtzee-plain": 245.87077451,
    "yatzy": 248.43998938,
    "yatzy-forced": 122.5585274,
}
KEPT = {
    "yahtzee-classic": 254.48621907,
    "yardzee": 253.32038649,
    "kniffel": 248.20681434,
    "kismet": 315.02402859,
    "yacht": 166.95506770,
    "crag": 149.84759323,
}


@for_each(("key", "value"), (PUBLISHED | KEPT).items())
def test_value_of_the_empty_card(key: str, value: float, solved: Callable[[str], Solution]) -> None:
    solution = solved(key)
    assert solution.value(Scorecard.empty(solution.book)) == pytest.approx(value, abs=1e-8)


def test_house_rules_without_extra_and_joker_equal_the_plain_game() -> None:
    book = load_book('format = 1\nextends = "yahtzee"\nalike = false\n')
    assert solve(book).value(Scorecard.empty(book)) == pytest.approx(245.870774514, abs=1e-9)


def test_full_cards_and_earned_bonuses(solved: Callable[[str], Solution]) -> None:
    solution = solved("yahtzee")
    sixes = {"sixes": 30, "fives": 25, "fours": 20}
    for upper in ({}, sixes):
        marks = {box.key: 0 for box in solution.book.boxes} | upper
        assert solution.value(Scorecard.of(solution.book, marks)) == 0.0
    # With one lower box open, the value does not depend on the upper total, earned bonus or not.
    marks = {box.key: 0 for box in solution.book.boxes if box.key != "chance"}
    earned = marks | {"sixes": 30, "fives": 25, "fours": 20}
    values = {solution.value(Scorecard.of(solution.book, each)) for each in (marks, earned)}
    assert max(values) - min(values) < 1e-9
    assert max(values) == pytest.approx(70 / 3, abs=1e-9)


@long_only
def test_machines_without_wide_vectors_get_the_same_values(tmp_path: Path) -> None:
    """Without wide registers the compiler splits the lanes; the values must not change."""
    script = "import json, fivedice as fd; from fivedice.solver import solve\n"
    script += "keys = ['yahtzee', 'yatzy-forced']\n"
    script += (
        "print(json.dumps({k: solve(fd.book(k), cache=False).value(fd.Scorecard.of(fd.book(k), {})) for k in keys}))"
    )
    narrow = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], env=narrow, capture_output=True, text=True, check=True)
    for key, value in json.loads(run.stdout).items():
        assert value == pytest.approx(PUBLISHED[key], abs=1e-8)
