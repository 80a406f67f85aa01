"""Send and receive notices between processes that share a PostgreSQL database, by its LISTEN and NOTIFY.

No move depends on this: a notice only says where to look. A process that missed some, because the connection broke or
the database was restarted, asks for the newest versions and is then up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Engine, select, text

from fivedice.store import schema

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
