"""Store tables: an append-only log of events and the rows derived from it, in one transaction per command.

The derived rows are the table's own row, and those that listings and statistics read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from json import dumps
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Table, bindparam, delete, event, func, insert, literal_column, select, update

from fivedice.store import schema
from fivedice.store.access import StorePart, VersionConflict, Writer, insert_new, reader
from fivedice.store.circles import Circles, note_shared_game
from fivedice.store.database import find_broken_page, is_large
from fivedice.store.deals import Attempt, Deals, note_attempt, note_end
from fivedice.store.decision_store import Decisions
from fivedice.store.fair_dice import DiceCounts, Promises, Receipts, count_dice, draw_key, note_word
from fivedice.store.handover_links import Handovers
from fivedice.store.house_rules_store import HouseRulesStore, put_book
from fivedice.store.own_data import OwnData, RememberedChoices
from fivedice.store.results import OwnTables, Results
from fivedice.store.retention import Attic
from fivedice.table.actions.events import Event, Sat, from_data
from fivedice.table.house_rules_text import house_id
from fivedice.table.refusals import ROW, Quota
from fivedice.table.seat_names import is_former
from fivedice.table.state import TableState

_T = TypeVar("_T")
_REFERENCE = "rules_id"  # in the data of an event; rows of earlier versions contain the text instead
_ROW = schema.tables.c
_ADVANCE = update(schema.tables).where(
    _ROW.id == bindparam("this"), _ROW.version == bindparam("seen"), _ROW.edition == bindparam("of")
)


@dataclass(frozen=True, slots=True)
class Header:
    """The row of a table, without its log."""

    id: str
    join_code: str
    secret: str
    version: int
    edition: int = 0  # a new one after a restore: states cached before are invalid then
    key_used_for: str | None = None  # hash of the command with this key; "" if an older version stored none

    @property
    def put_away(self) -> bool:
        """Return whether nothing but this row is left of the table."""
        return not self.version


@dataclass(frozen=True, slots=True)
class CommandKey:
    """The key of a command and the command itself, both as hashes."""

    key: str
    command: str


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table to be created, with its first events and the state that they fold to."""

    header: Header
    state: TableState
    events: tuple[Event, ...]
    word: str | None = None  # of the commitment that was made before
    opening: tuple[str, str] | None = None  # hashes of the key and of the request
    attempt: Attempt | None = None  # at a deal, where it counts


def create_table(connection: Connection, new: TableDraft, now: str) -> None:
    """Insert a new table with its events and all derived rows."""
    header = new.header
    if new.state.rules is not None:  # so that players who join can read them
        put_book(connection, new.state.rules, new.state.book)
    row = {"id": header.id, "join_code": header.join_code, "secret": header.secret, "created": now}
    connection.execute(insert(schema.tables).values(**row, **summary(new.state), updated=now))
    append_events(connection, header.id, 0, new.events, None, now)
    note_parts(connection, header.id, new.events)
    _replace(connection, schema.seats, header.id, seat_rows(new.state))
    count_end(connection, TableState(header.id), new.state)
    if new.word is not None:
        note_word(connection, new.word, header.id)
    if new.opening is not None:
        key, content = new.opening
        connection.execute(insert(schema.openings).values(key=key, content=content, table_id=header.id))
    if new.attempt is not None:
        note_attempt(connection, new.attempt, now)


def advance(connection: Connection, before: TableState, after: TableState, now: str, edition: int) -> None:
    """Update the row of a table. Raise VersionConflict if another process was first."""
    row = {"this": after.id, "seen": before.version, "of": edition}
    changed = connection.execute(_ADVANCE, {**row, **summary(after), "updated": now})
    if changed.rowcount != 1:
        raise VersionConflict


def derived_row_updates(before: TableState, after: TableState) -> list[tuple[Table, list[dict[str, Any]]]]:
    """Return the new rows of seats and results where they have changed; most moves change neither."""
    if before.seats == after.seats and not before.finished_games and not after.finished_games:
        return []
    derived = ((schema.seats, seat_rows), (schema.results, result_rows))
    return [(rows_of, derive(after)) for rows_of, derive in derived if derive(before) != derive(after)]


def count_end(connection: Connection, before: TableState, after: TableState) -> None:
    """Update the counts of the dice if a game has ended or is open again."""
    if before.phase.is_over != after.phase.is_over:
        over, times = (after, 1) if after.phase.is_over else (before, -1)
        count_dice(connection, [after.id], times, over.version)


def note_parts(connection: Connection, table: str, events: Iterable[Event]) -> None:
    """Record that these events of a table name people, so that `tables_of` finds the table for each of them."""
    people = sorted(player for event in events for player in event.people if not is_former(player))
    if people:
        rows = [{"player": player, "table_id": table} for player in dict.fromkeys(people)]
        insert_new(connection, schema.parts, rows)


BOT_TURN = 4 * (ROW + 60)  # bytes: the rolls and the score of a bot, which moves without a request


def _size_of_table(new: TableDraft) -> int:
    """Return about how many bytes a new table takes, with its house rules."""
    rules = len((new.state.rules or "").encode("utf-8", "surrogatepass"))
    return 3 * ROW + rules + _size(new.events, new.state)


def _size(events: Sequence[Event], state: TableState) -> int:
    """Return about how many bytes events take; seating a bot counts all its later moves."""
    bots = sum(isinstance(event, Sat) and event.bot is not None for event in events)
    stored = sum(ROW + len(dumps(by_reference(event.data()))) for event in events)
    return stored + bots * len(state.book.boxes) * BOT_TURN


def append_events(
    connection: Connection, table: str, before: int, events: Sequence[Event], sent: CommandKey | None, now: str
) -> None:
    """Append events to the log, after the version `before`."""
    rows = [
        {"table_id": table, "version": version, "kind": event.kind, "data": by_reference(event.data()), "at": now}
        | {"key": None, "command": None}
        for version, event in enumerate(events, start=before + 1)
    ]
    if sent is not None:
        rows[0] |= {"key": sent.key, "command": sent.command}  # on the first event only, because keys are unique
    connection.execute(insert(schema.events), rows)


def by_reference(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of an event as it is stored: with the id of house rules in place of their text."""
    rules = data.get("rules")
    return data if not isinstance(rules, str) else data | {"rules": None, _REFERENCE: house_id(rules)}


def with_rules(connection: Connection, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a stored event with the text of its house rules."""
    if _REFERENCE not in data:
        return data
    text = connection.execute(select(schema.books.c.text).where(schema.books.c.id == data[_REFERENCE])).scalar_one()
    return data | {"rules": text}


def _replace(connection: Connection, rows_of: Table, table: str, rows: list[dict[str, Any]]) -> None:
    """Replace the seats or results of one table."""
    connection.execute(delete(rows_of).where(rows_of.c.table_id == table))
    if rows:
        connection.execute(insert(rows_of), rows)


def summary(state: TableState) -> dict[str, Any]:
    """Return the columns of a table's row that depend on its state."""
    row = {"version": state.version, "book": state.shelf_key, "phase": str(state.phase)}
    return row | {"house_to_move": state.house_to_move}


def seat_rows(state: TableState) -> list[dict[str, Any]]:
    """Return the rows that say who sits where."""
    return [
        {"table_id": state.id, "seat": number, "player": seat.player, "name": seat.given or ""}
        for number, seat in enumerate(state.seats)
    ]


def result_rows(state: TableState) -> list[dict[str, Any]]:
    """Return the results of each finished game of the sheet.

    A seat has none if a stand-in helped, if its player was deleted, or if it did not play the whole game. Practice with
    dice that the player may know has none either.
    """
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
        if not state.practice and played.outcome is not None and not seat.helped and not is_former(seat.player)
        if number < len(played.game.players) and played.game.position.cards[number].is_full
    ]


ALL = 2**31 - 1  # more events than any table has
# Built once: every move runs these queries, and building them takes longer than running them.
_KEY_USED_FOR = (
    select(func.coalesce(schema.events.c.command, literal_column("''")))
    .where(schema.events.c.table_id == schema.tables.c.id, schema.events.c.key == bindparam("key"))
    .scalar_subquery()
)
_HEADER = select(
    *(schema.tables.c[name] for name in ("id", "join_code", "secret", "version", "edition")), _KEY_USED_FOR
).where(schema.tables.c.id == bindparam("table"))
_EVENTS = (
    select(schema.events.c.kind, schema.events.c.data)
    .where(schema.events.c.table_id == bindparam("table"), schema.events.c.version > bindparam("after"))
    .order_by(schema.events.c.version)
    .limit(bindparam("most"))
)


class Store(StorePart):
    """Read and write tables in the database. Each other kind of stored data has its own attribute."""

    def __init__(self, engine: Engine, quota: Quota | None = None) -> None:
        self._engine, self.quota = engine, quota or Quota()
        access = Writer(engine), reader(engine), self.quota
        super().__init__(*access)
        self.reading = self._reading
        self.shelf = HouseRulesStore(*access)
        self.promises = Promises(*access)
        self.receipts = Receipts(*access)
        self.handovers = Handovers(*access)
        self.choices = RememberedChoices(*access)
        self.own_tables = OwnTables(*access)
        self.results = Results(*access)
        self.dice_counts = DiceCounts(*access)
        self.attic = Attic(*access)
        self.deals = Deals(*access)
        self.circles = Circles(*access)
        self.own_data = OwnData(*access)
        self.decisions = Decisions(*access)

    def close(self) -> None:
        """Close all connections; one that a thread still uses is closed when it is returned."""
        event.listen(self._engine.pool, "checkin", lambda _, record: record.invalidate())
        self._engine.dispose()

    def write(self, job: Callable[[Connection], _T]) -> _T:
        """Run a job for a part outside the store, and return its result; see `Writer.write`."""
        return self._writer.write(job)

    def draw_key(self, name: str) -> str:
        """Return the 256 random bits with this name, drawn once per database."""
        return draw_key(self._writer, self._reading, name)

    def create(self, new: TableDraft) -> None:
        with self.quota.write(_size_of_table(new)):
            self._writer.write(lambda connection: create_table(connection, new, _now()))

    def opened_with(self, key: str) -> tuple[str, str] | None:
        """Return the hash of the request with this key and the table that it opened, or None."""
        opening = schema.openings.c
        row = self._read(select(opening.content, opening.table_id).where(opening.key == key))
        return (row[0].content, row[0].table_id) if row else None

    def header(self, table: str, key: str | None = None) -> Header | None:
        """Return the row of a table, with the command that this key was used for, or None if the table is unknown."""
        with self._reading() as connection:
            row: Any = connection.execute(_HEADER, {"table": table, "key": key}).one_or_none()
        return None if row is None else Header(*row)

    def events_after(self, table: str, version: int, most: int = ALL) -> list[Event]:
        asked = {"table": table, "after": version, "most": most}
        with self._reading() as connection:
            found = connection.execute(_EVENTS, asked).all()
            return [from_data(kind, with_rules(connection, data)) for kind, data in found]

    def append(
        self,
        before: TableState,
        after: TableState,
        events: Sequence[Event],
        key: CommandKey | None = None,
        following: TableDraft | None = None,
        edition: int = 0,
    ) -> None:
        """Append events and update the derived rows in one transaction, which is on disk when this returns.

        A `following` table is created in the same transaction. Raise VersionConflict if another process was first.
        """
        now, derived = _now(), derived_row_updates(before, after)

        def write(connection: Connection) -> None:
            advance(connection, before, after, now, edition)
            append_events(connection, after.id, before.version, events, key, now)
            for rows_of, rows in derived:
                _replace(connection, rows_of, after.id, rows)
            note_parts(connection, after.id, events)
            if before.phase.is_over != after.phase.is_over:  # the game has ended, or is open again
                note_end(connection, before, after, now)
                note_shared_game(connection, before, after, now)
            if following is not None:
                create_table(connection, following, now)
            count_end(connection, before, after)  # last, because other processes wait for this row

        size = _size(events, after) + (0 if following is None else _size_of_table(following))
        with self.quota.write(size, new_table=following is not None):
            self._writer.write(write)

    def find_broken_page(self) -> str | None:
        """Check a large file, which was not checked when opened; return what is wrong or None. This takes seconds."""
        return find_broken_page(self._engine) if is_large(self._engine) else None

    def probe(self) -> None:
        """Commit a small write, to test whether moves can be written. Raise the same refusals as a move."""
        self._writer.write(lambda connection: _put_fact(connection, _PROBE, _now()))

    def waiting_for_house(self) -> list[str]:
        """Return the tables where a bot is on turn, for the start of the server."""
        return [row.id for row in self._read(select(_ROW.id).where(_ROW.house_to_move))]

    def going_on(self, tables: Sequence[str]) -> list[str]:
        """Return those of the given tables where the game has not ended."""
        query = select(_ROW.id).where(_ROW.id.in_(tables), _ROW.phase.in_(("seating", "playing")))
        return [row.id for row in self._read(query)]

    def tables_by_phase(self) -> dict[str, int]:
        """Return the number of tables in each phase."""
        found = self._read(select(_ROW.phase, func.count()).group_by(_ROW.phase))
        return {str(name): int(count) for name, count in found}


_PROBE = "last probe"  # no sentence


def _put_fact(connection: Connection, name: str, value: str) -> None:
    fact = schema.facts.c.name == name
    if not connection.execute(update(schema.facts).where(fact).values(value=value)).rowcount:
        connection.execute(insert(schema.facts).values(name=name, value=value))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
