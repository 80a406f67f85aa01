"""Count how the dice of all finished games fell, and compare it with fair dice.

Only digital dice are counted, and only those that were rolled, not the kept ones. The tally is a row of the database.
The transaction that ends a game adds its dice; one that opens it again, archives or deletes it takes them out. So the
tally always equals a recount of all logs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import factorial, prod, sqrt
from typing import Any, TypeAlias

Faces: TypeAlias = tuple[int, ...]
FACES = 6  # only such dice are counted: house rules may have others


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """One outcome: how often it fell, and how often it should have."""

    what: Faces
    seen: int
    expected: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """All outcomes of one kind, and how far they are from the expectation."""

    lines: tuple[OutcomeCount, ...]
    chi_square: float
    freedom: int

    @property
    def deviation(self) -> float:
        """Return the distance from fair dice in standard deviations (Wilson and Hilferty, 1931): mostly within 2."""
        if not self.chi_square or not self.freedom:
            return 0.0
        ninth = 2 / (9 * self.freedom)
        return float(((self.chi_square / self.freedom) ** (1 / 3) - (1 - ninth)) / sqrt(ninth))


Throw: TypeAlias = tuple[Sequence[int], Sequence[int]]  # dice by slot, and the slots that were kept


@dataclass(slots=True)
class Tally:
    """Counts of rolls with six-faced dice."""

    games: int = 0
    faces: Counter[Faces] = field(default_factory=Counter)
    pairs: Counter[Faces] = field(default_factory=Counter)
    patterns: Counter[Faces] = field(default_factory=Counter)

    def add_game(self, rolls: Iterable[Throw], times: int = 1) -> None:
        """Count the rolls of a game `times` times; -1 takes them out."""
        self.games += times
        for dice, held in rolls:
            self._add(tuple([face for slot, face in enumerate(dice) if slot not in held]), len(dice), times)

    def _add(self, thrown: Faces, dice: int, times: int) -> None:
        for face in thrown:
            self.faces[(face,)] += times
        for pair in zip(thrown[::2], thrown[1::2], strict=False):  # pairs do not overlap
            self.pairs[pair] += times
        if len(thrown) == dice == 5:  # only patterns of five dice have a table
            self.patterns[tuple(sorted(thrown))] += times

    def to_data(self) -> dict[str, Any]:
        """Return the counts, ready for JSON."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        found = {
            name: {"".join(map(str, what)): seen for what, seen in of.items() if seen} for name, of in counts.items()
        }
        return {"games": self.games, **found}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Tally:
        """Read what `to_data` returned."""
        counts = [Counter({tuple(map(int, what)): seen for what, seen in data[name].items()}) for name in _COUNTS]
        return cls(data["games"], *counts)

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
    """Return the counts with their expectations and Pearson's chi-square."""
    whole = sum(seen.values())
    lines = tuple(OutcomeCount(what, seen[what], whole * chance) for what, chance in chances.items())
    chi_square = sum((line.seen - line.expected) ** 2 / line.expected for line in lines) if whole else 0.0
    return Comparison(lines, chi_square, len(chances) - 1)


def _chance(roll: Faces) -> float:
    orders = factorial(len(roll)) / prod(factorial(roll.count(face)) for face in set(roll))
    return float(orders / 6 ** len(roll))


_COUNTS = ("faces", "pairs", "patterns")
