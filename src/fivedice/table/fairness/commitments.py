"""The dice of a table: the commitment to their secret, made before the game, its disclosure, and signatures of both.

The first event of a table's log has the SHA-256 of its secret; the secret itself is added to the log when the game is
over or ended early. In between it is stored outside the log and shown to no one.

A game that starts with one click can still be proven, because the page that offers it shows the commitment. Its secret
is derived from a random word on the page and a key that never leaves the database. So nothing is stored until someone
plays, and each word can be used for one table only.

One commitment covers a whole row of games. The secret of each game is the SHA-256 of the secret of its rematch, so the
secret revealed at the end of a game is the commitment of the next one. It was fixed before any player had added a text:
people keep their texts from game to game, and the server cannot have chosen later secrets to match them.

`check_record` makes all checks of a recorded game, for the command line and the web page: the dice and the seal, the
signature and the notes that a player took before the game if they are there, and the moves of bots. The findings also
say what could not be checked, because a record alone proves nothing about the time before the game.

Ed25519 signatures need the package `cryptography`, which is imported only when it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from fivedice.core.dice import DiceSource, ProvableDice, commitment, seeded
from fivedice.core.game import Game
from fivedice.core.notation import write_game
from fivedice.core.notation.proof import (
    RecordSignature,
    Signer,
    Verdict,
    check_noted,
    prove,
    read_record_signature,
    read_verified,
)
from fivedice.core.notation.receipts import (
    FORMAT,
    Receipt,
    check_receipt,
    key_id,
    read_key,
    read_receipt,
    signed_bytes,
    table_mark,
)
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError, IllegalRecord, MalformedError, quote
from fivedice.message import Message, message
from fivedice.players.bots.replayed import STAND_IN, ReplayedSeat, bots_tag, replay_bots
from fivedice.table.action import Event
from fivedice.table.actions.again import SecretRevealed
from fivedice.table.daily import DealtDice
from fivedice.table.state import Seat, TableState

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def dice_of(state: TableState, secret: str) -> DiceSource:
    """Return the dice of this table. Without a commitment they are seeded: older tables, scripts and tests."""
    if state.turns:
        return DealtDice(_provable(secret, state.book.fingerprint, (), (), state.dealt), state.turns)
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


def is_hidden(state: TableState) -> bool:
    """Return whether the game is over and the secret of its dice is not revealed yet."""
    return state.phase.is_over and state.promise is not None and state.secret is None


def reveal(state: TableState, secret: str) -> tuple[Event, ...]:
    """Return the event that reveals the secret at the end of a game, unless others still play its dice."""
    return (SecretRevealed(secret),) if is_hidden(state) and state.deal is None else ()


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


def secret_of_word(word: str, key: str) -> str:
    """Return the secret of a word, which may be the word of a rematch."""
    word, number = _split_word(word)
    secret = secret_from(word, key)
    for _ in range(IN_A_ROW - 1 - number):
        secret = commitment(secret)
    return secret


IN_A_ROW = 256  # games; then the next rematch begins a new row


def _split_word(word: str) -> tuple[str, int]:
    """Return the word that a row of games began with, and the number of rematches since."""
    first, _, number = word.partition(".")
    return first, int(number or 0)


def following(word: str | None) -> str | None:
    """Return the word of a rematch; None at the end of a row, and for older tables."""
    first, number = _split_word(word or "")
    return f"{first}.{number + 1}" if first and number + 1 < IN_A_ROW else None


def public_key(seed: str) -> str:
    """Return the public key of a secret seed of 256 bits."""
    return _private(seed).public_key().public_bytes_raw().hex()


def sign(seed: str, table: str, time: str, lock: str) -> Receipt:
    """Return the receipt of a dice lock. Signing again gives the same receipt."""
    signature = _private(seed).sign(signed_bytes(table, time, lock)).hex()
    return Receipt(FORMAT, table, time, lock, public_key(seed), signature)


def sign_message(seed: str, message: bytes) -> str:
    """Return the signature of any message, as hexadecimal digits."""
    return _private(seed).sign(message).hex()


def check_signature(receipt: Receipt) -> None:
    """Raise IllegalRecord unless the holder of the key that the receipt names has signed it."""
    try:
        is_right = is_signed(receipt.key, receipt.signature, receipt.signed)
    except ModuleNotFoundError as error:
        raise FivediceError("notation.needs-package", missing=error.name) from None
    if not is_right:
        raise IllegalRecord("notation.bad-signature")


def is_signed(key: str, signature: str, message: bytes) -> bool:
    """Return whether the holder of a key signed a message. Raise ModuleNotFoundError without cryptography."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):  # ValueError: not a point of the curve
        return False
    return True


def _private(seed: str) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))


@dataclass(frozen=True, slots=True)
class Noted:
    """What a player kept from before the game, and the public key by which they know the server."""

    lock: str | None = None
    text: str | None = None
    receipt: str | None = None
    key: str | None = None


NOTHING = Noted()


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings about a record that passed the checks. One that fails raises IllegalRecord instead."""

    verdict: Verdict
    noted: Noted
    receipt: Receipt | None
    bots: tuple[ReplayedSeat, ...]
    begun: bool  # whether the record says when the game began
    signer: str | None = None  # the public key that signed the record

    @property
    def moves(self) -> Message:
        """Return whether the moves are those that were played: only a signature shows it."""
        if self.signer is None:
            return message("notation.moves-unchecked")
        return message("notation.moves-signed", key=key_id(self.signer))

    @property
    def is_verified(self) -> bool:
        """Return whether the moves are signed by a key that the reader gave: anyone can make a key of their own."""
        return self.signer is not None and self.noted.key is not None

    @property
    def agreed(self) -> tuple[Message, ...]:
        """Return which of the given notes agree with the record."""
        return tuple(self._agreements())

    @property
    def replayed(self) -> tuple[Message, ...]:
        """Return which bots were asked again."""
        found = tuple(seat.about for seat in self.bots if seat.unchecked is None)
        return found if self.bots else (message("notation.no-bots"),)

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Return what was not given, as words for programs; each has a sentence."""
        given = {"promise": self.noted.lock or self.receipt, "text": self.noted.text is not None}
        given |= {"receipt": self.receipt, "key": self.noted.key or not (self.receipt or self.signer)}
        given["moves"] = self.signer
        given["names"] = not self.verdict.kept
        return tuple(name for name, found in given.items() if not found)

    @property
    def unreplayed(self) -> tuple[Message, ...]:
        """Return which bots were not asked again, and why."""
        return tuple(seat.about for seat in self.bots if seat.unchecked is not None)

    def _agreements(self) -> Iterator[Message]:
        if self.noted.lock is not None:
            yield message("notation.lock-noted")
        if self.noted.text is not None:
            yield message("notation.text-noted", text=quote(self.noted.text))
        if self.receipt is not None:
            kind = "notation.signed-before" if self.begun else "notation.signed"
            yield message(kind, time=self.receipt.time, key=self.receipt.key_id)
        if self.noted.key is not None:
            yield message("notation.key-known")


def check_record(text: str, book: RuleBook | None = None, noted: Noted = NOTHING, *, patient: bool = True) -> Findings:
    """Check a record and the notes kept with it. Raise IllegalRecord if something does not agree.

    With `patient`, wait some seconds for the rules to be solved, so that the bots can be asked again.
    """
    game, verdict = read_verified(text, book)
    check_noted(verdict, noted.lock, noted.text)
    receipt = None if noted.receipt is None else _check_receipt(noted.receipt, noted.key)
    if receipt is not None:
        check_receipt(receipt, verdict.commitment, game.tags)
    known = receipt.key if receipt is not None else None if noted.key is None else read_key(noted.key)
    signature = read_record_signature(game)
    if noted.key is not None and receipt is None and signature is None:
        raise MalformedError("notation.key-without-signature")
    signer = None if signature is None else _find_signer(signature, known)
    return Findings(verdict, noted, receipt, replay_bots(game, patient=patient), "Begun" in game.tags, signer)


def _find_signer(found: RecordSignature, known: str | None) -> str | None:
    """Return the key that signed a record; None if it cannot be checked here. Raise if `known` is another key."""
    if known is not None and known != found.key:
        raise IllegalRecord("notation.other-signer", signed=found.key, known=known)
    try:
        is_right = is_signed(found.key, found.signature, found.message)
    except ModuleNotFoundError as error:
        if known is not None:
            raise FivediceError("notation.signature-needs-package", missing=error.name) from None
        return None
    if not is_right:
        raise IllegalRecord("notation.bad-record-signature")
    return found.key


def _check_receipt(text: str, key: str | None) -> Receipt:
    receipt = read_receipt(text)
    if key is not None and read_key(key) != receipt.key:
        raise IllegalRecord("notation.other-key", signed=receipt.key, known=quote(key))
    check_signature(receipt)
    return receipt
