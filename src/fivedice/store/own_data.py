"""What is kept about one person: to be seen and taken away, and moved to a new key."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, Text, bindparam, cast, select, update

from fivedice.store import schema
from fivedice.store.access import Reading, Writer, insert_new
from fivedice.store.retention import open_attic
from fivedice.table.events import Event
from fivedice.table.seat_names import is_former

_LARGEST_EDITION = 2**31 - 1
_AT_ONCE = 100  # tables that one statement names


class OwnData:
    """Known by the hash of the key that their browser has."""

    def __init__(self, writer: Writer, reading: Reading) -> None:
        self._writer = writer
        self._reading = reading

    def of(self, player: str) -> dict[str, Any]:
        """Everything, ready for JSON. No ids of other people, and no secret of a game."""
        with self._reading() as connection:
            games = _games(connection, player) + _put_away_games(connection, player)
            seated = {game["id"] for game in games}
            return {
                "choices": _choices(connection, player),
                "house_rules": _rows(connection, _books(player)),
                "games": games,
                "also_in": [row for row in _rows(connection, _with_part(player)) if row["id"] not in seated],
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


def _with_part(player: str) -> Any:
    """Return the query for all games that they have a part in, also those that they opened and sit nowhere at."""
    row, part = schema.tables.c, schema.parts.c
    query = select(row.id, row.book, row.phase, row.created, row.updated).join(schema.parts, part.table_id == row.id)
    return query.where(part.player == player).order_by(row.created, row.id)


def _put_away_games(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Return the games where they sat that are kept for a month after they were put away."""
    away = _with_part(player).add_columns(schema.attic.c.content).join(schema.attic)
    return [
        {**game, "seat": seat["seat"], "name": seat["name"], "results": _results_in(content, seat["seat"])}
        for game in _rows(connection, away)
        for content in [game.pop("content")]
        for seat in content["seats"]
        if seat["player"] == player
    ]


def _results_in(content: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    found = sorted((row for row in content["results"] if row["seat"] == seat), key=itemgetter("game"))
    return [{name: row[name] for name in ("game", "total", "won")} for row in found]


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


def _games(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Return the seats of a person with their results, by two queries however many there are."""
    result, seat = schema.results.c, schema.seats.c
    same_seat = (seat.table_id == result.table_id) & (seat.seat == result.seat)
    query = select(schema.results).join(schema.seats, same_seat).where(seat.player == player).order_by(result.game)
    results: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in connection.execute(query):
        shown = {"game": row.game, "total": row.total, "won": row.won}
        results.setdefault((row.table_id, row.seat), []).append(shown)
    return [row | {"results": results.get((row["id"], row["seat"]), [])} for row in _rows(connection, _seats(player))]


def _change_key(connection: Connection, old: str, new: str) -> int:
    tables = tables_of(connection, old)
    with open_attic(connection, tables):
        for first in range(0, len(tables), _AT_ONCE):
            _rewrite(connection, tables[first : first + _AT_ONCE], old, new)
        _move(connection, schema.seats, "player", old, new)
    _move(connection, schema.shelves, "player", old, new)
    _move(connection, schema.parts, "player", old, new)
    _move(connection, schema.players, "id", old, new)
    return len(tables)


def _move(connection: Connection, rows: Table, column: str, old: str, new: str) -> None:
    connection.execute(update(rows).where(rows.c[column] == old).values({column: new}))


def new_edition(connection: Connection, tables: Sequence[str]) -> int:
    """What servers know of the tables is worth nothing any more."""
    edition = 1 + secrets.randbelow(_LARGEST_EDITION)
    connection.execute(update(schema.tables).where(schema.tables.c.id.in_(tables)).values(edition=edition))
    return edition


def naming(player: str) -> ColumnElement[bool]:
    """Return the condition for lines of a log that may name this person: most are rolls and scores, and do not."""
    return cast(schema.events.c.data, Text).contains(player, autoescape=True)


_CHANGE_LINE = (
    update(schema.events)
    .where(schema.events.c.table_id == bindparam("this"), schema.events.c.version == bindparam("at_version"))
    .values(data=bindparam("changed"))
)


def change_lines(connection: Connection, lines: Sequence[tuple[str, int, dict[str, Any]]]) -> None:
    """Write other data into lines of logs: of each its table, its version and the data."""
    if lines:
        names = ("this", "at_version", "changed")
        connection.execute(_CHANGE_LINE, [dict(zip(names, line, strict=True)) for line in lines])


def _rewrite(connection: Connection, tables: Sequence[str], old: str, new: str) -> None:
    """The same person under another id, from the first line of each log on; servers see by the edition that it changed.

    The rows of the tables come first: on PostgreSQL a move that is under way there waits, and is then tried again.
    """
    new_edition(connection, tables)
    log = schema.events.c
    found = connection.execute(
        select(log.table_id, log.version, log.data).where(log.table_id.in_(tables), naming(old))
    ).all()
    moved = [
        (table, version, {name: new if value == old else value for name, value in data.items()})
        for table, version, data in found
    ]
    change_lines(connection, moved)
