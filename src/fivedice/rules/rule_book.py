"""A rule book as frozen data. Games differ by what stands here and by nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from fivedice.dice import Roll
from fivedice.errors import IllegalError, quote
from fivedice.rules.joker_steps import AlikePolicy, JokerStep, ScoreAs
from fivedice.rules.patterns import AllAlike, Colours, FaceSum, Pattern

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


@dataclass(frozen=True, slots=True)
class SumPlus:
    """So many points and those of the dice."""

    constant: int
    dice: Summed

    def __str__(self) -> str:
        return f"{self.constant} + {self.dice}"


class Order(StrEnum):
    """Which of the open boxes may be filled."""

    FREE = "free"
    SHEET = "sheet"  # the first of the sheet
    UPPER_FIRST = "upper_first"  # none of the lower section while one of the upper is open


class Start(StrEnum):
    """Who begins the first game."""

    ROLL_OFF = "roll-off"
    DRAW = "draw"


class Layout(StrEnum):
    """The pad: one sheet per player with columns for games, or one sheet with a column per player."""

    GAMES = "games"
    PLAYERS = "players"


class Captions(StrEnum):
    """How printed sheets say what a box scores."""

    PLAIN = "plain"  # "Total of the 4s"
    CARD = "card"  # "Count and add only Fours", as the cards of Yardzee and Yahtzee have it


LONGEST_SHORT = 8


@dataclass(frozen=True, slots=True, repr=False)
class Box:
    """One line of the sheet."""

    key: str
    name: str
    code: str
    section: Section
    pattern: Pattern
    points: int | Summed | SumPlus
    short: str = ""  # for a narrow column
    names: Names = field(default_factory=dict, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Box {self.key!r} ({self.code}): {self.name!r}>"

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
        counted, constant = self.summed, self.constant
        if counted is None:
            return constant
        return constant + (sum(faces) if counted is Summed.ALL else matching)

    @property
    def constant(self) -> int:
        """The points that do not depend on the dice."""
        if isinstance(self.points, int):
            return self.points
        return self.points.constant if isinstance(self.points, SumPlus) else 0

    @property
    def summed(self) -> Summed | None:
        """The dice that are counted; None where it scores a fixed number."""
        if isinstance(self.points, int):
            return None
        return self.points.dice if isinstance(self.points, SumPlus) else self.points


@dataclass(frozen=True, slots=True)
class Tier:
    """What a total from the threshold on is paid."""

    threshold: int
    points: int


@dataclass(frozen=True, slots=True)
class Bonus:
    """Paid once for the total of some boxes: those of a section, or those named."""

    threshold: int  # of the first tier, as its points
    points: int
    higher: tuple[Tier, ...] = ()  # of them all the highest that is reached is paid
    key: str = "upper"
    name: str = ""  # "" where the sheet has a line for it
    section: Section | None = Section.UPPER
    boxes: tuple[str, ...] = ()  # where it is no section

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """From the lowest to the highest."""
        return Tier(self.threshold, self.points), *self.higher

    @property
    def highest(self) -> Tier:
        return self.tiers[-1]

    @property
    def role(self) -> str:
        """The name of its line on the sheet."""
        return f"bonus.{self.key}" if self.name else "bonus"

    def pays(self, total: int) -> int:
        """What a total of the boxes earns."""
        return next((tier.points for tier in reversed(self.tiers) if total >= tier.threshold), 0)


@dataclass(frozen=True, slots=True)
class Label:
    """What a line of the sheet is called, in the book's own language and in others."""

    name: str
    names: Names = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True, repr=False)
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
    captions: Captions = Captions.PLAIN
    upper_again: bool = False  # whether paper repeats the total of the upper section above the grand total

    def __repr__(self) -> str:
        return f"<Sheet by {self.layout}: {self.upper!r}, {self.lower!r}>"

    def label(self, line: str) -> Label:
        """What a line is called: `label("upper")`."""
        return Label(getattr(self, line), self.names.get(line, {}))


_NO_LINES = {"layout", "columns", "names", "captions", "upper_again"}
SHEET_LINES = tuple(line.name for line in fields(Sheet) if line.name not in _NO_LINES)


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """A rule in our words; `ours` marks a reading that the document leaves open."""

    key: str
    title: str
    text: str
    ours: bool
    about: str = WHOLE_GAME  # the path of the line that it explains: see `merge`

    def __repr__(self) -> str:
        return f"<Note {self.key!r}: {self.title!r}>"


@dataclass(frozen=True, slots=True)
class Worth:
    """One roll in every box of a book, in sheet order."""

    plain: tuple[int, ...]
    joker: tuple[int, ...]


@dataclass(frozen=True)  # without slots, so that derived facts can be cached on the frozen value
class RuleBook:
    """The whole of a game's rules, as data: `fd.book("yatzy")` has one. Games differ by this alone."""

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
    extends: str | None = None  #: the shipped book that this one was laid over
    upper_first: bool = False
    save_rolls: bool = False  #: rolls that a turn leaves unused are kept for later turns
    colours: Colours = ()  #: the faces that share a colour
    more_bonuses: tuple[Bonus, ...] = ()
    names: Names = field(default_factory=dict, compare=False, repr=False)
    _worths: dict[Roll, Worth] = field(default_factory=dict, init=False, repr=False, compare=False)
    # What the game makes of a roll: it lives as long as the book, and is found without asking for its hash.
    entries: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    falls: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<RuleBook {self.key!r}>"

    def __getstate__(self) -> dict[str, Any]:
        """For another process, the rules alone: threads go on adding to what was made of them, and it is much.

        A fingerprint that is known goes along, since that of large rules takes seconds.
        """
        rules = {each.name: getattr(self, each.name) if each.init else {} for each in fields(self)}
        return rules | ({"fingerprint": self.fingerprint} if "fingerprint" in vars(self) else {})

    @cached_property
    def index(self) -> dict[str, int]:
        """Box key to its place on the sheet."""
        return {box.key: place for place, box in enumerate(self.boxes)}

    @cached_property
    def labels(self) -> dict[str, Label]:
        """What the lines of the sheet are called, by their names in the file."""
        own = {bonus.role: Label(bonus.name) for bonus in self.more_bonuses}
        return {line: self.sheet.label(line) for line in SHEET_LINES} | own

    @property
    def order(self) -> Order:
        """In what order the boxes may be filled."""
        if self.fixed_order:
            return Order.SHEET
        return Order.UPPER_FIRST if self.upper_first else Order.FREE

    def available(self, unfilled: int) -> int:
        """Which of the open boxes (a mask) the order lets a player fill."""
        if self.fixed_order:
            return unfilled & -unfilled  # the lowest bit: the first open box of the sheet
        return unfilled & self.upper or unfilled if self.upper_first else unfilled

    @property
    def most_rolls(self) -> int:
        """That a turn can have: the last one, with all that the others saved."""
        return self.rolls + (len(self.boxes) - 1) * (self.rolls - 1) * self.save_rolls

    @cached_property
    def bonuses(self) -> tuple[Bonus, ...]:
        """All of them, that of the upper section first."""
        return self.more_bonuses if self.bonus is None else (self.bonus, *self.more_bonuses)

    @cached_property
    def bonus_masks(self) -> tuple[int, ...]:
        """The boxes that count towards each bonus."""
        return tuple(self.bonus_mask(bonus) for bonus in self.bonuses)

    def bonus_mask(self, bonus: Bonus) -> int:
        """The boxes that count towards it."""
        if bonus.section is None:
            return _mask(box.key in bonus.boxes for box in self.boxes)
        return _mask(box.section is bonus.section for box in self.boxes)

    @cached_property
    def bonus_above(self) -> tuple[bool, ...]:
        """Of each bonus, whether the sheet shows it below the upper section."""
        return tuple(self.bonus_section(bonus) is Section.UPPER for bonus in self.bonuses)

    def bonus_section(self, bonus: Bonus) -> Section:
        """Where the sheet shows it: below the upper section if all its boxes are there, else below the lower."""
        return Section.LOWER if self.bonus_mask(bonus) & ~self.upper else Section.UPPER

    @cached_property
    def by_code(self) -> dict[str, Box]:
        """All boxes by their code of two letters."""
        return {box.code: box for box in self.boxes}

    @cached_property
    def _by_word(self) -> dict[str, int]:
        """Every word that means a box, with its place; the loader has seen to it that none means two."""
        boxes = enumerate(self.boxes)
        return {word: place for place, box in boxes for word in (box.key, box.code, box.name.casefold())}

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
        return self.boxes[self.place(name)]

    def place(self, name: str) -> int:
        """Where it stands on the sheet, counted from 0."""
        found = self._by_word.get(name)
        if found is None:
            found = self._by_word.get(name.strip().casefold())
        if found is None:
            raise IllegalError("rules.unknown-box", book=self, box=quote(name), known=tuple(self.index))
        return found

    def highest(self, box: Box) -> int:
        """A bound on what a box can hold; exact for the upper boxes of a face."""
        if box.summed is None:
            return box.constant
        most = box.pattern.highest(self.dice, self.faces) if box.summed is Summed.MATCHING else self.dice * self.faces
        return box.constant + most

    def check_roll(self, roll: Roll) -> None:
        """Refuse a roll that this book's dice cannot show."""
        if len(roll.faces) != self.dice or roll.faces[-1] > self.faces:
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
        if score_as is ScoreAs.WILD:
            return self._wild(worth.joker)
        return worth.joker if score_as is ScoreAs.JOKER else worth.plain

    def _wild(self, joker: tuple[int, ...]) -> tuple[int, ...]:
        """A box of a face counts the dice as if all showed it."""
        boxes = zip(self.boxes, joker, strict=True)
        faces = ((box, points, box.pattern.face if isinstance(box.pattern, FaceSum) else 0) for box, points in boxes)
        return tuple(box.plain((face,) * self.dice) if face else points for box, points, face in faces)

    @cached_property
    def text(self) -> str:
        """The whole book as TOML, as `write_book` writes it."""
        from fivedice.rules.file.toml_writer import write_book  # it reads whole books, so it comes after them

        return write_book(self)

    @cached_property
    def fingerprint(self) -> str:
        """Changes exactly when play changes."""
        from fivedice.rules.fingerprint import fingerprint  # it reads whole books, so it comes after them

        return fingerprint(self)


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
