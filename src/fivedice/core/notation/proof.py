"""The proof of the dice in a record, and its verification.

A record with provable dice has five tags: the scheme, the commitment that was shown before the game, the texts of the
players, the secret, and a seal over everything else. A reader of the record knows the secret, and could seal other
moves with their own dice. So a server also signs the record with a private key.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from fivedice.core.dice import Keep, ProvableDice, Roll, commitment
from fivedice.core.dice.sources import SCHEME, encode_text
from fivedice.core.game import Game, Hold, Mark, Throw
from fivedice.core.game.playthrough import settle_start
from fivedice.core.notation.receipts import is_key, read_signature
from fivedice.core.notation.records import read_game, write_game
from fivedice.core.rules import AnyBook
from fivedice.errors import IllegalRecord, MalformedError, quote

PROOF_TAGS = ("Dice", "Commitment", "Texts", "Secret", "Seal")
SIGNED_FORMAT = "fivedice-record-1"
SIGNATURE_TAGS = ("Key", "Signature")
REMATCH, YES = "Rematch", "yes"
KNOWN = "Known"  # the tag for the hash of the public facts, in a record from which a name was removed
_is_hash = re.compile(r"[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a verification: the numbers of `dice` and `throws` that were derived and agree with the record.

    >>> from fivedice.core.notation.proof import Verdict
    >>> Verdict(dice=5, throws=1, commitment=fd.dice.commitment("secret")).dice
    5
    """

    dice: int
    throws: int
    commitment: str
    texts: tuple[str, ...] = ()  #: the texts of the players that the dice depend on
    kept: bool = False  #: whether a name was removed, so that rules, names and texts could not be checked


class Signer(Protocol):
    """Signs records with a private key."""

    @property
    def public_key(self) -> str:
        """Return the public key, as 64 hexadecimal digits."""

    def sign_record(self, message: bytes) -> str:
        """Return the Ed25519 signature of a message, as 128 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class RecordSignature:
    """The signature of a record, the public key that it names, and the bytes that were signed."""

    key: str
    signature: str
    message: bytes


def prove(game: Game, secret: str, texts: Sequence[str], known: str = "", signer: Signer | None = None) -> Game:
    """Return a copy of a game with the proof of its dice, signed if there is a `signer`.

    `secret` and `texts` (one per player) are those of the dice. `known` is the hash of the public facts, needed if
    names were removed since.

    >>> from fivedice.core.notation.proof import prove, verify_record
    >>> dice = fd.dice.ProvableDice("secret", fd.book("yahtzee").fingerprint, ("Ann",), ("my text",))
    >>> game = fd.Game.new("yahtzee", ["Ann"], dice=dice)
    >>> _ = game.roll(), game.mark("chance")
    >>> verify_record(fd.write_game(prove(game, "secret", ["my text"]))).throws
    1
    """
    proven = game.copy()
    for name in (*PROOF_TAGS, KNOWN, *SIGNATURE_TAGS):
        proven.tags.pop(name, None)
    proven.tags |= {
        "Dice": SCHEME,
        "Commitment": commitment(secret),
        "Texts": json.dumps(list(texts), ensure_ascii=False),
        "Secret": secret,
    }
    if known:
        proven.tags[KNOWN] = known
    if signer is not None:
        proven.tags["Key"] = signer.public_key
    head, _, rest = write_game(proven).partition("\n\n")  # once: writing takes longer than signing
    if signer is not None:
        proven.tags["Signature"] = signer.sign_record(_message_to_sign(encode_text(f"{head}\n\n{rest}")))
        head += f'\n[Signature "{proven.tags["Signature"]}"]'
    proven.tags["Seal"] = _seal(encode_text(f"{head}\n\n{rest}"), secret)
    return proven


def read_record_signature(game: Game) -> RecordSignature | None:
    """Return the signature of a record, or None if it has none. Raise MalformedError if it cannot be read."""
    if not any(name in game.tags for name in SIGNATURE_TAGS):
        return None
    key, signature = (game.tags.get(name, "") for name in SIGNATURE_TAGS)
    if not is_key(key):
        raise MalformedError("notation.bad-key", text=quote(key))
    message = _message_to_sign(_write_without(game, "Signature", "Seal"))
    return RecordSignature(key, read_signature(signature), message)


def _message_to_sign(record: bytes) -> bytes:
    """Return what is signed: the format, and the record without its signature and its seal."""
    return f"{SIGNED_FORMAT}\n".encode() + record


def verify_record(text: str, book: AnyBook | None = None) -> Verdict:
    """Derive every die of a record again and return the verdict. Not even a space of the text may have changed.

    House rules must be given as `book`, or be in the record. Raise IllegalRecord, which says where, if something
    differs, MalformedError if the text cannot be read.

    >>> from fivedice.core.notation.proof import verify_record
    >>> verify_record(fd.write_game(fd.Game.new("yahtzee", ["Ann"])))
    Traceback (most recent call last):
    ...
    fivedice.errors.IllegalRecord: ...
    """
    return read_verified(text, book)[1]


def read_verified(text: str, book: AnyBook | None = None) -> tuple[Game, Verdict]:
    """Return the game of such a record, and the verdict."""
    game = read_game(text, book)
    verdict = verify(game)
    if write_game(game) != text:
        raise IllegalRecord("notation.rewritten")
    return game, verdict


def check_noted(verdict: Verdict, promise: str | None, text: str | None) -> None:
    """Compare a verified record with what a player noted before the game: the commitment, and their own text.

    Raise IllegalRecord if one differs.
    """
    if promise is not None and promise.strip().lower() != verdict.commitment:
        raise IllegalRecord("notation.other-promise", noted=quote(promise), written=quote(verdict.commitment))
    if text is not None and text not in verdict.texts:
        raise IllegalRecord("notation.text-missing", text=quote(text))


def verify(game: Game) -> Verdict:
    """Derive every die of a game again and return the verdict.

    Raise IllegalRecord, which says where, if one differs.
    """
    scheme, committed, texts, secret, seal = _read_proof(game)
    if scheme != SCHEME:
        raise IllegalRecord("notation.unknown-scheme", scheme=quote(scheme), known=SCHEME)
    if commitment(secret) != committed:
        raise IllegalRecord("notation.other-secret", commitment=quote(committed))
    written = game.tags.get(KNOWN)
    if written is not None and not _is_hash(written):
        raise MalformedError("notation.bad-known", text=quote(written))
    dice = ProvableDice(secret, game.book.fingerprint, game.players, texts, written or "")
    # Only records of real dice have comments, players who come and go, and noted points.
    dealt = (
        isinstance(move, Hold | Mark) or (isinstance(move, Throw) and move.told and not move.last)
        for move in game.moves
    )
    if game.comments or game.start.out or not all(dealt):
        raise IllegalRecord("notation.not-dealt")
    if game.tags.get(REMATCH, YES) != YES or (REMATCH in game.tags and game.roll_off is not None):
        raise IllegalRecord("notation.bad-rematch", text=quote(game.tags[REMATCH]))
    _check_start(game, dice)
    counted = list(_check_throws(game, dice))
    if not hmac.compare_digest(_seal(_write_without(game, "Seal"), secret).encode(), encode_text(seal)):
        raise IllegalRecord("notation.other-seal")
    return Verdict(sum(counted), len(counted), committed, texts, bool(dice.kept))


def _read_proof(game: Game) -> tuple[str, str, tuple[str, ...], str, str]:
    missing = [name for name in PROOF_TAGS if name not in game.tags]
    if missing:
        raise IllegalRecord("notation.no-proof", name=missing[0])
    scheme, committed, texts, secret, seal = (game.tags[name] for name in PROOF_TAGS)
    return scheme, committed, per_player(texts, len(game.players), "notation.bad-texts"), secret, seal


def per_player(written: str, players: int, wrong: str) -> tuple[str, ...]:
    """Return the value of a tag that has one text per player, as a JSON list.

    Raise MalformedError with `wrong` otherwise.
    """
    try:
        texts = json.loads(written)
    except (ValueError, RecursionError):
        texts = None
    if not isinstance(texts, list) or len(texts) != players or not all(isinstance(text, str) for text in texts):
        raise MalformedError(wrong, text=quote(written))
    return tuple(texts)


def _seal(record: bytes, secret: str) -> str:
    """Return the seal over a record as it is written without the seal."""
    return hmac.digest(encode_text(secret), record, "sha256").hex()


def _write_without(game: Game, *tags: str) -> bytes:
    """Return the record without some of its tags, as bytes."""
    bare = game.copy()
    for name in tags:
        bare.tags.pop(name, None)
    return encode_text(write_game(bare))


def _check_start(game: Game, dice: ProvableDice) -> None:
    first, roll_off = settle_start(game.book, len(game.players), dice)
    if REMATCH in game.tags:
        return  # the seat to the left of the first starter begins a rematch, and the dice do not decide
    if first != game.first:
        raise IllegalRecord("notation.other-start", right=first, written=game.first)
    if roll_off != game.roll_off:
        raise IllegalRecord("notation.other-roll-off")


def _check_throws(game: Game, dice: ProvableDice) -> Iterator[int]:
    """Yield the number of dice of each throw. Raise IllegalRecord if a throw differs from the derived one."""
    turn, roll, kept = 1, 1, Keep(())
    for move in game.moves:
        if isinstance(move, Throw):
            count = game.book.dice - len(kept)
            fell = tuple(dice.die(turn, roll, die, game.book.faces) for die in range(count))
            derived = kept.faces + fell
            if tuple(sorted(derived)) != move.roll.faces:
                raise IllegalRecord("notation.other-dice", turn=turn, roll=roll, right=Roll(derived), written=move.roll)
            roll += 1
            yield count
        elif isinstance(move, Hold):
            kept = move.keep
        else:
            turn, roll, kept = turn + 1, 1, Keep(())
