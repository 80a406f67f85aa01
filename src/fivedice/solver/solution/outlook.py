"""How a player looks at the boxes: what filling one is worth beyond the points that it pays now.

The exact outlook knows the value of every card that may follow. The others need no solution: the greedy one sees
nothing but the points, and the planner holds every box against its par. All of them weigh the dice of a turn
exactly, by the same lattice, so they differ in foresight alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.rules import RuleBook
from fivedice.solver.model.book_arrays import CompiledBook, State, compiled_book
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import known, solve
from fivedice.solver.values import turn_values

Sight: TypeAlias = Literal["points", "par", "exact"]


@dataclass(frozen=True, eq=False)
class Outlook:
    """Filling a box is worth its points, and the card after it by `table`, and `bias`."""

    compiled: CompiledBook
    table: NDArray[np.float64]  # [masks, flags, lanes]; one mask where it does not matter which boxes are filled
    bias: NDArray[np.float64]  # [boxes]

    def box_values(self, state: State) -> NDArray[np.float64]:
        """[rolls, boxes]: the worth of every roll in every box; -inf where illegal."""
        table = np.broadcast_to(self.table, self.compiled.shape)
        return turn_values.box_values(self.compiled, table, state) + self.bias


def outlook(book: RuleBook, sight: Sight, *, patient: bool = True, progress: Progress | None = None) -> Outlook:
    """How a player of this sight looks at a book.

    Where an exact solution would take minutes, the impatient plan by par unless one is already known.
    """
    if sight == "points":
        return _by_points(compiled_book(book))
    if sight == "exact":
        solution = solve(book, progress=progress) if patient or not takes_long(book) else known(book)
        if solution is not None:
            return Outlook(solution.compiled, solution.table, np.zeros(solution.compiled.boxes))
    return _by_par(book)


def _by_points(book: CompiledBook) -> Outlook:
    return Outlook(book, np.zeros((1, *book.shape[1:])), np.zeros(book.boxes))


@lru_cache(maxsize=32)
def _by_par(rules: RuleBook) -> Outlook:
    """An open box is worth its par, and every upper point its share of the bonus."""
    book = compiled_book(rules)
    upper = np.array([book.upper >> box & 1 for box in range(book.boxes)])
    most = book.plain.max(axis=0)
    share = book.bonus * upper * most / max(1, int((upper * most).sum()))
    credit = book.bonus * np.arange(book.lanes) / max(1, book.threshold)
    return Outlook(book, np.tile(credit, (1, book.flags, 1)), -(_pars(book) + share))


def _pars(book: CompiledBook) -> NDArray[np.float64]:
    """What a box brings if a whole turn is spent on it."""
    return np.array([_alone(book, box) for box in range(book.boxes)])


def _alone(book: CompiledBook, box: int) -> float:
    best = book.plain[:, box].astype(np.float64)
    for _ in range(book.rolls - 1):
        best = turn_values.best_rolls(book.lattice, turn_values.keep_values(book.lattice, best))
    return float(best @ book.lattice.weights)
