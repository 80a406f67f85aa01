"""Maps with keys from outside are bounded."""

from types import SimpleNamespace
from typing import Any

import pytest

from fivedice.core.game import Scorecard
from fivedice.core.rules import shipped
from fivedice.table.service import BoundedMap
from fivedice.web.http.client_limits import Buckets, RequestContext
from fivedice.web.jobs import report_jobs, solutions, table_coach
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.live import notifier
from fivedice.web.live.notifier import IntendedHold, IntendedHolds, Presence
from web.inside import Inside, own_server
from web.stage import Seat

server = own_server


def test_oldest_entry_goes_first() -> None:
    few = BoundedMap[str, int](2)
    few["a"], few["b"] = 1, 2
    few["a"] = 3
    few["c"] = 4
    assert dict(few) == {"a": 3, "c": 4}


def test_passing_visitors_are_not_recorded(server: Inside) -> None:
    """Keys cost nothing: a thousand of them at one table must neither stay nor push out those who play."""
    path = server.stage.put(server.stage.scene("yatzy", Seat("Ann"), Seat("Bob"), host="Host").start())
    for name in ("Ann", "Host", *(f"stranger {number}" for number in range(100))):
        server.ask("GET", path, name)
        server.ask("GET", f"/api{path.replace('/t/', '/tables/')}", name)
        server.ask("GET", f"{path}/live", name)
    seen = server.app.state.services.presence._seen
    assert [len(people) for people in seen.values()] == [2]


def test_presence_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "MOST_SEEN", 100)
    presence = Presence(lambda: 0.0)
    for number in range(1000):
        presence.mark_present(f"table {number}", "ann")
        presence.mark_present("one", f"player {number}")
    assert len(presence._seen) <= 100
    assert len(presence._seen["one"]) <= notifier.MOST_PEOPLE
    presence.still("never seen", "ann")
    assert "never seen" not in presence._seen


def test_holds_and_limits_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "MOST_TABLES", 10)
    monkeypatch.setattr("fivedice.web.http.client_limits.MOST_CLIENTS", 10)
    holds, buckets = IntendedHolds(), Buckets(1.0, 1.0, lambda: 0.0)
    for number in range(100):
        holds.note(f"table {number}", IntendedHold(1, ()))
        buckets.take(f"client {number}")
    assert (len(holds._held), len(buckets)) == (10, 10)
    assert len(RequestContext("x" * 5_000).client) <= 64


def test_states_of_books_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solutions, "MOST_BOOKS", 10)
    monkeypatch.setattr(solutions.limits, "too_large", lambda _: True)
    found: Any = Solutions()
    for number in range(100):
        found._put(SimpleNamespace(fingerprint=f"book {number}", save_rolls=False), solutions.ASKED)
    assert len(found._states) == 10
    found._solve(SimpleNamespace(fingerprint="forgotten", save_rolls=False), solutions.ASKED)  # not even begun


def test_chases_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_coach, "MOST_TABLES", 10)
    monkeypatch.setattr(table_coach, "is_worth_chasing", lambda _: True)
    jobs: Any = SimpleNamespace(full=False, put=lambda *_: None)
    found, card = table_coach.Chases(jobs), Scorecard.of(shipped("yatzy"), {})
    for number in range(100):
        found.want(f"table {number}", card, 300)
    assert (len(found._asked), len(found._shares)) == (10, 10)


def test_counted_players_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_jobs, "MOST_WAITING", 10)
    jobs: list[object] = []
    queue = SimpleNamespace(jobs=SimpleNamespace(put=lambda *job: jobs.append(job)))
    counts = report_jobs.GameCounts(*([queue] * 3))  # type: ignore[arg-type]
    for number in range(100):
        counts._queue_rest(f"player {number}")
    assert (len(jobs), len(counts._busy)) == (10, 10)
