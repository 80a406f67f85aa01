"""Simulated games: reproducible, by the rules, and in agreement with the exact values."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from fivedice.core.game import Scorecard
from fivedice.core.rules import book
from fivedice.errors import IllegalError
from fivedice.solver import Solution, simulate as module, solve
from fivedice.solver.simulate import simulate
from fivedice.solver.solution import Outlook, outlook
from for_each import for_each
from long import few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book

GAMES = 100_000


@for_each("key", few(["yahtzee", "yatzy", "yardzee", "yatzy-forced", "kniffel", "kismet", "yacht", "crag"], 4))
def test_simulated_mean_matches_the_exact_value(key: str, solved: Callable[[str], Solution]) -> None:
    solution = solved(key)
    played = simulate(solution.book, GAMES, seed=11)
    value = solution.value(Scorecard.empty(solution.book))
    assert abs(played.mean - value) < 4 * played.standard_error
    assert played.games == GAMES


@for_each("make", [random_book, newer_book])
@for_each("seed", few(range(25), 8))
def test_simulated_mean_matches_on_random_books(seed: int, make: Make) -> None:
    """Odd dice, ladders, extras paid once, and fixed orders."""
    rules = make(Random(seed))
    played = simulate(rules, 20_000, seed=seed)
    value = float(exact.value(Scorecard.empty(rules)))
    assert abs(played.mean - value) <= 4.5 * played.standard_error + 1e-9


def test_simulated_spread_and_parts_match_the_game() -> None:
    rules = book("yahtzee")
    played = simulate(rules, GAMES, seed=2)
    assert played.sd == pytest.approx(59.608, abs=0.8)
    assert played.quantile(0.5) == pytest.approx(248, abs=1)
    assert played.bonus_rate == pytest.approx(0.681, abs=0.006)
    assert sum(played.box_means.values()) + 35 * played.bonus_rate + 100 * played.extra_mean == pytest.approx(
        played.mean
    )
    assert list(played.box_means) == [box.key for box in rules.boxes]
    assert played.quantile(0) == played.totals.min()


def test_totals_depend_only_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book("yahtzee")
    one = simulate(rules, 5000, seed=3, threads=1)
    assert np.array_equal(one.totals, simulate(rules, 5000, seed=3, threads=3).totals)
    assert one.box_means == simulate(rules, 5000, seed=3, threads=2).box_means
    assert np.array_equal(one.totals[:1234], simulate(rules, 1234, seed=3).totals)
    assert not np.array_equal(one.totals, simulate(rules, 5000, seed=4).totals)
    monkeypatch.setattr(module, "_BATCH", 700)
    assert np.array_equal(one.totals, simulate(rules, 5000, seed=3).totals)


@for_each("sight", ["points", "par", "exact"])
def test_blurred_games_are_reproducible(sight: str) -> None:
    rules = book("yatzy")
    view = outlook(rules, sight)
    one = simulate(rules, 3000, view=view, blur=1.0, seed=5, threads=1)
    assert np.array_equal(one.totals, simulate(rules, 3000, view=view, blur=1.0, seed=5, threads=2).totals)


def test_blur_and_foresight_order_the_scores() -> None:
    rules = book("yahtzee")
    means = [simulate(rules, 3000, view=outlook(rules, "points"), blur=blur).mean for blur in (np.inf, 4, 1, 0)]
    means += [simulate(rules, 3000, view=outlook(rules, sight)).mean for sight in ("par", "exact")]
    assert means == sorted(means)
    rules = book("yahtzee-plain")
    sharp, blurred = (simulate(rules, 20_000, blur=blur, seed=1) for blur in (0.0, 1e-7))
    assert np.mean(sharp.totals == blurred.totals) > 0.99  # but for ties, which blur breaks by chance


def test_unusual_numbers_of_games_and_seeds() -> None:
    """An outlook that fears every box still has to fill one."""
    rules = random_book(Random(8))
    seen = outlook(rules, "points")
    afraid = Outlook(seen.compiled, seen.table, np.full(seen.compiled.boxes, -1000.0))
    assert simulate(rules, 100, view=afraid).games == 100
    played = simulate(book("yahtzee"), 1)
    assert (played.sd, played.standard_error) == (0.0, 0.0)
    rules = book("yahtzee")
    totals = [tuple(simulate(rules, 50, seed=seed).totals) for seed in (-1, 0, 10**30, 2**64 - 1)]
    assert totals[0] == totals[3]
    assert len(set(totals)) == 3
    assert outlook(book("yahtzee"), "exact").table is solve(book("yahtzee")).table


@for_each("games", [0, -1, 10**9 + 1])
def test_invalid_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(IllegalError, match="Choose 1 to"):
        simulate(book("yahtzee"), games)


def test_progress_is_reported_and_can_stop_the_work() -> None:
    seen: list[tuple[int, int]] = []
    simulate(book("yahtzee"), 100, progress=lambda done, games: seen.append((done, games)))
    assert seen[-1] == (100, 100)
    assert seen == sorted(seen)

    def stop(_done: int, _games: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(book("yahtzee"), 100, progress=stop)
