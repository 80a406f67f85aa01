"""The finished games of a person, read from the database alone: no table is opened, locked or changed for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, select

from fivedice.table import schema


@dataclass(frozen=True, slots=True)
class Result:
    """A seat in a finished game of a table, at a version of it."""

    table: str
    version: int
    game: int  # counted from 0
    seat: int
    name: str
    book: str
    total: int
    updated: str


class Results:
    """What people have scored."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading = reading

    def of(self, player: str, limit: int) -> list[Result]:
        """The results of a person's own seats, newest first; those that the house helped with are none."""
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
        with self._reading() as connection:
            return [Result(*row) for row in connection.execute(query)]
