"""How perfect games end: what a final total is held against. Worked out once a book, and kept beside its solution."""

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
SIMULATED = 200_000  # games, where the exact odds from the empty card would take too much memory

_memory: dict[tuple[str, ...], Perfect] = {}  # books that play alike may call their boxes by other names
_locks: dict[str, Lock] = {}


@dataclass(frozen=True, eq=False)
class Perfect:
    """Perfect games of a book: the chances of all totals, and means of every box."""

    odds: Odds
    exact: bool  # else counted in many simulated games

    def better_than(self, total: int) -> float:
        """The share of perfect games that end lower; those that end level count half."""
        return 1.0 - self.odds.at_least(total) + self.odds.pmf.get(total, 0.0) / 2

    def share(self, first: int, count: int) -> float:
        """Of the games that end with one of so many totals, from the first on."""
        return sum(self.odds.pmf.get(total, 0.0) for total in range(first, first + count))

    @property
    def source(self) -> str:
        """Where they come from, for programs."""
        return "exact" if self.exact else f"{SIMULATED:,} simulated games"  # no sentence


def perfect(solution: Solution, progress: Progress | None = None) -> Perfect:
    """From memory, from disk, or worked out, which takes a few seconds."""
    name = solution.book.fingerprint
    with _locks.setdefault(name, Lock()):
        found = known(solution)
        if found is None:
            found = _worked_out(solution, progress)
            table_store.save(name, _packed(solution, found), KIND)
        return _memory.setdefault(_name(solution), found)


def known(solution: Solution) -> Perfect | None:
    """If it is at hand, in memory or on disk."""
    found = _memory.get(_name(solution))
    if found is not None:
        return found
    stored = table_store.load(solution.book.fingerprint, (1, 1, _room(solution)), KIND)
    return None if stored is None else _memory.setdefault(_name(solution), _unpacked(solution, stored.reshape(-1)))


def _name(solution: Solution) -> tuple[str, ...]:
    return (solution.book.fingerprint, *(box.key for box in solution.book.boxes))


def _worked_out(solution: Solution, progress: Progress | None) -> Perfect:
    try:
        return Perfect(solution.odds(progress=progress), exact=True)
    except IllegalError:
        return Perfect(_simulated(solution, progress), exact=False)


def _simulated(solution: Solution, progress: Progress | None) -> Odds:
    from fivedice.solver.simulate import simulate

    found = simulate(solution.book, SIMULATED, progress=progress)
    totals, counts = np.unique(found.totals, return_counts=True)
    pmf = dict(zip(totals.tolist(), (counts / found.games).tolist(), strict=True))
    return Odds(pmf, found.bonus_rate, found.box_means, found.extra_mean)


def _room(solution: Solution) -> int:
    """Exactness, bonus and extras; a mean for every box; a chance for every total."""
    return 3 + solution.compiled.boxes + _most(solution) + 1


def _most(solution: Solution) -> int:
    """A bound on every total."""
    return highest(solution.compiled, State(0, 0, 0))[0]


def _packed(solution: Solution, found: Perfect) -> NDArray[np.float64]:
    """As one row; the boxes stand as in the compiled book, so that books that play alike can share it."""
    boxes = solution.book.boxes
    row = np.zeros((1, 1, _room(solution)))
    head = [float(found.exact), found.odds.upper_bonus, found.odds.extra_mean]
    head += [found.odds.box_means[boxes[place].key] for place in solution.compiled.order]
    row[0, 0, : len(head)] = head
    for total, chance in found.odds.pmf.items():
        row[0, 0, len(head) + total] = chance
    return row


def _unpacked(solution: Solution, row: NDArray[np.float64]) -> Perfect:
    boxes, order = solution.book.boxes, solution.compiled.order
    means = dict(zip((boxes[place].key for place in order), row[3 : 3 + len(order)].tolist(), strict=True))
    chances = row[3 + len(order) :]
    pmf = {total: float(chances[total]) for total in np.flatnonzero(chances).tolist()}
    return Perfect(Odds(pmf, float(row[1]), {box.key: means[box.key] for box in boxes}, float(row[2])), bool(row[0]))
