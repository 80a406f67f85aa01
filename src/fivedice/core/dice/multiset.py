"""`Roll` and `Keep`: dice in no particular order, as sorted faces; and lists of all rolls and keeps."""

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
MAX_FACE = 9  # one character of text per die

_SEPARATORS = str.maketrans("", "", " ,-")
_NONE = frozenset({"", "-"})
_WHOLE = frozenset({int})
_FACES = frozenset(range(1, MAX_FACE + 1))

Dice = TypeVar("Dice", bound="Multiset")
AnyDice: TypeAlias = "str | Multiset | Iterable[int]"


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Multiset:
    """Dice in no particular order, as sorted faces: what `Roll` and `Keep` have in common.

    Two are equal if they show the same faces. Any with more than 8 dice, or a face outside 1 to 9, raises
    MalformedError.

    >>> fd.Roll((6, 4, 2, 4, 6)).faces
    (2, 4, 4, 6, 6)
    """

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        # Sets are quick, and types are compared because True and 1.0 equal 1.
        are_faces = _WHOLE.issuperset(map(type, self.faces)) and _FACES.issuperset(self.faces)
        if len(self.faces) > MAX_DICE or not are_faces:
            raise MalformedError("dice.not-dice", faces=quote(self.faces), most=MAX_DICE, highest=MAX_FACE)
        object.__setattr__(self, "faces", tuple(sorted(self.faces)))

    @classmethod
    def of(cls, faces: Iterable[int]) -> Self:
        """Build dice from `faces` in any order. Raise MalformedError if they are not faces of dice.

        >>> fd.Roll.of([6, 4, 2, 4, 6])
        Roll.parse('24466')
        """
        return cls(tuple(faces))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read dice from text such as '24466', '2 4 4 6 6', '2-4-4-6-6' or '2,4,4,6,6', in any order.

        Raise MalformedError if the text is anything else.

        >>> fd.Roll.parse("6 4 2 4 6")
        Roll.parse('24466')
        """
        digits = str(text).translate(_SEPARATORS)
        if not (digits.isascii() and digits.isdigit() and "0" not in digits) or len(digits) > MAX_DICE:
            raise MalformedError("dice.not-a-roll", text=quote(text))
        return cls(tuple(int(digit) for digit in digits))

    @classmethod
    def read(cls, dice: AnyDice) -> Self:
        """Convert `dice` (text, dice or a list of faces) to this class. Raise MalformedError if they are not dice.

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
        """Return the sum of all faces.

        >>> fd.Roll.parse("24466").total
        22
        """
        return sum(self.faces)

    @property
    def counts(self) -> Counter[int]:
        """Return how many dice show each face.

        >>> fd.Roll.parse("24466").counts[4]
        2
        """
        return Counter(self.faces)

    @property
    def alike(self) -> int | None:
        """Return the face that all dice show, or None if they differ.

        >>> fd.Roll.parse("44444").alike, fd.Roll.parse("44446").alike
        (4, None)
        """
        if not self.faces or self.faces[0] != self.faces[-1]:
            return None
        return self.faces[0]

    def contains(self, other: Multiset) -> bool:
        """Return whether all dice of `other` are among these.

        >>> fd.Roll.parse("24466").contains(fd.Keep.parse("66"))
        True
        """
        left = iter(self.faces)  # both are sorted, so one pass is enough
        for face in other.faces:  # noqa: SIM110 - called for every keep, and `all` takes twice as long
            if face not in left:
                return False
        return True

    def without(self, other: Multiset) -> tuple[int, ...]:
        """Return the faces that are left when the dice of `other` are taken away.

        >>> fd.Roll.parse("24466").without(fd.Keep.parse("66"))
        (2, 4, 4)
        """
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
        """Return the dice as a picture for a notebook."""
        from fivedice.drawing.svg import dice_row, picture, row_width  # a late import: few programs draw

        size, edge = 40, 2
        width = row_width(size, len(self.faces)) + 2 * edge
        title = "-".join(map(str, self.faces)) or str(self)
        return picture(width, size + 2 * edge, title, dice_row(edge, edge, size, self.faces, slots=1))


class Roll(Multiset):
    """The dice on the table after a roll: at least one.

    Use `parse` for text, `of` for faces, or `read` for either. Anything else raises MalformedError.

    >>> roll = fd.Roll.parse("24466")
    >>> roll.total, len(roll), str(roll)
    (22, 5, '24466')
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.faces:
            raise MalformedError("dice.not-a-roll", text=quote(""))


class Keep(Multiset):
    """The dice that a player keeps while the others are rolled again. It may be empty, which is written '-'.

    >>> len(fd.Keep.parse("66")), len(fd.Keep.parse("-"))
    (2, 0)
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a keep as `Roll.parse` reads a roll; '' and '-' are no dice. Raise MalformedError for other text.

        >>> fd.Keep.parse("")
        Keep.parse('-')
        """
        return cls(()) if text in _NONE else super().parse(text)


# All rolls and keeps used so far, by their sorted faces: at most 24,310 of each.
_rolls: dict[tuple[int, ...], Roll] = {}
_keeps: dict[tuple[int, ...], Keep] = {}


def roll_of(faces: tuple[int, ...]) -> Roll:
    """Return the roll of these faces in any order. It is checked once and then reused."""
    known = _rolls.get(tuple(sorted(faces))) if _WHOLE.issuperset(map(type, faces)) else None
    return _intern(_rolls, Roll(faces)) if known is None else known


def keep_of(faces: tuple[int, ...]) -> Keep:
    """Return the keep of these faces in any order. It is checked once and then reused."""
    known = _keeps.get(tuple(sorted(faces))) if _WHOLE.issuperset(map(type, faces)) else None
    return _intern(_keeps, Keep(faces)) if known is None else known


def as_roll(dice: Multiset) -> Roll:
    """Return the roll with the faces of `dice`."""
    known = _rolls.get(dice.faces)
    return _intern(_rolls, Roll(dice.faces)) if known is None else known


def as_keep(dice: Multiset) -> Keep:
    """Return the keep with the faces of `dice`."""
    known = _keeps.get(dice.faces)
    return _intern(_keeps, Keep(dice.faces)) if known is None else known


def _intern(known: dict[tuple[int, ...], Dice], dice: Dice) -> Dice:
    return known.setdefault(dice.faces, dice)


@lru_cache(maxsize=64)
def rolls(dice: int, faces: int = 6) -> tuple[Roll, ...]:
    """Return all distinct rolls of this many dice in ascending order: 252 for five dice of six faces.

    >>> len(fd.dice.rolls(5)), fd.dice.rolls(2, faces=2)
    (252, (Roll.parse('11'), Roll.parse('12'), Roll.parse('22')))
    """
    return tuple(Roll(combo) for combo in combinations_with_replacement(range(1, faces + 1), dice))


@lru_cache(maxsize=64)
def keeps(dice: int, faces: int = 6) -> tuple[Keep, ...]:
    """Return all distinct keeps of at most `dice` dice, the smaller ones first: 462 for five dice of six faces.

    >>> len(fd.dice.keeps(5)), fd.dice.keeps(1, faces=2)
    (462, (Keep.parse('-'), Keep.parse('1'), Keep.parse('2')))
    """
    sizes = range(dice + 1)
    values = range(1, faces + 1)
    return tuple(Keep(combo) for size in sizes for combo in combinations_with_replacement(values, size))


def keeps_of(roll: AnyDice) -> tuple[Keep, ...]:
    """Return the distinct keeps of one roll, from none of its dice to all. Raise MalformedError if it is not a roll.

    >>> [str(keep) for keep in fd.dice.keeps_of("446")]
    ['-', '4', '6', '44', '46', '446']
    """
    found: set[tuple[int, ...]] = {()}
    for face in Roll.read(roll).faces:
        found |= {(*keep, face) for keep in found}
    return tuple(map(Keep, sorted(found, key=lambda keep: (len(keep), keep))))


def ways(dice: AnyDice) -> int:
    """Return in how many orders these faces can be rolled. Divided by faces ** dice, that is their probability.

    Raise MalformedError for anything but dice.

    >>> fd.dice.ways("11"), fd.dice.ways("12")
    (1, 2)
    """
    rolled = dice if isinstance(dice, Multiset) else Keep.read(dice)
    return factorial(len(rolled)) // prod(map(factorial, rolled.counts.values()))
