"""What the dice gave and took: the value after a throw, less the value before it; and how often each face fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from fivedice.dice import Roll
from fivedice.game import Step, Throw, Thrown


@dataclass(frozen=True, slots=True)
class Fall:
    """One throw. Before and after are expected final totals, so the luck of a throw is in points."""

    roll: Roll
    rolls_left: int
    before: float
    after: float
    last: bool = False  # the final dice of a turn whose earlier rolls were not noted: the luck of all of them

    @property
    def luck(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class DiceCount:
    """How often each face fell, against how often it should."""

    counts: tuple[int, ...]  # face 1 first

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """Of every face."""
        return self.dice / len(self.counts)

    @property
    def usual(self) -> float:
        """How far a fair face strays from that in two games out of three: one standard deviation."""
        share = 1 / len(self.counts)
        return sqrt(self.dice * share * (1 - share))


def count_dice(steps: Iterable[Step], faces: int) -> DiceCount:
    """The dice that were thrown. Final dice alone are left out: some of them were held, and nobody noted which."""
    fell: Counter[int] = Counter()
    for step in steps:
        if isinstance(step.move, Throw) and not step.move.last:
            fell.update(face for event in step.events if isinstance(event, Thrown) for face in event.fell)
    return DiceCount(tuple(fell[face] for face in range(1, faces + 1)))
