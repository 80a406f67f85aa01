"""Bots of unsolved books: progress is shown, and nothing is stored for ever."""

from types import SimpleNamespace
from typing import Any

import pytest

from fivedice.core.rules import shipped
from fivedice.message import message
from fivedice.players import bots
from fivedice.players.bots.levels import FIRST_PLAY, PLAY
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.web.jobs.solutions import Readiness, Solutions
from fivedice.web.live.bot_runner import BotRunner
from fivedice.web.pages.house_rules.house_rules_pages import solution_state
from web.slow_solver import LARGE, PATIENCE, SlowSolver, solutions, solver
from web.stage import Scene, Seat

__all__ = ["solutions", "solver"]
NOTHING = message("web.odds-failed")


def test_bot_waits_until_its_book_is_solved(solver: SlowSolver, solutions: Solutions) -> None:
    seats = ["Ann", Seat("Bot", bot="perfect"), Seat("Other", bot="steady")]
    state = Scene("waiting", "yahtzee", seats).start(first=1).state
    runner = BotRunner(None, solutions, None, 0)  # type: ignore[arg-type] # it only looks
    assert runner.works_out(state, 1)
    assert not runner.works_out(state, 2), "who plays by rule of thumb need not wait"
    solver.go_on.set()
    solutions.jobs.join()
    assert not runner.works_out(state, 1)


def test_champion_waits_for_the_odds(solver: SlowSolver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch) -> None:
    solver.go_on.set()
    state = (
        Scene("waiting", "yahtzee", ["Ann", Seat("Bot", bot="champion"), Seat("Other", bot="perfect")]).start(1).state
    )
    state.bots = PLAY
    runner = BotRunner(None, solutions, None, 0)  # type: ignore[arg-type] # it only looks
    solutions.want(state.book)
    solutions.jobs.join()
    asked = []
    monkeypatch.setattr(solutions, "odds", lambda found: asked.append(found) or Readiness("running", 0.5, NOTHING))
    assert runner.works_out(state, 1)
    assert not runner.works_out(state, 2), "perfect play needs no odds"
    monkeypatch.setattr(solutions, "odds", lambda _: Readiness("ready", 1.0, NOTHING))
    assert not runner.works_out(state, 1)
    assert [found.book for found in asked] == [state.book]


def test_only_exact_bots_wait() -> None:
    waiting = [level for level in bots.LEVELS if bots.waits(level, shipped("yahtzee"))]
    assert waiting == ["perfect", "champion"]
    assert bots.waits("perfect", shipped("maxi-yatzy")), "only offered where it is stored, and read from there"
    assert bots.waits("sharp", shipped("yahtzee"), FIRST_PLAY)
    assert not bots.waits("perfect", shipped("maxi-yatzy"), FIRST_PLAY), "planned by par then"
    assert not bots.waits("steady", shipped("yahtzee"), FIRST_PLAY)


def test_state_of_a_solution_in_words(
    solver: SlowSolver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch
) -> None:
    services: Any = SimpleNamespace(solutions=solutions)
    solution_state(services, shipped("yahtzee"))
    assert solver.at_work.wait(PATIENCE)
    assert "25% done" in solution_state(services, shipped("yahtzee"))["sentence"]
    with monkeypatch.context() as compiling:
        compiling.setattr("fivedice.web.jobs.solutions.is_compiling", lambda: True)
        told = solution_state(services, shipped("yahtzee"))
        assert (told["state"], told["sentence"][:26]) == ("running", "Compiling once, about 8 s.")
    assert "are worked out next" in solution_state(services, shipped("yatzy"))["sentence"]
    solver.go_on.set()
    solutions.jobs.join()
    found = solution_state(services, shipped("yahtzee"))
    assert (found["state"], found["mean"]) == ("ready", 241.26)
    assert found["sentence"] == "The best moves are known. Perfect play averages 241.3 points."


def test_evicted_solution_is_loaded_again(
    solver: SlowSolver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solutions, "_found", SizedLRUCache(lambda found: found.table.nbytes, LARGE.nbytes))
    solver.go_on.set()
    for key in ("yahtzee", "yatzy"):
        solutions.want(shipped(key))
        solutions.jobs.join()
    assert solutions.ready(shipped("yahtzee")) is None, "there is room for one"
    assert solutions.want(shipped("yahtzee")).state in {"waiting", "running", "ready"}
    solutions.jobs.join()
    assert solver.solved == ["yahtzee", "yatzy", "yahtzee"]
    assert solutions.ready(shipped("yahtzee")) is not None
