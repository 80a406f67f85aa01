"""The dice of a table: the promise of their secret, often made before there is a table, and the end of it.

A table promises its secret when it is opened (the SHA-256 of it is in the log's first event) and tells it in the log
when the game is over or given up. In between nobody gets to see it: it lies beside the log, not in it.

A game begins with one click and can still be proven, because the page that offers the click shows the promise. The
secret behind it follows from a random word on the page and from a key that never leaves the database, so nothing is
stored until somebody plays; each word serves one table only.

One promise settles a whole row of games. The secret of each is the SHA-256 of the secret of its rematch, so what is
told at the end of a game is the promise of the next one, and that was fixed before anybody had added a text: people
keep theirs from game to game, and the table could not have chosen its later secrets with them in mind.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from sqlalchemy import Connection, insert, select

from fivedice.bots.replayed import STAND_IN, bots_tag
from fivedice.dice import DiceSource, ProvableDice, commitment, seeded
from fivedice.game import Game
from fivedice.notation import write_game
from fivedice.notation.proof import Signer, prove
from fivedice.notation.receipts import table_mark
from fivedice.table.decide.action import Event
from fivedice.table.decide.again import SecretRevealed
from fivedice.table.refusals import PromiseServed
from fivedice.table.state import Seat, TableState
from fivedice.table.store import schema
from fivedice.table.store.access import Reading, VersionConflict, Writer


def dice_of(state: TableState, secret: str) -> DiceSource:
    """The dice of this table. Those without a promise are seeded: tables of old, scripts and tests."""
    if state.promise is None:
        return seeded(secret)
    return _provable(secret, state.book.fingerprint, sealed_names(state), texts_of(state), state.known)


# What all dice of a game have in common is worked out once: every roll asks.
_provable = lru_cache(maxsize=2048)(ProvableDice)


def sealed_names(state: TableState) -> tuple[str, ...]:
    """As they were when the dice were settled, even where people are shown by another name today."""
    return tuple(seat.sealed_name for seat in state.seats)


def texts_of(state: TableState) -> tuple[str, ...]:
    """What each player has added to the dice."""
    return tuple(seat.text for seat in state.seats)


def promise_of(secret: str, *, real_dice: bool, foreseeable: bool) -> str | None:
    """What the table shows before the game; real dice need no promise, and foreseeable ones are worth none."""
    return None if real_dice or foreseeable else commitment(secret)


def reveal(state: TableState, secret: str) -> tuple[Event, ...]:
    """The secret, once the game has come to its end."""
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
        named.tags |= bots_tag([_played_by(seat, state.bots) for seat in state.seats])
    if state.planned_first is not None:
        named.tags["Rematch"] = "yes"  # the one who begins was settled by the game before
    return write_game(prove(named, state.secret, texts_of(state), state.known, signer))


def _played_by(seat: Seat, play: str | None) -> str:
    """Which bot sat there, and how bots chose then; nothing for a person who made all moves."""
    if seat.bot is not None:
        return f"{seat.bot}/{play}"
    return STAND_IN if seat.helped else ""


def secret_from(nonce: str, key: str) -> str:
    """The secret behind a promise that was made before there was a table."""
    return sha256(f"fivedice/secret/{key}/{nonce}".encode()).hexdigest()


_KEY = "dice key"  # in the database  # no sentence
_is_word = re.compile(r"[A-Za-z0-9_-]{16,60}").fullmatch  # a rematch adds its number
IN_A_ROW = 256  # games; after so many rematches a new row begins


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
        return Promise(word, commitment(self.secret(word)))

    def claim(self, word: str | None) -> str:
        """The word for a table that is to be opened: the one that was sent, or a new one where it is none of ours."""
        if word is None or not _is_word(word):
            return secrets.token_urlsafe(16)
        if self.table(word) is not None:
            raise PromiseServed("table.promise-used")
        return word

    def secret(self, word: str) -> str:
        """What is promised with this word."""
        word, number = _place(word)
        secret = secret_from(word, self._key())
        for _ in range(IN_A_ROW - 1 - number):
            secret = commitment(secret)
        return secret

    def table(self, word: str) -> str | None:
        """The table that was opened with this word."""
        query = select(schema.promises.c.table_id).where(schema.promises.c.nonce == word)
        with self._reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _key(self) -> str:
        """Whoever comes second takes what the first has drawn."""
        if self._known is None:
            self._known = drawn(self._writer, self._reading, _KEY)
        return self._known


def _place(word: str) -> tuple[str, int]:
    """The word that a row began with, and how many rematches there were since."""
    first, _, number = word.partition(".")
    return first, int(number or 0)


def following(word: str | None) -> str | None:
    """The word of a rematch, if the row goes on; tables of old are in none."""
    first, number = _place(word or "")
    return f"{first}.{number + 1}" if first and number + 1 < IN_A_ROW else None


def drawn(writer: Writer, reading: Reading, name: str) -> str:
    """256 random bits under this name, drawn once for a database and kept there: all its processes have the same."""
    query = select(schema.facts.c.value).where(schema.facts.c.name == name)

    def draw(connection: Connection) -> None:
        if connection.execute(query).one_or_none() is None:
            connection.execute(insert(schema.facts).values(name=name, value=secrets.token_hex(32)))

    with suppress(VersionConflict):
        writer.write(draw)
    with reading() as connection:
        return str(connection.execute(query).scalar_one())


def note(connection: Connection, word: str, table: str) -> None:
    """Remember that this word has served; a second table with it is refused by the database."""
    connection.execute(insert(schema.promises).values(nonce=word, table_id=table))
