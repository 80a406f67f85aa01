"""Where dice come from.

A die is a function of its place in the game. So a roll that is undone and made again gives the same dice, players
cannot try again for better ones, and a replay is exact.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from struct import Struct
from typing import NamedTuple, Protocol

from fivedice.core.dice.multiset import Roll
from fivedice.errors import DiceError, MalformedError, quote


class Place(NamedTuple):
    """Which throw of a game this is. Turn 0 is the roll-off; turns and rolls count from 1."""

    turn: int
    roll: int
    throw: int  # the number of throws before it in the whole game


class DiceSource(Protocol):
    """The protocol of a source of dice: any object with these two members can be the dice of a game.

    >>> class Sixes:
    ...     decides_start = False
    ...     def throw(self, place, count, faces):
    ...         return (faces,) * count
    >>> fd.Game.new("yatzy", dice=Sixes()).roll().after.roll
    Roll.parse('66666')
    """

    @property
    def decides_start(self) -> bool:
        """Return whether the source may decide who starts. Real and scripted dice may not."""
        ...

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        """Return the faces of `count` dice thrown at `place`, each from 1 to `faces`."""
        ...


@dataclass(frozen=True, slots=True)
class SeededDice:
    """Dice that follow from a seed, the same on every machine: SHA-256 in counter mode, without modulo bias."""

    seed: str
    decides_start: bool = field(default=True, init=False)

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        turn, roll, _ = place
        label = f"fivedice/{self.seed}/{turn}/{roll}"
        words = _EIGHT_WORDS(sha256(f"{label}/0".encode()).digest())[:count]
        if count != len(words) or max(words, default=_WORDS) >= _WORDS - _WORDS % faces:  # rare
            stream = _generate_faces(label, faces)
            return tuple(next(stream) for _ in range(count))
        return tuple([word % faces + 1 for word in words])


@dataclass(frozen=True, slots=True, repr=False)
class ScriptedDice:
    """Throws that were written down in advance, taken in order.

    Each has the dice thrown, without those that were kept.
    """

    throws: tuple[tuple[int, ...], ...]
    decides_start: bool = field(default=False, init=False)

    def __repr__(self) -> str:
        return f"<ScriptedDice of {len(self.throws)} throws>"

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        if place.throw >= len(self.throws):
            raise DiceError("dice.script-used-up", count=len(self.throws))
        dice = self.throws[place.throw]
        if len(dice) != count or max(dice) > faces:
            number = place.throw + 1
            raise DiceError("dice.script-mismatch", number=number, dice=Roll(dice), count=count, faces=faces)
        return dice


@dataclass(frozen=True, slots=True)
class RealDice:
    """Real dice: a person enters each roll, and `throw` raises DiceError."""

    decides_start: bool = field(default=False, init=False)

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:  # noqa: ARG002
        raise DiceError("dice.roll-real-dice", count=count, example=repr("12345612"[:count]))


def seeded(seed: int | str) -> SeededDice:
    """Return dice that follow from `seed`: the same seed always gives the same game.

    >>> game = fd.Game.new("yatzy", dice=fd.dice.seeded(7))
    >>> game.roll().after.roll
    Roll.parse('22566')
    """
    return SeededDice(str(seed))


def fresh() -> SeededDice:
    """Return unpredictable dice: their seed is 128 bits from the operating system.

    >>> fd.dice.fresh() == fd.dice.fresh()
    False
    """
    from secrets import token_hex  # a slow import, rarely needed

    return SeededDice(token_hex(16))


def scripted(throws: str | Iterable[str]) -> ScriptedDice:
    """Return dice that show these throws in order: `"24466 246"` or `["24466", "246"]`.

    Each throw has only the dice that are rolled then. Raise MalformedError if one is not a roll. A game raises
    DiceError when the throws are used up, or when one has another number of dice than are rolled.

    >>> game = fd.Game.new("yatzy", dice=fd.dice.scripted("24466 246"))
    >>> game.roll().after.roll
    Roll.parse('24466')
    """
    parts = throws.split() if isinstance(throws, str) else list(throws)
    return ScriptedDice(tuple(_parse_throw(part) for part in parts))


def real() -> RealDice:
    """Return real dice, for a score pad: enter every roll with `Game.roll(dice)`.

    >>> fd.Game.new("yatzy", dice=fd.dice.real()).roll("24466").after.roll
    Roll.parse('24466')
    """
    return RealDice()


outside = real  # the former name


def _parse_throw(text: str) -> tuple[int, ...]:
    try:
        return Roll.parse(text).faces
    except MalformedError as error:
        raise MalformedError("dice.script-unreadable", text=quote(text)) from error


_EIGHT_WORDS = Struct(">8I").unpack
_WORDS = 2**32  # the number of different words


def _generate_faces(label: str, faces: int) -> Iterator[int]:
    """Yield faces from hashed 32-bit words, and skip words past the last whole multiple of `faces`."""
    limit = _WORDS - _WORDS % faces
    block = 0
    while True:
        words = _EIGHT_WORDS(sha256(f"{label}/{block}".encode()).digest())
        yield from (word % faces + 1 for word in words if word < limit)
        block += 1


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
    """Dice that anyone can check after the game, derived from a secret and the facts that are public from the start.

    Before the seats are locked, the table shows the SHA-256 of the secret, so it cannot change the secret later. The
    players add texts of their own, so the table could not choose a secret that gives certain dice. Each die is the
    HMAC-SHA256, under the secret, of the public facts of the game (rules, names, texts) and the place of the die in the
    game. The secret is revealed when the game is over. Then anyone can derive every die again:
    web/static/verify_dice.py does it with the standard library alone.

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
