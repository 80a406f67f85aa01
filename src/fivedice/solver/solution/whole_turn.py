"""A turn from its rolls on: what every roll is worth with so many rolls left, and everything that can be done with it.

Where a book keeps unused rolls for later turns, scoring a roll is worth more the more of them are left. Elsewhere it is
worth the same, and a turn is the usual one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.dice import Roll
from fivedice.game import Scorecard, judge
from fivedice.rules import RuleBook
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.solution import Option, Solution, keeps_within
from fivedice.solver.values import turn_values

if TYPE_CHECKING:
    from fivedice.solver.model.book_arrays import Lattice

Values: TypeAlias = "NDArray[np.float64]"
Scoring: TypeAlias = Callable[[int], Values]  # rolls left to [rolls, boxes], with -inf where a box is closed


class WholeTurn:
    """Worked out as far as it is asked for: most turns have three rolls, and those that saved many may have twenty."""

    def __init__(self, book: RuleBook, scoring: Scoring) -> None:
        self.book = book
        self._scoring = scoring
        self._boxes: dict[int, Values] = {}
        self._keeps: list[Values] = []  # for 1, 2, ... rolls left
        self._rolls: list[Values] = []  # for 0, 1, 2, ... rolls left

    def boxes(self, left: int) -> Values:
        """[rolls, boxes]: what scoring is worth with so many rolls left."""
        here = left if self.book.save_rolls else 0
        if here not in self._boxes:
            self._boxes[here] = self._scoring(here)
        return self._boxes[here]

    def rolls(self, left: int) -> Values:
        """[rolls]: what every roll is worth if the best is done with it."""
        self._look_ahead(left)
        return self._rolls[left]

    def keeps(self, left: int) -> Values:
        """[rows]: what it is worth to keep dice and throw the others, with so many rolls left before that."""
        self._look_ahead(left)
        return self._keeps[left - 1]

    def options(self, roll: Roll, left: int) -> list[Option]:
        """Every legal box and, while there are rolls left, every keep."""
        grid, order = self._grid, compiled_book(self.book).order
        here = self.boxes(left)[grid.row[roll.faces] - grid.first_roll]
        legal = np.flatnonzero(here > -np.inf).tolist()
        boxes: list[Option] = [(None, self.book.boxes[order[box]].key, float(here[box])) for box in legal]
        if not left:
            return boxes
        keeps = self.keeps(left)
        return boxes + [(keep, None, float(keeps[grid.row[keep.faces]])) for keep in keeps_within(roll)]

    @property
    def _grid(self) -> Lattice:
        return compiled_book(self.book).lattice

    def _look_ahead(self, left: int) -> None:
        """More rolls are never worth less, so throwing no die at all, which `best_rolls` allows, is never the best."""
        if not self._rolls:
            self._rolls.append(self.boxes(0).max(axis=1))
        while len(self._keeps) < left:
            self._keeps.append(turn_values.keep_values(self._grid, self._rolls[-1]))
            best = turn_values.best_rolls(self._grid, self._keeps[-1])
            saving = self.book.save_rolls
            self._rolls.append(np.maximum(best, self.boxes(len(self._keeps)).max(axis=1)) if saving else best)


def whole_turn(solution: Solution, card: Scorecard) -> WholeTurn:
    """The turn of a card by exact values: further points, those of this turn among them."""
    if not card.book.save_rolls:
        return WholeTurn(card.book, lambda _left: solution.box_values(card))
    solution.state(card)  # refuses a card of another book
    return WholeTurn(card.book, _Saving(solution, card))


class _Saving:
    """What follows a score, asked of the solution card by card: few differ, and rolls left over are part of them."""

    def __init__(self, solution: Solution, card: Scorecard) -> None:
        self._solution, self._card = solution, card
        compiled = compiled_book(card.book)
        self._shape = compiled.plain.shape
        places = {place: box for box, place in enumerate(compiled.order)}
        index = card.book.index
        self._entries = [
            (row, places[index[key]], index[key], entry.points, entry.bonus)
            for row, faces in enumerate(compiled.lattice.rolls)
            for key, entry in judge(card, Roll(faces)).legal.items()
        ]

    def __call__(self, left: int) -> Values:
        found = np.full(self._shape, -np.inf)
        known: dict[tuple[int, int, int], float] = {}
        for row, box, place, points, bonus in self._entries:
            score = place, points, bonus
            if score not in known:
                known[score] = self._worth(*score, left)
            found[row, box] = known[score]
        return found

    def _worth(self, place: int, points: int, bonus: int, left: int) -> float:
        after = self._card.write(place, points, bonus=bonus, saved=left)
        return after.total - self._card.total + self._solution.value(after)


@lru_cache(maxsize=32)
def saved_roll(book: RuleBook) -> float:
    """Roughly what a saved roll brings in a later turn: what one roll more adds to a box, over all boxes on average."""
    compiled = compiled_book(book)
    grid, best = compiled.lattice, compiled.plain.astype(np.float64)
    worths = []
    for _ in range(book.rolls + 1):
        worths.append(float((grid.weights @ best).mean()))
        best = np.stack(
            [turn_values.best_rolls(grid, turn_values.keep_values(grid, column)) for column in best.T], axis=1
        )
    return worths[book.rolls] - worths[book.rolls - 1]
