"""Long matches of programs stay within the limits or are exempt."""

from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from fivedice.client import Busy, Refused, Server, Table, join
from for_each import for_each
from long import takes_turns
from web.inside import Inside
from web.match_clock import as_a_stranger
from web.serving import NO_LIMITS, Serving

pytestmark = takes_turns

NARROW = NO_LIMITS | {
    "FIVEDICE_WRITE_RATE": "1",
    "FIVEDICE_READ_RATE": "1",
    "FIVEDICE_LOOK_RATE": "1",
    "FIVEDICE_TABLES_PER_HOUR": "1",
    "FIVEDICE_MEGABYTES_PER_DAY": "1",
    "FIVEDICE_STREAMS_AT_ONCE": "1",
}


def play(game: Table) -> None:
    for position in game.turns():
        if position.boxes:
            game.score(max(position.boxes, key=lambda box: position.boxes[box].points))
        else:
            game.roll()


def never(seconds: float) -> NoReturn:
    raise AssertionError(f"waited for {seconds} s")


@for_each("writes", [26, 52])
def test_thousand_games_of_a_stranger_take_an_hour(writes: int) -> None:
    told = as_a_stranger(1000, writes)
    assert told.minutes < 75
    assert told.longest <= 10


def test_operator_match_is_not_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.client.time", SimpleNamespace(sleep=never))
    with Serving(tmp_path, settings=NARROW | {"FIVEDICE_UNLIMITED_FROM": "127.0.0.0/8"}) as server:
        first = Server(server.url).open("crag", name="Program", bots=["newcomer"])
        tables = []
        for game in first.games(2):
            play(game)
            tables.append(game)
    assert [table.position.phase for table in tables] == ["finished"] * 2
    assert len({table.id for table in tables}) == 2
    assert {table.position.pace for table in tables} == {"at-once"}


def test_client_gives_up_after_a_long_wait(tmp_path: Path) -> None:
    with Serving(tmp_path, settings=NARROW | {"FIVEDICE_READ_RATE": "0"}) as server:
        program = Server(server.url, longest_wait=60)
        program.open("yatzy", name="Program")
        with pytest.raises(Busy) as busy:
            program.open("yatzy", name="Program")
    assert (busy.value.status, busy.value.code, busy.value.waited) == (429, "too-many", 0.0)
    assert 3000 < busy.value.wait <= 3600
    assert str(busy.value).endswith(f"Given up after 0 s; it would have been {busy.value.wait:.0f} s more.")


def test_two_programs_play_a_match(server: Serving) -> None:
    """Each asks for the next game, and it begins when both have."""
    host = Server(server.url).open("crag", name="Host", start=False)
    guest = join(host.server.call("GET", f"/tables/{host.id}/invitation")["link"], "Guest")
    host.start()
    host.look()
    guest.look()
    seen: dict[str, list[str]] = {"host": [], "guest": []}

    def match(name: str, table: Table) -> None:
        for game in table.games(2):
            play(game)
            seen[name].append(game.id)

    other = Thread(target=match, args=("guest", guest), daemon=True)
    other.start()
    match("host", host)
    other.join(60)
    assert seen["host"] == seen["guest"]
    assert len(set(seen["host"])) == 2


@pytest.mark.parametrize("told", ["Wed, 21 Oct 2026 07:28:00 GMT", "inf", "nan", "-1", "", "²"])
def test_invalid_retry_after_is_ignored(server: Serving, monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    class Odd:
        status = 503
        headers: Any = {"Retry-After": told}  # noqa: RUF012

        def read(self) -> bytes:
            return b'{"error": "busy", "message": "Wait."}'

    program = Server(server.url)
    monkeypatch.setattr("fivedice.client.time", SimpleNamespace(sleep=never))
    monkeypatch.setattr(program, "_request", lambda *_: Odd())
    with pytest.raises(Refused, match=r"^Wait\.$"):
        program.call("GET", "/books")


def test_unnamed_proxy_gives_no_operator_rights(tmp_path: Path) -> None:
    """Behind one all visitors seem to come from this machine."""
    with Inside(tmp_path, read_rate=0.1, unlimited_from="127.0.0.1") as server:
        own = [server.ask("GET", "/api/books", address="127.0.0.1").status_code for _ in range(3)]
        passed = [
            server.ask("GET", "/api/books", address="127.0.0.1", headers={"x-forwarded-for": "192.0.2.7"}).status_code
            for _ in range(3)
        ]
    assert own == [200, 200, 200]
    assert passed == [200, 429, 429]
