"""The finished games of a person, read from the database alone: no table is opened, locked or changed for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import select

from fivedice.table.seat_names import shown_name
from fivedice.table.store import schema
from fivedice.table.store.reading import Reading


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


@dataclass(frozen=True, slots=True)
class Best:
    """The score to beat in one book."""

    book: str
    total: int
    games: int
    table: str


class Results:
    """What people have scored."""

    def __init__(self, reading: Reading) -> None:
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
            found = [Result(*row) for row in connection.execute(query)]
        return [replace(one, name=shown_name(one.name, one.seat + 1)) for one in found]

    def best(self, player: str) -> dict[str, Best]:
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
