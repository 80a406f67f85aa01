"""How the dice of all finished games have fallen, beside how they should.

Only dice that the tables threw are counted, and of a throw only those that left the cup: held dice lie where they lay.
The tally is kept up to date by reading each finished table once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations_with_replacement
from math import factorial, prod, sqrt
from threading import Lock
from typing import TypeAlias

from fivedice.table.events import Opened, Rolled
from fivedice.table.new_table import book_of
from fivedice.table.refusals import Refusal
from fivedice.table.store.table_store import Store

Faces: TypeAlias = tuple[int, ...]
FACES = 6  # of the dice that are counted: house rules may have others


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that can fall: how often it did and how often it should have."""

    what: Faces
    seen: int
    expected: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A whole set of things that can fall, and how far they are from what was expected."""

    lines: tuple[Line, ...]
    chi_square: float
    freedom: int

    @property
    def deviation(self) -> float:
        """Standard deviations from what fair dice give on average (Wilson and Hilferty, 1931): mostly within 2."""
        if not self.chi_square or not self.freedom:
            return 0.0
        ninth = 2 / (9 * self.freedom)
        return float(((self.chi_square / self.freedom) ** (1 / 3) - (1 - ninth)) / sqrt(ninth))


@dataclass(slots=True)
class Tally:
    """Counts of throws with six-faced dice; `add` what fell, and ask for the comparisons."""

    games: int = 0
    faces: Counter[Faces] = field(default_factory=Counter)
    pairs: Counter[Faces] = field(default_factory=Counter)
    patterns: Counter[Faces] = field(default_factory=Counter)

    def copy(self) -> Tally:
        return Tally(self.games, self.faces.copy(), self.pairs.copy(), self.patterns.copy())

    def add_game(self, rolls: Iterable[Rolled]) -> None:
        self.games += 1
        for roll in rolls:
            self._add(tuple(face for slot, face in enumerate(roll.dice) if slot not in roll.held), len(roll.dice))

    def _add(self, thrown: Faces, dice: int) -> None:
        self.faces.update((face,) for face in thrown)
        self.pairs.update(zip(thrown[::2], thrown[1::2], strict=False))  # none overlaps another
        if len(thrown) == dice == 5:  # patterns of five dice alone: other counts would need tables of their own
            self.patterns[tuple(sorted(thrown))] += 1

    @property
    def dice(self) -> int:
        return sum(self.faces.values())

    def of_faces(self) -> Comparison:
        return compare(self.faces, {(face,): 1 / 6 for face in range(1, 7)})

    def of_pairs(self) -> Comparison:
        return compare(self.pairs, {(one, two): 1 / 36 for one in range(1, 7) for two in range(1, 7)})

    def of_patterns(self) -> Comparison:
        return compare(self.patterns, {roll: _chance(roll) for roll in combinations_with_replacement(range(1, 7), 5)})


def compare(seen: Counter[Faces], chances: dict[Faces, float]) -> Comparison:
    """What fell beside what should have, with Pearson's chi-square."""
    whole = sum(seen.values())
    lines = tuple(Line(what, seen[what], whole * chance) for what, chance in chances.items())
    chi_square = sum((line.seen - line.expected) ** 2 / line.expected for line in lines) if whole else 0.0
    return Comparison(lines, chi_square, len(chances) - 1)


def _chance(roll: Faces) -> float:
    orders = factorial(len(roll)) / prod(factorial(roll.count(face)) for face in set(roll))
    return float(orders / 6 ** len(roll))


MOST_COUNTED = 100_000  # tables that are remembered: one that changes after so many others is counted twice
AT_ONCE = 500  # tables that one look may read: a page must not wait for a long past
LATE = timedelta(minutes=1)  # clocks of several machines differ, and a commit may wait for another


class DiceCounts:
    """The tally of a server, in memory: it can always be counted again from the logs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tally = Tally()
        self._last = ("", "")  # when the table looked at last was changed, and its id
        # A finished table changes when a score is taken back, or for a rematch.
        self._counted: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def look(self) -> tuple[Tally, bool]:
        """The tally, and whether it is complete; a long past is counted over several looks."""
        with self._lock:
            found = self._store.finished_after(*self._last, limit=AT_ONCE)
            for when, table in found:
                if table not in self._counted:
                    self._count(table)
                self._last = (when, table)
            complete = len(found) < AT_ONCE
            if found and complete:
                self._last = (_a_little_before(found[-1][0]), "")
            return self._tally.copy(), complete

    def _count(self, table: str) -> None:
        """Once the game is over no die is thrown there any more."""
        self._counted[table] = None
        if len(self._counted) > MOST_COUNTED:
            self._counted.popitem(last=False)
        events = self._store.events_after(table, 0)
        opened = events[0]
        if isinstance(opened, Opened) and not opened.real_dice and _faces(opened) == FACES:
            self._tally.add_game([event for event in events if isinstance(event, Rolled)])


def _faces(opened: Opened) -> int | None:
    """How many each die has, if the book can still be read."""
    try:
        return book_of(opened.book, opened.rules, kept=True).faces
    except Refusal:
        return None


def _a_little_before(when: str) -> str:
    return (datetime.fromisoformat(when) - LATE).isoformat(timespec="milliseconds")
