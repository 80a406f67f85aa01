"""`Roll` and `Keep`: dice without an order, as sorted faces; and all of them listed, with their weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Self, TypeAlias, TypeVar

from fivedice.errors import MalformedError, quote

MAX_DICE = 8
MAX_FACE = 9  # so that a die is always one character of text

_SEPARATORS = str.maketrans("", "", " ,-")
_NONE = frozenset({"", "-"})
_WHOLE = frozenset({int})
_FACES = frozenset(range(1, MAX_FACE + 1))

Dice = TypeVar("Dice", bound="Multiset")
AnyDice: TypeAlias = "str | Multiset | Iterable[int]"


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Multiset:
    """A handful of dice; two are equal when they show the same faces in any order."""

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.faces) > MAX_DICE or not _are_faces(self.faces):
            raise MalformedError("dice.not-dice", faces=quote(self.faces), most=MAX_DICE, highest=MAX_FACE)
        object.__setattr__(self, "faces", tuple(sorted(self.faces)))

    @classmethod
    def of(cls, faces: Iterable[int]) -> Self:
        """From faces in any order."""
        return cls(tuple(faces))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read '24466', '2 4 4 6 6', '2-4-4-6-6' or '2,4,4,6,6'; the order does not matter.

        >>> fd.Roll.parse("6 4 2 4 6")
        Roll.parse('24466')
        """
        digits = str(text).translate(_SEPARATORS)
        if not _all_faces(digits) or len(digits) > MAX_DICE:
            raise MalformedError("dice.not-a-roll", text=quote(text))
        return cls(tuple(int(digit) for digit in digits))

    @classmethod
    def read(cls, dice: AnyDice) -> Self:
        """Accept dice however a caller has them at hand: text, dice or faces.

        >>> fd.Keep.read("66") == fd.Keep.read([6, 6])
        True
        """
        if isinstance(dice, str):
            return cls.parse(dice)
        try:
            return dice if isinstance(dice, cls) else cls.of(dice)
        except TypeError:
            raise MalformedError("dice.not-dice", faces=quote(dice), most=MAX_DICE, highest=MAX_FACE) from None

    @property
    def total(self) -> int:
        """The sum of all faces."""
        return sum(self.faces)

    @property
    def counts(self) -> Counter[int]:
        """How many dice show each face."""
        return Counter(self.faces)

    @property
    def alike(self) -> int | None:
        """The common face where all dice show the same one, else None."""
        if not self.faces or self.faces[0] != self.faces[-1]:
            return None
        return self.faces[0]

    def contains(self, other: Multiset) -> bool:
        """Whether all dice of `other` are among these."""
        left = iter(self.faces)  # both are sorted: what was passed by cannot be needed any more
        for face in other.faces:  # noqa: SIM110 - asked for every keep, and `all` would take twice as long
            if face not in left:
                return False
        return True

    def without(self, other: Multiset) -> tuple[int, ...]:
        """The faces left when the dice of `other` are taken away."""
        left = list(self.faces)
        for face in other.faces:
            if face in left:
                left.remove(face)
        return tuple(left)

    def __len__(self) -> int:
        return len(self.faces)

    def __iter__(self) -> Iterator[int]:
        return iter(self.faces)

    def __str__(self) -> str:
        return "".join(map(str, self.faces)) or "-"

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The dice as a picture, for a notebook."""
        from fivedice.drawing import dice_row, picture, row_width  # most programs draw nothing

        size, edge = 40, 2
        width = row_width(size, len(self.faces)) + 2 * edge
        title = "-".join(map(str, self.faces)) or str(self)
        return picture(width, size + 2 * edge, title, dice_row(edge, edge, size, self.faces, slots=1))


class Roll(Multiset):
    """Dice as they lie after a throw: at least one."""

    __slots__ = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.faces:
            raise MalformedError("dice.not-a-roll", text=quote(""))


class Keep(Multiset):
    """Dice held back while the others are thrown again: perhaps none, written '-'."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """As for a roll; '' and '-' are none."""
        return cls(()) if text in _NONE else super().parse(text)


# Every roll and every keep that was asked for, by its sorted faces: there are 24,310 of each at most.
_rolls: dict[tuple[int, ...], Roll] = {}
_keeps: dict[tuple[int, ...], Keep] = {}


def roll_of(faces: tuple[int, ...]) -> Roll:
    """The roll of these faces, in any order; checked once and the same object ever after."""
    known = _rolls.get(tuple(sorted(faces))) if _WHOLE.issuperset(map(type, faces)) else None
    return _remembered(_rolls, Roll(faces)) if known is None else known


def keep_of(faces: tuple[int, ...]) -> Keep:
    """The same for a keep."""
    known = _keeps.get(tuple(sorted(faces))) if _WHOLE.issuperset(map(type, faces)) else None
    return _remembered(_keeps, Keep(faces)) if known is None else known


def as_roll(dice: Multiset) -> Roll:
    """Dice as a roll; their faces are sorted and checked already."""
    known = _rolls.get(dice.faces)
    return _remembered(_rolls, Roll(dice.faces)) if known is None else known


def as_keep(dice: Multiset) -> Keep:
    """Dice as a keep."""
    known = _keeps.get(dice.faces)
    return _remembered(_keeps, Keep(dice.faces)) if known is None else known


def _remembered(known: dict[tuple[int, ...], Dice], made: Dice) -> Dice:
    return known.setdefault(made.faces, made)


def _are_faces(faces: tuple[object, ...]) -> bool:
    """Asked for every handful of dice in a game, so by sets: True and 1.0 equal 1 but are of another type."""
    return _WHOLE.issuperset(map(type, faces)) and _FACES.issuperset(faces)


def _all_faces(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and "0" not in digits


@lru_cache(maxsize=64)
def rolls(dice: int, faces: int = 6) -> tuple[Roll, ...]:
    """All distinct rolls, in ascending order: 252 for five dice."""
    return tuple(Roll(combo) for combo in combinations_with_replacement(range(1, faces + 1), dice))


@lru_cache(maxsize=64)
def keeps(dice: int, faces: int = 6) -> tuple[Keep, ...]:
    """All distinct keeps of at most `dice` dice, smaller ones first: 462 for five dice."""
    sizes = range(dice + 1)
    values = range(1, faces + 1)
    return tuple(Keep(combo) for size in sizes for combo in combinations_with_replacement(values, size))


def keeps_of(roll: AnyDice) -> tuple[Keep, ...]:
    """The distinct keeps inside one roll, the whole roll included."""
    found: set[tuple[int, ...]] = {()}
    for face in Roll.read(roll).faces:
        found |= {(*keep, face) for keep in found}
    return tuple(map(Keep, sorted(found, key=lambda keep: (len(keep), keep))))


def ways(dice: AnyDice) -> int:
    """In how many orders these faces can fall: the weight of a throw out of faces ** dice."""
    fallen = dice if isinstance(dice, Multiset) else Keep.read(dice)
    return factorial(len(fallen)) // prod(map(factorial, fallen.counts.values()))
