"""Export what is stored about one person, move it to a new key, and remember their last choices."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, Text, bindparam, cast, delete, insert, select, update

from fivedice.store import schema
from fivedice.store.access import StorePart
from fivedice.store.circles import move_person, own_circles
from fivedice.store.deals import own_attempts, own_deals
from fivedice.store.retention import open_attic
from fivedice.table.refusals import ROW

_LARGEST_EDITION = 2**31 - 1
_AT_ONCE = 100  # tables in one statement


class OwnData(StorePart):
    """The data of each person, who is identified by the hash of the key in their browser."""

    def of(self, player: str) -> dict[str, Any]:
        """Return everything about a person, ready for JSON, without ids of other people and secrets of games."""
        with self._reading() as connection:
            games = _games(connection, player) + _put_away_games(connection, player)
            seated = {game["id"] for game in games}
            books, shelves = schema.books.c, schema.shelves.c
            query = select(books.id, books.name, books.text, shelves.saved)
            return {
                "choices": _choices(connection, player),
                "house_rules": _rows(
                    connection, query.join(schema.shelves, shelves.book_id == books.id).where(shelves.player == player)
                ),
                "games": games,
                "also_in": [row for row in _rows(connection, _with_part(player)) if row["id"] not in seated],
                "daily": own_attempts(connection, player),
                "deals": own_deals(connection, player),
                "tens": _rows(connection, _tens(player)),
                "training": _rows(connection, _training(player)),
                **own_circles(connection, player),
                "device_links": _rows(connection, _device_links(player)),
                "notices": _rows(connection, _subscriptions(player)),
            }

    def change_key(self, old: str, new: str) -> int:
        """Move everything to another key, and return the number of tables. The old key gives no access any more."""
        return self._writer.write(lambda connection: _change_key(connection, old, new))


class RememberedChoices(StorePart):
    """The last choices of all people, so that they need not choose again."""

    def of(self, player: str) -> dict[str, Any]:
        """Return what a person chose last time, or an empty dict."""
        return self._read_value(select(schema.players.c.choices).where(_is(player))) or {}

    def remember(self, player: str, choices: dict[str, Any]) -> None:
        """Store these choices of a person in place of the earlier ones."""
        seen = datetime.now(UTC).isoformat(timespec="milliseconds")

        def write(connection: Connection) -> None:
            connection.execute(delete(schema.players).where(_is(player)))
            connection.execute(insert(schema.players).values(id=player, choices=choices, seen=seen))

        with self._quota.write(ROW + len(str(choices))):  # each new browser adds a row
            self._writer.write(write)


def _choices(connection: Connection, player: str) -> dict[str, Any]:
    found = connection.execute(select(schema.players.c.choices, schema.players.c.seen).where(_is(player))).one_or_none()
    return {} if found is None else {"last_used": found.seen, **found.choices}


def _is(player: str) -> Any:
    return schema.players.c.id == player


def _tens(player: str) -> Any:
    row = schema.tens.c
    return select(row.day, row.answers, row.late).where(row.player == player).order_by(row.day)


def _training(player: str) -> Any:
    return select(schema.trainees.c.content).where(schema.trainees.c.player == player)


def _device_links(player: str) -> Any:
    row = schema.device_links.c
    return select(row.spare, row.created).where(row.player == player).order_by(row.spare)


def _subscriptions(player: str) -> Any:
    row = schema.subscriptions.c
    return select(row.endpoint, row.language, row.created).where(row.player == player).order_by(row.created, row.id)


def _seats(player: str) -> Any:
    row, seat = schema.tables.c, schema.seats.c
    query = select(row.id, row.book, row.phase, row.created, row.updated, seat.seat, seat.name)
    return query.join(schema.seats, seat.table_id == row.id).where(seat.player == player).order_by(row.created, row.id)


def _with_part(player: str) -> Any:
    """Return the query for all tables that name a person, including those that they opened without taking a seat."""
    row, part = schema.tables.c, schema.parts.c
    query = select(row.id, row.book, row.phase, row.created, row.updated).join(schema.parts, part.table_id == row.id)
    return query.where(part.player == player).order_by(row.created, row.id)


def _put_away_games(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Return the games of a person that were put away and are still stored, for about a month."""
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
    """Return the tables whose log names this person, at most `most` of them."""
    part = schema.parts.c
    query = select(part.table_id).where(part.player == player).order_by(part.table_id).limit(most)
    return list(connection.execute(query).scalars())


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def _games(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Return the seats of a person with their results, always with two queries."""
    result, seat = schema.results.c, schema.seats.c
    same_seat = (seat.table_id == result.table_id) & (seat.seat == result.seat)
    query = select(schema.results).join(schema.seats, same_seat).where(seat.player == player).order_by(result.game)
    results: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in connection.execute(query):
        shown = {"game": row.game, "total": row.total, "won": row.won}
        results.setdefault((row.table_id, row.seat), []).append(shown)
    return [row | {"results": results.get((row["id"], row["seat"]), [])} for row in _rows(connection, _seats(player))]


def _change_key(connection: Connection, old: str, new: str) -> int:
    for rows in (schema.device_links, schema.subscriptions):  # links first: a join under way ends before the look below
        connection.execute(delete(rows).where(rows.c.player == old))
    tables = tables_of(connection, old)
    move_seats(connection, tables, old, new)
    move_rows(connection, schema.players, "id", old, new)
    for rows in (schema.shelves, schema.parts, schema.attempts, schema.deals, schema.tens, schema.trainees):
        move_rows(connection, rows, "player", old, new)
    move_person(connection, old, new)
    return len(tables)


def move_seats(connection: Connection, tables: Sequence[str], old: str, new: str) -> None:
    """Replace the id of a person in the logs and the seats of these tables, which may be in the attic."""
    with open_attic(connection, tables):
        for first in range(0, len(tables), _AT_ONCE):
            _rewrite(connection, tables[first : first + _AT_ONCE], old, new)
        move_rows(connection, schema.seats, "player", old, new)


def move_rows(connection: Connection, rows: Table, column: str, old: str, new: str) -> None:
    """Give all rows of a person to another id."""
    connection.execute(update(rows).where(rows.c[column] == old).values({column: new}))


def new_edition(connection: Connection, tables: Sequence[str]) -> int:
    """Give the tables a new edition, which makes servers discard their cached state, and return it."""
    edition = 1 + secrets.randbelow(_LARGEST_EDITION)
    connection.execute(update(schema.tables).where(schema.tables.c.id.in_(tables)).values(edition=edition))
    return edition


def naming(player: str) -> ColumnElement[bool]:
    """Return the condition for events that may name this person: most are rolls and scores, and do not."""
    return cast(schema.events.c.data, Text).contains(player, autoescape=True)


_CHANGE_LINE = (
    update(schema.events)
    .where(schema.events.c.table_id == bindparam("this"), schema.events.c.version == bindparam("at_version"))
    .values(data=bindparam("changed"))
)


def change_lines(connection: Connection, lines: Sequence[tuple[str, int, dict[str, Any]]]) -> None:
    """Replace the data of stored events; each line has the table, the version and the new data."""
    if lines:
        names = ("this", "at_version", "changed")
        connection.execute(_CHANGE_LINE, [dict(zip(names, line, strict=True)) for line in lines])


def _rewrite(connection: Connection, tables: Sequence[str], old: str, new: str) -> None:
    """Replace the id of a person in all events of these tables. Lock their rows first: moves wait, and are retried."""
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
