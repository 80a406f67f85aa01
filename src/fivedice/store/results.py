"""Look up what people have played: their tables, results and best scores.

This reads derived rows only: no table is opened, locked or changed for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from sqlalchemy import Connection, Integer, cast, delete, func, insert, select, true

from fivedice import __version__
from fivedice.store import schema
from fivedice.store.access import StorePart
from fivedice.table.seat_names import is_former, shown_name


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A line of "your tables", with the best result there and the number of finished games."""

    id: str
    book: str
    phase: str
    updated: str
    names: tuple[str, ...]
    total: int | None
    won: bool | None
    games: int = 0
    house: str | None = None  # the name of house rules; `book` is their id then


class OwnTables(StorePart):
    """The tables where each person sits."""

    def of(self, player: str, limit: int = 100, phases: Sequence[str] = ()) -> list[TableEntry]:
        """Return at most `limit` tables where a person sits, newest first; with `phases`, only those in one of them."""
        mine, table, results = schema.seats.alias("mine"), schema.tables, schema.results
        same_seat = (results.c.table_id == mine.c.table_id) & (results.c.seat == mine.c.seat)
        query = (
            select(table.c.id, table.c.book, table.c.phase, table.c.updated)
            .add_columns(func.max(results.c.total), func.max(cast(results.c.won, Integer)))
            .add_columns(func.count(results.c.game.distinct()), func.max(schema.books.c.name))
            .join(mine, mine.c.table_id == table.c.id)
            .outerjoin(results, same_seat)
            .outerjoin(schema.books, schema.books.c.id == table.c.book)
            .where(mine.c.player == player, table.c.phase.in_(phases) if phases else true())
            .group_by(table.c.id)
            .order_by(table.c.updated.desc(), table.c.id)
            .limit(limit)
        )
        with self._reading() as connection:
            found = connection.execute(query).all()
            names = _names(connection, [row[0] for row in found])
        return [
            TableEntry(id_, book, phase, updated, names[id_], total, None if won is None else bool(won), games, house)
            for id_, book, phase, updated, total, won, games, house in found
        ]


def _names(connection: Connection, tables: list[str]) -> dict[str, tuple[str, ...]]:
    seat = schema.seats.c
    query = select(seat.table_id, seat.name, seat.seat, seat.player).where(seat.table_id.in_(tables))
    found: dict[str, list[str]] = {table: [] for table in tables}
    for table, name, number, player in connection.execute(query.order_by(seat.seat)):
        found[table].append(shown_name(name, number + 1, former=is_former(player)))
    return {table: tuple(names) for table, names in found.items()}


GameKey: TypeAlias = tuple[str, int, int]  # table, game, seat


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one seat in a finished game, and the version of its table."""

    table: str
    version: int
    game: int  # counted from 0
    seat: int
    name: str
    book: str
    total: int
    updated: str

    @property
    def game_key(self) -> GameKey:
        return self.table, self.game, self.seat


@dataclass(frozen=True, slots=True)
class Best:
    """The best result of a person with one set of rules, and the number of finished games."""

    book: str
    total: int
    games: int
    table: str


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """Facts from the report of a finished game about one seat, as JSON, for one version of the table."""

    version: int
    content: dict[str, Any]


class Results(StorePart):
    """The results of all people, and stored facts about them."""

    def facts_of(self, player: str) -> dict[GameKey, StoredFacts]:
        """Return the stored facts about a person's games that this release has analysed."""
        fact, seat = schema.game_facts.c, schema.seats.c
        same_seat = (seat.table_id == fact.table_id) & (seat.seat == fact.seat)
        query = (
            select(fact.table_id, fact.game, fact.seat, fact.version, fact.content)
            .join(schema.seats, same_seat)
            .where(seat.player == player, fact.release == __version__)
        )
        return {
            (table, game, number): StoredFacts(version, content)
            for table, game, number, version, content in self._read(query)
        }

    def store_facts(self, facts: Mapping[GameKey, StoredFacts]) -> None:
        """Store facts about analysed games, except those whose table has changed since."""
        self._writer.write(lambda connection: _store_facts(connection, facts))

    def of(self, player: str, limit: int) -> list[Result]:
        """Return the results of a person, newest first; seats that a stand-in helped have no result."""
        seat, table, result = schema.seats.c, schema.tables.c, schema.results.c
        query = (
            select(table.id, table.version, result.game, result.seat, seat.name, table.book)
            .add_columns(result.total, table.updated)
            .join(schema.results, table.id == result.table_id)
            .join(schema.seats, (seat.table_id == result.table_id) & (seat.seat == result.seat))
            .where(seat.player == player)
            .order_by(table.updated.desc(), table.id, result.game.desc(), result.seat)
            .limit(limit)
        )
        found = (Result(*row) for row in self._read(query))
        return [replace(one, name=shown_name(one.name, one.seat + 1)) for one in found]

    def totals(self, player: str, book: str) -> list[tuple[str, int, int]]:
        """Return all results of a person with these rules: the table, the seat and the total of each."""
        mine, table, results = schema.seats.c, schema.tables.c, schema.results.c
        query = (
            select(table.id, results.seat, results.total)
            .join(schema.results, table.id == results.table_id)
            .join(schema.seats, (mine.table_id == results.table_id) & (mine.seat == results.seat))
            .where(mine.player == player, table.book == book)
        )
        return [(table_id, seat, total) for table_id, seat, total in self._read(query)]

    def best(self, player: str) -> dict[str, Best]:
        """Return for each set of rules the highest total of a person and the number of finished games."""
        mine, table, results = schema.seats.c, schema.tables.c, schema.results.c
        query = (
            select(table.book, results.total, table.id)
            .join(schema.tables, table.id == results.table_id)
            .join(schema.seats, (mine.table_id == results.table_id) & (mine.seat == results.seat))
            .where(mine.player == player)
            .order_by(results.total.desc(), table.updated)
        )
        best: dict[str, Best] = {}
        for book, total, table_id in self._read(query):  # the best result per set of rules is first
            top = best.setdefault(book, Best(book, total, 0, table_id))
            best[book] = replace(top, games=top.games + 1)
        return best


def _store_facts(connection: Connection, facts: Mapping[GameKey, StoredFacts]) -> None:
    """Lock the tables and store facts that still have a result: a person may be deleted at the same time."""
    tables, row, result, fact = {key[0] for key in facts}, schema.tables.c, schema.results.c, schema.game_facts.c
    locked = select(row.id, row.version).where(row.id.in_(tables)).with_for_update(skip_locked=True)
    versions = {row.id: row.version for row in connection.execute(locked)}
    there = select(result.table_id, result.game, result.seat).where(result.table_id.in_(versions))
    valid = {(table, game, seat) for table, game, seat in connection.execute(there)} & facts.keys()
    rows = [_facts_row(key, facts[key]) for key in sorted(valid) if facts[key].version == versions[key[0]]]
    for new in rows:
        same = (fact.table_id == new["table_id"], fact.game == new["game"], fact.seat == new["seat"])
        connection.execute(delete(schema.game_facts).where(*same))
    if rows:
        connection.execute(insert(schema.game_facts), rows)


def _facts_row(key: GameKey, facts: StoredFacts) -> dict[str, Any]:
    table, game, seat = key
    where = {"table_id": table, "game": game, "seat": seat}
    return where | {"version": facts.version, "release": __version__, "content": facts.content}
