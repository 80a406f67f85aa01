"""All checks of a recorded game, for the command line and the web page.

The dice and the seal are always checked; the signature of the record and the notes that a player took before the game
if they are there; and the bots are asked for their moves again. The findings also say what could not be checked,
because a record alone proves nothing about the time before the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fivedice.core.notation.proof import RecordSignature, Verdict, check_noted, read_record_signature, read_verified
from fivedice.core.notation.receipts import Receipt, check_receipt, key_id, read_key, read_receipt
from fivedice.core.rules import RuleBook
from fivedice.errors import FivediceError, IllegalRecord, MalformedError, quote
from fivedice.message import Message, message
from fivedice.players.bots.replayed import ReplayedSeat, replay_bots
from fivedice.table.fairness.promises import check_signature, is_signed


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
