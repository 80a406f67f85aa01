"""What is kept about one person: to be seen and taken away, and moved to a new key."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Table, select, update

from fivedice.table.events import Event
from fivedice.table.seat_names import is_former
from fivedice.table.store import schema
from fivedice.table.store.access import Reading, Writer, insert_new

_LARGEST_EDITION = 2**31 - 1


class OwnData:
    """Known by the hash of the key that their browser has."""

    def __init__(self, writer: Writer, reading: Reading) -> None:
        self._writer = writer
        self._reading = reading

    def of(self, player: str) -> dict[str, Any]:
        """Everything, ready for JSON. No ids of other people, and no secret of a game."""
        with self._reading() as connection:
            return {
                "choices": _choices(connection, player),
                "house_rules": _rows(connection, _books(player)),
                "games": [_game(connection, row) for row in _rows(connection, _seats(player))],
                "also_in": _rows(connection, _elsewhere(player)),
            }

    def change_key(self, old: str, new: str) -> int:
        """Give all of it to another key; the old one opens nothing any more. How many games that were."""
        return self._writer.write(lambda connection: _change_key(connection, old, new))


def _choices(connection: Connection, player: str) -> dict[str, Any]:
    found = connection.execute(select(schema.players.c.choices, schema.players.c.seen).where(_is(player))).one_or_none()
    return {} if found is None else {"last_used": found.seen, **found.choices}


def _is(player: str) -> Any:
    return schema.players.c.id == player


def _books(player: str) -> Any:
    books, shelves = schema.books.c, schema.shelves.c
    query = select(books.id, books.name, books.text, shelves.saved)
    return query.join(schema.shelves, shelves.book_id == books.id).where(shelves.player == player)


def _seats(player: str) -> Any:
    row, seat = schema.tables.c, schema.seats.c
    query = select(row.id, row.book, row.phase, row.created, row.updated, seat.seat, seat.name)
    return query.join(schema.seats, seat.table_id == row.id).where(seat.player == player).order_by(row.created, row.id)


def _elsewhere(player: str) -> Any:
    """Games that they opened, or sat at, and where they have no seat now."""
    row, part = schema.tables.c, schema.parts.c
    mine = select(schema.seats.c.table_id).where(schema.seats.c.player == player)
    query = select(row.id, row.book, row.phase, row.created, row.updated).join(schema.parts, part.table_id == row.id)
    return query.where(part.player == player, row.id.not_in(mine)).order_by(row.created, row.id)


def tables_of(connection: Connection, player: str, most: int | None = None) -> list[str]:
    """Every table whose log names this person; or the first of them."""
    part = schema.parts.c
    query = select(part.table_id).where(part.player == player).order_by(part.table_id).limit(most)
    return list(connection.execute(query).scalars())


def note_parts(connection: Connection, table: str, events: Iterable[Event]) -> None:
    """Whom these events name has a part in the table from now on."""
    people = sorted(player for event in events for player in event.people if not is_former(player))
    if people:
        rows = [{"player": player, "table_id": table} for player in dict.fromkeys(people)]
        insert_new(connection, schema.parts, rows)


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _game(connection: Connection, seat: dict[str, Any]) -> dict[str, Any]:
    result = schema.results.c
    mine = (result.table_id == seat["id"], result.seat == seat["seat"])
    query = select(result.game, result.total, result.won).where(*mine).order_by(result.game)
    return seat | {"results": _rows(connection, query)}


def _change_key(connection: Connection, old: str, new: str) -> int:
    tables = tables_of(connection, old)
    for table in tables:
        _rewrite(connection, table, old, new)
    _move(connection, schema.seats, "player", old, new)
    _move(connection, schema.shelves, "player", old, new)
    _move(connection, schema.parts, "player", old, new)
    _move(connection, schema.players, "id", old, new)
    return len(tables)


def _move(connection: Connection, rows: Table, column: str, old: str, new: str) -> None:
    connection.execute(update(rows).where(rows.c[column] == old).values({column: new}))


def new_edition(connection: Connection, table: str) -> int:
    """What servers know of the table is worth nothing any more."""
    edition = 1 + secrets.randbelow(_LARGEST_EDITION)
    connection.execute(update(schema.tables).where(schema.tables.c.id == table).values(edition=edition))
    return edition


def _rewrite(connection: Connection, table: str, old: str, new: str) -> None:
    """The same person under another id, from the first line of the log on; servers see by the edition that it changed.

    The row of the table comes first: on PostgreSQL a move that is under way there waits, and is then tried again.
    """
    new_edition(connection, table)
    log = schema.events.c
    for version, data in connection.execute(select(log.version, log.data).where(log.table_id == table)).all():
        moved = {name: new if value == old else value for name, value in data.items()}
        if moved != data:
            where = (log.table_id == table, log.version == version)
            connection.execute(update(schema.events).where(*where).values(data=moved))
