"""How perfect games end, to compare final totals with. Computed once for a book and stored with its solution."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.solver import Solution
from fivedice.solver.model.book_arrays import State
from fivedice.solver.model.reachable_states import highest
from fivedice.solver.odds import Odds
from fivedice.solver.runtime import solution_files as table_store
from fivedice.solver.runtime.worker_threads import Progress

KIND = "perfect"
SIMULATED = 200_000  # games, for books whose exact odds would take too much memory

_memory: dict[tuple[str, ...], Perfect] = {}  # books with one fingerprint may name their boxes differently
_locks: dict[str, Lock] = {}


@dataclass(frozen=True, eq=False)
class Perfect:
    """Perfect games of a book: the chances of all totals, and the mean of every box."""

    odds: Odds
    exact: bool  # computed, not counted in simulated games

    def better_than(self, total: int) -> float:
        """Return the share of perfect games that end lower; those that end level count half."""
        return 1.0 - self.odds.at_least(total) + self.odds.pmf.get(total, 0.0) / 2

    def share(self, first: int, count: int) -> float:
        """Return the share of perfect games that end with one of `count` totals from `first` on."""
        return sum(self.odds.pmf.get(total, 0.0) for total in range(first, first + count))

    @property
    def source(self) -> str:
        """Return where the numbers come from, as a name for programs."""
        return "exact" if self.exact else f"{SIMULATED:,} simulated games"  # no sentence


def perfect(solution: Solution, progress: Progress | None = None) -> Perfect:
    """Return perfect games from memory or disk, or compute them, which takes a few seconds."""
    name = solution.book.fingerprint
    with _locks.setdefault(name, Lock()):
        found = known(solution)
        if found is None:
            found = _compute(solution, progress)
            table_store.save(name, _pack(solution, found), KIND)
        return _memory.setdefault(_key(solution), found)


def known(solution: Solution) -> Perfect | None:
    """Return perfect games from memory or disk; None if they have not been computed."""
    found = _memory.get(_key(solution))
    if found is not None:
        return found
    stored = table_store.load(solution.book.fingerprint, (1, 1, _row_length(solution)), KIND)
    return None if stored is None else _memory.setdefault(_key(solution), _unpack(solution, stored.reshape(-1)))


def _key(solution: Solution) -> tuple[str, ...]:
    return (solution.book.fingerprint, *(box.key for box in solution.book.boxes))


def _compute(solution: Solution, progress: Progress | None) -> Perfect:
    try:
        return Perfect(solution.odds(progress=progress), exact=True)
    except IllegalError:
        return Perfect(_simulate(solution, progress), exact=False)


def _simulate(solution: Solution, progress: Progress | None) -> Odds:
    from fivedice.solver.simulate import simulate

    found = simulate(solution.book, SIMULATED, progress=progress)
    totals, counts = np.unique(found.totals, return_counts=True)
    pmf = dict(zip(totals.tolist(), (counts / found.games).tolist(), strict=True))
    return Odds(pmf, found.bonus_rate, found.box_means, found.extra_mean)


def _row_length(solution: Solution) -> int:
    """Count the numbers of a packed row: exactness, bonus, extras, the mean of each box, the chance of each total."""
    highest_total = highest(solution.compiled, State(0, 0, 0))[0]
    return 3 + solution.compiled.boxes + highest_total + 1


def _pack(solution: Solution, found: Perfect) -> NDArray[np.float64]:
    """Pack into one row, with the boxes in compiled order, so that books with the same rules can share it."""
    boxes = solution.book.boxes
    row = np.zeros((1, 1, _row_length(solution)))
    head = [float(found.exact), found.odds.upper_bonus, found.odds.extra_mean]
    head += [found.odds.box_means[boxes[place].key] for place in solution.compiled.order]
    row[0, 0, : len(head)] = head
    for total, chance in found.odds.pmf.items():
        row[0, 0, len(head) + total] = chance
    return row


def _unpack(solution: Solution, row: NDArray[np.float64]) -> Perfect:
    boxes, order = solution.book.boxes, solution.compiled.order
    means = dict(zip((boxes[place].key for place in order), row[3 : 3 + len(order)].tolist(), strict=True))
    chances = row[3 + len(order) :]
    pmf = {total: float(chances[total]) for total in np.flatnonzero(chances).tolist()}
    return Perfect(Odds(pmf, float(row[1]), {box.key: means[box.key] for box in boxes}, float(row[2])), bool(row[0]))
