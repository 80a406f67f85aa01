"""A solver that pauses until released, and its background queue."""

from collections.abc import Iterator
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fivedice.core.rules import RuleBook
from fivedice.web.jobs.solutions import Closing, Solutions

PATIENCE = 60.0
LARGE = np.zeros(10)  # every table that it finds


class SlowSolver:
    """Stands in for the solver: a quarter of a book is done when it is `at_work`."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.at_work = Event()
        self.go_on = Event()
        self.stopped: list[str] = []
        self.fails = False

    @property
    def solved(self) -> list[str]:
        """Return the started books, without follow-up work."""
        return [key for key in self.begun if not key.startswith("beyond ")]

    def solve(self, book: RuleBook, *, progress: Any) -> Any:
        self.begun.append(book.key)
        progress(1, 4)
        self.at_work.set()
        assert self.go_on.wait(PATIENCE)
        try:
            progress(2, 4)
        except Closing:
            self.stopped.append(book.key)
            raise
        if self.fails:
            raise ValueError("no")
        return SimpleNamespace(book=book, table=LARGE, value=lambda _: 241.26)

    def follow(self, found: Any, _: Any) -> None:
        self.begun.append(f"beyond {found.book.key}")

    def known(self, _: Any) -> None:
        """Nothing is ever on disk."""


@pytest.fixture
def solver(monkeypatch: pytest.MonkeyPatch) -> SlowSolver:
    solver = SlowSolver()
    monkeypatch.setattr("fivedice.solver.solve", solver.solve)
    monkeypatch.setattr("fivedice.solver.solution.known", solver.known)
    monkeypatch.setattr("fivedice.solver.bonus.known", solver.known)
    monkeypatch.setattr("fivedice.solver.bonus.bonus_chances", solver.follow)
    return solver


@pytest.fixture
def solutions() -> Iterator[Solutions]:
    solutions = Solutions()
    yield solutions
    solutions.close()
