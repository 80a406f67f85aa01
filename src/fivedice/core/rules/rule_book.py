"""A rule book as frozen data. Games differ only in this data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cached_property
from typing import Any

from fivedice.core.dice import Roll
from fivedice.core.rules.joker_steps import AlikePolicy, JokerStep, ScoreAs
from fivedice.core.rules.names import LONGEST_SHORT, Names, ShortNames
from fivedice.core.rules.patterns import AllAlike, Colours, FaceSum, Pattern
from fivedice.errors import IllegalError, quote

WHOLE_GAME = "the game"  # the topic of a note about no line in particular  # no sentence
MAX_ROLLS = 9
TALLY_CODE = "yb"  # the code of the extra bonuses in notation; no box may have it


class Section(StrEnum):
    """The two sections of a sheet. The upper bonus counts the upper section only."""

    UPPER = "upper"
    LOWER = "lower"


class Summed(StrEnum):
    """Points that depend on the dice: the sum of all dice, or of the dice that make the pattern."""

    ALL = "all"
    MATCHING = "matching"


@dataclass(frozen=True, slots=True)
class SumPlus:
    """Fixed points plus a sum of dice."""

    constant: int
    dice: Summed

    def __str__(self) -> str:
        return f"{self.constant} + {self.dice}"


class Order(StrEnum):
    """Which of the open boxes may be filled."""

    FREE = "free"
    SHEET = "sheet"  # the first open box of the sheet
    UPPER_FIRST = "upper_first"  # the upper section before the lower


class Start(StrEnum):
    """How the first player is chosen."""

    ROLL_OFF = "roll-off"
    DRAW = "draw"


class Layout(StrEnum):
    """The pad: one sheet per player with columns for games, or one sheet with a column per player."""

    GAMES = "games"
    PLAYERS = "players"


class Captions(StrEnum):
    """The wording of the scoring rules on printed sheets."""

    PLAIN = "plain"  # "Total of the 4s"
    CARD = "card"  # "Count and add only Fours", as on the cards of Yardzee and Yahtzee


@dataclass(frozen=True, slots=True, repr=False)
class Box:
    """One box of the sheet: its names, its section, the dice it asks for and the points it gives."""

    key: str
    name: str
    code: str
    section: Section
    pattern: Pattern
    points: int | Summed | SumPlus
    short: str = ""  # for a narrow column
    names: Names = field(default_factory=dict, compare=False, repr=False)
    shorts: Names = field(default_factory=dict, compare=False, repr=False)  # the short forms in other languages

    def __repr__(self) -> str:
        return f"<Box {self.key!r} ({self.code}): {self.name!r}>"

    @property
    def short_label(self) -> Label:
        """Return the label for a narrow column: the short form, or the name if it is short, or the code."""
        label = self.short or (self.name if len(self.name) <= LONGEST_SHORT else self.code)
        return Label(label, ShortNames(self.names, self.shorts, label))

    def plain(self, faces: tuple[int, ...]) -> int:
        """Return the points of these faces in this box."""
        return self._points(self.pattern.matching(faces), faces)

    def by_joker(self, faces: tuple[int, ...]) -> int:
        """Return their points if they are a joker, which stands for any combination."""
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
        """Return the points that do not depend on the dice."""
        if isinstance(self.points, int):
            return self.points
        return self.points.constant if isinstance(self.points, SumPlus) else 0

    @property
    def summed(self) -> Summed | None:
        """Return which dice are added up, or None if the points are fixed."""
        if isinstance(self.points, int):
            return None
        return self.points.dice if isinstance(self.points, SumPlus) else self.points


@dataclass(frozen=True, slots=True)
class Tier:
    """A threshold of a bonus and the points it pays."""

    threshold: int
    points: int


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points that are paid once for the total of some boxes: a section, or a list of boxes."""

    threshold: int  # of the first tier
    points: int  # of the first tier
    higher: tuple[Tier, ...] = ()  # further tiers; only the highest one reached is paid
    key: str = "upper"
    name: str = ""  # "" for the upper bonus, whose name is in `Sheet`
    section: Section | None = Section.UPPER
    boxes: tuple[str, ...] = ()  # if it counts boxes instead of a section

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """Return all tiers in ascending order."""
        return Tier(self.threshold, self.points), *self.higher

    @property
    def highest(self) -> Tier:
        """Return the last tier."""
        return self.tiers[-1]

    @property
    def role(self) -> str:
        """Return the name of its line on the sheet."""
        return f"bonus.{self.key}" if self.name else "bonus"

    def pays(self, total: int) -> int:
        """Return the points that a total of the boxes earns."""
        return next((tier.points for tier in reversed(self.tiers) if total >= tier.threshold), 0)


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a line of the sheet, in the book's own language and in others."""

    name: str
    names: Names = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """How the pad looks and what its lines are called. Nothing here changes play."""

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
    upper_again: bool = False  # whether paper repeats the upper total above the grand total

    def __repr__(self) -> str:
        return f"<Sheet by {self.layout}: {self.upper!r}, {self.lower!r}>"

    def label(self, line: str) -> Label:
        """Return the name of a line, such as `label("upper")`."""
        return Label(getattr(self, line), self.names.get(line, {}))


_NO_LINES = {"layout", "columns", "names", "captions", "upper_again"}
SHEET_LINES = tuple(line.name for line in fields(Sheet) if line.name not in _NO_LINES)


@dataclass(frozen=True, slots=True, repr=False)
class Note:
    """A rule in our words. `ours` marks our own reading of a rule that the document leaves open."""

    key: str
    title: str
    text: str
    ours: bool
    about: str = WHOLE_GAME  # the path of the line that it explains

    def __repr__(self) -> str:
        return f"<Note {self.key!r}: {self.title!r}>"


@dataclass(frozen=True, slots=True)
class RollPoints:
    """The points of one roll in every box of a book, in the order of the sheet."""

    plain: tuple[int, ...]
    joker: tuple[int, ...]


@dataclass(frozen=True)  # without slots, so that properties can be cached
class RuleBook:
    """All rules of a game as frozen data. Get one from `fd.book` or `fd.load_book`.

    >>> book = fd.book("yatzy")
    >>> book.name, book.dice, book.rolls, len(book.boxes)
    ('Yatzy', 5, 3, 15)
    """

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
    extends: str | None = None  #: the key of the shipped book that this one extends
    upper_first: bool = False
    save_rolls: bool = False  #: whether unused rolls are saved for later turns
    colours: Colours = ()  #: the faces that share a colour
    more_bonuses: tuple[Bonus, ...] = ()
    names: Names = field(default_factory=dict, compare=False, repr=False)
    _worths: dict[Roll, RollPoints] = field(default_factory=dict, init=False, repr=False, compare=False)
    # Caches of `fivedice.core.game`, kept here because looking them up by book would need its hash.
    entries: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    falls: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    shown: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)  # lines, by language

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"<RuleBook {self.key!r}>"

    def __getstate__(self) -> dict[str, Any]:
        """Return the rules alone for another process, without what was cached from them.

        A known fingerprint is included, because it takes seconds for large rules.
        """
        rules = {each.name: getattr(self, each.name) if each.init else {} for each in fields(self)}
        return rules | ({"fingerprint": self.fingerprint} if "fingerprint" in vars(self) else {})

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the place of each box on the sheet by its key.

        >>> fd.book("yahtzee").index["fours"]
        3
        """
        return {box.key: place for place, box in enumerate(self.boxes)}

    @cached_property
    def labels(self) -> dict[str, Label]:
        """Return the names of the lines of the sheet, by their names in the file.

        >>> fd.book("yahtzee").labels["bonus"].name
        'Bonus'
        """
        own = {bonus.role: Label(bonus.name) for bonus in self.more_bonuses}
        return {line: self.sheet.label(line) for line in SHEET_LINES} | own

    @property
    def order(self) -> Order:
        """Return the order in which boxes may be filled.

        >>> str(fd.book("yahtzee").order)
        'free'
        """
        if self.fixed_order:
            return Order.SHEET
        return Order.UPPER_FIRST if self.upper_first else Order.FREE

    def available(self, unfilled: int) -> int:
        """Return which of the open boxes the order allows. Boxes are masks: bit i stands for the i-th box.

        >>> fd.book("yahtzee").available(0b101)
        5
        """
        if self.fixed_order:
            return unfilled & -unfilled  # the lowest bit: the first open box of the sheet
        return unfilled & self.upper or unfilled if self.upper_first else unfilled

    @property
    def most_rolls(self) -> int:
        """Return the most rolls that a turn can have: in the last turn, if all earlier ones saved rolls.

        >>> fd.book("yahtzee").most_rolls
        3
        """
        return self.rolls + (len(self.boxes) - 1) * (self.rolls - 1) * self.save_rolls

    @cached_property
    def bonuses(self) -> tuple[Bonus, ...]:
        """Return all bonuses, the upper one first.

        >>> fd.book("yahtzee").bonuses[0].threshold
        63
        """
        return self.more_bonuses if self.bonus is None else (self.bonus, *self.more_bonuses)

    @cached_property
    def bonus_masks(self) -> tuple[int, ...]:
        """Return the boxes that count towards each bonus, as masks.

        >>> [bin(mask) for mask in fd.book("yahtzee").bonus_masks]
        ['0b111111']
        """
        return tuple(self.bonus_mask(bonus) for bonus in self.bonuses)

    def bonus_mask(self, bonus: Bonus) -> int:
        """Return the boxes that count towards a bonus, as a mask.

        >>> book = fd.book("yahtzee")
        >>> book.bonus_mask(book.bonuses[0]) == book.upper
        True
        """
        if bonus.section is None:
            return _mask(box.key in bonus.boxes for box in self.boxes)
        return _mask(box.section is bonus.section for box in self.boxes)

    @cached_property
    def bonus_above(self) -> tuple[bool, ...]:
        """Return for each bonus whether the sheet shows it below the upper section.

        >>> fd.book("yahtzee").bonus_above
        (True,)
        """
        return tuple(self.bonus_section(bonus) is Section.UPPER for bonus in self.bonuses)

    def bonus_section(self, bonus: Bonus) -> Section:
        """Return the section below which the sheet shows a bonus: the upper one if it has all its boxes, or the lower.

        >>> book = fd.book("yahtzee")
        >>> str(book.bonus_section(book.bonuses[0]))
        'upper'
        """
        return Section.LOWER if self.bonus_mask(bonus) & ~self.upper else Section.UPPER

    @cached_property
    def by_code(self) -> dict[str, Box]:
        """Return all boxes by their code of two characters.

        >>> fd.book("yahtzee").by_code["fh"].name
        'Full House'
        """
        return {box.code: box for box in self.boxes}

    @cached_property
    def _by_word(self) -> dict[str, int]:
        """Return the place of each box by key, code and name. The loader ensures that none means two boxes."""
        boxes = enumerate(self.boxes)
        return {word: place for place, box in boxes for word in (box.key, box.code, box.name.casefold())}

    @cached_property
    def full(self) -> int:
        """Return the mask of a full card: bit i stands for the i-th box.

        >>> fd.book("yahtzee").full == 2**13 - 1
        True
        """
        return (1 << len(self.boxes)) - 1

    @cached_property
    def upper(self) -> int:
        """Return the mask of the upper section.

        >>> fd.book("yahtzee").upper == 0b111111
        True
        """
        return _mask(self.in_upper)

    @cached_property
    def in_upper(self) -> tuple[bool, ...]:
        """Return for each box whether it is in the upper section.

        >>> sum(fd.book("yahtzee").in_upper)
        6
        """
        return tuple(box.section is Section.UPPER for box in self.boxes)

    @cached_property
    def face_boxes(self) -> tuple[int, ...]:
        """Return for each face (0 is unused) the mask of the boxes that count it.

        >>> bin(fd.book("yahtzee").face_boxes[3])
        '0b100'
        """
        wanted = [FaceSum(face) for face in range(self.faces + 1)]
        return tuple(_mask(box.pattern == face for box in self.boxes) for face in wanted)

    @cached_property
    def alike_box(self) -> int | None:
        """Return the place of the box for all dice the same, or None if there is none.

        >>> fd.book("yahtzee").alike_box
        11
        """
        if self.alike is not None:
            return self.index[self.alike.box]
        places = (place for place, box in enumerate(self.boxes) if isinstance(box.pattern, AllAlike))
        return next(places, None)

    def box(self, name: str) -> Box:
        """Return a box by its key, code or name. Raise IllegalError, which lists all boxes, if there is none.

        >>> fd.book("yahtzee").box("Full House").code
        'fh'
        """
        return self.boxes[self.place(name)]

    def place(self, name: str) -> int:
        """Return the place of a box on the sheet, from 0, by key, code or name. Raise IllegalError if there is none.

        >>> fd.book("yahtzee").place("fours")
        3
        """
        found = self._by_word.get(name)
        if found is None:
            found = self._by_word.get(name.strip().casefold())
        if found is None:
            raise IllegalError("rules.unknown-box", book=self, box=quote(name), known=tuple(self.index))
        return found

    def highest(self, box: Box) -> int:
        """Return an upper bound of the points of a box; it is exact for the boxes of a face.

        >>> book = fd.book("yahtzee")
        >>> book.highest(book.box("sixes"))
        30
        """
        if box.summed is None:
            return box.constant
        most = box.pattern.highest(self.dice, self.faces) if box.summed is Summed.MATCHING else self.dice * self.faces
        return box.constant + most

    def check_roll(self, roll: Roll) -> None:
        """Raise IllegalError if these rules have other dice.

        >>> fd.book("yahtzee").check_roll(fd.Roll.parse("24466"))
        """
        if len(roll.faces) != self.dice or roll.faces[-1] > self.faces:
            raise IllegalError("rules.other-dice", book=self, dice=self.dice, faces=self.faces, roll=roll)

    def decide_alike(self, face: int, available: int, *, face_open: bool) -> tuple[JokerStep, int] | None:
        """Return the joker step that decides for dice all the same, and the legal boxes; None if no step decides.

        `available` is the mask of the boxes that may be filled, `face_open` whether a box of this face is open.

        >>> book = fd.book("yahtzee")
        >>> step, boxes = book.decide_alike(4, book.full, face_open=True)
        >>> str(step.boxes), bin(boxes)
        ('face', '0b1000')
        """
        if self.alike is None:
            return None
        return self.alike.decide(available, self.face_boxes[face], self.upper, face_open=face_open)

    def worth(self, roll: Roll) -> RollPoints:
        """Return the points of a roll in every box, cached. Raise IllegalError if these rules have other dice.

        >>> fd.book("yahtzee").worth(fd.Roll.parse("24466")).plain[3]
        8
        """
        known = self._worths.get(roll)
        if known is None:
            self.check_roll(roll)
            plain = tuple(box.plain(roll.faces) for box in self.boxes)
            joker = plain if roll.alike is None else tuple(box.by_joker(roll.faces) for box in self.boxes)
            known = self._worths[roll] = RollPoints(plain, joker)
        return known

    def points_as(self, roll: Roll, score_as: ScoreAs) -> tuple[int, ...]:
        """Return the points of a roll in every box as a joker step scores it.

        >>> from fivedice.core.rules import ScoreAs
        >>> fd.book("yahtzee").points_as(fd.Roll.parse("44444"), ScoreAs.JOKER)[8]
        25
        """
        if score_as is ScoreAs.ZERO:
            return (0,) * len(self.boxes)
        worth = self.worth(roll)
        if score_as is ScoreAs.WILD:
            return self._score_wild(worth.joker)
        return worth.joker if score_as is ScoreAs.JOKER else worth.plain

    def _score_wild(self, joker: tuple[int, ...]) -> tuple[int, ...]:
        """Return the points of a wild joker: a box of a face counts the dice as if all showed that face."""
        boxes = zip(self.boxes, joker, strict=True)
        faces = ((box, points, box.pattern.face if isinstance(box.pattern, FaceSum) else 0) for box, points in boxes)
        return tuple(box.plain((face,) * self.dice) if face else points for box, points, face in faces)

    @cached_property
    def text(self) -> str:
        """Return the whole book as TOML, as `write_book` does.

        >>> fd.book("yatzy").text.splitlines()[1]
        'key = "yatzy"'
        """
        from fivedice.core.rules.toml_writer import tables_of, write_tables  # a late import: it imports this module

        return write_tables(tables_of(self))

    @cached_property
    def fingerprint(self) -> str:
        r"""Return the fingerprint, which changes exactly when play changes.

        >>> house = fd.load_book('extends = "yahtzee"\nname = "Ours"')
        >>> house.fingerprint == fd.book("yahtzee").fingerprint
        True
        """
        from fivedice.core.rules.fingerprint import fingerprint  # a late import: it imports this module

        return fingerprint(self)


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)
