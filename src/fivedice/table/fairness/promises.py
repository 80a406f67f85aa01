"""The dice of a table: the commitment to their secret, made before the game, its disclosure, and signatures of both.

The first event of a table's log has the SHA-256 of its secret; the secret itself is added to the log when the game is
over or ended early. In between it is stored outside the log and shown to no one.

A game that starts with one click can still be proven, because the page that offers it shows the commitment. Its secret
is derived from a random word on the page and a key that never leaves the database. So nothing is stored until someone
plays, and each word can be used for one table only.

One commitment covers a whole row of games. The secret of each game is the SHA-256 of the secret of its rematch, so the
secret revealed at the end of a game is the commitment of the next one. It was fixed before any player had added a text:
people keep their texts from game to game, and the server cannot have chosen later secrets to match them.

Ed25519 signatures need the package `cryptography`, which is imported only when it is used.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from fivedice.core.dice import DiceSource, ProvableDice, commitment, seeded
from fivedice.core.game import Game
from fivedice.core.notation import write_game
from fivedice.core.notation.proof import Signer, prove
from fivedice.core.notation.receipts import FORMAT, Receipt, signed_bytes, table_mark
from fivedice.errors import FivediceError, IllegalRecord
from fivedice.players.bots.replayed import STAND_IN, bots_tag
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
