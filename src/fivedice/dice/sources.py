"""Where dice come from. A die is a function of its place in the game, so that undoing a throw and
throwing again gives the same dice: nobody can roll for better ones, and a replay is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from struct import Struct
from typing import NamedTuple, Protocol

from fivedice.dice.multiset import Roll
from fivedice.errors import DiceError, MalformedError, quote


class Place(NamedTuple):
    """Which throw of a game this is. Turn 0 is the roll-off; turns and rolls count from 1."""

    turn: int
    roll: int
    throw: int  # how many throws came before it, in the whole game


class DiceSource(Protocol):
    """Anything with these two members can be a game's dice."""

    @property
    def decides_start(self) -> bool:
        """Whether the source may be asked to settle who starts (real and scripted dice are not)."""
        ...

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        """The faces of `count` dice thrown at this place."""
        ...


@dataclass(frozen=True, slots=True)
class SeededDice:
    """Reproducible dice, the same for ever on every machine: SHA-256 in counter mode, no modulo bias."""

    seed: str
    decides_start: bool = field(default=True, init=False)

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:
        turn, roll, _ = place
        label = f"fivedice/{self.seed}/{turn}/{roll}"
        words = _EIGHT_WORDS(sha256(f"{label}/0".encode()).digest())[:count]
        if count != len(words) or max(words, default=_WORDS) >= _WORDS - _WORDS % faces:  # hardly ever
            stream = _unbiased(label, faces)
            return tuple(next(stream) for _ in range(count))
        return tuple([word % faces + 1 for word in words])


@dataclass(frozen=True, slots=True, repr=False)
class ScriptedDice:
    """Throws written down beforehand, taken in order; each entry holds the dice thrown, not the kept."""

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
    """Real dice: the program never throws, a person tells it what fell."""

    decides_start: bool = field(default=False, init=False)

    def throw(self, place: Place, count: int, faces: int) -> tuple[int, ...]:  # noqa: ARG002
        raise DiceError("dice.roll-real-dice", count=count, example=repr("12345612"[:count]))


def seeded(seed: int | str) -> SeededDice:
    """The same seed gives the same game, always."""
    return SeededDice(str(seed))


def fresh() -> SeededDice:
    """Dice that nobody can foresee: a seed of 128 bits from the operating system."""
    from secrets import token_hex  # a slow import that most programs never need

    return SeededDice(token_hex(16))


def scripted(throws: str | Iterable[str]) -> ScriptedDice:
    """`scripted('24466 246')` or `scripted(['24466', '246'])`: the dice of each throw in order."""
    parts = throws.split() if isinstance(throws, str) else list(throws)
    return ScriptedDice(tuple(_thrown(part) for part in parts))


def real() -> RealDice:
    """For a score pad: every roll is entered."""
    return RealDice()


outside = real  # as it was called first


def _thrown(text: str) -> tuple[int, ...]:
    try:
        return Roll.parse(text).faces
    except MalformedError as error:
        raise MalformedError("dice.script-unreadable", text=quote(text)) from error


_EIGHT_WORDS = Struct(">8I").unpack
_WORDS = 2**32  # words are below it


def _unbiased(label: str, faces: int) -> Iterator[int]:
    """Faces from hashed words of 32 bits; words past the last whole multiple of `faces` are thrown away."""
    limit = _WORDS - _WORDS % faces
    block = 0
    while True:
        words = _EIGHT_WORDS(sha256(f"{label}/{block}".encode()).digest())
        yield from (word % faces + 1 for word in words if word < limit)
        block += 1
