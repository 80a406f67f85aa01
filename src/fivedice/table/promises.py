"""Promises of dice before there is a table, so that a game can begin with one click and still be proven.

The page that offers the click shows the promise. The secret behind it follows from a random word on the page and from
a key that never leaves the database, so nothing is stored until somebody plays; each word serves one table only.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from fivedice.dice import commitment
from fivedice.table import schema
from fivedice.table.proving import secret_from
from fivedice.table.reading import Reading
from fivedice.table.writer import VersionConflict, Writer

_KEY = "dice key"
_is_word = re.compile(r"[A-Za-z0-9_-]{16,64}").fullmatch


@dataclass(frozen=True, slots=True)
class Promise:
    """The word that a form sends back, and what can be shown of the secret behind it."""

    word: str
    commitment: str


class Promises:
    """All promises of a server; several processes on one database make the same."""

    def __init__(self, writer: Writer, reading: Reading) -> None:
        self._writer = writer
        self._reading = reading
        self._known: str | None = None

    def make(self) -> Promise:
        word = secrets.token_urlsafe(16)
        return Promise(word, commitment(self._secret(word)))

    def secret(self, word: str | None) -> str | None:
        """What was promised with this word, unless it has served already or is none of ours."""
        if word is None or not _is_word(word) or self.table(word) is not None:
            return None
        return self._secret(word)

    def table(self, word: str) -> str | None:
        """The table that was opened with this word."""
        query = select(schema.promises.c.table_id).where(schema.promises.c.nonce == word)
        with self._reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _secret(self, word: str) -> str:
        return secret_from(word, self._key())

    def _key(self) -> str:
        """Drawn once for a database; whoever comes second takes what the first has drawn."""
        if self._known is None:
            with suppress(VersionConflict):
                self._writer.write(_draw_key)
            with self._reading() as connection:
                query = select(schema.facts.c.value).where(schema.facts.c.name == _KEY)
                self._known = str(connection.execute(query).scalar_one())
        return self._known


def _draw_key(connection: Connection) -> None:
    if connection.execute(select(schema.facts.c.name).where(schema.facts.c.name == _KEY)).one_or_none() is None:
        connection.execute(insert(schema.facts).values(name=_KEY, value=secrets.token_hex(32)))


def note(connection: Connection, word: str, table: str) -> None:
    """Remember that this word has served; a second table with it is refused by the database."""
    connection.execute(insert(schema.promises).values(nonce=word, table_id=table))
