"""Communicate with other server processes on the same PostgreSQL database, by its LISTEN and NOTIFY.

They share changes, presence and bots to take over. No move depends on this: a notice only says where to look. A process
that missed some, because the connection broke or the database was restarted, asks for the newest versions.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from threading import Event, Lock, Thread
from typing import Any, TypeAlias

import msgspec
from litestar import Litestar
from msgspec import Struct
from sqlalchemy import Engine, select, text

from fivedice.store import schema
from fivedice.store.database import first_line
from fivedice.web.live.bot_runner import BotRunner
from fivedice.web.live.notifier import IntendedHold, Presence, TableNotifier
from fivedice.web.services.app_services import AppServices

log = logging.getLogger(__name__)

BEAT = 5.0  # seconds between two exchanges of presence
BREATH = 1.0  # seconds between two checks whether to stop
SHORTEST_WAIT, LONGEST_WAIT = 0.1, 5.0  # seconds before reconnecting


class Cluster:
    """Links this process to the others. Only for PostgreSQL: one process alone serves a SQLite file."""

    def __init__(self, engine: Engine, notifier: TableNotifier, bots: BotRunner, presence: Presence) -> None:
        self._engine = engine
        self._notifier = notifier
        self._bots = bots
        self._presence = presence
        self._stop = Event()
        self.in_step = Event()  # set while connected and up to date
        self._process = process_name(engine)
        self._thread = Thread(target=self._listen, name="cluster", daemon=True)
        self._beats: asyncio.Task[None] | None = None
        self._beating = Lock()  # held while a beat uses the database, which a cancelled task does not wait for
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._beats = self._loop.create_task(self._look_around())
        self._notifier.pass_on = lambda table, held: self._tell(
            HoldNotice(self._process, table, held.moment, held.slots, held.page)
        )
        self._notifier.pass_hang_up = lambda player: self._tell(KeyNotice(self._process, player))
        self._notifier.pass_sign = lambda *sign: self._tell(SignNotice(self._process, *sign))
        self._thread.start()

    async def close(self) -> None:
        self._stop.set()
        if self._beats is not None:
            self._beats.cancel()
            await asyncio.gather(self._beats, return_exceptions=True)
        await asyncio.to_thread(self._thread.join, 2 * BREATH)
        if await asyncio.to_thread(self._beating.acquire, timeout=2 * BREATH):
            self._beating.release()

    def _listen(self) -> None:
        """Listen until the server stops. After any error, reconnect and catch up."""
        wait = SHORTEST_WAIT
        while not self._stop.is_set():
            try:
                with listening(self._engine) as ear:
                    self._catch_up()  # after listening has begun, so that nothing is missed
                    wait = SHORTEST_WAIT
                    while not self._stop.is_set():
                        for notice in ear.hear(BREATH):
                            if notice.process != self._process:  # our own changes are already known here
                                self._pass_on(notice)
            except Exception as error:
                log.warning("the line to the other processes broke (%s); again in %.1f s", first_line(error), wait)
                self.in_step.clear()
                self._on_loop(self._presence.start_over)
                self._stop.wait(wait * random.uniform(0.5, 1.5))  # noqa: S311 - spreads the reconnects of all processes
                wait = min(2 * wait, LONGEST_WAIT)

    def _catch_up(self) -> None:
        for table, version in newest_versions(self._engine, self._notifier.waited_for()).items():
            self._notifier.heard(table, version)
        self.in_step.set()

    def _pass_on(self, notice: Notice) -> None:
        if isinstance(notice, TableNotice):
            self._notifier.heard(notice.table, notice.version)
        elif isinstance(notice, HoldNotice):
            self._notifier.heard_hold(notice.table, IntendedHold(notice.moment, notice.slots, notice.page))
        elif isinstance(notice, KeyNotice):
            self._presence.forget(notice.player)
            self._notifier.heard_hang_up(notice.player)
        elif isinstance(notice, SignNotice):
            self._notifier.heard_sign(notice.table, notice.seat, notice.picture)
        else:
            self._on_loop(self._presence.heard, notice.seen)

    def _tell(self, notice: HoldNotice | KeyNotice | SignNotice) -> None:
        """Send a notice. If that fails, the others see dice at the next roll, and streams send only version numbers."""
        try:
            tell(self._engine, notice)
        except Exception as error:
            log.warning("a %s did not reach the other processes: %s", type(notice).__name__, first_line(error))

    def _on_loop(self, action: Callable[..., None], *arguments: Any) -> None:
        """Schedule an action on the event loop, which owns the presence. Safe to call from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action, *arguments)

    async def _look_around(self) -> None:
        """Send our presence to the other processes, and take over tables where a bot is waiting."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                self._bots.stand_in(await asyncio.to_thread(self._beat, self._presence.take_news()))
            except Exception as error:
                log.warning("the other processes cannot be reached: %s", first_line(error))

    def _beat(self, news: Mapping[str, Iterable[str]]) -> dict[str, int]:
        with self._beating:
            tell_people(self._engine, self._process, news)
            return waiting_for_house(self._engine)


Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


def cluster_lifespan(services: AppServices) -> list[Lifespan]:
    """Return the lifespan of the cluster; an empty list unless the database is PostgreSQL."""
    if services.engine.dialect.name != "postgresql":
        return []
    cluster = Cluster(services.engine, services.notifier, services.bots, services.presence)

    @asynccontextmanager
    async def run_cluster(_: Litestar) -> AsyncIterator[None]:
        cluster.attach()
        try:
            yield
        finally:
            await cluster.close()

    return [run_cluster]


TABLES = "fivedice_tables"  # a trigger in the migrations uses this name too
PEOPLE = "fivedice_people"
HOLDS = "fivedice_holds"
KEYS = "fivedice_keys"
SIGNS = "fivedice_signs"
LARGEST_NOTICE = 7500  # bytes; PostgreSQL requires fewer than 8000
AT_ONCE = 500  # tables in one query


class TableNotice(Struct, frozen=True, array_like=True):
    """A table has a new version."""

    process: str
    table: str
    version: int


class PeopleNotice(Struct, frozen=True, array_like=True):
    """Players have tables open at another process."""

    process: str
    seen: tuple[tuple[str, str], ...]  # table, player


class HoldNotice(Struct, frozen=True, array_like=True):
    """A player at another process selected dice to keep."""

    process: str
    table: str
    moment: int
    slots: tuple[int, ...]
    page: str


class KeyNotice(Struct, frozen=True, array_like=True):
    """Another process reports that the key of a person has become invalid."""

    process: str
    player: str


class SignNotice(Struct, frozen=True, array_like=True):
    """A player at another process shows a picture; without a picture, they hurry a bot."""

    process: str
    table: str
    seat: int
    picture: int | None


Notice: TypeAlias = TableNotice | PeopleNotice | HoldNotice | KeyNotice | SignNotice
_KINDS: dict[str, type[Notice]] = {PEOPLE: PeopleNotice, HOLDS: HoldNotice, KEYS: KeyNotice, SIGNS: SignNotice}


class Ear:
    """A separate connection that listens for notices. After any error the caller opens a new one."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def hear(self, seconds: float) -> Iterator[Notice]:
        """Yield the notices that arrive within this time; if none does, test whether the connection still works."""
        silent = True
        for notice in self._connection.notifies(timeout=seconds):
            silent = False
            read = _read(notice.channel, notice.payload)
            if read is not None:
                yield read
        if silent:
            self._connection.execute("SELECT 1")


@contextmanager
def listening(engine: Engine) -> Iterator[Ear]:
    """Yield a connection that listens from now on; it is detached from the pool, which may close its connections."""
    pooled = engine.raw_connection()
    connection: Any = pooled.driver_connection
    pooled.detach()
    try:
        connection.autocommit = True
        for channel in (TABLES, *_KINDS):
            connection.execute(f"LISTEN {channel}")
        yield Ear(connection)
    finally:
        connection.close()


def process_name(engine: Engine) -> str:
    """Return the name of this process in the database, by which it recognises its own notices."""
    with engine.connect() as connection:
        return str(connection.execute(text("SHOW application_name")).scalar_one())


def newest_versions(engine: Engine, tables: Iterable[str]) -> dict[str, int]:
    """Return the newest version of each of these tables; unknown tables are left out."""
    wanted, row = list(tables), schema.tables.c
    found: dict[str, int] = {}
    with engine.connect() as connection:
        for start in range(0, len(wanted), AT_ONCE):
            query = select(row.id, row.version).where(row.id.in_(wanted[start : start + AT_ONCE]))
            found.update({entry.id: entry.version for entry in connection.execute(query)})
    return found


def waiting_for_house(engine: Engine) -> dict[str, int]:
    """Return the tables where a bot is on turn, with their versions."""
    row = schema.tables.c
    query = select(row.id, row.version).where(row.house_to_move)
    with engine.connect() as connection:
        return {entry.id: entry.version for entry in connection.execute(query)}


def tell_people(engine: Engine, process: str, seen: Mapping[str, Iterable[str]]) -> None:
    """Notify other processes which players are at which table; nothing is stored."""
    notices = list(_notices(process, [(table, player) for table, players in seen.items() for player in players]))
    if notices:
        statement = text("SELECT pg_notify(:channel, notice) FROM unnest(CAST(:notices AS text[])) AS notice")
        with engine.begin() as connection:
            connection.execute(statement, {"channel": PEOPLE, "notices": notices})


def tell(engine: Engine, notice: HoldNotice | KeyNotice | SignNotice) -> None:
    """Send a notice to the other processes; nothing is stored."""
    channel = next(name for name, kind in _KINDS.items() if isinstance(notice, kind))
    with engine.begin() as connection:
        statement = text("SELECT pg_notify(:channel, :notice)")
        connection.execute(statement, {"channel": channel, "notice": _write(notice)})


def _write(notice: Notice) -> str:
    return msgspec.json.encode(notice).decode()


def _notices(process: str, seen: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the messages to send, split where one would be larger than LARGEST_NOTICE."""
    whole = _write(PeopleNotice(process, tuple(seen)))
    if len(whole.encode()) <= LARGEST_NOTICE:
        if seen:
            yield whole
    elif len(seen) > 1:
        half = len(seen) // 2
        yield from _notices(process, seen[:half])
        yield from _notices(process, seen[half:])


def _read(channel: str, payload: str) -> Notice | None:
    """Return the parsed notice, or None if it cannot be read: other programs or versions may send here too."""
    try:
        if channel == TABLES:
            table, version, process = payload.split(" ", 2)
            return TableNotice(process, table, int(version))
        return msgspec.json.decode(payload, type=_KINDS[channel])
    except (ValueError, msgspec.MsgspecError):
        return None
