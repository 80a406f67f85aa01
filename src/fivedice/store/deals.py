"""Deals, the first attempt of each person at them, and the counts of all results.

A result is written once: its total when the game ends, in the transaction of its last move, and the points lost when
the report is known, together with the count in `fields`. Pages read one row per person and the counts of a day, never
all results.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from fivedice.store import schema
from fivedice.store.access import StorePart, VersionConflict, insert_new
from fivedice.store.circles import note_day
from fivedice.table.daily import is_day
from fivedice.table.refusals import ROW
from fivedice.table.state import TableState

MOST_LOST = 9999  # tenths of a point: bounds the rows of counts per deal
MOST_PLAYERS = 200  # at a deal, days aside
_DEAL, _ATTEMPT, _FIELD = schema.deals.c, schema.attempts.c, schema.fields.c


@dataclass(frozen=True, slots=True)
class Deal:
    """Dice that several people play, each alone."""

    name: str
    book: str
    secret: str = field(repr=False)  # never shown before the deal is over
    known: str = ""
    turns: tuple[int, ...] = ()
    table_id: str | None = None  # the finished game whose dice they are
    seat: int | None = None
    player: str | None = None
    title: str = ""
    closes: str | None = None  # the last date on which it can be begun
    created: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The first attempt of a person at a deal, which counts."""

    deal: str
    player: str
    table_id: str
    name: str = ""
    begun: str = ""
    finished: str | None = None
    total: int | None = None
    lost: int | None = None  # tenths of a point; None until the report is known
    facts: dict[str, Any] | None = None

    @property
    def points_lost(self) -> float | None:
        return None if self.lost is None else self.lost / 10


@dataclass(frozen=True, slots=True)
class Field:
    """How many people lost how many tenths of a point."""

    counts: Mapping[int, int]

    @property
    def players(self) -> int:
        return sum(self.counts.values())

    def rank(self, lost: int) -> int:
        """Return the rank of a result; equal results share it: 1, 1, 3."""
        return 1 + sum(count for other, count in self.counts.items() if other < lost)


class Deals(StorePart):
    """All deals of a database."""

    def find(self, name: str) -> Deal | None:
        """Return the deal with this name, or None."""
        return self._find(_DEAL.name == name)

    def of_game(self, table: str, seat: int) -> Deal | None:
        """Return the deal with the dice that a seat had in a finished game, or None."""
        return self._find((_DEAL.table_id == table) & (_DEAL.seat == seat))

    def _find(self, condition: ColumnElement[bool]) -> Deal | None:
        found = self._read(select(schema.deals).where(condition))
        return replace(Deal(*found[0]), turns=tuple(found[0].turns)) if found else None

    def add(self, deal: Deal) -> Deal:
        """Store a deal and return it, or the one that has its name or its game already."""
        row = {name: getattr(deal, name) for name in Deal.__slots__} | {"turns": list(deal.turns), "created": _now()}
        with self._quota.write(2 * ROW), suppress(VersionConflict):
            self._writer.write(lambda connection: connection.execute(insert(schema.deals).values(row)).close())
        found = self.find(deal.name)
        if found is None and deal.table_id is not None and deal.seat is not None:
            found = self.of_game(deal.table_id, deal.seat)
        if found is None:
            raise AssertionError("a deal that was stored cannot be found")
        return found

    def first_day(self) -> str | None:
        """Return the date of the first daily game of this server, or None."""
        found: str | None = self._read_value(select(func.min(_DEAL.name)))
        return found if found is not None and is_day(found) else None  # dates come before all other names

    def attempt(self, deal: str, player: str) -> Attempt | None:
        """Return the attempt of a person that counts, or None."""
        return self.attempts_of(player, [deal]).get(deal)

    def attempts(self, deal: str, most: int = MOST_PLAYERS) -> list[Attempt]:
        """Return the attempts at a deal in the order in which they were begun."""
        query = select(schema.attempts).where(_ATTEMPT.deal == deal).order_by(_ATTEMPT.begun, _ATTEMPT.player)
        return [Attempt(*row) for row in self._read(query.limit(most))]

    def attempts_of(self, player: str, deals: Sequence[str]) -> dict[str, Attempt]:
        """Return the attempts of a person at some deals, by their names."""
        query = select(schema.attempts).where(_ATTEMPT.player == player, _ATTEMPT.deal.in_(deals))
        return {row.deal: Attempt(*row) for row in self._read(query)}

    def count_attempts(self, deal: str) -> int:
        """Return how many people have begun."""
        return int(self._read_value(select(func.count()).where(_ATTEMPT.deal == deal)))

    def is_played(self, deal: str) -> bool:
        """Return whether someone has begun and not finished."""
        query = select(_ATTEMPT.player).where(_ATTEMPT.deal == deal, _ATTEMPT.finished.is_(None)).limit(1)
        return bool(self._read(query))

    def field(self, deal: str) -> Field:
        """Return the counts of all results: one row per tenth of a point, however many people played."""
        query = select(_FIELD.lost, _FIELD.count).where(_FIELD.deal == deal).order_by(_FIELD.lost)
        return Field({row[0]: row[1] for row in self._read(query)})

    def settle(self, attempt: Attempt, lost: int, facts: dict[str, Any]) -> bool:
        """Store the points lost and count them, unless that was done before; return whether it was done now."""
        lost = max(0, min(lost, MOST_LOST))
        same = (_ATTEMPT.deal == attempt.deal, _ATTEMPT.player == attempt.player, _ATTEMPT.lost.is_(None))

        def write(connection: Connection) -> bool:
            changed = update(schema.attempts).where(*same, _ATTEMPT.finished.is_not(None))
            if connection.execute(changed.values(lost=lost, facts=facts)).rowcount != 1:
                return False
            insert_new(connection, schema.fields, [{"deal": attempt.deal, "lost": lost, "count": 0}])
            counted = update(schema.fields).where(_FIELD.deal == attempt.deal, _FIELD.lost == lost)
            connection.execute(counted.values(count=_FIELD.count + 1))
            note_day(connection, attempt.player, attempt.deal, lost)
            return True

        return self._writer.write(write)


def new_name() -> str:
    """Return a name for a deal that cannot be guessed, and that does not look like a date."""
    return f"d{secrets.token_urlsafe(9)}"


def note_attempt(connection: Connection, attempt: Attempt, now: str) -> None:
    """Store that a person has begun. The database refuses a second attempt."""
    row = {"deal": attempt.deal, "player": attempt.player, "table_id": attempt.table_id, "name": attempt.name}
    connection.execute(insert(schema.attempts).values(**row, begun=now))


def note_end(connection: Connection, before: TableState, after: TableState, now: str) -> None:
    """Write the total of an attempt when its game ends. A game that was ended early, or with help, has none."""
    if after.deal is None or after.practice or before.phase.is_over or not after.phase.is_over:
        return
    played = None if after.game is None else after.game.outcome
    total = None if played is None or after.seats[0].helped else played.totals[0]
    ended = update(schema.attempts).where(_ATTEMPT.table_id == after.id, _ATTEMPT.player == after.seats[0].player)
    connection.execute(ended.where(_ATTEMPT.finished.is_(None)).values(finished=now, total=total))


def forget_attempts(connection: Connection, player: str) -> None:
    """Delete the results of a person. The counts remain, and so do their deals, without its title."""
    connection.execute(delete(schema.attempts).where(_ATTEMPT.player == player))
    connection.execute(update(schema.deals).where(_DEAL.player == player).values(player=None, title=""))


def own_attempts(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Return the results of a person at days and deals, without their ids."""
    kept = ("deal", "name", "begun", "finished", "total", "lost", "facts")
    query = select(*(_ATTEMPT[name] for name in kept)).where(_ATTEMPT.player == player).order_by(_ATTEMPT.begun)
    return [dict(row) for row in connection.execute(query).mappings()]


def own_deals(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Return the deals that a person has made, without their secrets."""
    kept = ("name", "book", "title", "closes", "created")
    query = select(*(_DEAL[name] for name in kept)).where(_DEAL.player == player).order_by(_DEAL.created)
    return [dict(row) for row in connection.execute(query).mappings()]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
