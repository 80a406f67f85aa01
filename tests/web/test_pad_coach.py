"""The coach files for phones: addresses, digests, caching and refusals."""

import base64
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from fivedice.core.rules import SHIPPED, shipped
from fivedice.solver import solve
from fivedice.solver.solution.phone_values import MARK
from fivedice.table.house_rules_text import house_book
from fivedice.text import text_of, using
from fivedice.web.http.handling import CoachBusy, NotFound, NotReady
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.pages.pad import rule_data
from fivedice.web.pages.pad.rule_data import COACH_KINDS, values_file
from for_each import for_each
from rules.houses import CHANCE, face_box, text
from web.inside import Inside
from web.slow_solver import PATIENCE, SlowSolver, solutions, solver

__all__ = ["solutions", "solver"]


@pytest.fixture(autouse=True)
def nothing_made() -> Iterator[None]:
    """Clear files that are kept for the whole process."""
    rule_data._values.clear()
    yield
    rule_data._values.clear()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    """Start with nothing solved; the solving process, which uses another folder, is not asked."""
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "solutions"))
    monkeypatch.setattr("fivedice.solver.solution._tables.memory", {})  # forget what other tests have solved
    monkeypatch.setattr(rule_data, "work", lambda action, book: action(book))
    with Inside(tmp_path) as server:
        yield server


def test_coach_files_are_cached_by_version(server: Inside) -> None:
    solve(shipped("crag"))
    about = server.ask("GET", "/pad/coach/crag").json()
    answer = server.ask("GET", about["link"], headers={"accept-encoding": "gzip"})
    assert (answer.status_code, len(answer.content), answer.content[: len(MARK)]) == (200, about["bytes"], MARK)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-length"] == str(about["bytes"])  # needed to show progress
    assert "content-encoding" not in answer.headers
    digest = base64.b64encode(sha256(answer.content).digest()).decode()
    assert answer.headers["repr-digest"] == f"sha-256=:{digest}:"
    solve(shipped("crag"))
    assert server.ask("GET", "/pad/values/crag").headers["cache-control"] == "no-cache"
    assert server.ask("GET", "/pad/coach/crag").headers["cache-control"] == "no-cache"


def test_coach_files_are_built_once_and_shared(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(shipped("crag"))
    first = server.ask("GET", "/pad/values/crag").content
    monkeypatch.setattr(rule_data, "work", None)
    assert server.ask("GET", "/pad/values/crag").content == first
    shelf = server.stage.tables.store.shelf
    one = shelf.save(text(face_box(1), face_box(2), CHANCE), None)
    other = shelf.save(text(face_box(2), CHANCE.replace("Chance", "Whatever"), face_box(1)), None)
    for address in (one, other):
        assert server.ask("GET", f"/pad/coach/{address}").status_code == 503
    solve(house_book(text(face_box(1), face_box(2), CHANCE)))
    found = [server.ask("GET", f"/pad/values/{address}").content for address in (one, other)]
    assert found[0] == found[1]


def test_unsolved_and_unknown_coach_files(server: Inside) -> None:
    for part in ("coach", "values"):
        answer = server.ask("GET", f"/pad/{part}/yatzy")
        assert answer.status_code == 503
        assert answer.json()["message"] == "The best moves for Yatzy are worked out next. You can play meanwhile."
    for key in ("nothing", "x" * 5000, "%00", "..%2f"):
        assert server.ask("GET", f"/pad/values/{key}").status_code == 404


@for_each("key", ["maxi-yatzy", "maxi-yatzy-plain"])
def test_large_books_have_no_phone_coach(server: Inside, key: str) -> None:
    for part in ("coach", "values"):
        answer = server.ask("GET", f"/pad/{part}/{key}")
        assert answer.status_code == 422
        assert "is too large for a phone. Ask it with a connection." in answer.json()["message"]
    assert server.ask("GET", f"/pad/rules/{key}").json()["coach"]["about"] is None


@for_each("key", sorted({*SHIPPED} - {"maxi-yatzy", "maxi-yatzy-plain"}))
def test_rules_name_the_coach_address(server: Inside, key: str) -> None:
    shown = server.ask("GET", f"/pad/rules/{key}").json()["coach"]
    assert shown == {"about": f"/pad/coach/{key}", "hint": f"/api/hint?book={key}"}


def test_small_book_is_solved_for_a_phone(solver: SlowSolver, solutions: Solutions) -> None:
    with pytest.raises(NotReady, match=r"worked out next|Working out"):
        values_file(solutions, shipped("yatzy"))
    assert solver.at_work.wait(PATIENCE)
    solver.go_on.set()
    solutions.jobs.join()
    assert solver.solved == ["yatzy"]


def test_large_book_is_not_solved_for_phones(
    solver: SlowSolver, solutions: Solutions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_data, "takes_long", lambda _: True)
    with pytest.raises(NotFound, match="Ask the coach about Yatzy once with a connection"):
        values_file(solutions, shipped("yatzy"))
    assert solutions.jobs._worker is None or not solver.begun


def test_failed_solver_is_not_asked_again(solver: SlowSolver, solutions: Solutions) -> None:
    solver.fails = True
    solver.go_on.set()
    with pytest.raises(NotReady):
        values_file(solutions, shipped("yatzy"))
    solutions.jobs.join()
    with pytest.raises(NotFound, match="an error occurred"):
        values_file(solutions, shipped("yatzy"))
    assert solver.solved == ["yatzy"]


def test_waiting_books_are_bounded(solver: SlowSolver) -> None:
    crowded = Solutions(most_waiting=1)
    with pytest.raises(NotReady):
        values_file(crowded, shipped("yardzee"))
    assert solver.at_work.wait(PATIENCE)
    with pytest.raises(NotReady):
        values_file(crowded, shipped("yatzy"))
    with pytest.raises(CoachBusy):
        values_file(crowded, shipped("yahtzee"))
    solver.go_on.set()
    crowded.close()


def test_every_sentence_of_the_coach_exists() -> None:
    assert all(text_of(kind) for kind in COACH_KINDS)
    with using("en-XA"):
        shown = rule_data.coach_data("/", b"")["sentences"]
    assert shown["coach.do-roll-all"] != "Roll all the dice again"
    assert set(shown["coach.do-keep-4"]) == {"one", "other"}
