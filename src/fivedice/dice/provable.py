"""Dice that anyone can check afterwards.

Before the seats are locked the table shows the SHA-256 of a secret: from then on it cannot choose another one. The
players add texts of their own, so that the table could not have chosen its secret with the dice in mind. Each die is
the HMAC-SHA256, under the secret, of what is known of the game (book, names, texts) and of the die's place in it. When
the game is over the secret is told, and every die can be derived again (web/static/verify_dice.py does it with the standard
library alone).
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from fivedice.dice.sources import Place

SCHEME = "fivedice-1"
_BLOCK = 64  # bytes, of SHA-256
LONGEST_TEXT = 200  # of what a player adds: plenty for dice thrown at home, too little to be a burden


def commitment(secret: str) -> str:
    """What is shown of a secret before the game; `printf %s SECRET | sha256sum` says the same."""
    return sha256(_bytes(secret)).hexdigest()


def _bytes(secret: str) -> bytes:
    """A damaged record may hold halves of characters: those are wrong, but no reason to fall over."""
    return secret.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, repr=False)
class ProvableDice:
    """The dice of one game: a secret, and what everybody knows when the seats are locked."""

    secret: str
    fingerprint: str = ""  # of the book
    players: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # what each player added, in the order of the seats
    kept: str = ""  # what was known, where a name or a text has been removed since
    decides_start: bool = field(default=True, init=False)

    def __repr__(self) -> str:
        return f"<ProvableDice with the lock {commitment(self.secret)}>"  # not the secret: a log may show it

    @cached_property
    def known(self) -> str:
        """Everything public as one word of fixed length: quoted as JSON, nothing can move from one text to the next."""
        public = [self.fingerprint, self.players, self.texts]
        return self.kept or sha256(json.dumps(public, separators=(",", ":")).encode()).hexdigest()

    @cached_property
    def _key(self) -> bytes:
        """HMAC hashes a key that is longer than a block: here once, not for every die."""
        key = _bytes(self.secret)
        return key if len(key) <= _BLOCK else sha256(key).digest()

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        """The faces of `count` dice thrown at this place."""
        return tuple(self.die(place.turn, place.roll, die, faces) for die in range(count))

    def die(self, turn: int, roll: int, die: int, faces: int) -> int:
        """One die: bytes past the last whole multiple of `faces` are passed over, so that no face is favoured."""
        limit, block = 256 - 256 % faces, 0
        while True:
            word = f"{SCHEME}/{self.known}/{turn}/{roll}/{die}/{block}"
            for byte in hmac.digest(self._key, word.encode(), "sha256"):
                if byte < limit:
                    return byte % faces + 1
            block += 1
