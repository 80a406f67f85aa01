"""A message before it becomes a sentence: a kind and its arguments.

Code works with these values. `fivedice.text` makes the sentence last, in the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Message:
    """A kind such as "game.box-filled" and the values in its sentence. The tables in `words` list all kinds."""

    kind: str
    args: Mapping[str, object]

    def __hash__(self) -> int:
        return hash(self.kind)

    def __str__(self) -> str:
        return _find_speaker()(self)


@cache
def _find_speaker() -> Callable[[Message], str]:
    from fivedice.text import say  # a late import: the engine loads no words until a sentence is needed

    return say


def message(kind: str, /, **args: object) -> Message:
    return Message(kind, args)


@dataclass(frozen=True, slots=True)
class Who:
    """A player as one reader sees them. `name` is None for someone who gave none; `you` is the reader."""

    number: int  # counted from 1
    name: str | None = None
    you: bool = False
    former: bool = False  # whether their data was deleted


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability from 0 to 1, shown as 47%, under 1% or over 99%."""

    value: float


@dataclass(frozen=True, slots=True)
class Signed:
    """A number with its sign, such as +3."""

    value: float


@dataclass(frozen=True, slots=True)
class Either:
    """Several things of which one is meant: a, b or c. A plain tuple is a, b and c."""

    items: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Whole sentences that follow each other."""

    items: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """Several things in a row, without a word between them: a, b, c."""

    items: tuple[object, ...]
