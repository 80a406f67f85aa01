"""Every address against every kind of caller; a route missing from `access_matrix` fails here."""

import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from fivedice.store import schema
from fivedice.web.http.forms import NAMES
from for_each import for_each
from long import few
from support.access_requests import _fill, fits, send
from web.access_matrix import ACCESS, CALLERS, SITUATIONS, Access
from web.inside import Inside, shared_server

_FRAMEWORK = {"OPTIONS", "HEAD"}  # answered alike everywhere: see below


server = shared_server


def _plain(path: str) -> str:
    """A route without the types of its parameters."""
    return re.sub(r"\{(\w+):\w+\}", r"{\1}", path)


def _routes(server: Inside) -> dict[str, set[str]]:
    return {_plain(route.path): set(route.methods) for route in server.app.routes}  # type: ignore[union-attr]


def test_every_route_is_listed(server: Inside) -> None:
    routes = {(method, path) for path, methods in _routes(server).items() for method in methods - _FRAMEWORK}
    listed = {(access.method, access.path) for access in ACCESS}
    assert sorted(routes - listed) == [], "say in tests/web/access_matrix.py who may do what there"
    assert sorted(listed - routes) == [], "these are no more"
    commands = {access.json["command"] for access in ACCESS if access.json and "command" in access.json}
    assert sorted(set(NAMES) - commands) == [], "and these commands are not tried"


def _one_each(method: str) -> list[Access]:
    """One way to call each route."""
    return list({access.path: access for access in reversed(ACCESS) if access.method == method}.values())


@for_each("access", few(ACCESS, len(ACCESS) // 3), ids=lambda access: access.name)
def test_access_of_every_caller(server: Inside, access: Access) -> None:
    answers = [send(server, access, who) for who in CALLERS.values()]
    found = [str(answer.status_code) for answer in answers]
    assert all(map(fits, found, access.gets.split())), f"{' '.join(found)} instead of {access.gets}"
    said = [f"{answer.headers} {answer.text}" for answer in answers]
    for secret in _hidden_secrets(server):
        assert not any(secret in each for each in said), "dice that are still to fall can be worked out"


def _hidden_secrets(server: Inside) -> set[str]:
    """The secrets of the newest tables whose game is not over, and the key behind all promises."""
    found, running = schema.tables.c, ("seating", "playing")
    newest = select(found.secret).where(found.phase.in_(running)).order_by(found.created.desc()).limit(10)
    with server.stage.store._reading() as connection:
        return {*connection.execute(newest).scalars(), *connection.execute(select(schema.facts.c.value)).scalars()}


def test_repeated_commands_act_once(server: Inside) -> None:
    """One to five times, with the same key."""
    tried, luck = set(), random.Random(4)
    for access in (access for access in ACCESS if access.json and "command" in access.json and "200" in access.gets):
        who = dict(zip(access.gets.split()[::-1], list(CALLERS.values())[::-1], strict=True))["200"]
        given = SITUATIONS[access.at](server)
        body = _fill(access.json, given) | {"key": "the same"}
        times = luck.randint(1, 5)
        answers = [server.ask("POST", _fill(access.path, given), who, json=body) for _ in range(times)]
        found = [(answer.status_code, answer.json()["repeated"], answer.json()["version"]) for answer in answers]
        assert found == [(200, bool(number), found[0][2]) for number in range(times)], access.name
        assert found[0][2] > int(given["version"]), access.name
        tried.add(access.json["command"])
    assert set(NAMES) - tried == {"next"}, "which is not accepted here"


FOREIGN: list[dict[str, str]] = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "http://dice.test"},
    {"origin": "http://dice.test:8080"},
    {"origin": "evil://dice.test"},
    {"origin": "http://[dice.test"},
    {"referer": "https://evil.example/?http://dice.test/"},
]


@for_each(
    ("headers", "base", "status"),
    [
        ({}, "http://dice.test", 303),
        ({"origin": "http://dice.test"}, "http://dice.test", 303),
        ({"origin": "https://dice.test"}, "http://dice.test", 303),  # behind a proxy that is not configured
        ({"origin": "https://dice.test"}, "https://dice.test", 303),
        ({"origin": "http://dice.test"}, "https://dice.test", 403),
        ({"referer": "http://dice.test/rules?x=1"}, "http://dice.test", 303),
        ({"referer": "http://dice.test/rules"}, "https://dice.test", 403),
        ({"origin": "http://dice.test", "referer": "https://evil.example/"}, "http://dice.test", 303),
    ],
)
def test_own_pages_may_act_unless_insecure(server: Inside, headers: dict[str, str], base: str, status: int) -> None:
    assert server.ask("POST", "/play", "Ann", base=base, headers=headers).status_code == status


@for_each("access", few(_one_each("POST"), 12), ids=lambda access: access.name)
def test_no_other_site_can_act_for_a_visitor(server: Inside, access: Access) -> None:
    """By an allowed caller: only the origin is refused."""
    who = next(who for who, status in zip(CALLERS.values(), access.gets.split(), strict=True) if status != "401")
    for headers in FOREIGN:
        answer = send(server, access, who, headers=headers)
        assert answer.status_code == 403, headers
        assert "another site" in answer.text
        assert "set-cookie" not in answer.headers or not who


@for_each("access", few(_one_each("GET"), 20), ids=lambda access: access.name)
def test_head_matches_get(server: Inside, access: Access) -> None:
    head = send(server, replace(access, method="HEAD"), "Host")
    assert head.content == b""
    if access.path.endswith("/live"):
        assert head.status_code == 405, "it would never end"
        return
    page = send(server, access, "Host")
    assert head.status_code == page.status_code
    assert head.headers.get("content-type") == page.headers.get("content-type")


def test_reading_changes_nothing(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sites can make a browser read: whatever it opens, not a row is written for it."""
    for path in ("/", "/api/key", "/devices"):
        server.ask("GET", path)  # draw the keys of the server, once for a database
    with closing(sqlite3.connect(server.folder / "tables.db")) as line:
        ask = server.ask

        def watched(*request: Any, **more: Any) -> Any:
            before = line.execute("PRAGMA data_version").fetchone()
            answer = ask(*request, **more)
            assert line.execute("PRAGMA data_version").fetchone() == before, request
            return answer

        monkeypatch.setattr(server, "ask", watched)
        for access in _one_each("GET"):
            if access.path != "/health":  # tries whether moves can be saved: one row of its own, once a second
                send(server, access, "Host")
        with pytest.raises(AssertionError):
            watched("POST", "/play", "Host")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://dice.example", 303),
        ("http://dice.example", 403),
        ("http://dice.test", 303),  # opened by another name on the machine itself
        ("https://evil.example", 403),
    ],
)
def test_origin_behind_a_proxy(tmp_path: Path, origin: str, status: int) -> None:
    with Inside(tmp_path, base_url="https://dice.example/") as server:
        for headers in ({}, {"host": "dice.example"} if "example" in origin else {}):
            answer = server.ask("POST", "/play", "Ann", headers={"origin": origin} | headers)
            assert answer.status_code == status, headers


def test_other_sites_and_methods_are_refused(server: Inside) -> None:
    for path, methods in _routes(server).items():
        address = re.sub(r"\{\w+\}", "0", path)
        options = server.ask("OPTIONS", address, headers={"origin": "https://evil.example"})
        assert options.status_code == 204, path
        assert not any(name.startswith("access-control") for name in options.headers)
        for method in {"POST", "PUT", "PATCH", "DELETE", "TRACE"} - methods:
            if method != "POST" or not path.startswith("/t/"):  # there any word could be an action
                assert server.ask(method, address, "Host").status_code == 405, (method, path)
