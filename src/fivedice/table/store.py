"""Keeping tables: an append-only log of events and what is derived from it, in one transaction a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, Integer, Select, Table, cast, delete, func, insert, select, update

from fivedice.table import rows, schema
from fivedice.table.database import for_reading
from fivedice.table.events import Event, from_data, to_data
from fivedice.table.promises import Promises, note
from fivedice.table.results import Results
from fivedice.table.shelf import Shelf, put_book
from fivedice.table.state import TableState
from fivedice.table.trouble import told
from fivedice.table.writer import VersionConflict, Writer


@dataclass(frozen=True, slots=True)
class Header:
    """The row of a table, beside its log."""

    id: str
    join_code: str
    secret: str
    version: int
    edition: int = 0  # another one after a restore: what was known of the table before is worth nothing then


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that is to be created: its first events, and the state that they fold to."""

    header: Header
    state: TableState
    events: tuple[Event, ...]
    word: str | None = None  # of the promise that was made before


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A line of "your tables": the best result there, and how many games of the sheet are finished."""

    id: str
    book: str
    phase: str
    updated: str
    names: tuple[str, ...]
    total: int | None
    won: bool | None
    games: int = 0
    house: str | None = None  # what a house book is called; `book` is its address then


@dataclass(frozen=True, slots=True)
class Best:
    """The score to beat in one book."""

    book: str
    total: int
    games: int
    table: str


PENCIL = -1  # stands for the pencil where a seat is handed over otherwise


class Store:
    """Everything that touches SQL."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reader = for_reading(engine)
        self._writer = Writer(engine)
        self.shelf = Shelf(self._writer, self._reading)
        self.promises = Promises(self._writer, self._reading)
        self.results = Results(self._reading)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with told(), self._reader.connect() as connection, connection.begin():
            yield connection

    def create(self, new: NewTable) -> None:
        self._writer.write(lambda connection: _create(connection, new, _now()))

    def header(self, table: str) -> Header | None:
        columns = [schema.tables.c[name] for name in ("id", "join_code", "secret", "version", "edition")]
        with self._reading() as connection:
            row = connection.execute(select(*columns).where(schema.tables.c.id == table)).one_or_none()
        return None if row is None else Header(*row)

    def events_after(self, table: str, version: int) -> list[Event]:
        log = schema.events.c
        query = select(log.kind, log.data).where(log.table_id == table, log.version > version).order_by(log.version)
        with self._reading() as connection:
            return [from_data(kind, data) for kind, data in connection.execute(query)]

    def version_of_key(self, table: str, key: str) -> int | None:
        """The version at which a command with this key took effect, if it did."""
        log = schema.events.c
        query = select(log.version).where(log.table_id == table, log.key == key)
        with self._reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def append(
        self,
        before: TableState,
        after: TableState,
        events: Sequence[Event],
        key: str | None = None,
        following: NewTable | None = None,
        edition: int = 0,
    ) -> None:
        """Append to the log and bring the derived rows along; all or nothing, on disk when this returns.

        A table that follows from it is created in the same transaction.
        """
        now = _now()

        def write(connection: Connection) -> None:
            _advance(connection, before, after, now, edition)
            _append(connection, after.id, before.version, events, key, now)
            if following is not None:
                _create(connection, following, now)

        self._writer.write(write)

    def waiting_for_house(self) -> list[str]:
        """Tables where a bot is on turn: looked up when the server starts."""
        with self._reading() as connection:
            query = select(schema.tables.c.id).where(schema.tables.c.house_to_move)
            return list(connection.execute(query).scalars())

    def finished_after(self, when: str, table: str, limit: int) -> list[tuple[str, str]]:
        """Tables that came to their end after this one, with the time, in that order."""
        found = schema.tables.c
        later = (found.updated > when) | ((found.updated == when) & (found.id > table))
        query = (
            select(found.updated, found.id)
            .where(found.phase.in_(("finished", "given up")), later)
            .order_by(found.updated, found.id)
            .limit(limit)
        )
        with self._reading() as connection:
            return [(updated, key) for updated, key in connection.execute(query)]

    def tables_of(self, player: str, limit: int = 100) -> list[TableEntry]:
        """The tables where a person sits, newest first."""
        mine, table, results = schema.seats.alias("mine"), schema.tables, schema.results
        same_seat = (results.c.table_id == mine.c.table_id) & (results.c.seat == mine.c.seat)
        query = (
            select(table.c.id, table.c.book, table.c.phase, table.c.updated)
            .add_columns(func.max(results.c.total), func.max(cast(results.c.won, Integer)))
            .add_columns(func.count(results.c.game.distinct()), func.max(schema.books.c.name))
            .join(mine, mine.c.table_id == table.c.id)
            .outerjoin(results, same_seat)
            .outerjoin(schema.books, schema.books.c.id == table.c.book)
            .where(mine.c.player == player)
            .group_by(table.c.id)
            .order_by(table.c.updated.desc(), table.c.id)
            .limit(limit)
        )
        with self._reading() as connection:
            found = connection.execute(query).all()
            names = _names(connection, [row[0] for row in found])
        return [
            TableEntry(id_, book, phase, updated, names[id_], total, _as_bool(won), games, house)
            for id_, book, phase, updated, total, won, games, house in found
        ]

    def best_scores(self, player: str) -> dict[str, Best]:
        """For each book the highest total of a finished game, and how many there were."""
        mine, table, results = schema.seats.c, schema.tables.c, schema.results.c
        query = (
            select(table.book, results.total, table.id)
            .join(schema.tables, table.id == results.table_id)
            .join(schema.seats, (mine.table_id == results.table_id) & (mine.seat == results.seat))
            .where(mine.player == player)
            .order_by(results.total.desc(), table.updated)
        )
        best: dict[str, Best] = {}
        with self._reading() as connection:
            for book, total, table_id in connection.execute(query):  # the best of a book comes first
                top = best.setdefault(book, Best(book, total, 0, table_id))
                best[book] = replace(top, games=top.games + 1)
        return best

    def tables_by_phase(self) -> dict[str, int]:
        """How many tables there are."""
        phase = schema.tables.c.phase
        with self._reading() as connection:
            found = connection.execute(select(phase, func.count()).group_by(phase))
            return {str(name): int(count) for name, count in found}

    def choices(self, player: str) -> dict[str, Any]:
        """What a person chose last time."""
        with self._reading() as connection:
            query = select(schema.players.c.choices).where(schema.players.c.id == player)
            found: dict[str, Any] | None = connection.execute(query).scalar_one_or_none()
        return found or {}

    def remember(self, player: str, choices: dict[str, Any]) -> None:
        def write(connection: Connection) -> None:
            connection.execute(delete(schema.players).where(schema.players.c.id == player))
            connection.execute(insert(schema.players).values(id=player, choices=choices, seen=_now()))

        self._writer.write(write)

    def offer_seat(self, code: str, table: str, seat: int) -> None:
        """Keep the hashed code of a link that hands a seat over; earlier links to the seat are void."""
        offers = schema.handovers.c

        def write(connection: Connection) -> None:
            connection.execute(delete(schema.handovers).where(offers.table_id == table, offers.seat == seat))
            connection.execute(insert(schema.handovers).values(code=code, table_id=table, seat=seat))

        self._writer.write(write)

    def offered_seat(self, code: str, table: str) -> int | None:
        """The seat behind a link, to show it before it is taken."""
        with self._reading() as connection:
            seat = connection.execute(_offer(code, table)).scalar_one_or_none()
        return None if seat == PENCIL else seat

    def offers_pencil(self, code: str, table: str) -> bool:
        """Whether a link hands the pencil on, to show it before it is taken."""
        with self._reading() as connection:
            return connection.execute(_offer(code, table)).scalar_one_or_none() == PENCIL

    def claim_offer(self, code: str, table: str) -> int | None:
        """The seat that a link hands over. A link works once, however many follow it at the same time."""
        return self._writer.write(lambda connection: _claim(connection, code, table, pencil=False))

    def claim_pencil(self, code: str, table: str) -> bool:
        """Whether a link hands the pencil on; it works once."""
        return self._writer.write(lambda connection: _claim(connection, code, table, pencil=True)) is not None


def _offer(code: str, table: str) -> Select[int]:
    offers = schema.handovers.c
    return select(offers.seat).where(offers.code == code, offers.table_id == table)


def _claim(connection: Connection, code: str, table: str, *, pencil: bool) -> int | None:
    """What the code hands over, if it is of this kind; whoever deletes it has it."""
    seat = connection.execute(_offer(code, table)).scalar_one_or_none()
    if seat is None or (seat == PENCIL) is not pencil:
        return None
    offers = schema.handovers.c
    gone = connection.execute(delete(schema.handovers).where(offers.code == code, offers.table_id == table)).rowcount
    return seat if gone else None


def _create(connection: Connection, new: NewTable, now: str) -> None:
    header = new.header
    if new.state.rules is not None:  # whoever sits down can read them then
        put_book(connection, new.state.rules, new.state.book)
    row = {"id": header.id, "join_code": header.join_code, "secret": header.secret, "created": now}
    connection.execute(insert(schema.tables).values(**row, **rows.summary(new.state), updated=now))
    _append(connection, header.id, 0, new.events, None, now)
    _replace(connection, schema.seats, header.id, rows.seat_rows(new.state))
    if new.word is not None:
        note(connection, new.word, header.id)


def _advance(connection: Connection, before: TableState, after: TableState, now: str, edition: int) -> None:
    """Bring the row of a table and its seats up to date, unless somebody was quicker."""
    columns = schema.tables.c
    row = (columns.id == after.id, columns.version == before.version, columns.edition == edition)
    changed = connection.execute(update(schema.tables).where(*row).values(**rows.summary(after), updated=now))
    if changed.rowcount != 1:
        raise VersionConflict
    for rows_of, derive in ((schema.seats, rows.seat_rows), (schema.results, rows.result_rows)):
        new = derive(after)
        if derive(before) != new:  # most moves change neither
            _replace(connection, rows_of, after.id, new)


def _append(
    connection: Connection, table: str, before: int, events: Sequence[Event], key: str | None, now: str
) -> None:
    added = [
        {"table_id": table, "version": version, "kind": kind, "data": data, "key": None, "at": now}
        for version, (kind, data) in enumerate(map(to_data, events), start=before + 1)
    ]
    added[0]["key"] = key  # on the first event only, so that it stays unique
    connection.execute(insert(schema.events), added)


def _replace(connection: Connection, rows_of: Table, table: str, rows: list[dict[str, Any]]) -> None:
    """The rows of one table, written anew."""
    connection.execute(delete(rows_of).where(rows_of.c.table_id == table))
    if rows:
        connection.execute(insert(rows_of), rows)


def _as_bool(number: int | None) -> bool | None:
    return None if number is None else bool(number)


def _names(connection: Connection, tables: list[str]) -> dict[str, tuple[str, ...]]:
    query = select(schema.seats.c.table_id, schema.seats.c.name).where(schema.seats.c.table_id.in_(tables))
    found: dict[str, list[str]] = {table: [] for table in tables}
    for table, name in connection.execute(query.order_by(schema.seats.c.seat)):
        found[table].append(name)
    return {table: tuple(names) for table, names in found.items()}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
