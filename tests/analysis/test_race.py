"""Chances of winning: they add up, and finished and last turns are exact."""

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from fivedice import Keep, Position, Roll, Scorecard, Throw, apply, book
from fivedice.coaching.training import prospect
from fivedice.core.dice import rolls, ways
from fivedice.errors import IllegalCard, IllegalError
from fivedice.reports.race import Pmf, is_ready, race, win_chances
from fivedice.solver import Solution, solve

RULES = book("yatzy-forced")  # the quickest to solve: its boxes are filled in order


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(RULES)


def card(*marks: int) -> Scorecard:
    """Filled from the top; Yatzy has fifteen boxes."""
    boxes = (box.key for box in RULES.boxes)
    return Scorecard.of(RULES, dict(zip(boxes, marks, strict=False)))


FULL = (3, 6, 9, 12, 15, 18, 12, 22, 18, 16, 15, 20, 28, 24, 0)


def test_finished_and_single_games_are_settled(solution: Solution) -> None:
    high, low = card(*FULL), card(*FULL[:-3], 0, 24, 0)
    assert [each.share for each in race([high, low], solution).players] == [1.0, 0.0]
    tied = race([high, low, high], solution)
    assert [(each.win, each.tie, each.share) for each in tied.players] == [(0, 1, 0.5), (0, 0, 0), (0, 1, 0.5)]
    only = race([card(1, 2)], solution).players[0]
    assert only.share == pytest.approx(1.0, abs=1e-12)
    assert only.mean == pytest.approx(3 + solution.value(card(1, 2)), abs=1e-9)


def all_yatzy_chance(held: tuple[int, ...]) -> float:
    """By counting: the last box is Yatzy, the last throw is of the dice that are not held."""
    falls = rolls(RULES.dice - len(held))
    hits = sum(ways(fall) for fall in falls if len({*held, *fall.faces}) == 1)
    return float(hits / RULES.faces ** (RULES.dice - len(held)))


@pytest.mark.parametrize(("lead", "wins_with", "otherwise"), [(40, 1.0, 0.0), (50, 0.5, 0.0), (55, 0.0, 0.0)])
def test_last_throw_is_exact(solution: Solution, lead: int, wins_with: float, otherwise: float) -> None:
    """Behind by `lead` with only Yatzy (50) open and three fours held, two dice still to be thrown."""
    behind = card(*FULL[:-1])
    ahead = _with_total(behind.total + lead)
    position = Position((ahead, behind), 1, Keep((4, 4, 4)), 1)
    yatzy = all_yatzy_chance((4, 4, 4))
    assert yatzy == pytest.approx(1 / 36)
    found = race(position, solution)
    assert found.players[1].share == pytest.approx(yatzy * wins_with + (1 - yatzy) * otherwise, abs=1e-12)
    assert sum(each.share for each in found.players) == pytest.approx(1.0, abs=1e-12)


def _with_total(total: int) -> Scorecard:
    """A full card with this total, found among the sums of a few boxes."""
    for chance, pair, yatzy in product(range(5, 31), range(0, 13, 2), (0, 50)):
        full = card(*FULL[:6], pair, *FULL[7:13], chance, yatzy)
        if full.total == total:
            return full
    raise AssertionError(f"no card of {total}")


def test_last_turn_is_exact_with_and_without_dice(solution: Solution) -> None:
    """Three rolls are done: the points are what they are."""
    behind = card(*FULL[:-1])
    position = Position((_with_total(behind.total + 40), behind), 1, Keep((4,) * 5), 0)
    assert race(position, solution).players[1].win == 1.0
    # One roll left and all dice in the cup after a hold of none: the mean over all rolls of what each brings.
    ahead = _with_total(behind.total + 40)
    position = Position((ahead, behind), 1, Keep(()), 1)
    expected = sum(
        ways(roll) / 6**5 * race(apply(position, Throw(roll)).after, solution).players[1].share for roll in rolls(5)
    )
    assert race(position, solution).players[1].share == pytest.approx(expected, abs=1e-12)
    # Holding all but one die leaves six rolls; the chance is their mean.
    position = Position((card(1, 2), card(1, 2)), 0, Keep((3, 3, 3, 5)), 1)
    falls = [Roll((3, 3, 3, 5, face)) for face in range(1, 7)]
    each = [race(Position(position.cards, 0, Keep(roll.faces), 0), solution).players[0].share for roll in falls]
    assert race(position, solution).players[0].share == pytest.approx(sum(each) / 6, abs=1e-12)


def test_readiness_of_an_answer_is_known(solution: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_ready([card(1, 2)] * 12, solution)
    monkeypatch.setattr("fivedice.solver.endings.QUICK", 0)
    assert not is_ready([card(1, 2)], solution)
    assert is_ready([card(*FULL)], solution), "a full card has nothing to be worked out"


def test_missing_preparation_runs_first(solution: Solution, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))  # an earlier run may have kept it
    by_itself = race([card(), card(3, 6)], solution)
    monkeypatch.setattr("fivedice.solver.endings.QUICK", 0)
    monkeypatch.setattr("fivedice.reports.race._endings", {})
    answer: list[float] = []
    found = race([card(), card(3, 6)], solution, progress=lambda done, total: answer.append(done / total))
    assert answer[-1:] == [1.0]
    assert is_ready([card()], solution)
    for one, other in zip(found.players, by_itself.players, strict=True):
        assert one.share == pytest.approx(other.share, abs=1e-12)
        assert one.sd == pytest.approx(other.sd, abs=1e-9)


def test_prospects_are_tails_and_invalid_questions_refused(solution: Solution) -> None:
    start = Position((card(3, 6), card(1)), 0, Keep(()), 3)
    for target in (0, 180, 220, 260):
        assert prospect(start, solution, target).chance == pytest.approx(
            solution.odds(card(3, 6)).at_least(target), abs=1e-12
        )
    rolled = Position((card(3, 6),), 0, Keep((1, 1, 3, 3, 3)), 2)
    odds = solution.odds(card(3, 6), Roll((1, 1, 3, 3, 3)), 2)
    assert prospect(rolled, solution, 230).chance == pytest.approx(odds.at_least(230), abs=1e-12)
    with pytest.raises(IllegalError, match="1 to 12 players, not 13"):
        race([card(1)] * 13, solution)
    with pytest.raises(IllegalError, match="not 0"):
        race([], solution)
    with pytest.raises(IllegalCard, match="solution is for"):
        race([Scorecard.empty(book("yahtzee"))], solution)


pmfs = st.builds(
    lambda first, weights: Pmf(first, np.array(weights) / sum(weights)),
    st.integers(0, 6),
    st.lists(st.integers(1, 5), min_size=1, max_size=5),
)


@settings(max_examples=60)
@given(st.lists(pmfs, min_size=1, max_size=4))
def test_shares_match_enumeration(ends: list[Pmf]) -> None:
    wins: Counter[int] = Counter()
    shares = Counter[int]()
    for falls in product(*(list(zip(end.totals.tolist(), end.chances.tolist(), strict=True)) for end in ends)):
        chance = float(np.prod([each for _, each in falls]))
        best = max(total for total, _ in falls)
        top = [seat for seat, (total, _) in enumerate(falls) if total == best]
        for seat in top:
            shares[seat] += chance / len(top)  # type: ignore[assignment]
            wins[seat] += chance if len(top) == 1 else 0  # type: ignore[assignment]
    for seat, found in enumerate(win_chances(ends)):
        assert found.share == pytest.approx(shares[seat], abs=1e-12)
        assert found.win == pytest.approx(wins[seat], abs=1e-12)
