"""The worth of a box by rule of thumb: its par, which is the mean of several tries, and a share of the bonus.

Good players know that five of a kind comes up about once in three games, so they keep its box open, and that ones never
bring much. Both follow from one idea: while many boxes are open, there are several tries at each. A try is a turn spent
on one box, and fewer open boxes mean fewer tries. No solution is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.solver.model.book_arrays import CompiledBook, compiled_book
from fivedice.solver.values.turn_values import best_rolls, keep_values

Floats = NDArray[np.float64]

_TRIES = 0.3  # tries at a box per open box
_LONG_TRIES = 0.6  # the same for an all-or-nothing box: any turn may bring it by chance
_LEEWAY = 0.5  # of the points still to come: this far ahead of the pace the bonus is sure, this far behind it is lost
_STEPS = 12  # distinct points of a box that are considered: more change little, and large books have hundreds


@dataclass(frozen=True, eq=False)
class Thumb:
    """A book as seen by an experienced player who has calculated nothing."""

    book: RuleBook
    compiled: CompiledBook

    def pars(self, open_boxes: int) -> Floats:
        """Return the points to expect from each box while this many boxes are open, as [boxes]."""
        tries = np.maximum(1.0, open_boxes * np.where(self.all_or_nothing, _LONG_TRIES, _TRIES))
        ways = zip(self._ways, tries, strict=True)
        return np.array([float(steps @ (1 - (1 - chances) ** many)) for (steps, chances), many in ways])

    @cached_property
    def _ways(self) -> tuple[tuple[Floats, Floats], ...]:
        return tuple(self._ways_of(box, self.compiled.rolls) for box in range(self.compiled.boxes))

    def _ways_of(self, box: int, rolls: int) -> tuple[Floats, Floats]:
        """Return the steps between a box's distinct points, and the best chance of reaching each."""
        book, points = self.compiled, self.compiled.plain[:, box]
        found = np.unique(points[points > 0])
        aims = found[np.unique(np.linspace(0, len(found) - 1, _STEPS).round().astype(int))] if len(found) else found
        best = (points[:, None] >= aims).astype(np.float64)
        for _ in range(rolls - 1):
            best = best_rolls(book.lattice, keep_values(book.lattice, best))
        return np.diff(aims, prepend=0).astype(np.float64), np.clip(book.lattice.weights @ best, 0.0, 1.0)

    @cached_property
    def roll(self) -> float:
        """Return the gain of one more roll in a turn, averaged over the boxes; 0 where rolls are not saved."""
        book = self.compiled
        more, usual = (
            [float(steps @ chances) for steps, chances in (self._ways_of(box, rolls) for box in range(book.boxes))]
            for rolls in (book.rolls + 1, book.rolls)
        )
        return float(np.mean(more) - np.mean(usual)) if book.save_rolls else 0.0

    @cached_property
    def pace(self) -> Floats:
        """Return the points that each box should hold for the bonus, about three of a face, as [boxes]."""
        book = self.compiled
        most = np.array([book.counted >> box & 1 for box in range(book.boxes)]) * book.plain.max(axis=0)
        found: Floats = book.reach * most / max(1, int(most.sum()))
        return found

    def bonus(self, masks: NDArray[np.int64], lanes: NDArray[np.int64]) -> Floats:
        """Return the worth of the bonus with these boxes filled and these totals: more if ahead of the pace."""
        book = self.compiled
        paid = book.final[0, lanes]
        coming = sum(share * (1 - (masks >> box & 1)) for box, share in enumerate(self.pace) if share)
        ahead = (lanes + coming - book.reach) / np.maximum(_LEEWAY * coming, 1)
        likely = np.where(np.asarray(coming) > 0, np.clip((1 + ahead) / 2, 0.0, 1.0), 0.0)
        found: Floats = np.where(lanes >= book.reach, paid, likely * book.final[0, book.reach])
        return found

    @cached_property
    def point(self) -> Floats:
        """Return the worth of a single point in each box towards the bonus, on average, as [boxes]."""
        book = self.compiled
        found: Floats = (self.pace > 0) * book.final[0, book.reach] / max(1, book.reach)
        return found

    @cached_property
    def takes_anything(self) -> NDArray[np.bool_]:
        """Return for each box whether every roll scores there, as [boxes]."""
        found: NDArray[np.bool_] = self.compiled.plain.min(axis=0) > 0
        return found

    @cached_property
    def all_or_nothing(self) -> NDArray[np.bool_]:
        """Return for each box whether it pays a fixed number of points or none, as [boxes]."""
        kinds = [len(np.unique(column)) for column in self.compiled.plain.T]
        found: NDArray[np.bool_] = (np.array(kinds) == 2) & ~self.takes_anything
        return found

    @cached_property
    def hidden(self) -> tuple[tuple[int, str], ...]:
        """Return the number and key of boxes that pay for combinations, where no single face decides."""
        grid, order = self.compiled.lattice, self.compiled.order
        shows = [np.array([face in roll for roll in grid.rolls]) for face in range(1, grid.faces + 1)]
        return tuple(
            (number, self.book.boxes[order[number]].key)
            for number, pays in enumerate(self.compiled.plain.T > 0)
            if not pays.all() and not any(np.array_equal(pays, each) for each in shows)
        )


@lru_cache(maxsize=32)
def thumb(book: RuleBook) -> Thumb:
    """Return the view of a book, cached."""
    return Thumb(book, compiled_book(book))
