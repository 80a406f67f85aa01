"""Hostile requests to the daily game, the ten, the trainer and deals: nothing breaks and nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

import fivedice as fd
from fivedice.core.game import Hold, Mark
from fivedice.store import schema
from fivedice.store.access import VersionConflict
from fivedice.table.actions.rights import player_id
from fivedice.web.pages.train.ten_pages import answer_ten, ten_of
from for_each import for_each
from support.tables import at_once
from web.inside import Inside
from web.stage import key_of

NOON = datetime.combine(datetime.now(UTC).date(), time(12), UTC)
DAY = NOON.date().isoformat()
ANN, HEAD = player_id(key_of("Ann")), {"authorization": f"Bearer {key_of('Ann')}"}
LARGE, DEEP = "9" * 20_000, "[" * 5_000
TYPES: tuple[Any, ...] = (None, True, -1, 10**30, 1.5, "", LARGE, "\0", "1\n2", "../x", [], {}, [[1]])
FORMS = {
    "/daily/ten": ("day", "number", "box", "hold"),
    "/train": ("question", "box", "hold"),
    "/train/next": ("book", "theme"),
    "/deal": ("book", "title", "closes"),
    "/deal/none": ("name",),
    f"/daily/{LARGE[:200]}": ("x",),
}
BODIES: dict[str, dict[str, Any]] = {
    "/api/daily/ten": {"number": 1, "box": "chance", "day": DAY},
    "/api/train/next": {"book": "crag", "theme": "bonus"},
    "/api/train/answer": {"keep": "1"},
    "/api/deals": {"table": "none", "seat": 0, "book": "crag", "title": "x", "closes": "none"},
    "/api/deals/none": {"name": "x"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with the day, on which no one has begun."""
    with pytest.MonkeyPatch.context() as patch, Inside(tmp_path_factory.mktemp("hostile")) as server:
        patch.delenv("FIVEDICE_TABLES", raising=False)
        server.app.state.services.daily.days.clock = lambda: NOON
        server.ask("GET", "/daily", "Ann")
        yield server


def count(server: Inside) -> list[int]:
    """Return how many deals, attempts and other results are stored."""
    tables = schema.deals, schema.attempts, schema.fields, schema.tens, schema.ten_fields, schema.position_ratings
    with server.stage.store._reading() as connection:
        return [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


@for_each("path", FORMS)
def test_wrong_forms_are_refused_and_store_nothing(path: str, server: Inside) -> None:
    before = count(server)
    for name in FORMS[path]:
        for value in (LARGE, "\0", "-1", "\u0661", "1e9", "../../x", "<b>", "2026-02-30"):
            answer = server.ask("POST", path, "Ann", data={"number": "0", "closes": "x", "box": "none"} | {name: value})
            assert 300 <= answer.status_code < 500, (name, value[:9], answer.status_code)
            assert "<b>" not in answer.text
    assert count(server) == before


@for_each("path", BODIES)
def test_wrong_types_are_refused_and_store_nothing(path: str, server: Inside) -> None:
    before = count(server)
    for name, given in BODIES[path].items():
        for value in TYPES:
            right = value is None or type(value) is type(given)
            body = BODIES[path] | {name: value} | ({} if name == "box" else {"box": "none"})
            answer = server.ask("POST", path, headers=HEAD, json=body)
            assert answer.status_code < 500, (name, value)
            assert right or answer.status_code >= 400, (name, value)
    for content in ("", "null", "[]", DEEP, '{"number": NaN}', "\ud800".encode(errors="surrogatepass")):
        head = HEAD | {"content-type": "application/json"}
        assert 400 <= server.ask("POST", path, headers=head, content=content).status_code < 500
    assert count(server) == before


@for_each(
    "name", ["d" + 12 * "A", DAY, "d" * 33, LARGE[:300], "..%2F..", "%00", "d%20or%201=1", "%E2%98%83", "none/../deal"]
)
def test_a_guessed_name_finds_no_deal(name: str, server: Inside) -> None:
    for method, path in (("GET", "/deal/"), ("GET", "/api/deals/"), ("POST", "/deal/"), ("POST", "/api/deals/")):
        body = {"json": {}} if path.startswith("/api") else {}
        answer = server.ask(method, path + name, "Ann", headers=HEAD, **body)
        assert answer.status_code in {400, 404, 405}, (method, path)


def test_many_days_asked_for_store_the_days_that_exist(server: Inside) -> None:
    for number in range(-402, 402, 6):
        for path in ("/daily/{}", "/daily/ten?day={}", "/api/daily/{}", "/api/daily/ten/field?day={}"):
            day = (NOON.date() + timedelta(days=number)).isoformat()
            expected = {200} if day == DAY else {404}
            assert server.ask("GET", path.format(day), "Ann").status_code in expected
    assert count(server)[0] == 1


def test_a_client_makes_few_deals_however_often_it_asks(tmp_path: Path) -> None:
    with Inside(tmp_path, tables_per_hour=5) as server:
        form = {"book": "crag", "closes": DAY}
        statuses = [server.ask("POST", "/deal", "Ann", data=form).status_code for _ in range(40)]
        assert sorted(set(statuses)) == [303, 429]
        assert count(server)[0] == statuses.count(303)
        assert statuses.count(303) <= 5


def test_two_tabs_at_once_store_one_answer_and_one_game(server: Inside) -> None:
    services = server.app.state.services
    ten = ten_of(services, None)
    moves = [option.move for option in fd.solve(ten.book).advise(ten.positions[0].position)][:4]

    def answer(move: Hold | Mark) -> bool:
        try:
            return bool(answer_ten(services, ANN, ten, 0, move))
        except VersionConflict:
            return False

    assert sum(at_once(*[partial(answer, move) for move in moves])) == 1
    assert server.ask("GET", "/api/daily/ten", headers=HEAD).json()["answered"] == 1
