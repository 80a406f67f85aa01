"""Servers killed under load lose nothing that was acknowledged.

`make crash` kills a thousand servers on each kind of database; otherwise a few.
"""

import os
import random
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from time import perf_counter

import httpx
import pytest
from sqlalchemy import Engine

from crash.nursery import Nursery
from crash.players import Promises, playing
from crash.verify import check_log, check_nothing_else, check_receipts, check_served
from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.state import TableState
from postgres import serving_postgres
from web.serving import Serving

pytestmark = pytest.mark.campaign

KILLS = int(os.environ.get("FIVEDICE_KILLS", "2"))
CRASHES = max(2, KILLS // 25)
RESTARTS = max(1, KILLS // 20)  # of whole processes, which start Python each time
ANEW = 5  # every fifth server starts from scratch
BETWEEN = 50  # kills between two looks at the whole log
LONGEST_LIFE = 0.25  # seconds that a server has, once it has answered, until it is killed
DATABASES = ["sqlite", "postgresql"]
PLAYERS = ["Ann", "Ben", "Cat", "Cat"]  # two of them race for the turns of one table


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = open_database(database)
    yield engine
    engine.dispose()


def wait_for_answer(url: str) -> None:
    """Wait for the first answer of the next server."""
    for _ in range(1000):
        with suppress(OSError, HTTPException), closing(HTTPConnection(url.removeprefix("http://"), timeout=30)) as line:
            line.request("GET", "/api/books")
            if line.getresponse().status == 200:
                return
    raise RuntimeError("no server answers")


def checked(engine: Engine, promises: Promises) -> dict[str, TableState]:
    """All clients were answered: the log holds exactly the acknowledged moves."""
    assert promises.wrong == []
    states = check_log(engine, promises.acknowledged)
    check_nothing_else(engine, promises.acknowledged)
    return states


def test_kills_under_load_lose_nothing(database: str, engine: Engine, tmp_path: Path) -> None:
    chance, promises = random.Random(11), Promises()
    back: dict[bool, list[float]] = {True: [], False: []}
    with Nursery(database, tmp_path) as nursery:
        with playing(nursery.url, PLAYERS, promises) as enough:
            for kill in range(KILLS):
                wait_for_answer(nursery.url)
                enough.wait(chance.uniform(0, LONGEST_LIFE))  # the moment of death is what is drawn here
                nursery.kill()
                died = perf_counter()
                nursery.start(anew=kill % ANEW == 0)
                wait_for_answer(nursery.url)
                back[kill % ANEW == 0].append(perf_counter() - died)
                if kill % BETWEEN == BETWEEN - 1:
                    check_log(engine, dict(promises.acknowledged))
        states = checked(engine, promises)
        print(
            f"\n{engine.dialect.name}: {KILLS} kills, {len(states)} tables, {len(promises.acknowledged)} commands"
            f" acknowledged ({promises.repeated} of them at a later try), {promises.refused} lost a race,"
            f" {promises.unanswered} tries without an answer; answering again after {median(back[False]):.2f} s in the"
            f" middle, {max(back[False]):.2f} s at most; put together anew, {median(back[True]):.2f} and"
            f" {max(back[True]):.2f} s",
            flush=True,
        )
        with httpx.Client(base_url=nursery.url, timeout=30) as client:
            check_served(client, states, "Ann", Store(engine).receipts)
            check_receipts(client, promises.receipts)
    assert len(promises.acknowledged) > KILLS, "there was hardly any load"


def test_database_crashes_under_load_lose_nothing(tmp_path: Path) -> None:
    """PostgreSQL itself is stopped and replays its log; callers are asked to retry."""
    chance, promises = random.Random(12), Promises()
    with serving_postgres("") as server, Nursery(server.database(), tmp_path) as nursery:
        wait_for_answer(nursery.url)
        engine = open_database(nursery.database)
        with playing(nursery.url, PLAYERS, promises) as enough:
            for _ in range(CRASHES):
                before = len(promises.acknowledged)
                while len(promises.acknowledged) < before + 5 and not promises.wrong:
                    enough.wait(chance.uniform(0, LONGEST_LIFE))
                server.crash()
        checked(engine, promises)
        engine.dispose()
    print(f"\n{CRASHES} crashes of PostgreSQL, {len(promises.acknowledged)} commands acknowledged")


@pytest.mark.skipif(KILLS <= 2, reason="takes long: make campaign NAME=crash")
@pytest.mark.parametrize("database", DATABASES, indirect=True)
def test_process_kills_under_load_lose_nothing(database: str, engine: Engine, tmp_path: Path) -> None:
    """As a supervisor restarts what `kill -9` has ended: Python, all imports, the schema, and the first answer."""
    chance, promises = random.Random(13), Promises()
    back: list[float] = []
    with Serving(tmp_path, database=database) as server:
        with playing(server.url, PLAYERS, promises) as enough:
            for _ in range(RESTARTS):
                wait_for_answer(server.url)
                enough.wait(chance.uniform(0, LONGEST_LIFE))
                server.kill()
                died = perf_counter()
                server.start()
                wait_for_answer(server.url)
                back.append(perf_counter() - died)
        states = checked(engine, promises)
        with httpx.Client(base_url=server.url, timeout=30) as client:
            check_served(client, states, "Ann", Store(engine).receipts)
            check_receipts(client, promises.receipts)
    print(
        f"\n{engine.dialect.name}: {RESTARTS} whole processes killed, {len(promises.acknowledged)} commands"
        f" acknowledged; answering again after {median(back):.2f} s in the middle, {max(back):.2f} s at most"
    )
