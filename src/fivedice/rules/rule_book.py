"""A rule book as frozen data. Games differ by what stands here and by nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from fivedice.dice import Roll
from fivedice.errors import IllegalError, quote
from fivedice.rules.joker_steps import AlikePolicy, JokerStep, ScoreAs
from fivedice.rules.patterns import AllAlike, FaceSum, Pattern

WHOLE_GAME = "the game"  # what a note explains that names no line  # no sentence
MAX_ROLLS = 9
TALLY_CODE = "yb"  # how notation writes the extra payments; no box may be called so

Names: TypeAlias = Mapping[str, str]  # a language to what something is called in it


class Section(StrEnum):
    """Only the upper section counts towards the bonus."""

    UPPER = "upper"
    LOWER = "lower"


class Summed(StrEnum):
    """Points that depend on the dice: all of them, or only those that make the pattern."""

    ALL = "all"
    MATCHING = "matching"


class Start(StrEnum):
    """Who begins the first game."""

    ROLL_OFF = "roll-off"
    DRAW = "draw"


class Layout(StrEnum):
    """The pad: one sheet per player with columns for games, or one sheet with a column per player."""

    GAMES = "games"
    PLAYERS = "players"


LONGEST_SHORT = 8


@dataclass(frozen=True, slots=True)
class Box:
    """One line of the sheet."""

    key: str
    name: str
    code: str
    section: Section
    pattern: Pattern
    points: int | Summed
    short: str = ""  # for a narrow column
    names: Names = field(default_factory=dict, compare=False, repr=False)

    @property
    def short_label(self) -> Label:
        """What stands in a narrow column: the short form, else a name that is short itself, else the code."""
        return Label(self.short or (self.name if len(self.name) <= LONGEST_SHORT else self.code))

    def plain(self, faces: tuple[int, ...]) -> int:
        """What these faces are worth here by themselves."""
        return self._points(self.pattern.matching(faces), faces)

    def by_joker(self, faces: tuple[int, ...]) -> int:
        """What they are worth where the book lets them stand in for anything."""
        return self._points(self.pattern.by_joker(faces), faces)

    def _points(self, matching: int | None, faces: tuple[int, ...]) -> int:
        if matching is None:
            return 0
        if isinstance(self.points, int):
            return self.points
        return sum(faces) if self.points is Summed.ALL else matching


@dataclass(frozen=True, slots=True)
class Bonus:
    """Paid once when the upper total reaches the threshold."""

    threshold: int
    points: int


@dataclass(frozen=True, slots=True)
class Label:
    """What a line of the sheet is called, in the book's own language and in others."""

    name: str
    names: Names = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sheet:
    """How the pad looks and what its lines are called; nothing here changes play."""

    layout: Layout
    columns: int
    upper: str
    lower: str
    upper_total: str
    bonus: str
    upper_with_bonus: str
    extra: str
    lower_total: str
    grand_total: str
    names: Mapping[str, Names] = field(default_factory=dict, compare=False, repr=False)  # by the name of the line

    def label(self, line: str) -> Label:
        """What a line is called: `label("upper")`."""
        return Label(getattr(self, line), self.names.get(line, {}))


SHEET_LINES = tuple(line.name for line in fields(Sheet) if line.name not in {"layout", "columns", "names"})


@dataclass(frozen=True, slots=True)
class Note:
    """A rule in our words; `ours` marks a reading that the document leaves open."""

    key: str
    title: str
    text: str
    ours: bool
    about: str = WHOLE_GAME  # the path of the line that it explains: see `merge`


@dataclass(frozen=True, slots=True)
class Worth:
    """One roll in every box of a book, in sheet order."""

    plain: tuple[int, ...]
    joker: tuple[int, ...]


@dataclass(frozen=True)  # without slots, so that derived facts can be cached on the frozen value
class RuleBook:
    """The whole of a game's rules."""

    key: str
    name: str
    summary: str
    source: str
    variant: bool
    dice: int
    faces: int
    rolls: int
    fixed_order: bool
    start: Start
    boxes: tuple[Box, ...]
    bonus: Bonus | None
    alike: AlikePolicy | None
    sheet: Sheet
    notes: tuple[Note, ...]
    extends: str | None = None  # the shipped book that this one was laid over
    names: Names = field(default_factory=dict, compare=False, repr=False)
    _worths: dict[Roll, Worth] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<RuleBook {self.key!r}>"

    @cached_property
    def index(self) -> dict[str, int]:
        """Box key to its place on the sheet."""
        return {box.key: place for place, box in enumerate(self.boxes)}

    @cached_property
    def labels(self) -> dict[str, Label]:
        """What the lines of the sheet are called, by their names in the file."""
        return {line: self.sheet.label(line) for line in SHEET_LINES}

    @cached_property
    def by_code(self) -> dict[str, Box]:
        return {box.code: box for box in self.boxes}

    @cached_property
    def _by_word(self) -> dict[str, Box]:
        """Every word that means a box; the loader has seen to it that none means two."""
        return {word: box for box in self.boxes for word in (box.key, box.code, box.name.casefold())}

    @cached_property
    def full(self) -> int:
        """The mask of a card with every box filled; bit i stands for boxes[i]."""
        return (1 << len(self.boxes)) - 1

    @cached_property
    def upper(self) -> int:
        """The mask of the upper section."""
        return _mask(self.in_upper)

    @cached_property
    def in_upper(self) -> tuple[bool, ...]:
        """For each box, whether it is in the upper section."""
        return tuple(box.section is Section.UPPER for box in self.boxes)

    @cached_property
    def face_boxes(self) -> tuple[int, ...]:
        """For each face (0 unused) the mask of the boxes that count it."""
        wanted = [FaceSum(face) for face in range(self.faces + 1)]
        return tuple(_mask(box.pattern == face for box in self.boxes) for face in wanted)

    @cached_property
    def alike_box(self) -> int | None:
        """Where all dice alike are written: the box of the policy, or the first with that pattern."""
        if self.alike is not None:
            return self.index[self.alike.box]
        places = (place for place, box in enumerate(self.boxes) if isinstance(box.pattern, AllAlike))
        return next(places, None)

    def box(self, name: str) -> Box:
        """Find a box by key, code or the name on the sheet."""
        found = self._by_word.get(name.strip().casefold())
        if found is None:
            raise IllegalError("rules.unknown-box", book=self, box=quote(name), known=tuple(self.index))
        return found

    def highest(self, box: Box) -> int:
        """A bound on what a box can hold; exact for the upper boxes of a face."""
        if isinstance(box.points, int):
            return box.points
        return box.pattern.highest(self.dice, self.faces) if box.points is Summed.MATCHING else self.dice * self.faces

    def check_roll(self, roll: Roll) -> None:
        """Refuse a roll that this book's dice cannot show."""
        if len(roll) != self.dice or roll.faces[-1] > self.faces:
            raise IllegalError("rules.other-dice", book=self, dice=self.dice, faces=self.faces, roll=roll)

    def decide_alike(self, face: int, available: int, *, face_open: bool) -> tuple[JokerStep, int] | None:
        """Ask the joker steps where all dice alike may go among the available boxes (a mask)."""
        if self.alike is None:
            return None
        return self.alike.decide(available, self.face_boxes[face], self.upper, face_open=face_open)

    def worth(self, roll: Roll) -> Worth:
        """Points of a roll in every box; remembered, since there are only a few hundred rolls."""
        known = self._worths.get(roll)
        if known is None:
            self.check_roll(roll)
            plain = tuple(box.plain(roll.faces) for box in self.boxes)
            joker = plain if roll.alike is None else tuple(box.by_joker(roll.faces) for box in self.boxes)
            known = self._worths[roll] = Worth(plain, joker)
        return known

    def points_as(self, roll: Roll, score_as: ScoreAs) -> tuple[int, ...]:
        """Points of a roll in every box as a joker step has it score."""
        if score_as is ScoreAs.ZERO:
            return (0,) * len(self.boxes)
        worth = self.worth(roll)
        return worth.joker if score_as is ScoreAs.JOKER else worth.plain

    @cached_property
    def fingerprint(self) -> str:
        """Changes exactly when play changes."""
        from fivedice.rules.fingerprint import fingerprint  # it reads whole books, so it comes after them

        return fingerprint(self)


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
