"""Solutions of a separate process: stored for the server, without its memory."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, shipped
from fivedice.solver import bonus, endings, solve
from fivedice.solver.runtime import compile_watch
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import _tables, known
from fivedice.web.jobs import child_process
from fivedice.web.jobs.child_process import Job, LostProcessError, solve_aside, store_values
from fivedice.web.jobs.solutions import Solutions
from long import takes_turns
from solver.tiny_books import random_book
from web.aside_jobs import compile_for_a_while, die, die_while_compiling, fail, want_memory, work_for_ever

pytestmark = takes_turns

FORCED = shipped("yatzy-forced")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Nothing is stored yet, and nothing in memory."""
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))  # the jobs below are found there too
    monkeypatch.setattr(_tables, "memory", {})
    return tmp_path


def ignored(_done: int, _total: int) -> None:
    pass


def test_found_solutions_are_stored(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    solve_aside(store_values, FORCED, lambda done, total: steps.append((done, total)))
    assert [path.name for path in folder.glob("*.values")] == [f"{FORCED.fingerprint}.values"]
    assert _tables.memory == {}
    assert steps[-1] == (15, (1 << 15) - 1) != steps[0]  # most of the cards cannot be had
    found = known(FORCED)
    assert found is not None
    assert isinstance(found.table.base, np.memmap)


def test_solutions_are_stored_and_not_kept_in_memory() -> None:
    assert isinstance(solve(FORCED).table.base, np.memmap)
    with pytest.raises(ZeroDivisionError, match="yatzy-forced"):
        solve_aside(fail, FORCED, ignored)
    with pytest.raises(LostProcessError, match="yatzy-forced ended with 3"):
        solve_aside(die, FORCED, ignored)
    solve_aside(want_memory, FORCED, ignored)
    with pytest.raises(MemoryError):
        solve_aside(want_memory, FORCED, ignored, memory=1 << 29)


def test_compiling_is_reported() -> None:
    seen: list[tuple[int, bool]] = []
    answer: list[bool] = []
    with compile_watch.watching(answer.append):
        solve_aside(compile_for_a_while, FORCED, lambda done, _: seen.append((done, compile_watch.is_compiling())))
    assert dict.fromkeys(one for one in seen if one[0]) == dict.fromkeys(
        [(1, False), (1, True), (2, True), (2, False), (3, False)]
    )
    assert answer == [True, False]


def test_dead_compiler_stops_compiling() -> None:
    answer: list[bool] = []
    with compile_watch.watching(answer.append), pytest.raises(LostProcessError):
        solve_aside(die_while_compiling, FORCED, ignored)
    assert answer == [True, False]
    assert not compile_watch.is_compiling()


class StopError(Exception):
    """It is no longer wanted."""


def test_unwanted_work_is_ended() -> None:
    pids: list[int] = []

    def stop(done: int, _: int) -> None:
        if done:
            pids.append(done)
        if len(pids) > 1:  # asked again, though the work says no more
            raise StopError

    with pytest.raises(StopError):
        solve_aside(work_for_ever, FORCED, stop)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_no_work_without_storage(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = folder / "a file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("FIVEDICE_CACHE", str(blocked))
    solve_aside(fail, FORCED, ignored)


def test_no_work_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "can_start", False)
    solve_aside(fail, FORCED, ignored)


class Beside:
    """Notes what is had done in another process."""

    def __init__(self) -> None:
        self.done: list[tuple[str, str]] = []

    def __call__(self, job: Job, book: RuleBook, progress: Progress) -> None:
        self.done.append((job.__name__, book.key))
        solve_aside(job, book, progress)


def test_missing_values_are_solved_in_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("worked out by the server")

    monkeypatch.setattr("fivedice.solver.solution._solve_values", refuse)
    book, beside = random_book(Random(4)), Beside()
    for _ in range(2):  # the second server finds it stored
        solutions = Solutions(aside=beside)
        assert solutions.want(book).state != "failed"
        solutions.jobs.join()
        assert solutions.look(book).state == "ready"
        solutions.close()
        _tables.memory.clear()
    assert beside.done == [("store_values", book.key), ("store_bonus", book.key)]


def test_missing_odds_are_prepared_in_the_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("worked out by the server")

    monkeypatch.setattr(endings, "_kept", endings.MappedCache("ends"))
    monkeypatch.setattr(endings.Sweep, "layers", refuse)
    crag, beside = solve(shipped("crag")), Beside()
    solutions = Solutions(aside=beside)
    assert solutions.odds(crag).state == "running"
    solutions.jobs.join()
    assert crag.is_prepared(Scorecard.empty(crag.book), read=False)
    assert [path.name for path in folder.glob("*.ends*")] == [f"{crag.book.fingerprint}.ends02"]
    assert beside.done == [("store_odds", "crag")]
    solutions.close()


def test_missing_bonus_chances_are_solved_in_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("worked out by the server")

    monkeypatch.setattr(bonus, "_tables", bonus.SolvedTables(bonus.KIND))
    monkeypatch.setattr(bonus, "fill", refuse)
    beside = Beside()
    solutions = Solutions(aside=beside)
    solutions.want(FORCED)
    solutions.jobs.join()
    assert bonus.known(solve(FORCED)) is not None
    assert [job for job, _ in beside.done] == ["store_values", "store_bonus"]
    solutions.close()


def test_lost_process_is_a_failed_book(caplog: pytest.LogCaptureFixture) -> None:
    def lose(_job: Job, book: RuleBook, progress: Progress) -> None:
        solve_aside(die, book, progress)

    solutions = Solutions(aside=lose)
    solutions.want(FORCED)
    solutions.jobs.join()
    assert solutions.look(FORCED).state == "failed"
    assert "the solution of yatzy-forced cannot be prepared" in caplog.text
    solutions.close()
