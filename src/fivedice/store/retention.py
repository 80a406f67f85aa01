"""Put away games that were not touched for long: remove their log, seats and results, but keep the row of the table.

The row prevents its id from being used again. It also prevents the commitment of its dice from being used for a second
table, whose rolls a player would know already. Two measures protect against a wrong clock. A game must be due at two
looks that are a day apart. It is then stored for 30 more such looks, and comes back if the clock was ahead. Looks are
counted, not days: a jump of the clock counts as one look, however far it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from fivedice.store import schema
from fivedice.store.access import StorePart, insert_new
from fivedice.store.fair_dice import count_dice

PUT_AWAY = "put away"  # no sentence: the phase of such a row
AT_ONCE = 50  # tables in one transaction: others wait only briefly
BETWEEN_LOOKS = timedelta(days=1)
LOOKS_KEPT = 30  # for which a game is still stored after it was put away
_LOOKS = "looks at old games"  # in the database: when the last of them were made  # no sentence
_LARGEST_EDITION = 2**31 - 1
_UNFINISHED, _OVER = ("seating", "playing"), ("finished", "given up")
_HEADER = ("phase", "version", "secret", "house_to_move")
_ROWS = (schema.events, schema.seats, schema.results, schema.handovers, schema.openings)


@dataclass(frozen=True, slots=True)
class Retention:
    """Days for which a game is kept after its last change; 0 means for ever."""

    unfinished: int = 180
    finished: int = 1095


class Attic(StorePart):
    """Put tables away, and bring them back if the clock was wrong."""

    def sweep(self, keep: Retention, now: datetime | None = None) -> int:
        """Put away, bring back or delete some tables, and return how many; fewer than AT_ONCE means all are done."""
        now = now or datetime.now(UTC)
        return self._writer.write(lambda connection: _sweep(connection, keep, now))


def _sweep(connection: Connection, keep: Retention, now: datetime) -> int:
    looks = _read_looks(connection, now)
    row = schema.attic.c  # first, move tables back that were put away later than now, by a clock that was ahead
    found = connection.execute(select(row.table_id).where(row.since > _format_time(now)).limit(AT_ONCE)).scalars().all()
    count = len(_bring_back(connection, found))
    if now - looks[-1] < BETWEEN_LOOKS:
        return count
    oldest = looks[0] if len(looks) == LOOKS_KEPT else None
    done = max(_put_away_due(connection, keep, looks[-1], now), _expire(connection, oldest))
    if done < AT_ONCE:  # otherwise the next call goes on with the same looks
        _note_looks(connection, [*looks, now][-LOOKS_KEPT:])
    return max(count, done)


def _read_looks(connection: Connection, now: datetime) -> list[datetime]:
    """Lock and return the times of the last looks, or now; drop later ones, made by a clock that was ahead."""
    insert_new(connection, schema.tallies, [{"name": _LOOKS, "content": [_format_time(now)]}])
    query = select(schema.tallies.c.content).where(schema.tallies.c.name == _LOOKS).with_for_update()
    found = [datetime.fromisoformat(each) for each in connection.execute(query).scalar_one()]
    looks = [look for look in found if look <= now] or [now]
    if looks != found:
        _note_looks(connection, looks)
    return looks


def _note_looks(connection: Connection, looks: Sequence[datetime]) -> None:
    content = [_format_time(look) for look in looks]
    connection.execute(update(schema.tallies).where(schema.tallies.c.name == _LOOKS).values(content=content))


def _put_away_due(connection: Connection, keep: Retention, look: datetime, now: datetime) -> int:
    due: list[str] = []
    for days, phases in ((keep.unfinished, _UNFINISHED), (keep.finished, _OVER)):
        if days:
            due += _find_untouched(connection, phases, look - timedelta(days=days), AT_ONCE - len(due))
    for table in due:
        _move_to_attic(connection, table, _format_time(now))
    return len(due)


def _expire(connection: Connection, look: datetime | None) -> int:
    """Delete for good the tables that were put away by the time of a look, and return how many there were."""
    if look is None:
        return 0
    row = schema.attic.c
    query = select(row.table_id).where(row.since <= _format_time(look)).limit(AT_ONCE)
    expired = connection.execute(query).scalars().all()
    for rows in (schema.attic, schema.parts):
        connection.execute(delete(rows).where(rows.c.table_id.in_(expired)))
    return len(expired)


def _format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _find_untouched(connection: Connection, phases: tuple[str, ...], since: datetime, most: int) -> list[str]:
    row = schema.tables.c
    old = (row.phase.in_(phases), row.updated < _format_time(since))
    # Locked, so that no move is made there meanwhile; SQLite allows only one writer anyway.
    return list(connection.execute(select(row.id).where(*old).limit(most).with_for_update(skip_locked=True)).scalars())


def _move_to_attic(connection: Connection, table: str, since: str) -> None:
    """Put a table away so that it can come back. Its people stay recorded, so that they can delete it."""
    header = connection.execute(select(schema.tables).where(schema.tables.c.id == table)).mappings().one()
    content: dict[str, Any] = {name: header[name] for name in _HEADER}
    for rows in _ROWS:
        found = connection.execute(select(rows).where(rows.c.table_id == table)).mappings()
        content[rows.name] = [dict(row) for row in found]
    _empty(connection, [table])
    connection.execute(insert(schema.attic).values(table_id=table, since=since, content=content))


def _bring_back(connection: Connection, tables: Sequence[str]) -> dict[str, str]:
    """Move tables back from the attic, and return since when each was there; others are left out."""
    table, row = schema.tables.c, schema.attic.c
    connection.execute(select(table.id).where(table.id.in_(tables)).order_by(table.id).with_for_update())
    found = connection.execute(select(schema.attic).where(row.table_id.in_(tables))).all()
    for away in found:
        connection.execute(delete(schema.attic).where(row.table_id == away.table_id))
        for rows in _ROWS:
            if away.content[rows.name]:
                insert_new(connection, rows, away.content[rows.name])  # a key may have opened another table since
        _set_header(connection, [away.table_id], {name: away.content[name] for name in _HEADER})
        if away.content["phase"] in _OVER:
            count_dice(connection, [away.table_id])
    return {away.table_id: away.since for away in found}


@contextmanager
def open_attic(connection: Connection, tables: Sequence[str]) -> Iterator[None]:
    """Move tables back from the attic for this block, and put them away again afterwards."""
    away = _bring_back(connection, tables)
    yield
    for table, since in away.items():
        phase = connection.execute(select(schema.tables.c.phase).where(schema.tables.c.id == table)).scalar_one()
        if phase != PUT_AWAY:  # otherwise it was put away for good
            _move_to_attic(connection, table, since)


def put_away(connection: Connection, tables: Sequence[str]) -> None:
    """Put tables away for good, so that they cannot come back."""
    if tables:
        _empty(connection, tables)
        connection.execute(delete(schema.parts).where(schema.parts.c.table_id.in_(tables)))


def _empty(connection: Connection, tables: Sequence[str]) -> None:
    row = schema.tables.c
    over = connection.execute(select(row.id).where(row.id.in_(tables), row.phase.in_(_OVER))).scalars().all()
    count_dice(connection, over, -1)
    for rows in (*_ROWS, schema.game_facts):
        connection.execute(delete(rows).where(rows.c.table_id.in_(tables)))
    _set_header(connection, tables, {"phase": PUT_AWAY, "version": 0, "secret": "", "house_to_move": False})


def _set_header(connection: Connection, tables: Sequence[str], values: dict[str, Any]) -> None:
    """Set columns of the tables, with a new edition, which makes servers discard their cached state."""
    edition = 1 + secrets.randbelow(_LARGEST_EDITION)
    row = schema.tables
    connection.execute(update(row).where(row.c.id.in_(tables)).values(**values, edition=edition))
