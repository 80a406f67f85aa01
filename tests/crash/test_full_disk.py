"""Full disks, read-only disks and lost databases: clear messages, and no damage."""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import apsw
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import Engine

from crash.disk import Disk, sound
from crash.verify import check_log
from fivedice.store.access import DiskFull
from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.service import Tables
from fivedice.table.state import Phase
from fivedice.text import word
from fivedice.web.app import WebApp
from fivedice.web.http.settings import Settings
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.live.bot_runner import PATIENCE, BotRunner
from fivedice.web.services.app_services import create_services
from postgres import Postgres
from sharing.play import key_of

# How the handlers of the pages declare their parameters is not the matter here.
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

ANN = player_id(key_of("Ann"))
FULL = word("store.disk-full")
BROKEN = word("store.disk-broken")
AWAY = word("store.away")
READ_ONLY = word("store.read-only")


def start_game(tables: Tables) -> str:
    return tables.open(ANN, "yatzy", then=[cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)])


def test_intermittently_full_disk_damages_nothing(tmp_path: Path) -> None:
    """The disk fills up at any write of a commit or checkpoint; a retry with room succeeds."""
    disk, chance, refusals, sentences = Disk(), random.Random(2), 0, set()
    path = tmp_path / "tables.db"
    engine = disk.engine(path, "wal_autocheckpoint = 10")
    tables = Tables(Store(engine))
    table = start_game(tables)
    promised: dict[tuple[str, str, str], int] = {}
    while (game := tables.state(table).game) is not None and game.outcome is None:
        state, move = tables.state(table), cmd.RollDice(ANN)
        if state.slots:
            move = cmd.FillBox(ANN, next(iter(game.position.ruling().legal)))  # type: ignore[assignment]
        key = f"k{state.version}"
        disk.room = chance.choice([0, 1, 3, 7, 12, 1000])  # writes until it is full
        try:
            done = tables.execute(table, move, version=state.version, key=key)
        except DiskFull as refusal:
            sentences.add(str(refusal))
            refusals += 1
            disk.room = None
            assert tables.state(table).version == state.version
            done = tables.execute(table, move, version=state.version, key=key)
        assert not done.repeated
        promised[table, "Ann", key] = done.version
        disk.room = None
    assert sentences == {FULL}
    assert 5 < refusals < 30, "now and then"
    assert check_log(engine, promised).keys() == {table}
    engine.dispose()
    assert sound(path)


@pytest.fixture
def client_of() -> Iterator[Callable[[Engine], TestClient[Litestar]]]:
    """The whole server on this engine, and Ann."""
    with ExitStack() as stack:

        def come(engine: Engine) -> TestClient[Litestar]:
            app = WebApp(create_services(Settings(prepare=False, hosts="*"), engine=engine))
            client = stack.enter_context(TestClient(app))
            client.headers["authorization"] = f"Bearer {key_of('Ann')}"
            return client

        yield come


def first_roll(client: TestClient[Litestar]) -> tuple[str, dict[str, object]]:
    body = {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True}
    table = client.post("/api/tables", json=body).json()["id"]
    version = client.get(f"/api/tables/{table}").json()["version"]
    return f"/api/tables/{table}/commands", {"command": "roll", "version": version, "key": "k"}


def assert_refused(client: TestClient[Litestar], path: str, roll: dict[str, object], *expected: object) -> None:
    answer = client.post(path, json=roll)
    assert (answer.status_code, answer.json()["error"], answer.json()["message"]) == expected


def assert_done(client: TestClient[Litestar], path: str, roll: dict[str, object]) -> None:
    answer = client.post(path, json=roll)
    assert answer.status_code == 200, answer.text
    assert not answer.json()["repeated"]


def test_sqlite_failures_are_reported_and_recover(tmp_path: Path, client_of: Callable[..., Any]) -> None:
    disk = Disk()
    client = client_of(disk.engine(tmp_path / "tables.db"))
    troubles = {
        apsw.FullError: (507, "disk-full", FULL),
        apsw.ReadOnlyError: (503, "cannot-write", READ_ONLY),
        apsw.IOError: (503, "cannot-write", BROKEN),
    }
    for refusal, expected in troubles.items():
        path, roll = first_roll(client)
        disk.refusal, disk.room = refusal, 0
        for _ in range(3):
            assert_refused(client, path, roll, *expected)
            assert client.get("/rules").status_code == 200, "reading still works"
        assert (503, expected[1]) == health(client), "it cannot save: it is not well"
        disk.room = None
        assert_done(client, path, roll)
        assert health(client) == (200, "ok")


def health(client: TestClient[Litestar]) -> tuple[int, str]:
    """Return the server's health, not cached."""
    client.app.state.services.health._asked = float("-inf")
    answer = client.get("/health")
    return answer.status_code, answer.json()["database"]


NO_ROOM = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON events EXECUTE FUNCTION no_room()
"""


HANG_UP = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"


def test_postgresql_failures_are_reported_and_recover(postgres: Postgres, client_of: Callable[..., Any]) -> None:
    """The server runs out of room, then may not write, then is unreachable."""
    url = postgres.database()
    name = url.partition("?")[0].rpartition("/")[2]
    client = client_of(open_database(url))
    path, roll = first_roll(client)
    postgres.sql(NO_ROOM, name)
    assert_refused(client, path, roll, 507, "disk-full", FULL)
    postgres.sql("DROP FUNCTION no_room() CASCADE", name)
    postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    postgres.sql(HANG_UP.format(name))  # new connections begin so
    assert_refused(client, path, roll, 503, "cannot-write", READ_ONLY)
    postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    postgres.halt()
    try:
        assert_refused(client, path, roll, 503, "database-away", AWAY)
    finally:
        postgres.resume()
    assert_done(client, path, roll)
    postgres.crash()
    path, roll = first_roll(client)  # a restart of the database is not even noticed
    assert_done(client, path, roll)


def test_bot_waits_for_disk_space_and_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No player would wake the bot, since the turn is its own."""
    disk = Disk()
    tables = Tables(Store(disk.engine(tmp_path / "tables.db")))
    then = [cmd.SeatBot(ANN, "greedy"), cmd.StartGame(ANN)]
    table = tables.open(ANN, "yatzy", then=then)
    waits = 0

    async def wait(seconds: float) -> None:
        nonlocal waits
        if seconds == PATIENCE:
            waits += 1
            disk.room = None if waits > 2 else 0

    async def play() -> None:
        bots = BotRunner(tables, Solutions(), asyncio.Queue(), 0.0)
        monkeypatch.setattr("fivedice.web.live.bot_runner.asyncio.sleep", wait)
        disk.room = 0
        bots.attach()
        await bots._busy[table]
        await bots.close()

    asyncio.run(play())
    assert waits == 3
    assert tables.state(table).phase is Phase.FINISHED
    tables.store.close()
