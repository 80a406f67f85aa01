"""Solving in the background: each book once, one at a time, and no request waits."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.solver.runtime import solve_limits as limits
from fivedice.web.http.client_limits import CONTEXT, RequestContext
from fivedice.web.jobs import solutions as module
from fivedice.web.jobs.solutions import Solutions
from for_each import for_each
from solver.tiny_books import random_book
from web.slow_solver import PATIENCE, SlowSolver, solutions, solver

__all__ = ["solutions", "solver"]


def until_idle(solutions: Solutions) -> None:
    solutions.close()
    assert solutions.jobs._worker is not None
    solutions.jobs._worker.join(PATIENCE)
    assert not solutions.jobs._worker.is_alive()


def test_book_is_solved_once_with_progress(solver: SlowSolver, solutions: Solutions) -> None:
    book = shipped("yahtzee")
    assert solutions.ready(book) is None
    assert solutions.look(book).state == "waiting"
    assert not solver.begun  # looking asks for nothing
    solutions.want(book)
    assert solver.at_work.wait(PATIENCE)
    running = solutions.want(book)
    assert (running.state, running.done) == ("running", 0.25)
    assert running.sentence == "Working out the best moves for Yahtzee: 25% done. You can play meanwhile."
    assert solutions.want(shipped("yatzy")).state == "waiting"
    solver.go_on.set()
    solutions.jobs.join()
    assert solutions.want(book).state == "ready"
    assert solver.begun == ["yahtzee", "yatzy", "beyond yahtzee", "beyond yatzy"]


def test_requested_books_come_before_prepared_ones(solver: SlowSolver, solutions: Solutions) -> None:
    solutions.prepare(map(shipped, ("yahtzee", "yatzy", "yardzee")))
    assert solver.at_work.wait(PATIENCE)
    solutions.want(shipped("yardzee"))
    solver.go_on.set()
    solutions.jobs.join()
    assert solver.begun[:4] == ["yahtzee", "yardzee", "beyond yardzee", "yatzy"]


def test_number_of_waiting_books_is_bounded(solver: SlowSolver) -> None:
    """Nor does asking again and again take a second place in the line."""
    solutions = Solutions(most_waiting=1)
    solutions.prepare([shipped("yardzee")])
    assert solver.at_work.wait(PATIENCE)
    for _ in range(3):
        assert not solutions.want(shipped("yatzy")).full
    assert solutions.jobs._jobs.qsize() == 1
    refused = solutions.want(shipped("yahtzee"))
    assert (refused.full, refused.state) == (True, "waiting")
    assert "Try again in a minute." in refused.sentence
    assert not solutions.want(shipped("yardzee")).full, "what is at work takes no room"
    solver.go_on.set()
    solutions.jobs.join()
    assert not solutions.want(shipped("yahtzee")).full
    solutions.jobs.join()
    assert [key for key in solver.begun if "beyond" not in key] == ["yardzee", "yatzy", "yahtzee"]
    solutions.close()


def ask(solutions: Solutions, address: str, wanted: Iterable[RuleBook]) -> list[bool]:
    """Ask for books from an address, and return for each whether there was no place."""
    token = CONTEXT.set(RequestContext(address))
    try:
        return [solutions.want(book).full for book in wanted]
    finally:
        CONTEXT.reset(token)


def test_one_client_takes_a_fifth_of_the_places(solver: SlowSolver) -> None:
    solutions, books = Solutions(most_waiting=10), [*map(shipped, SHIPPED)]
    solutions.prepare(books[:1])
    assert solver.at_work.wait(PATIENCE)
    assert ask(solutions, "192.0.2.1", books[1:5]) == [False, False, True, True]
    assert ask(solutions, "192.0.2.2", books[3:5]) == [False, False]
    solver.go_on.set()
    solutions.jobs.join()
    solutions.close()
    asked = {book.key for book in books[1:5]}
    assert [key for key in solver.begun if key in asked] == [books[place].key for place in (1, 3, 2, 4)]


def test_one_network_leaves_places_for_others(solver: SlowSolver) -> None:
    solutions, books = Solutions(most_waiting=5), [*map(shipped, SHIPPED)]
    solutions.prepare(books[:1])
    assert solver.at_work.wait(PATIENCE)
    homes = [ask(solutions, f"2001:db8:1:{home}::1", [books[1 + home]]) for home in range(5)]
    assert homes == [[False]] * 4 + [[True]]
    assert ask(solutions, "2001:db8:2::1", [books[5]]) == [False]
    solver.go_on.set()
    solutions.jobs.join()
    assert ask(solutions, "2001:db8:1::1", [books[6]]) == [False], "places that are free again count for no site"
    solutions.jobs.join()
    solutions.close()


def test_closing_stops_the_running_work(
    solver: SlowSolver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)  # it need not wait for us either
    solutions.prepare(map(shipped, ("yahtzee", "yatzy")))
    assert solver.at_work.wait(PATIENCE)
    solutions.close()
    solver.go_on.set()
    until_idle(solutions)
    assert (solver.begun, solver.stopped) == (["yahtzee"], ["yahtzee"])
    assert solutions.want(shipped("yatzy")).state == "waiting"


def test_failure_is_logged_once_and_blocks_no_one(
    solver: SlowSolver, solutions: Solutions, caplog: pytest.LogCaptureFixture
) -> None:
    solver.fails = True
    solver.go_on.set()
    solutions.want(shipped("yahtzee"))
    solutions.jobs.join()
    assert solutions.want(shipped("yahtzee")).state == "failed"
    assert solver.begun == ["yahtzee"]
    assert "cannot be prepared" in caplog.text
    assert "See the server log" in solutions.look(shipped("yahtzee")).sentence


def test_oversized_game_is_marked(solver: SlowSolver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_WORK", 1e6)
    assert solutions.want(shipped("yahtzee")).state == "too-large"
    assert not solver.begun


@for_each("key", SHIPPED)
def test_every_shipped_book_has_a_coach(key: str) -> None:
    """Books with saved rolls need to be solved by command line first, which takes minutes and gigabytes."""
    assert limits.too_large(shipped(key)) == shipped(key).save_rolls
    assert limits.takes_long(shipped(key)) == (shipped(key).dice > 5)


@pytest.mark.usefixtures("solver")
def test_book_solved_by_command_line_is_used(solutions: Solutions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.solver.solution.is_stored", lambda book: book.key == "maxi-yatzy")
    assert solutions.want(shipped("maxi-yatzy")).state != "too-large"
    monkeypatch.setattr("fivedice.solver.solution.is_stored", lambda _: False)
    monkeypatch.setattr(limits, "MOST_WORK", 1e6)
    assert solutions.want(shipped("yatzy")).state == "too-large"


def test_real_solver_solves_a_book(solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path))
    book = random_book(Random(1))
    solutions.want(book)
    solutions.jobs.join()
    assert solutions.look(book).state == "ready"
    for same in (book, replace(book, key="renamed")):
        found = solutions.ready(same)
        assert found is not None
        assert found.book == same
