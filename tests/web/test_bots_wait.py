"""Bots and books that were never solved: nobody waits in the dark, and nothing is kept for ever."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fivedice import bots
from fivedice.rules import RuleBook, shipped
from fivedice.solver.kept import Kept
from fivedice.web.books import solution_state
from fivedice.web.house import House
from fivedice.web.solutions import Solutions
from web.stage import Scene, Seat

PATIENCE = 60.0
LARGE = np.zeros(10)


class Solver:
    """Stands in for the solver: works until it is let go on."""

    def __init__(self) -> None:
        self.go_on = Event()
        self.at_work = Event()
        self.begun: list[str] = []

    def solve(self, book: RuleBook, *, progress: Any) -> Any:
        self.begun.append(book.key)
        progress(42, 100)
        self.at_work.set()
        assert self.go_on.wait(PATIENCE)
        return SimpleNamespace(book=book, table=LARGE, value=lambda _: 241.26)


@pytest.fixture
def solver(monkeypatch: pytest.MonkeyPatch) -> Solver:
    solver = Solver()
    monkeypatch.setattr("fivedice.solver.solve", solver.solve)
    monkeypatch.setattr("fivedice.solver.query.known", lambda _: None)
    monkeypatch.setattr("fivedice.solver.spread.follow", lambda *_: None)
    return solver


@pytest.fixture
def solutions() -> Iterator[Solutions]:
    solutions = Solutions()
    yield solutions
    solutions.close()


def test_a_bot_waits_until_its_book_is_solved(solver: Solver, solutions: Solutions) -> None:
    seats = ["Ann", Seat("Bot", bot="perfect"), Seat("Other", bot="steady")]
    state = Scene("waiting", "yahtzee", seats).start(first=1).state
    house = House(None, 0)  # type: ignore[arg-type] # it only looks
    assert not house.works_out(state, 1), "without a place where books are solved, it plays as it can"
    house.solutions = solutions
    assert house.works_out(state, 1)
    assert not house.works_out(state, 2), "who plays by rule of thumb need not wait"
    solver.go_on.set()
    solutions.bench.join()
    assert not house.works_out(state, 1)


def test_nobody_waits_for_a_book_that_takes_minutes() -> None:
    assert bots.waits("sharp", shipped("yahtzee"))
    assert not bots.waits("perfect", shipped("maxi-yatzy")), "planned by par, as the level says"
    assert not bots.waits("steady", shipped("yahtzee"))


def test_the_state_of_a_solution_in_words(solver: Solver, solutions: Solutions) -> None:
    desk: Any = SimpleNamespace(solutions=solutions)
    solution_state(desk, shipped("yahtzee"))
    assert solver.at_work.wait(PATIENCE)
    assert "being worked out: 42 %" in solution_state(desk, shipped("yahtzee"))["sentence"]
    assert "will be worked out next" in solution_state(desk, shipped("yatzy"))["sentence"]
    solver.go_on.set()
    solutions.bench.join()
    found = solution_state(desk, shipped("yahtzee"))
    assert (found["state"], found["mean"]) == ("ready", 241.26)
    assert found["sentence"] == "The exact strategy is ready: perfect play averages 241.3 points."


def test_a_solution_that_made_room_is_fetched_again(
    solver: Solver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solutions, "_found", Kept(lambda found: found.table.nbytes, LARGE.nbytes))
    solver.go_on.set()
    for key in ("yahtzee", "yatzy"):
        solutions.want(shipped(key))
        solutions.bench.join()
    assert solutions.ready(shipped("yahtzee")) is None, "there is room for one"
    assert solutions.want(shipped("yahtzee")).state in {"waiting", "running", "ready"}
    solutions.bench.join()
    assert solver.begun == ["yahtzee", "yatzy", "yahtzee"]
    assert solutions.ready(shipped("yahtzee")) is not None
