"""What a box is worth by rule of thumb: its par, which is what several tries at it bring, and a share of the bonus.

People who play well know that five of a kind comes about once in three games, and keep its box open; and that ones
never bring much. Both follow from one thought: with many boxes open there are several tries at each of them. A try
is a turn spent on nothing else, and the fewer boxes are open, the fewer tries are left. No solution is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.rules import RuleBook
from fivedice.solver.model.book_arrays import CompiledBook, Lattice, compiled_book
from fivedice.solver.values.turn_values import padded_predecessors, sizes

Floats = NDArray[np.float64]

_TRIES = 0.3  # at a box, for every box that is open
_LONG_TRIES = 0.6  # the same where it is all or nothing: any turn may bring it by the way
_LEEWAY = 0.5  # of the points that are still to come: whoever is so far ahead of the pace, or behind, is sure of it
_STEPS = 12  # numbers of points of a box that are told apart: more change little, and large books have hundreds


def keep_values(grid: Lattice, rolls: Floats) -> Floats:
    """[rows, ...]: the mean of every keep, given the worth of every roll; further axes are worked out side by side."""
    values = np.empty((grid.rows, *rolls.shape[1:]))
    values[grid.first_roll :] = rolls
    for start, stop in reversed(sizes(grid)[:-1]):
        values[start:stop] = values[grid.successors[start:stop]].mean(axis=1)
    return values


def best_rolls(grid: Lattice, values: Floats) -> Floats:
    """[rolls, ...]: every roll with its best keep, or as it lies."""
    best = values.copy()
    for (start, stop), before in zip(sizes(grid)[1:], padded_predecessors(grid), strict=True):
        np.maximum(best[start:stop], best[before].max(axis=1), out=best[start:stop])
    return best[grid.first_roll :]


@dataclass(frozen=True, eq=False)
class Thumb:
    """A book as somebody sees it who has played it often and worked nothing out."""

    book: RuleBook
    compiled: CompiledBook

    def pars(self, open_boxes: int) -> Floats:
        """[boxes]: what each may bring, while so many are open."""
        tries = np.maximum(1.0, open_boxes * np.where(self.all_or_nothing, _LONG_TRIES, _TRIES))
        ways = zip(self._ways, tries, strict=True)
        return np.array([float(steps @ (1 - (1 - chances) ** many)) for (steps, chances), many in ways])

    @cached_property
    def _ways(self) -> tuple[tuple[Floats, Floats], ...]:
        return tuple(self._ways_of(box, self.compiled.rolls) for box in range(self.compiled.boxes))

    def _ways_of(self, box: int, rolls: int) -> tuple[Floats, Floats]:
        """Numbers of points, each by how much it is more than the one before, with the best chance of as many."""
        book, points = self.compiled, self.compiled.plain[:, box]
        found = np.unique(points[points > 0])
        aims = found[np.unique(np.linspace(0, len(found) - 1, _STEPS).round().astype(int))] if len(found) else found
        best = (points[:, None] >= aims).astype(np.float64)
        for _ in range(rolls - 1):
            best = best_rolls(book.lattice, keep_values(book.lattice, best))
        return np.diff(aims, prepend=0).astype(np.float64), np.clip(book.lattice.weights @ best, 0.0, 1.0)

    @cached_property
    def roll(self) -> float:
        """What one roll more in a turn brings, box for box; only where rolls are saved."""
        book = self.compiled
        more, usual = (
            [float(steps @ chances) for steps, chances in (self._ways_of(box, rolls) for box in range(book.boxes))]
            for rolls in (book.rolls + 1, book.rolls)
        )
        return float(np.mean(more) - np.mean(usual)) if book.save_rolls else 0.0

    @cached_property
    def pace(self) -> Floats:
        """[boxes]: what each should hold for the bonus: three of a face or so, whatever the book asks for."""
        book = self.compiled
        most = np.array([book.counted >> box & 1 for box in range(book.boxes)]) * book.plain.max(axis=0)
        found: Floats = book.reach * most / max(1, int(most.sum()))
        return found

    def bonus(self, masks: NDArray[np.int64], lanes: NDArray[np.int64]) -> Floats:
        """What the bonus is worth with these boxes filled and these totals: the more, the further ahead of the pace."""
        book = self.compiled
        paid = book.final[0, lanes]
        coming = sum(share * (1 - (masks >> box & 1)) for box, share in enumerate(self.pace) if share)
        ahead = (lanes + coming - book.reach) / np.maximum(_LEEWAY * coming, 1)
        likely = np.where(np.asarray(coming) > 0, np.clip((1 + ahead) / 2, 0.0, 1.0), 0.0)
        found: Floats = np.where(lanes >= book.reach, paid, likely * book.final[0, book.reach])
        return found

    @cached_property
    def point(self) -> Floats:
        """[boxes]: the same for a single point there, on the whole."""
        book = self.compiled
        found: Floats = (self.pace > 0) * book.final[0, book.reach] / max(1, book.reach)
        return found

    @cached_property
    def takes_anything(self) -> NDArray[np.bool_]:
        """[boxes]: whether every roll has points there."""
        found: NDArray[np.bool_] = self.compiled.plain.min(axis=0) > 0
        return found

    @cached_property
    def all_or_nothing(self) -> NDArray[np.bool_]:
        """[boxes]: whether it pays one number of points or none."""
        kinds = [len(np.unique(column)) for column in self.compiled.plain.T]
        found: NDArray[np.bool_] = (np.array(kinds) == 2) & ~self.takes_anything
        return found

    @cached_property
    def hidden(self) -> tuple[tuple[int, str], ...]:
        """Boxes, by number and key, that pay for what dice make together: no single face decides whether they do."""
        grid, order = self.compiled.lattice, self.compiled.order
        shows = [np.array([face in roll for roll in grid.rolls]) for face in range(1, grid.faces + 1)]
        return tuple(
            (number, self.book.boxes[order[number]].key)
            for number, pays in enumerate(self.compiled.plain.T > 0)
            if not pays.all() and not any(np.array_equal(pays, each) for each in shows)
        )


@lru_cache(maxsize=32)
def thumb(book: RuleBook) -> Thumb:
    """The view of a book, remembered."""
    return Thumb(book, compiled_book(book))
