"""All combinations that a box can ask for.

A pattern is declared here and nowhere else: the lines of its file with their bounds, how it is matched, when it is
impossible, and the kinds of its sentences in `text/sentences/rules.toml`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import le
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from fivedice.core.dice import MAX_DICE, MAX_FACE, rolls
from fivedice.message import Either, Message, message

if TYPE_CHECKING:
    from fivedice.core.rules.rule_book import Box, RuleBook

Faces: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[tuple[int, int], ...]  # each face with the number of dice that show it
Fault: TypeAlias = tuple[str, Message]  # the line at fault, and why


@dataclass(frozen=True, slots=True)
class Number:
    """A line of the file with one number."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """A line with a list of numbers in any order."""

    low: int
    high: int
    most: int
    falling: bool = False  # whether they are stored in descending order


@dataclass(frozen=True, slots=True)
class Flag:
    """A line with true or false; a missing one is false."""

    label: str  # the message kind of its label in a form


@dataclass(frozen=True, slots=True)
class OfBook:
    """A value that the book defines once for all boxes, under the same name."""


@dataclass(frozen=True, slots=True)
class Part:
    """A line with another pattern, which has no parts itself."""


Detail: TypeAlias = Number | Numbers | Flag | OfBook | Part
Colours: TypeAlias = tuple[tuple[int, ...], ...]  # the faces that share a colour


PATTERNS: dict[str, type[Pattern]] = {}  # all subclasses by their word in a file


class Pattern(ABC):
    """A combination of dice that a box asks for, as a test of sorted faces. All subclasses are in this module."""

    __slots__ = ()

    word: ClassVar[str]  # its name in a file
    label: ClassVar[str]  # the message kind of its name in a list of patterns
    details: ClassVar[Mapping[str, Detail]] = {}  # its other lines in the file, named as its fields
    sums_itself: ClassVar[bool] = True  # whether a box may score only the dice that make it

    def __init_subclass__(cls) -> None:
        PATTERNS[cls.word] = cls

    @abstractmethod
    def matching(self, faces: Faces) -> int | None:
        """Return the highest sum of dice that make the pattern, or None if they do not make it."""
        ...

    def meets(self, faces: Faces) -> bool:
        """Return whether the dice make the pattern."""
        return self.matching(faces) is not None

    def by_joker(self, faces: Faces) -> int | None:
        """Return the sum if all dice are the same and stand for the pattern as a joker."""
        return sum(faces)

    def highest(self, dice: int, faces: int) -> int:
        """Return an upper bound of the sum of the dice that make the pattern."""
        return dice * faces

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:  # noqa: ARG002
        """Yield what the dice of the book cannot show."""
        return iter(())

    @abstractmethod
    def asks(self, book: RuleBook) -> Message:
        """Return a message that says what the dice must show."""
        ...

    def asks_briefly(self, book: RuleBook, *, fixed: bool) -> Message | None:  # noqa: ARG002
        """Return the same in few words, or None if the usual name of the box says it. `fixed`: the points are fixed."""
        return self.asks(book)

    def own_total(self) -> Message | None:
        """Return a short rule for a box that scores these dice only, or None if "their total" is enough."""
        return None

    def essence(self) -> tuple[object, ...]:
        """Return what affects play, for comparing two books."""
        return (self.word, *(getattr(self, name) for name in self.details))

    def table(self) -> dict[str, Any]:
        """Return its lines in a file."""
        own = (name for name, detail in self.details.items() if not isinstance(detail, OfBook))
        return {"pattern": self.word} | {name: _file_value(getattr(self, name)) for name in own}


def format_colours(colours: Colours) -> str:
    """Return colours as people read them: 1+6, 2+5."""
    return ", ".join("+".join(map(str, colour)) for colour in colours)


def _file_value(value: Any) -> Any:
    if isinstance(value, Pattern):
        return value.table()
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class FaceSum(Pattern):
    """All dice of one face: an upper box. A joker gets no more points here."""

    face: int

    word = "face"
    label = "rules.pattern-face"
    details: ClassVar[Mapping[str, Detail]] = {"face": Number(1, MAX_FACE)}

    def matching(self, faces: Faces) -> int | None:
        return self.face * faces.count(self.face) or None

    def by_joker(self, faces: Faces) -> int | None:
        return self.matching(faces)

    def highest(self, dice: int, faces: int) -> int:  # noqa: ARG002
        return dice * self.face

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        if self.face > book.faces:
            yield "face", message("rules.no-such-face", box=box, face=self.face, faces=book.faces)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-face", face=self.face)

    def own_total(self) -> Message:
        return message("rules.total-of-face", face=self.face)


@dataclass(frozen=True, slots=True)
class Groups(Pattern):
    """Groups of equal dice: (3,) three of a kind, (2, 2) two pairs, (3, 2) a full house, (4, 2) a tower."""

    sizes: tuple[int, ...]
    same_face: bool = False  # whether two groups may show the same face (five of a kind as a full house)
    one_colour: bool = False
    colours: Colours = ()

    word = "groups"
    label = "rules.pattern-groups"
    details: ClassVar[Mapping[str, Detail]] = {
        "sizes": Numbers(1, MAX_DICE, MAX_DICE, falling=True),
        "same_face": Flag("rules.flag-same-face"),
        "one_colour": Flag("rules.flag-one-colour"),
        "colours": OfBook(),
    }

    def matching(self, faces: Faces) -> int | None:
        if not self.one_colour:
            return _best_groups(_count_faces(faces), self.sizes, self.same_face)
        coloured = (tuple(face for face in faces if face in colour) for colour in self.colours)
        sums = (_best_groups(_count_faces(each), self.sizes, self.same_face) for each in coloured)
        return max((found for found in sums if found is not None), default=None)

    def meets(self, faces: Faces) -> bool:
        """Return whether the dice make the groups. The largest group takes the face that most dice show, and so on."""
        if self.same_face or self.one_colour:
            return self.matching(faces) is not None
        most = sorted(map(faces.count, set(faces)), reverse=True)
        return len(self.sizes) <= len(most) and all(map(le, self.sizes, most))

    def by_joker(self, faces: Faces) -> int | None:
        return _best_groups(_count_faces(faces), self.sizes, same_face=True)

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        needed, groups = sum(self.sizes), len(self.sizes)
        if self.one_colour and not self.colours:
            yield "one_colour", message("rules.no-colours", box=box)
        elif needed > book.dice:
            yield "sizes", message("rules.groups-need-dice", box=box, sizes=self.sizes, needed=needed, dice=book.dice)
        elif groups > (faces := max(map(len, self.colours)) if self.one_colour else book.faces) and not self.same_face:
            yield "sizes", message("rules.groups-need-faces", box=box, needed=groups, faces=faces)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        asked = self._asks_of_any_colour()
        if not self.one_colour:
            return asked
        return message("rules.asks-one-colour", asks=asked, colours=format_colours(self.colours))

    def _asks_of_any_colour(self) -> Message:
        if self.sizes == (2,):
            return message("rules.asks-pair")
        if len(self.sizes) == 1:
            return message("rules.asks-group", size=self.sizes[0])
        if self._are_pairs:
            kind = "rules.asks-pairs-any" if self.same_face else "rules.asks-pairs"
            return message(kind, count=len(self.sizes))
        return message("rules.asks-groups-any" if self.same_face else "rules.asks-groups", sizes=self.sizes)

    def asks_briefly(self, book: RuleBook, *, fixed: bool) -> Message | None:  # noqa: ARG002
        needed = fixed if len(self.sizes) == 1 else not self._are_pairs
        if self.one_colour:
            return message("rules.brief-groups-one-colour", sizes=" + ".join(map(str, self.sizes)))
        return message("rules.brief-groups", sizes=" + ".join(map(str, self.sizes))) if needed else None

    def own_total(self) -> Message | None:
        if self._are_pairs:
            return message("rules.total-of-pairs", count=len(self.sizes))
        return message("rules.total-of-group", size=self.sizes[0]) if len(self.sizes) == 1 else None

    def essence(self) -> tuple[object, ...]:
        """Return what affects play: flags about several groups do not matter for one group."""
        several = len(self.sizes) > 1
        colours = self.colours if several and self.one_colour else ()
        return self.word, self.sizes, self.same_face and several, colours

    def table(self) -> dict[str, Any]:
        """Return its lines in a file, without flags that would only confuse the reader."""
        lines = Pattern.table(self)
        if len(self.sizes) == 1 and not self.same_face:
            del lines["same_face"]
        if not self.one_colour:
            del lines["one_colour"]
        return lines

    @property
    def _are_pairs(self) -> bool:
        return set(self.sizes) == {2}


@dataclass(frozen=True, slots=True)
class Run(Pattern):
    """A number of faces in a row, from any face."""

    length: int

    word = "run"
    label = "rules.pattern-run"
    details: ClassVar[Mapping[str, Detail]] = {"length": Number(1, MAX_FACE)}
    sums_itself = False

    def matching(self, faces: Faces) -> int | None:
        shown = set(faces)
        runs = (set(range(low, low + self.length)) for low in shown)
        return sum(faces) if any(run <= shown for run in runs) else None

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        if self.length > min(book.faces, book.dice):
            args = {"length": self.length, "dice": book.dice, "faces": book.faces}
            yield "length", message("rules.run-too-long", box=box, **args)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-run", length=self.length)


@dataclass(frozen=True, slots=True)
class Exactly(Pattern):
    """These faces exactly; further dice are free."""

    faces: tuple[int, ...]

    word = "exactly"
    label = "rules.pattern-exactly"
    details: ClassVar[Mapping[str, Detail]] = {"faces": Numbers(1, MAX_FACE, MAX_FACE)}
    sums_itself = False

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if set(self.faces) <= set(faces) else None

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        wanted = self.faces
        if len(wanted) > book.dice or max(wanted) > book.faces or len(set(wanted)) < len(wanted):
            yield "faces", message("rules.faces-impossible", box=box, wanted=wanted, dice=book.dice, faces=book.faces)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-exactly", dice=self)


@dataclass(frozen=True, slots=True)
class Only(Pattern):
    """Every die shows one of these faces."""

    faces: tuple[int, ...]

    word = "only"
    label = "rules.pattern-only"
    details: ClassVar[Mapping[str, Detail]] = {"faces": Numbers(1, MAX_FACE, MAX_FACE)}

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if set(faces) <= set(self.faces) else None

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        if max(self.faces) > book.faces or len(set(self.faces)) < len(self.faces):
            yield "faces", message("rules.no-such-faces", box=box, wanted=self.faces, faces=book.faces)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-only", faces=Either(self.faces))


@dataclass(frozen=True, slots=True)
class Parity(Pattern):
    """All dice even or all odd; or their total."""

    odd: bool = False
    of_total: bool = False

    word = "parity"
    label = "rules.pattern-parity"
    details: ClassVar[Mapping[str, Detail]] = {
        "odd": Flag("rules.flag-odd"),
        "of_total": Flag("rules.flag-of-total"),
    }

    def matching(self, faces: Faces) -> int | None:
        asked = (sum(faces),) if self.of_total else faces
        return sum(faces) if all(number % 2 == self.odd for number in asked) else None

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        if self.of_total:
            return message("rules.asks-odd-total" if self.odd else "rules.asks-even-total")
        return message("rules.asks-odd" if self.odd else "rules.asks-even")


@dataclass(frozen=True, slots=True)
class Total(Pattern):
    """Dice with exactly this sum."""

    total: int

    word = "total"
    label = "rules.pattern-total"
    details: ClassVar[Mapping[str, Detail]] = {"total": Number(1, MAX_DICE * MAX_FACE)}

    def matching(self, faces: Faces) -> int | None:
        return self.total if sum(faces) == self.total else None

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        low, high = book.dice, book.dice * book.faces
        if not low <= self.total <= high:
            yield "total", message("rules.total-impossible", box=box, total=self.total, low=low, high=high)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-total", total=self.total)


@dataclass(frozen=True, slots=True)
class Flush(Pattern):
    """All dice of one colour."""

    colours: Colours = ()

    word = "flush"
    label = "rules.pattern-flush"
    details: ClassVar[Mapping[str, Detail]] = {"colours": OfBook()}

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if any(set(faces) <= set(colour) for colour in self.colours) else None

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:  # noqa: ARG002
        if not self.colours:
            yield "pattern", message("rules.no-colours", box=box)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-flush", colours=format_colours(self.colours))


@dataclass(frozen=True, slots=True)
class Both(Pattern):
    """Two patterns at once."""

    first: Pattern
    second: Pattern

    word = "both"
    label = "rules.pattern-both"
    details: ClassVar[Mapping[str, Detail]] = {"first": Part(), "second": Part()}
    sums_itself = False

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if self.first.meets(faces) and self.second.meets(faces) else None

    def faults(self, box: Box, book: RuleBook) -> Iterator[Fault]:
        for line, part in (("first", self.first), ("second", self.second)):
            for _, reason in part.faults(box, book):
                yield line, reason
        if not _is_possible(self, book.dice, book.faces):
            yield "second", message("rules.never-both", box=box)

    def asks(self, book: RuleBook) -> Message:
        return message("rules.asks-both", first=self.first.asks(book), second=self.second.asks(book))

    def essence(self) -> tuple[object, ...]:
        """Return what affects play; the order of the two patterns does not."""
        return self.word, *sorted((self.first.essence(), self.second.essence()), key=repr)


@dataclass(frozen=True, slots=True)
class AllAlike(Pattern):
    """All dice the same, for any number of dice."""

    word = "alike"
    label = "rules.pattern-alike"

    def matching(self, faces: Faces) -> int | None:
        return sum(faces) if len(set(faces)) == 1 else None

    def asks(self, book: RuleBook) -> Message:
        return message("rules.asks-alike", dice=book.dice)


@dataclass(frozen=True, slots=True)
class Anything(Pattern):
    """Any dice: the pattern of Chance."""

    word = "anything"
    label = "rules.pattern-anything"

    def matching(self, faces: Faces) -> int | None:
        return sum(faces)

    def asks(self, book: RuleBook) -> Message:  # noqa: ARG002
        return message("rules.asks-anything")

    def asks_briefly(self, book: RuleBook, *, fixed: bool) -> None:  # noqa: ARG002
        return None


@lru_cache(maxsize=1024)  # a form reads the book after every change, and eight dice have thousands of rolls
def _is_possible(pattern: Pattern, dice: int, faces: int) -> bool:
    """Return whether any roll makes the pattern."""
    return any(pattern.meets(roll.faces) for roll in rolls(dice, faces))


@lru_cache(maxsize=4096)
def _best_groups(counts: Counts, sizes: tuple[int, ...], same_face: bool) -> int | None:
    """Give each group a face in every possible way, and return the highest sum.

    If all groups have the same size, the highest faces are best. Trying every order would take minutes with eight dice.
    """
    if len(set(sizes)) == 1:
        size, groups = sizes[0], len(sizes)
        able = [face for face, have in reversed(counts) for _ in range(have // size if same_face else have >= size)]
        return size * sum(able[:groups]) if len(able) >= groups else None
    size, rest = sizes[0], sizes[1:]
    sums = []
    for face, have in counts:
        if have >= size:
            left = tuple((f, n - size if same_face else 0) if f == face else (f, n) for f, n in counts)
            remainder = _best_groups(left, rest, same_face)
            if remainder is not None:
                sums.append(size * face + remainder)
    return max(sums, default=None)


@lru_cache(maxsize=4096)  # several boxes need it for each roll
def _count_faces(faces: Faces) -> Counts:
    return tuple((face, faces.count(face)) for face in sorted(set(faces)))
