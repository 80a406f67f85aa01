"""Deleting what is kept about a person.

Games where nobody else has a part go. In the others the person becomes an id that no key leads to; their names, the
texts that they added to the dice, and their results go. What the dice were derived from beside the secret is a hash
over all names and texts: it is kept in the log before they go, so that the game can still be replayed and verified.

A handful of games is one transaction, so that nobody who plays waits long. Whose deletion has begun is noted with the
first: it is finished by whoever comes next, also after a kill.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from time import sleep
from typing import Any

from sqlalchemy import Connection, delete, select, update

from fivedice.core.dice import ProvableDice
from fivedice.store import schema
from fivedice.store.own_data import change_lines, naming, new_edition, tables_of
from fivedice.store.retention import open_attic, put_away
from fivedice.store.table_store import Store, advance, append_events, count_end, with_rules
from fivedice.table.events import Introduced, Opened, Sat, Started, Stood, deletion_events, from_data
from fivedice.table.fairness.promises import sealed_names, texts_of
from fivedice.table.refusals import Refusal
from fivedice.table.seat_names import FORMER
from fivedice.table.state import Phase, TableState, fold, folded

AT_ONCE = 10  # games in one transaction: some ten milliseconds, in which no one else can write on SQLite
BETWEEN = 0.005  # seconds between two transactions: those who wait for the database come first


class Forgetting:
    """Deletes people, a handful of games at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all_of(self, player: str) -> tuple[str, ...]:
        """Delete everything about this person; the games that it changed or deleted."""
        done = found = self.step(player)
        while found:
            sleep(BETWEEN)
            done += (found := self.step(player))
        return done

    def finish(self) -> tuple[str, ...]:
        """Go on with what was begun and not finished."""
        begun = self._store.write(
            lambda connection: connection.execute(select(schema.leaving.c.player)).scalars().all()
        )
        return tuple(table for player in begun for table in self.all_of(player))

    def step(self, player: str) -> tuple[str, ...]:
        """The next handful; none: all is done."""
        return self._store.write(lambda connection: _step(connection, player))


def _step(connection: Connection, player: str) -> tuple[str, ...]:
    for rows, column in ((schema.players, "id"), (schema.shelves, "player"), (schema.leaving, "player")):
        connection.execute(delete(rows).where(rows.c[column] == player))
    found = tables_of(connection, player, AT_ONCE)
    if found:
        with open_attic(connection, found):
            _forget_at(connection, player, found)
    if len(found) == AT_ONCE:
        connection.execute(schema.leaving.insert().values(player=player))
    return tuple(found)


def _forget_at(connection: Connection, player: str, tables: Sequence[str]) -> None:
    """Some games, without this person. The rows of the tables come first: see `own_data`."""
    edition, part, row = new_edition(connection, tables), schema.parts.c, schema.tables.c
    connection.execute(delete(schema.parts).where(part.player == player, part.table_id.in_(tables)))
    shared = set(connection.execute(select(part.table_id).where(part.table_id.in_(tables)).distinct()).scalars())
    put_away(connection, sorted(set(tables) - shared))
    for table in sorted(shared):
        former = f"{FORMER}{secrets.token_hex(16)}"
        named = _rewrite(connection, table, player, former)
        _rewrite_rows(connection, table, player, former, named)
    playing = (Phase.SEATING, Phase.PLAYING)
    for table in connection.execute(select(row.id).where(row.id.in_(shared), row.phase.in_(playing))).scalars().all():
        _tell(connection, table, edition)


def _rewrite(connection: Connection, table: str, player: str, former: str) -> list[int]:
    """The log, without the names of this person; and the seats that had them."""
    log, seating, changed = schema.events.c, _Seating(table, player), []
    wanted = (log.table_id == table, log.kind.in_(_BEFORE_THE_GAME) | naming(player))
    query = select(log.version, log.kind, log.data).where(*wanted).order_by(log.version)
    for version, kind, data in connection.execute(query).all():
        told = {name: former if value == player else value for name, value in data.items()} | seating.after(kind, data)
        if told != data:
            changed.append((table, version, told))
    change_lines(connection, changed)
    return seating.mine


class _Seating:
    """Who sat where until the game began. Nothing else is folded: the rules may be gone since."""

    def __init__(self, table: str, player: str) -> None:
        self._state, self._player = TableState(table), player
        self._opened: Opened | None = None

    @property
    def mine(self) -> list[int]:
        return [number for number, seat in enumerate(self._state.seats) if seat.player == self._player]

    def after(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """What else changes in this line of the log."""
        if kind not in _BEFORE_THE_GAME:
            return {}
        event, mine = from_data(kind, data), self.mine
        if isinstance(event, Opened):
            self._opened = event
        elif isinstance(event, Started):
            return {"known": event.known or self._known()} if mine and self._opened and self._opened.promise else {}
        else:
            fold(self._state, event)
        if isinstance(event, Sat) and event.player == self._player:
            return {"name": None, "text": ""}
        return {"name": None} if isinstance(event, Introduced) and event.seat in mine else {}

    def _known(self) -> str:
        fingerprint = self._opened.fingerprint if self._opened else None
        return ProvableDice("", fingerprint or "", sealed_names(self._state), texts_of(self._state)).known


_BEFORE_THE_GAME = frozenset(event.kind for event in (Opened, Sat, Introduced, Stood, Started))


def _rewrite_rows(connection: Connection, table: str, player: str, former: str, named: list[int]) -> None:
    """The same in what lies beside the log. A seat that was handed over has their name, and somebody else's result."""
    seat = schema.seats.c
    theirs = connection.execute(select(seat.seat).where(seat.table_id == table, seat.player == player)).scalars().all()
    for rows in (schema.results, schema.game_facts, schema.handovers):
        connection.execute(delete(rows).where(rows.c.table_id == table, rows.c.seat.in_(theirs)))
    connection.execute(update(schema.seats).where(seat.table_id == table, seat.seat.in_(named)).values(name=""))
    connection.execute(update(schema.seats).where(seat.table_id == table, seat.player == player).values(player=former))


def _tell(connection: Connection, table: str, edition: int) -> None:
    """The game goes on: whoever is left is told that somebody went."""
    log = schema.events.c
    query = select(log.kind, log.data).where(log.table_id == table).order_by(log.version)
    events = [from_data(kind, with_rules(connection, data)) for kind, data in connection.execute(query).all()]
    try:
        state = folded(TableState(table), events)
    except Refusal:  # by rules that this version has no longer: nobody can open it
        return
    news = deletion_events(state)
    if news:
        now, after = datetime.now(UTC).isoformat(timespec="milliseconds"), folded(state, news)
        advance(connection, state, after, now, edition)
        append_events(connection, table, state.version, news, None, now)
        count_end(connection, state, after)
