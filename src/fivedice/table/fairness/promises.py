"""The dice of a table: the commitment to their secret, made before the game, and its disclosure.

The first event of a table's log has the SHA-256 of its secret; the secret itself is added to the log when the game is
over or ended early. In between it is stored outside the log and shown to no one.

A game that starts with one click can still be proven, because the page that offers it shows the commitment. Its secret
is derived from a random word on the page and a key that never leaves the database. So nothing is stored until someone
plays, and each word can be used for one table only.

One commitment covers a whole row of games. The secret of each game is the SHA-256 of the secret of its rematch, so the
secret revealed at the end of a game is the commitment of the next one. It was fixed before any player had added a text:
people keep their texts from game to game, and the server cannot have chosen later secrets to match them.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from sqlalchemy import Connection, insert, select

from fivedice.core.dice import DiceSource, ProvableDice, commitment, seeded
from fivedice.core.game import Game
from fivedice.core.notation import write_game
from fivedice.core.notation.proof import Signer, prove
from fivedice.core.notation.receipts import table_mark
from fivedice.players.bots.replayed import STAND_IN, bots_tag
from fivedice.store import schema
from fivedice.store.access import Reading, VersionConflict, Writer
from fivedice.table.actions.action import Event
from fivedice.table.actions.again import SecretRevealed
from fivedice.table.refusals import PromiseServed
from fivedice.table.state import Seat, TableState


def dice_of(state: TableState, secret: str) -> DiceSource:
    """Return the dice of this table. Without a commitment they are seeded: older tables, scripts and tests."""
    if state.promise is None:
        return seeded(secret)
    return _provable(secret, state.book.fingerprint, sealed_names(state), texts_of(state), state.known)


# Cached, because every roll asks.
_provable = lru_cache(maxsize=2048)(ProvableDice)


def sealed_names(state: TableState) -> tuple[str, ...]:
    """Return the names when the dice were settled, even if players are shown by other names today."""
    return tuple(seat.sealed_name for seat in state.seats)


def texts_of(state: TableState) -> tuple[str, ...]:
    """Return the text that each player has added to the dice."""
    return tuple(seat.text for seat in state.seats)


def promise_of(secret: str, *, real_dice: bool, foreseeable: bool) -> str | None:
    """Return the commitment to show before the game; None for real dice, and for foreseeable ones."""
    return None if real_dice or foreseeable else commitment(secret)


def reveal(state: TableState, secret: str) -> tuple[Event, ...]:
    """Return the event that reveals the secret, if the game is over and it is still hidden."""
    over = state.phase.is_over
    return (SecretRevealed(secret),) if over and state.promise is not None and state.secret is None else ()


def record_of(state: TableState, game: Game, signer: Signer | None = None) -> str:
    """Return the game in notation, with the proof of its dice and signed once the secret is revealed."""
    if state.secret is None:
        return write_game(game)
    named = game.copy()
    named.players = sealed_names(state)
    if state.begun is not None:  # records of older games stay as they were
        named.tags |= {"Table": table_mark(state.id), "Begun": state.begun}
        named.tags |= bots_tag([_bot_tag(seat, state.bots) for seat in state.seats])
    if state.planned_first is not None:
        named.tags["Rematch"] = "yes"  # the game before decided who starts
    return write_game(prove(named, state.secret, texts_of(state), state.known, signer))


def _bot_tag(seat: Seat, play: str | None) -> str:
    """Return the bot of this seat and the version of its play; empty for a person who made all moves."""
    if seat.bot is not None:
        return f"{seat.bot}/{play}"
    return STAND_IN if seat.helped else ""


def secret_from(nonce: str, key: str) -> str:
    """Return the secret behind a commitment that was made before there was a table."""
    return sha256(f"fivedice/secret/{key}/{nonce}".encode()).hexdigest()


_KEY = "dice key"  # in the database  # no sentence
_is_word = re.compile(r"[A-Za-z0-9_-]{16,60}").fullmatch  # a rematch adds its number
IN_A_ROW = 256  # games; then the next rematch begins a new row


@dataclass(frozen=True, slots=True)
class Promise:
    """The word that a form sends back, and the commitment to its secret."""

    word: str
    commitment: str


class Promises:
    """All commitments of a server; processes that share a database make the same ones."""

    def __init__(self, writer: Writer, reading: Reading) -> None:
        self._writer = writer
        self._reading = reading
        self._known: str | None = None

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
        word, number = _split_word(word)
        secret = secret_from(word, self._key())
        for _ in range(IN_A_ROW - 1 - number):
            secret = commitment(secret)
        return secret

    def table(self, word: str) -> str | None:
        """Return the table that was opened with this word."""
        query = select(schema.promises.c.table_id).where(schema.promises.c.nonce == word)
        with self._reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _key(self) -> str:
        if self._known is None:
            self._known = drawn(self._writer, self._reading, _KEY)
        return self._known


def _split_word(word: str) -> tuple[str, int]:
    """Return the word that a row of games began with, and the number of rematches since."""
    first, _, number = word.partition(".")
    return first, int(number or 0)


def following(word: str | None) -> str | None:
    """Return the word of a rematch; None at the end of a row, and for older tables."""
    first, number = _split_word(word or "")
    return f"{first}.{number + 1}" if first and number + 1 < IN_A_ROW else None


def drawn(writer: Writer, reading: Reading, name: str) -> str:
    """Return 256 random bits under this name, drawn once per database, so that all its processes share them."""
    query = select(schema.facts.c.value).where(schema.facts.c.name == name)

    def draw(connection: Connection) -> None:
        if connection.execute(query).one_or_none() is None:
            connection.execute(insert(schema.facts).values(name=name, value=secrets.token_hex(32)))

    with suppress(VersionConflict):
        writer.write(draw)
    with reading() as connection:
        return str(connection.execute(query).scalar_one())


def note(connection: Connection, word: str, table: str) -> None:
    """Store that this word was used; the database refuses a second table with it."""
    connection.execute(insert(schema.promises).values(nonce=word, table_id=table))
