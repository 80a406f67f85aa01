"""Moves sent as JSON: how they are answered and refused, however the request is written."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice.table.actions.rights import player_id
from for_each import for_each
from sharing.play import caller, look, open_table
from web.access_matrix import SITUATIONS
from web.inside import Inside, shared_server
from web.serving import Serving
from web.stage import key_of

PLAIN, LONG = "application/json", "application/json; charset=utf-8"
PROGRAM = {"authorization": f"Bearer {key_of('Ann')}"}


server = shared_server


def summarize(answer: httpx.Response) -> tuple[int, dict[str, str], str]:
    headers = {name: value for name, value in answer.headers.items() if name != "content-length"}  # gzip has its moods
    return answer.status_code, headers, answer.text


def both(server: Inside, table: str, content: bytes, who: str = "", **headers: str) -> tuple[Any, Any]:
    """Return the answers to the same request with either content type."""
    address = f"/api/tables/{table}/commands"
    short, long = (
        server.ask("POST", address, who, content=content, headers={**headers, "content-type": kind})
        for kind in (PLAIN, LONG)
    )
    return summarize(short), summarize(long)


@pytest.mark.parametrize("squeezed", ["gzip", "identity"])
def test_move_is_answered_and_its_repeat_marked(server: Inside, squeezed: str) -> None:
    table = SITUATIONS["playing"](server)["table"]
    version = server.ask("GET", f"/api/tables/{table}", headers=PROGRAM).json()["version"]
    address, move = f"/api/tables/{table}/commands", {"command": "roll", "version": version, "key": "one"}
    first = server.ask("POST", address, headers=PROGRAM, json=move)
    assert (first.status_code, first.json()["version"], first.json()["repeated"]) == (200, version + 1, False)
    content = b'{"command": "roll", "version": "%d", "key": "one"}' % version
    short, long = both(server, table, content, **PROGRAM, **{"accept-encoding": squeezed})
    assert short == long
    assert httpx.Response(200, text=short[2]).json()["repeated"] is True
    assert (short[1].get("content-encoding") == "gzip") == (squeezed == "gzip")


def test_changes_are_answered_and_the_player_counts_as_present(server: Inside) -> None:
    table = SITUATIONS["playing"](server)["table"]
    version = server.ask("GET", f"/api/tables/{table}", headers=PROGRAM).json()["version"]
    presence = server.app.state.services.presence
    presence.take_news()
    content = b'{"command": "roll", "version": %d, "key": "one", "answer": "changes"}' % version
    first = server.ask(
        "POST", f"/api/tables/{table}/commands", headers=PROGRAM | {"content-type": PLAIN}, content=content
    )
    assert [event["kind"] for event in first.json()["events"]] == ["Rolled"]
    assert presence.take_news() == {table: {player_id(key_of("Ann"))}}
    short, long = both(server, table, content, **PROGRAM)
    assert short == long


@for_each(
    ("content", "headers"),
    [
        (b'{"command": "score", "version": 1, "box": "chance"}', PROGRAM),  # stale
        (b'{"command": "roll"}', PROGRAM),  # without a version
        (b'{"command": "fly"}', PROGRAM),
        (b'{"command": "roll", "version": 1, "answer": "briefly"}', PROGRAM),
        (b'{"command": "roll", "version": "six"}', PROGRAM),
        (b"[" * 10_000, PROGRAM),
        (b'{"command": "\xff"}', PROGRAM),
        (b"", PROGRAM),
        (b'{"command": "roll", "version": 1, "text": "%s"}' % (b"x" * 70_000), PROGRAM),
        (b'{"command": "roll", "version": 1}', {}),  # no caller
        (b'{"command": "roll", "version": 1}', {"authorization": "Bearer short"}),
        (b'{"command": "roll", "version": 1}', PROGRAM | {"host": "dice test"}),
    ],
    ids=[
        "stale",
        "no version",
        "command",
        "answer",
        "number",
        "deep",
        "not text",
        "empty",
        "large",
        "nobody",
        "key",
        "host",
    ],
)
def test_refusals_do_not_depend_on_the_content_type(server: Inside, content: bytes, headers: dict[str, str]) -> None:
    table = SITUATIONS["playing"](server)["table"]
    short, long = both(server, table, content, **headers)
    assert short == long
    assert short[0] >= 400


def test_another_site_cannot_move(server: Inside) -> None:
    table = SITUATIONS["playing"](server)["table"]
    short, long = both(server, table, b'{"command": "roll", "version": 1}', "Ann", origin="http://elsewhere.test")
    assert short == long
    assert short[0] == 403


@for_each("path", ["/api/tables//commands", "/api/tables/a/b/commands", "/api/tables/none/commands"])
def test_unknown_address_of_a_move(server: Inside, path: str) -> None:
    answer = server.ask("POST", path, headers=PROGRAM, json={"command": "roll", "version": 1})
    assert answer.status_code in {404, 405}


def test_moves_over_a_real_connection_are_counted(tmp_path: Path) -> None:
    with Serving(tmp_path) as server, caller(server.url, "Ann") as client:
        table = open_table(client, "Ann")
        move = {"command": "roll", "version": look(client, table)["version"], "key": "one"}
        client.post(f"/tables/{table}/commands", json=move).raise_for_status()
        answers = [
            summarize(client.post(f"/tables/{table}/commands", json=move, headers=asked))
            for asked in ({}, {"connection": "close"}, {"content-type": LONG})
        ]
        for _, headers, _ in answers:
            assert headers.pop("date").endswith("GMT")
        assert [headers.pop("connection", "") for _, headers, _ in answers] == ["", "close", ""]
        assert answers[0] == answers[1] == answers[2]
        assert answers[0][0] == 200
        counted = httpx.get(f"{server.url}/metrics").text
    assert 'fivedice_requests_total{method="POST",route="/api/tables/{table}/commands",status="200"} 4.0' in counted
