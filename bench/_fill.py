"""Fill a database with many games: a few are really played, and their rows are copied under new ids.

Half of the games of one person are played against others. Everyone else has about ten games. Ids are as random as those
of real games; rows are written in their order, which is quicker.
"""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from fivedice.store import schema
from fivedice.store.database import address_of, open_database
from fivedice.store.fair_dice import TALLY
from fivedice.store.table_store import Store
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.fairness.dice_statistics import Tally
from fivedice.table.service import Tables

HEAVY_KEY = "bench-person-with-many-games"
HEAVY_GAMES = 500
_ONE, _OTHER = player_id("one"), player_id("other")
_BOOKS = ("yatzy", "yahtzee")
_EACH = 5  # games that are played of each kind
_AT_ONCE = 500  # games between two writes
_OLDEST, _OLDEST_UNFINISHED = 900, 100  # days, within what a server keeps


@dataclass(frozen=True)
class Played:
    """The rows of a game, by the name of their table."""

    rows: dict[str, list[dict[str, Any]]]
    finished: bool

    @cached_property
    def rolls(self) -> list[tuple[list[int], list[int]]]:
        """Dice by slot of each roll, and the slots that stayed."""
        data = [json.loads(row["data"]) for row in self.rows["events"] if row["kind"] == "Rolled"]
        return [(roll["dice"], roll["held"]) for roll in data]


def fill(url: str, games: int) -> None:
    """Add games; one in ten is unfinished."""
    open_database(url).dispose()
    originals = _play_originals()
    finished, unfinished = ([each for each in originals if each.finished is over] for over in (True, False))
    random.seed(7)
    with _BulkWriter(url) as write:
        waiting: dict[str, list[dict[str, Any]]] = {}
        tally = Tally()
        for number, (name, heavy) in enumerate(_names(games), start=1):
            original = random.choice(finished if heavy or number % 10 else unfinished)
            if original.finished:
                tally.add_game(original.rolls)
            for table, rows in _copied(original, name, heavy=heavy, number=number).items():
                waiting.setdefault(table, []).extend(rows)
            if number % _AT_ONCE == 0 or number == games:
                for table in schema.metadata.sorted_tables:
                    write(table.name, waiting.pop(table.name, []))
        write("tallies", [{"name": TALLY, "content": json.dumps(tally.to_data())}])


def _names(games: int) -> list[tuple[str, bool]]:
    """The ids of the games in order, and which of them the person with many games has."""
    names = sorted(random.randbytes(8).hex() for _ in range(games))
    heavy = set(random.sample(names, min(HEAVY_GAMES, games)))
    return [(name, name in heavy) for name in names]


def _play_originals() -> list[Played]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "originals.db"
        engine = open_database(f"sqlite:///{file}")
        tables = Tables(Store(engine))
        random.seed(5)
        for book in _BOOKS:
            for people in (1, 2):
                for turns in [99] * _EACH + [10]:
                    _play(tables, book, people, turns)
        engine.dispose()
        with closing(sqlite3.connect(file)) as connection:
            connection.row_factory = sqlite3.Row
            found = connection.execute("SELECT id, phase FROM tables").fetchall()
            return [Played(_rows_of(connection, row["id"]), row["phase"] == "finished") for row in found]


def _play(tables: Tables, book: str, people: int, turns: int) -> None:
    """Play a game, or its first turns, with one to three rolls a turn and whatever box is open."""
    players = (_ONE, _OTHER)[:people]
    sitting = [cmd.SitDown(player, f"Player {player[:4]}") for player in players]
    table = tables.open(_ONE, book, then=[*sitting, cmd.StartGame(_ONE)])
    state = tables.state(table)
    for _ in range(turns * people):
        if state.on_turn is None:
            return
        player = str(state.seats[state.on_turn].player)
        for roll in range(random.randint(1, 3)):
            kept = tuple(sorted(random.sample(range(5), 2))) if roll else ()
            state = _carry_out(tables, table, cmd.RollDice(player, kept), state.version)
        box = random.choice(list(state.running.position.ruling().legal))
        state = _carry_out(tables, table, cmd.FillBox(player, box), state.version)


def _carry_out(tables: Tables, table: str, command: cmd.Command, version: int) -> Any:
    return tables.execute(table, command, version=version, key=f"{version}").state


def _rows_of(connection: sqlite3.Connection, game: str) -> dict[str, list[dict[str, Any]]]:
    found = {"tables": [dict(connection.execute("SELECT * FROM tables WHERE id = ?", [game]).fetchone())]}
    for table in schema.metadata.sorted_tables:
        if "table_id" in table.c:
            query = f"SELECT * FROM {table.name} WHERE table_id = ?"  # noqa: S608 - our own tables
            found[table.name] = [dict(row) for row in connection.execute(query, [game])]
    return found


def _copied(original: Played, name: str, *, heavy: bool, number: int) -> dict[str, list[dict[str, Any]]]:
    one = player_id(HEAVY_KEY) if heavy else _someone(number // 10)
    people = {_ONE: one, _OTHER: _someone(-1 - number // 10)}
    days = random.uniform(0, _OLDEST if original.finished else _OLDEST_UNFINISHED)
    moment = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    found: dict[str, list[dict[str, Any]]] = {}
    for table, rows in original.rows.items():
        found[table] = [_renamed(row, name, people, moment) for row in rows]
    return found


def _someone(number: int) -> str:
    return sha256(f"bench {number}".encode()).hexdigest()


def _renamed(row: dict[str, Any], name: str, people: dict[str, str], moment: str) -> dict[str, Any]:
    twin = dict(row)
    for column, value in row.items():
        if column in ("id", "table_id"):
            twin[column] = name
        elif column == "nonce":
            twin[column] = f"bench-{name}"
        elif column in ("created", "updated", "at"):
            twin[column] = moment
        elif column == "player" and value in people:
            twin[column] = people[value]
        elif column == "data" and (_ONE in value or _OTHER in value):
            twin[column] = value.replace(_ONE, people[_ONE]).replace(_OTHER, people[_OTHER])
    return twin


class _BulkWriter:
    """Writes rows of a table in bulk, without waiting for the disk."""

    def __init__(self, url: str) -> None:
        self._address = address_of(url)
        self._is_sqlite = self._address.get_backend_name() == "sqlite"

    def __enter__(self) -> Any:
        if self._is_sqlite:
            self._connection: Any = sqlite3.connect(str(self._address.database))
            self._connection.execute("PRAGMA synchronous = OFF")
            return self._insert
        import psycopg

        url = self._address.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection = psycopg.connect(url)
        return self._copy

    def __exit__(self, *_: object) -> None:
        self._connection.commit()
        if not self._is_sqlite:
            self._connection.execute("ANALYZE")
            self._connection.commit()
        self._connection.close()

    def _insert(self, table: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            names = list(rows[0])
            marks = ", ".join("?" * len(names))
            statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 - our own tables
            self._connection.executemany(statement, [tuple(row.values()) for row in rows])
            self._connection.commit()

    def _copy(self, table: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            with self._connection.cursor().copy(f"COPY {table} ({', '.join(rows[0])}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(tuple(row.values()))
            self._connection.commit()
