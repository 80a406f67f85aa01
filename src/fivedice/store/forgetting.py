"""Delete what is stored about a person.

Games without other people are deleted. In the other games the person is replaced by a random id without a key; their
names, the texts that they added to the dice, and their results are deleted. The dice are derived from the secret and a
hash of all names and texts. That hash is saved in the log first, so that the game can still be replayed and verified.

Each transaction changes a few games only, so that players do not wait long, and records whether more may be left. If
the process is killed, `Forgetting.finish` completes the deletion later.
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
from fivedice.store.circles import forget_person
from fivedice.store.deals import forget_attempts
from fivedice.store.own_data import change_lines, naming, new_edition, tables_of
from fivedice.store.retention import open_attic, put_away
from fivedice.store.table_store import Store, advance, append_events, count_end, with_rules
from fivedice.table.actions.events import Introduced, Opened, Sat, Started, Stood, deletion_events, from_data
from fivedice.table.fairness.commitments import sealed_names, texts_of
from fivedice.table.refusals import Refusal
from fivedice.table.seat_names import FORMER
from fivedice.table.state import Phase, TableState, fold, fold_events

AT_ONCE = 10  # games in one transaction: about 10 ms, in which SQLite lets no other process write
BETWEEN = 0.005  # seconds between two transactions, in which other writers have their turn


class Forgetting:
    """Delete people, a few games at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all_of(self, player: str) -> tuple[str, ...]:
        """Delete everything about this person, and return the tables that were changed or deleted."""
        done = found = self.step(player)
        while found:
            sleep(BETWEEN)
            done += (found := self.step(player))
        return done

    def finish(self) -> tuple[str, ...]:
        """Complete deletions that were interrupted, and return the tables that were changed or deleted."""
        begun = self._store.write(
            lambda connection: connection.execute(select(schema.leaving.c.player)).scalars().all()
        )
        return tuple(table for player in begun for table in self.all_of(player))

    def step(self, player: str) -> tuple[str, ...]:
        """Delete the person from the next AT_ONCE tables, and return these; none means that all is done."""
        return self._store.write(lambda connection: _step(connection, player))


def _step(connection: Connection, player: str) -> tuple[str, ...]:
    owned = (schema.device_links, schema.shelves, schema.tens, schema.trainees, schema.subscriptions, schema.leaving)
    for rows in owned:  # links first: a join under way ends before the look below
        connection.execute(delete(rows).where(rows.c.player == player))
    connection.execute(delete(schema.players).where(schema.players.c.id == player))
    forget_attempts(connection, player)
    forget_person(connection, player)
    found = tables_of(connection, player, AT_ONCE)
    if found:
        with open_attic(connection, found):
            _forget_at(connection, player, found)
    if len(found) == AT_ONCE:
        connection.execute(schema.leaving.insert().values(player=player))
    return tuple(found)


def _forget_at(connection: Connection, player: str, tables: Sequence[str]) -> None:
    """Remove this person from some games. The rows of the tables are locked first: see `own_data`."""
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
    """Replace the id of this person in the log, remove their names and texts, and return the seats they had."""
    log, seating, changed = schema.events.c, _Seating(table, player), []
    wanted = (log.table_id == table, log.kind.in_(_BEFORE_THE_GAME) | naming(player))
    query = select(log.version, log.kind, log.data).where(*wanted).order_by(log.version)
    for version, kind, data in connection.execute(query).all():
        new = {name: former if value == player else value for name, value in data.items()} | seating.after(kind, data)
        if new != data:
            changed.append((table, version, new))
    change_lines(connection, changed)
    return seating.mine


class _Seating:
    """Track who sat where until the game began. Later events are not folded: their rules may no longer exist."""

    def __init__(self, table: str, player: str) -> None:
        self._state, self._player = TableState(table), player
        self._opened: Opened | None = None

    @property
    def mine(self) -> list[int]:
        return [number for number, seat in enumerate(self._state.seats) if seat.player == self._player]

    def after(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """Return the other changes to this event's data, and follow who sits where."""
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
    """Remove the person from the derived rows. A seat they handed over has their name, but another player's result."""
    seat = schema.seats.c
    theirs = connection.execute(select(seat.seat).where(seat.table_id == table, seat.player == player)).scalars().all()
    for rows in (schema.results, schema.game_facts, schema.handovers):
        connection.execute(delete(rows).where(rows.c.table_id == table, rows.c.seat.in_(theirs)))
    connection.execute(update(schema.seats).where(seat.table_id == table, seat.seat.in_(named)).values(name=""))
    connection.execute(update(schema.seats).where(seat.table_id == table, seat.player == player).values(player=former))


def _tell(connection: Connection, table: str, edition: int) -> None:
    """Append to the log of a game in progress that a player was deleted, so that the others see it."""
    log = schema.events.c
    query = select(log.kind, log.data).where(log.table_id == table).order_by(log.version)
    events = [from_data(kind, with_rules(connection, data)) for kind, data in connection.execute(query).all()]
    try:
        state = fold_events(TableState(table), events)
    except Refusal:  # played by rules that this version no longer has: it cannot be opened
        return
    news = deletion_events(state)
    if news:
        now, after = datetime.now(UTC).isoformat(timespec="milliseconds"), fold_events(state, news)
        advance(connection, state, after, now, edition)
        append_events(connection, table, state.version, news, None, now)
        count_end(connection, state, after)
