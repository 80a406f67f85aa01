"""The rows of a table: its log, its own row, and what listings and statistics find beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, bindparam, delete, insert, update

from fivedice.table.events import Event, to_data
from fivedice.table.house_rules_text import shelf_key
from fivedice.table.proof.promises import note
from fivedice.table.state import TableState
from fivedice.table.store import schema
from fivedice.table.store.house_rules_store import put_book
from fivedice.table.store.writer import VersionConflict

_ROW = schema.tables.c
# Made once, like everything that is written with each move.
_ADVANCE = update(schema.tables).where(
    _ROW.id == bindparam("this"), _ROW.version == bindparam("seen"), _ROW.edition == bindparam("of")
)
_APPEND = insert(schema.events)


@dataclass(frozen=True, slots=True)
class Header:
    """The row of a table, beside its log."""

    id: str
    join_code: str
    secret: str
    version: int
    edition: int = 0  # another one after a restore: what was known of the table before is worth nothing then
    key_known: bool = False  # whether a command with the key that was asked for took effect by this version


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that is to be created: its first events, and the state that they fold to."""

    header: Header
    state: TableState
    events: tuple[Event, ...]
    word: str | None = None  # of the promise that was made before


def create(connection: Connection, new: NewTable, now: str) -> None:
    """A new table with all that goes with it."""
    header = new.header
    if new.state.rules is not None:  # whoever sits down can read them then
        put_book(connection, new.state.rules, new.state.book)
    row = {"id": header.id, "join_code": header.join_code, "secret": header.secret, "created": now}
    connection.execute(insert(schema.tables).values(**row, **summary(new.state), updated=now))
    append(connection, header.id, 0, new.events, None, now)
    _replace(connection, schema.seats, header.id, seat_rows(new.state))
    if new.word is not None:
        note(connection, new.word, header.id)


def advance(connection: Connection, before: TableState, after: TableState, now: str, edition: int) -> None:
    """Bring the row of a table and its seats up to date, unless somebody was quicker."""
    row = {"this": after.id, "seen": before.version, "of": edition}
    changed = connection.execute(_ADVANCE, {**row, **summary(after), "updated": now})
    if changed.rowcount != 1:
        raise VersionConflict
    for rows_of, derive in ((schema.seats, seat_rows), (schema.results, result_rows)):
        new = derive(after)
        if derive(before) != new:  # most moves change neither
            _replace(connection, rows_of, after.id, new)


def append(connection: Connection, table: str, before: int, events: Sequence[Event], key: str | None, now: str) -> None:
    """The next lines of the log, after the version `before`."""
    added = [
        {"table_id": table, "version": version, "kind": kind, "data": data, "key": None, "at": now}
        for version, (kind, data) in enumerate(map(to_data, events), start=before + 1)
    ]
    added[0]["key"] = key  # on the first event only, so that it stays unique
    connection.execute(_APPEND, added)


def _replace(connection: Connection, rows_of: Table, table: str, rows: list[dict[str, Any]]) -> None:
    """The rows of one table, written anew."""
    connection.execute(delete(rows_of).where(rows_of.c.table_id == table))
    if rows:
        connection.execute(insert(rows_of), rows)


def summary(state: TableState) -> dict[str, Any]:
    """The row of a table."""
    row = {"version": state.version, "book": shelf_key(state.book.key, state.rules), "phase": str(state.phase)}
    return row | {"house_to_move": state.house_to_move}


def seat_rows(state: TableState) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {"table_id": state.id, "seat": number, "player": seat.player, "name": seat.given or ""}
        for number, seat in enumerate(state.seats)
    ]


def result_rows(state: TableState) -> list[dict[str, Any]]:
    """How each finished game of the sheet ended; a result that the house helped with counts for nobody."""
    return [
        {
            "table_id": state.id,
            "game": game,
            "seat": number,
            "total": played.outcome.totals[number],
            "won": number in played.outcome.winners,
        }
        for game, played in enumerate(state.finished_games)
        for number, seat in enumerate(state.seats)
        if played.outcome is not None and not seat.helped
    ]
