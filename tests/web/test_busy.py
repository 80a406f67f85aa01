"""A busy coach: programs get a status and a waiting time, people a sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.web.jobs.solutions import COACH_BUSY, Solutions
from web.access_matrix import SITUATIONS
from web.inside import Inside
from web.stage import key_of


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    monkeypatch.setattr(Solutions, "want", lambda *_: COACH_BUSY)
    monkeypatch.setattr(Solutions, "ready", lambda *_: None)
    with Inside(tmp_path) as server:
        yield server


def test_busy_coach_asks_programs_to_wait(server: Inside) -> None:
    table = SITUATIONS["playing"](server)["table"]
    ways = [
        "/api/books/yatzy/solution",
        "/api/hint?book=yatzy&dice=24466&rolls_left=1",
        f"/api/tables/{table}/hint",
        f"/api/tables/{table}/odds",
    ]
    for way in ways:
        answer = server.ask("GET", way, headers={"authorization": f"Bearer {key_of('Ann')}"})
        found = (answer.status_code, answer.json().get("error"), answer.headers.get("retry-after"))
        assert found == (503, "coach-busy", "60"), way
        assert answer.json()["message"] == COACH_BUSY.sentence
    counted = server.ask("GET", "/metrics").text
    assert f'fivedice_limited_total{{limit="solves"}} {len(ways)}.0' in counted


def test_busy_coach_is_shown_and_play_continues(server: Inside) -> None:
    """The page says it and asks again by itself."""
    table = SITUATIONS["playing"](server)["table"]
    asked = server.ask("GET", f"/t/{table}/hint", "Ann", headers={"Fivedice-Fragment": "1"})
    assert (asked.status_code, COACH_BUSY.sentence in asked.text, "data-wait" in asked.text) == (200, True, True)
    saved = server.ask("POST", "/house", "Ann", data={"text": 'extends = "yatzy"\nrolls = 2\n'})
    book = server.ask("GET", saved.headers["location"], "Ann")
    assert (book.status_code, COACH_BUSY.sentence in book.text, "house.js" in book.text) == (200, True, True)
