"""Shipped tables equal a fresh solve, and are used only if intact."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import SHIPPED, book
from fivedice.solver import Solution, odds as first_turn_odds, solution as solved_book, solve
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.runtime import solution_files
from fivedice.solver.values.shipped_values import BITS, KIND, shipped_values
from long import LONG, few
from solver.tiny_books import random_card

FOLDER = Path(solution_files.__file__).parents[1] / "shipped"
WITH_VALUES = [key for key in SHIPPED if (FOLDER / f"{book(key).fingerprint}.{KIND}").exists()]
WITH_ODDS = [key for key in SHIPPED if (FOLDER / f"{book(key).fingerprint}.{first_turn_odds.KIND}").exists()]
QUICK_ODDS = WITH_ODDS if LONG else ["crag", "yatzy-forced"]


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but what is shipped."""
    monkeypatch.delenv("FIVEDICE_TABLES")
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    monkeypatch.setattr(solved_book._tables, "memory", {})
    monkeypatch.setattr(first_turn_odds._tables, "memory", {})


def test_shipped_tables_cover_main_books_under_12_5_mb() -> None:
    assert {"yahtzee", "yatzy", "yardzee", "kniffel", "kismet", "yacht", "crag"} <= set(WITH_VALUES) <= set(WITH_ODDS)
    kept = {f"{book(key).fingerprint}.{kind}" for key in SHIPPED for kind in (KIND, first_turn_odds.KIND)}
    assert {path.name for path in FOLDER.iterdir()} <= kept, "of books that are no more: run make tables"
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 12_500_000


@pytest.mark.parametrize("key", few(WITH_VALUES, 3))
def test_shipped_values_equal_a_fresh_solve(key: str) -> None:
    fresh, found = solve(book(key), cache=False), shipped_values(compiled_book(book(key)), book(key).fingerprint)
    assert found is not None
    there = ~np.isnan(found)
    assert there.sum() == fresh.states
    assert np.abs(found - fresh.table)[there].max() <= 2.0 ** -(BITS + 1) + 1e-11  # type: ignore[operator]


@pytest.mark.parametrize("key", QUICK_ODDS)
def test_shipped_odds_equal_a_fresh_solve(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve(book(key)).odds()
    monkeypatch.setenv("FIVEDICE_TABLES", "no")
    monkeypatch.setattr(first_turn_odds._tables, "memory", {})
    monkeypatch.setenv("FIVEDICE_CACHE", os.devnull)
    fresh = solve(book(key), cache=False).odds()
    assert found.pmf.keys() == fresh.pmf.keys()
    assert max(abs(found.pmf[total] - fresh.pmf[total]) for total in fresh.pmf) < 1e-13
    assert found.box_means == pytest.approx(fresh.box_means, abs=1e-11)
    assert (found.upper_bonus, found.extra_mean) == pytest.approx((fresh.upper_bonus, fresh.extra_mean), abs=1e-12)


def test_shipped_advice_equals_a_fresh_solve() -> None:
    """The same order, the same ties, values to the tenth decimal."""
    random, rules = Random(5), book("yahtzee")
    fresh, found = solve(rules, cache=False), solve(rules)
    assert found.table is not fresh.table
    for _ in range(200):
        card = random_card(random, rules)
        if not card.is_full:
            roll = Roll(tuple(sorted(random.choices(range(1, 7), k=5))))
            _same_advice(found, fresh, card, roll, random.randrange(3))


def _same_advice(found: Solution, fresh: Solution, card: Scorecard, roll: Roll, left: int) -> None:
    ours, theirs = found.advise(card, roll, left), fresh.advise(card, roll, left)
    assert {(each.keep, each.box) for each in ours if each.best} == {
        (each.keep, each.box) for each in theirs if each.best
    }
    assert [each.value for each in ours] == pytest.approx([each.value for each in theirs], abs=3e-10)


def _moved(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes) -> None:
    (folder / "shipped").mkdir(exist_ok=True)
    (folder / "shipped" / name).write_bytes(content)
    monkeypatch.setattr(solution_files, "files", lambda _: folder)


def test_damaged_or_foreign_tables_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, other = book("yatzy-forced"), book("crag")
    name = f"{rules.fingerprint}.{KIND}"
    good, compiled = (FOLDER / name).read_bytes(), compiled_book(rules)
    for place in range(len(good)):
        _moved(tmp_path, monkeypatch, name, good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        assert shipped_values(compiled, rules.fingerprint) is None, place
    for bad in (b"", good[:-1], good + b"\0", (FOLDER / f"{other.fingerprint}.{KIND}").read_bytes()):
        _moved(tmp_path, monkeypatch, name, bad)
        assert shipped_values(compiled, rules.fingerprint) is None
        assert solved_book.known(rules) is None
    fresh = solve(rules, cache=False).table
    assert np.array_equal(solve(rules).table, fresh, equal_nan=True), "solved anew"  # type: ignore[arg-type]
    _moved(tmp_path, monkeypatch, name, good)
    assert shipped_values(compiled, rules.fingerprint) is not None


WITHOUT = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from fivedice.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    "command", [["hint", "yahtzee", "24466", "--rolls-left", "2"], ["odds", "yatzy"], ["solve", "kniffel"]]
)
def test_shipped_books_need_no_compiler(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, *command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout
