"""Two server processes on one PostgreSQL database hear of each other."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from threading import Event
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine

from fivedice.store.database import open_database
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.service import Tables
from fivedice.table.state import Phase
from fivedice.web import cluster as sharing
from fivedice.web.cluster import Cluster
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.live.bot_runner import PATIENCE, BotRunner
from fivedice.web.live.notifier import SEEN_LATELY, IntendedHold, Presence, Reaction, TableNotifier

ANN, BOB = "a" * 64, "b" * 64


class Process:
    """The services of a server without its pages."""

    def __init__(self, url: str) -> None:
        self.engine = open_database(url)
        self.notifier, self.now = TableNotifier(), [0.0]
        self.tables = Tables(Store(self.engine), self.notifier.notify)
        self.presence = Presence(lambda: self.now[0])
        self.bots = BotRunner(self.tables, Solutions(), self.notifier.bot_tables, 0)
        self.cluster = Cluster(self.engine, self.notifier, self.bots, self.presence)

    async def stream(self, table: str, after: int) -> AsyncIterator[int | None]:
        async def newest() -> int:
            return (await asyncio.to_thread(self.tables.state, table)).version

        async for version in self.notifier.listen(table, after, newest):
            if isinstance(version, int):
                yield version


@asynccontextmanager
async def running(*urls: str) -> AsyncIterator[list[Process]]:
    """Start processes that notify each other."""
    async with AsyncExitStack() as stack:
        processes = [Process(url) for url in urls]
        for process in processes:
            stack.callback(process.engine.dispose)
        stack.push_async_callback(asyncio.get_running_loop().shutdown_default_executor)  # threads that were left use it
        for process in processes:
            process.notifier.attach()
            process.bots.attach()
            process.cluster.attach()
            stack.push_async_callback(process.bots.close)
            stack.push_async_callback(process.cluster.close)
            assert await asyncio.to_thread(process.cluster.in_step.wait, 30)
        yield processes


def start_game(tables: Tables) -> tuple[str, int]:
    then = [cmd.SitDown(ANN, "Ann"), cmd.StartGame(ANN)]
    table = tables.open(ANN, "yatzy", then=then)
    return table, tables.state(table).version


def roll(tables: Tables, table: str) -> int:
    return tables.execute(table, cmd.RollDice(ANN), version=tables.state(table).version).version


@asynccontextmanager
async def listening(process: Process, table: str, after: int) -> AsyncIterator[asyncio.Future[int | None]]:
    """Listen to a table and return the first notice."""
    stream = process.stream(table, after)
    heard = asyncio.ensure_future(anext(stream))
    while table not in process.notifier.waited_for():
        await asyncio.sleep(0)
    yield heard
    await stream.aclose()


def test_moves_reach_the_other_process(postgres_url: str) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as (here, there):
            table, version = start_game(here.tables)
            async with listening(there, table, version) as heard:
                made = await asyncio.to_thread(roll, here.tables, table)
                assert await asyncio.wait_for(heard, 30) == made == version + 1

    asyncio.run(play())


def test_holds_reach_the_other_process(postgres_url: str) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as (here, there):
            table, version = start_game(here.tables)

            async def newest() -> int:
                return version

            stream = there.notifier.listen(table, version, newest)
            heard = asyncio.ensure_future(anext(stream))
            await asyncio.to_thread(here.notifier.hold, table, IntendedHold(version, (0, 2), "a page"))
            assert await asyncio.wait_for(heard, 30) == IntendedHold(version, (0, 2), "a page")
            assert there.notifier.holds.at(table, version) == (0, 2), "its pages show it from now on"
            await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(play())


def test_pictures_and_hurry_at_one_process_reach_the_other(postgres_url: str) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as (here, there):
            table, version = start_game(here.tables)
            hurried: asyncio.Queue[str] = asyncio.Queue()
            loop = asyncio.get_running_loop()
            there.notifier.hurry_bot = lambda heard: loop.call_soon_threadsafe(hurried.put_nowait, heard)

            async def newest() -> int:
                return version

            stream = there.notifier.listen(table, version, newest)
            heard = asyncio.ensure_future(anext(stream))
            await asyncio.to_thread(there.cluster.in_step.wait, 30)
            await asyncio.to_thread(here.notifier.sign, table, 0, 3)
            while (found := await asyncio.wait_for(heard, 30)) is None:  # a heartbeat
                heard = asyncio.ensure_future(anext(stream))
            assert isinstance(found, Reaction)
            assert (found.seat, found.picture) == (0, 3)
            await asyncio.to_thread(here.notifier.sign, table, 0, None)
            assert await asyncio.wait_for(hurried.get(), 30) == table
            await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(play())


def test_voided_key_ends_streams_of_the_other_process(postgres_url: str) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as (here, there):
            table, version = start_game(here.tables)

            async def newest() -> int:
                return version

            there.presence.mark_present(table, ANN)
            streams = [there.notifier.listen(table, version, newest, player) for player in (ANN, BOB)]
            mine, other = (asyncio.ensure_future(anext(stream)) for stream in streams)
            while len(there.notifier._waiting.get(table, ())) < 2:
                await asyncio.sleep(0)
            await asyncio.to_thread(there.cluster.in_step.wait, 30)
            await asyncio.to_thread(here.notifier.hang_up, ANN)
            with pytest.raises(StopAsyncIteration):
                await asyncio.wait_for(mine, 30)
            assert not other.done()
            assert ANN not in there.presence._seen[table]
            other.cancel()

    asyncio.run(play())


def test_undelivered_hold_is_still_shown_locally(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError("the line is down")

    async def play() -> None:
        async with running(postgres_url) as (here,):
            monkeypatch.setattr(sharing, "tell", broken)
            await asyncio.to_thread(here.notifier.hold, "t", IntendedHold(3, (1,)))
            assert here.notifier.holds.at("t", 3) == (1,)

    asyncio.run(play())


@contextmanager
def block_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Refuse new connections until the event is set."""
    opened, listening = Event(), sharing.listening

    def wait_and_listen(engine: Engine) -> Any:
        opened.wait(30)
        return listening(engine)

    monkeypatch.setattr(sharing, "listening", wait_and_listen)
    yield opened
    opened.set()


def test_notices_missed_while_disconnected_are_recovered(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as (here, there):
            table, version = start_game(here.tables)
            async with listening(there, table, version) as heard:
                with block_connections(monkeypatch) as opened:
                    end_listeners(postgres_url)
                    while there.cluster.in_step.is_set():
                        await asyncio.sleep(0.01)
                    made = await asyncio.to_thread(roll, here.tables, table)
                    assert not heard.done()
                    opened.set()
                    assert await asyncio.wait_for(heard, 30) == made

    asyncio.run(play())


def end_listeners(url: str) -> None:
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'"
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute(ended).rowcount >= 1


def test_closing_waits_for_a_beat_that_uses_the_database(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that is in use while the engine is disposed of would never be closed."""
    begun, go_on = Event(), Event()
    tell_people = sharing.tell_people

    def tell_late(*arguments: Any) -> None:
        begun.set()
        go_on.wait(30)
        tell_people(*arguments)

    monkeypatch.setattr(sharing, "tell_people", tell_late)
    monkeypatch.setattr(sharing, "BEAT", 0.01)
    monkeypatch.setattr(sharing, "BREATH", 15)

    async def play() -> None:
        async with running(postgres_url) as (process,):
            await asyncio.to_thread(begun.wait, 30)
            closing = asyncio.create_task(process.cluster.close())
            await asyncio.sleep(0)
            end_listeners(postgres_url)
            await asyncio.to_thread(process.cluster._thread.join)
            for _ in range(100):
                await asyncio.sleep(0)
            assert not closing.done()
            go_on.set()
            await closing
            assert process.engine.pool.checkedout() == 0

    asyncio.run(play())


def test_presence_is_shared_between_processes(postgres_url: str) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as (here, there):
            here.presence.take_news()  # from now on they are kept
            here.now[0] = there.now[0] = SEEN_LATELY + 1
            crowd = [(f"table-{number}", f"{number:064d}") for number in range(1500)]  # more than fits into one notice
            for table, player in [*crowd, ("t", ANN)]:
                here.presence.mark_present(table, player)
            there.presence.mark_present("t", BOB)
            news = here.presence.take_news()
            await asyncio.to_thread(sharing.tell_people, here.engine, here.cluster._process, news)
            while there.presence.at(crowd[-1][0]) != {crowd[-1][1]} or there.presence.at("t") != {ANN, BOB}:
                await asyncio.sleep(0.01)
            assert all(there.presence.at(table) == {player} for table, player in crowd)
            assert here.presence.at("t") == {ANN}, "no process has announced Bob"
            assert here.presence.take_news() == {}
            there.presence.take_news()
            there.presence.heard([("t", "c" * 64)])
            assert there.presence.take_news() == {}, "hearsay is not passed on"
            there.presence.start_over()
            assert there.presence.at("t") is None, "while the connection is down, presence is unknown"

    asyncio.run(play())


def test_bots_move_once_across_processes(postgres_url: str) -> None:
    async def play() -> None:
        async with running(postgres_url, postgres_url) as processes:
            here, there = processes
            then = [cmd.SeatBot(ANN, "greedy"), cmd.StartGame(ANN)]
            table = await asyncio.to_thread(lambda: here.tables.open(ANN, "yatzy", then=then))
            version = 0
            while here.tables.state(table).phase is Phase.PLAYING:
                for process in processes:
                    process.notifier.bot_tables.put_nowait(table)
                stream = there.stream(table, version)
                version = await asyncio.wait_for(anext(stream), 30) or 0
                await stream.aclose()
            kinds = [type(event).__name__ for event in here.tables.store.events_after(table, 0)]
            assert kinds.count("Scored") == 15
            state = here.tables.state(table)
            assert state.version == there.tables.state(table).version == len(kinds)

    asyncio.run(play())


def test_idle_tables_are_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(look: Callable[[BotRunner, list[str]], None]) -> None:
        bots: BotRunner = BotRunner(None, None, None, pause=2.0)  # type: ignore[arg-type]
        looked: list[str] = []
        monkeypatch.setattr(bots, "_look", looked.append)
        look(bots, looked)

    now = [100.0]

    def look(bots: BotRunner, looked: list[str]) -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
        bots.stand_in({"moves": 1, "stands": 1})
        now[0] += 2.0 + PATIENCE - 0.1
        bots.stand_in({"moves": 2, "stands": 1})
        assert looked == []
        now[0] += 0.2
        bots.stand_in({"moves": 2, "stands": 1})
        assert looked == ["stands"]
        bots.stand_in({})
        assert bots._noticed == {}
        monkeypatch.undo()

    asyncio.run(play(look))


@pytest.mark.parametrize("payload", ["", "x", "t 1x p", "{", "[1]", "[1, [2]]"])
def test_unknown_notices_are_ignored(payload: str) -> None:
    assert sharing._read(sharing.TABLES, payload) is sharing._read(sharing.PEOPLE, payload) is None
