"""Store what fair dice need: the keys of a server, the words of commitments that were used, and the counts of all dice.

The keys are in the database, so every process signs and derives with the same ones, and a backup includes them.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, insert, select, true, update

from fivedice.core.dice import commitment
from fivedice.core.notation.receipts import Receipt
from fivedice.core.rules import SHIPPED
from fivedice.errors import FivediceError
from fivedice.store import schema
from fivedice.store.access import Reading, StorePart, VersionConflict, Writer
from fivedice.table.actions.events import Opened, Rolled
from fivedice.table.fairness.commitments import public_key, secret_of_word, sign, sign_message
from fivedice.table.fairness.dice_statistics import FACES, Tally
from fivedice.table.house_rules_text import book_of
from fivedice.table.refusals import PromiseServed
from fivedice.table.state import TableState

TALLY = "dice"  # the row of the counts  # no sentence
_is_word = re.compile(r"[A-Za-z0-9_-]{16,60}").fullmatch  # a rematch adds its number


def draw_key(writer: Writer, reading: Reading, name: str) -> str:
    """Return 256 random bits under this name, drawn once per database, so that all its processes share them."""
    query = select(schema.facts.c.value).where(schema.facts.c.name == name)

    def draw(connection: Connection) -> None:
        if connection.execute(query).one_or_none() is None:
            connection.execute(insert(schema.facts).values(name=name, value=secrets.token_hex(32)))

    with suppress(VersionConflict):
        writer.write(draw)
    with reading() as connection:
        return str(connection.execute(query).scalar_one())


def note_word(connection: Connection, word: str, table: str) -> None:
    """Store that this word was used; the database refuses a second table with it."""
    connection.execute(insert(schema.promises).values(nonce=word, table_id=table))


@dataclass(frozen=True, slots=True)
class Promise:
    """The word that a form sends back, and the commitment to its secret."""

    word: str
    commitment: str


class Promises(StorePart):
    """All commitments of a server; processes that share a database make the same ones."""

    def make(self) -> Promise:
        word = secrets.token_urlsafe(16)
        return Promise(word, commitment(self.secret(word)))

    def claim(self, word: str | None) -> str:
        """Return the word for a new table: the given one, or a new one if it is not valid.

        Raise PromiseServed if it was used before.
        """
        if word is None or not _is_word(word):
            return secrets.token_urlsafe(16)
        if self.table(word) is not None:
            raise PromiseServed("table.promise-used")
        return word

    def secret(self, word: str) -> str:
        """Return the secret of this word."""
        return secret_of_word(word, self._key)

    def table(self, word: str) -> str | None:
        """Return the table that was opened with this word."""
        found: str | None = self._read_value(select(schema.promises.c.table_id).where(schema.promises.c.nonce == word))
        return found

    @cached_property
    def _key(self) -> str:
        return draw_key(self._writer, self._reading, "dice key")


class Receipts(StorePart):
    """All receipts of a server; processes that share a database make the same ones.

    Receipts are not stored: they follow from the first event of the log and the key.
    """

    def of(self, state: TableState) -> Receipt | None:
        """Return the signed receipt of this table; None for real dice, and for tables older than receipts."""
        if state.promise is None or state.opened is None:
            return None
        return sign(self._seed, state.id, state.opened, state.promise)

    @cached_property
    def public_key(self) -> str:
        return public_key(self._seed)

    def sign_record(self, message: bytes) -> str:
        """Return the signature of a finished record, for `notation.proof.prove`."""
        return sign_message(self._seed, message)

    @cached_property
    def _seed(self) -> str:
        return draw_key(self._writer, self._reading, "receipt key")  # no sentence


class DiceCounts(StorePart):
    """The tally of all finished games of the database."""

    def look(self) -> Tally:
        """Return the tally: one row, however many games there are."""
        with self._reading() as connection:
            return _read_tally(connection) or Tally()


def count_dice(connection: Connection, tables: Sequence[str], times: int = 1, until: int | None = None) -> None:
    """Add the dice of tables that are over to the tally; with -1, take them out again.

    `until` is the version up to which the log counts.
    """
    games = [
        rolls for book, (opened, *rolls) in _logs(connection, tables, until) if is_counted(connection, book, opened)
    ]
    if not games:
        return
    tally = _read_tally(connection, for_update=True)
    new = tally or Tally()
    for rolls in games:
        new.add_game([(roll["dice"], roll.get("held", ())) for roll in rolls], times)
    change = insert(schema.tallies) if tally is None else update(schema.tallies).where(schema.tallies.c.name == TALLY)
    connection.execute(change.values(name=TALLY, content=new.to_data()))


def _logs(connection: Connection, tables: Sequence[str], until: int | None) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the book of each table, with the data of its opening and of its rolls."""
    row, log = schema.tables.c, schema.events.c
    query = (
        select(row.id, row.book, log.data)
        .join(schema.events, log.table_id == row.id)
        .where(row.id.in_(tables), log.kind.in_((Opened.kind, Rolled.kind)))
        .where(true() if until is None else log.version <= until)
        .order_by(row.id, log.version)
    )
    found = groupby(connection.execute(query), key=lambda row: (row.id, row.book))
    return [(book, [row.data for row in rows]) for (_, book), rows in found]


def _read_tally(connection: Connection, *, for_update: bool = False) -> Tally | None:
    query = select(schema.tallies.c.content).where(schema.tallies.c.name == TALLY)
    found = connection.execute(query.with_for_update() if for_update else query).scalar_one_or_none()
    return None if found is None else Tally.from_data(found)


def is_counted(connection: Connection, book: str, opened: dict[str, Any]) -> bool:
    """Return whether a game counts: thrown by the table for it alone, by rules that can be read, six faces."""
    if opened.get("deal"):  # the dice of a deal would count once per player
        return False
    rules = opened.get("rules")  # in logs of earlier versions
    if rules is None and book not in SHIPPED:
        kept = select(schema.books.c.text).where(schema.books.c.id == book)
        rules = connection.execute(kept).scalar_one_or_none()
    try:
        return not opened.get("real_dice") and book_of(book, rules, kept=True).faces == FACES
    except FivediceError:
        return False
