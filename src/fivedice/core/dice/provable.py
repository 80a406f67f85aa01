"""Dice that anyone can check after the game.

Before the seats are locked, the table shows the SHA-256 of a secret, so it cannot change the secret later. The players
add texts of their own, so the table could not choose a secret that gives certain dice. Each die is the HMAC-SHA256,
under the secret, of the public facts of the game (rules, names, texts) and the place of the die in the game. The secret
is revealed when the game is over. Then anyone can derive every die again: web/static/verify_dice.py does it with the
standard library alone.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from fivedice.core.dice.sources import Place

SCHEME = "fivedice-1"
_BLOCK = 64  # bytes, of SHA-256
LONGEST_TEXT = 200  # characters that a player may add


def commitment(secret: str) -> str:
    """Return the SHA-256 of a secret, which is shown before the game: the same as `printf %s SECRET | sha256sum`.

    >>> fd.dice.commitment("secret")[:16]
    '2bb80d537b1da3e3'
    """
    return sha256(encode_text(secret)).hexdigest()


def encode_text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # a damaged record may have half a character


@dataclass(frozen=True, repr=False)
class ProvableDice:
    """The dice of one game, derived from a secret and from the facts that are public when the seats are locked.

    `fingerprint` is that of the rules, `players` are the names and `texts` what each player added, by seat.

    >>> dice = fd.dice.ProvableDice("secret", players=("Ann",), texts=("my text",))
    >>> game = fd.Game.new("yatzy", ["Ann"], dice=dice)
    >>> game.roll().after.roll
    Roll.parse('12456')
    """

    secret: str
    fingerprint: str = ""  # of the rules
    players: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # added by the players, in the order of the seats
    kept: str = ""  # the hash of the public facts, if a name or a text has been removed since
    decides_start: bool = field(default=True, init=False)

    def __repr__(self) -> str:
        return f"<ProvableDice with the lock {commitment(self.secret)}>"  # never the secret: this may be logged

    @cached_property
    def known(self) -> str:
        """Return the hash of everything public. It is taken of JSON, so no text can pass for a part of the next one.

        >>> len(fd.dice.ProvableDice("secret", players=("Ann",)).known)
        64
        """
        public = [self.fingerprint, self.players, self.texts]
        return self.kept or sha256(json.dumps(public, separators=(",", ":")).encode()).hexdigest()

    @cached_property
    def _key(self) -> bytes:
        """Return the HMAC key. A key longer than a block is hashed here once, not for every die."""
        key = encode_text(self.secret)
        return key if len(key) <= _BLOCK else sha256(key).digest()

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        """Return the faces of `count` dice that are thrown at `place`, each from 1 to `faces`.

        >>> fd.dice.ProvableDice("secret").throw(fd.dice.Place(turn=1, roll=1, throw=0), 5, 6)
        (4, 4, 6, 4, 2)
        """
        return tuple(self.die(place.turn, place.roll, die, faces) for die in range(count))

    def die(self, turn: int, roll: int, die: int, faces: int) -> int:
        """Return one die of a turn and a roll (both from 1). `die` counts from 0.

        Bytes past the last whole multiple of `faces` are skipped, so all faces are equally likely.

        >>> fd.dice.ProvableDice("secret").die(turn=1, roll=1, die=0, faces=6)
        4
        """
        limit, block = 256 - 256 % faces, 0
        while True:
            word = f"{SCHEME}/{self.known}/{turn}/{roll}/{die}/{block}"
            for byte in hmac.digest(self._key, word.encode(), "sha256"):
                if byte < limit:
                    return byte % faces + 1
            block += 1
