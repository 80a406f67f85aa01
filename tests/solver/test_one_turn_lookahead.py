"""One turn in shares of the win: against fractions on tiny books, and against `race`."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import fivedice as fd
from fivedice.core.dice import Keep, Roll, keeps_of, rolls
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import book
from fivedice.errors import IllegalError
from fivedice.solver import Solution, endings, solve
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.solver.win.one_turn_lookahead import look
from long import few
from solver.fraction_solver import score_box
from solver.tiny_books import Make, newer_book, random_book, random_card
from support.books import Shares, Slow, smaller_book


@pytest.fixture(params=["from the card", "from what is kept"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Both ways to the distributions: as late in a game, and as early."""
    if request.param == "from what is kept":
        monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
        monkeypatch.setattr("fivedice.solver.endings.QUICK", 0)
        monkeypatch.setattr("fivedice.solver.endings._kept", endings.MappedCache("ends"))
    for known in ("_turns", "_endings"):  # nothing may come from the other way
        monkeypatch.setattr(f"fivedice.solver.win.one_turn_lookahead.{known}", SizedLRUCache(most=1))
    return str(request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("make", [random_book, newer_book])
@pytest.mark.parametrize("seed", few(range(12), 4))
def test_turn_shares_match_fractions(seed: int, make: Make) -> None:
    random = Random(seed)
    rules = smaller_book(random, make)
    solution = solve(rules, cache=False)
    players = random.choice([2, 3])
    while True:
        cards = tuple(random_card(random, rules) for _ in range(players))
        seat = random.randrange(players)
        if not cards[seat].is_full:
            break
    wanted, found = Slow(cards, seat), look(Position(cards, seat, Keep(()), rules.rolls), solution)
    for to_win, followed in ((False, found.for_points), (True, found.to_win)):
        assert_shares(followed.at(Keep(()), rules.rolls), wanted.held(Keep(()), rules.rolls, to_win))
        for _ in range(4):
            roll, left = random.choice(list(rolls(rules.dice, rules.faces))), random.randrange(rules.rolls)
            assert_shares(followed.at(Keep(roll.faces), left), wanted.lying(roll, left, to_win))
            for box in cards[seat].options(roll):
                assert_shares(found.scored(roll, box), wanted.scored(roll, box))
            if left:
                keep = random.choice(keeps_of(roll)[:-1])
                assert_shares(followed.at(keep, left), wanted.held(keep, left, to_win))


def assert_shares(found: np.ndarray, wanted: Shares) -> None:
    assert found.tolist() == pytest.approx([float(each) for each in wanted], abs=1e-12)
    assert sum(found.tolist()) == pytest.approx(1, abs=1e-12)


@pytest.fixture(scope="module")
def early(solved: Callable[[str], Solution]) -> Solution:
    solution = solved("yahtzee-plain")
    solution.prepare()
    return solution


def play_perfectly(random: Random, solution: Solution, filled: int) -> Scorecard:
    """Play `filled` perfect turns with dice that are rolled once."""
    card = Scorecard.empty(solution.book)
    for _ in range(filled):
        roll = Roll(tuple(random.randint(1, solution.book.faces) for _ in range(solution.book.dice)))
        card = score_box(card, str(solution.advise(card, roll, 0)[0].box), roll)
    return card


@pytest.mark.parametrize("filled", few([0, 1, 2, 3, 4, 6, 8, 11, 12], 4))
@pytest.mark.parametrize("players", [2, 4])
def test_turn_played_for_points_matches_the_race(early: Solution, filled: int, players: int) -> None:
    random = Random(f"{filled}/{players}")
    cards = tuple(play_perfectly(random, early, filled) for _ in range(players))
    roll = Roll(tuple(random.randint(1, 6) for _ in range(5)))
    for dice, left in ((Keep(()), 3), (Keep(roll.faces), 2), (Keep(roll.faces[:3]), 2), (Keep(roll.faces), 0)):
        position = Position(cards, 0, dice, left)
        wanted = [each.share for each in fd.race(position, early).players]
        found = look(position, early)
        assert found.for_points.at(dice, left).tolist() == pytest.approx(wanted, abs=1e-12)
        assert found.to_win.at(dice, left)[0] >= wanted[0] - 1e-12


def test_early_turns_and_leavers(early: Solution) -> None:
    random = Random(3)
    cards = tuple(play_perfectly(random, early, 7) for _ in range(3))
    position = Position(cards, 2, Keep(()), 3, out=frozenset({0}))
    wanted = [each.share for each in fd.race(position, early).players]
    assert look(position, early).for_points.at(Keep(()), 3).tolist() == pytest.approx(wanted[1:], abs=1e-12)
    position = Position((Scorecard.empty(early.book),) * 3, 0, Keep((1, 1, 2, 5, 6)), 2)
    found = fd.win(position, early)
    assert (found.how, found.exact) == ("this turn", False)
    assert sum(found.shares) == pytest.approx(1, abs=1e-12)
    assert found.shares[0] == found.advise()[0].share
    assert found.shares[0] >= fd.race(position, early).players[0].share


def test_saved_rolls_are_refused_in_turn_shares() -> None:
    rules = book("maxi-yatzy")
    with pytest.raises(IllegalError, match="saves rolls"):
        look(Position.start(rules, 2), None)  # type: ignore[arg-type]
