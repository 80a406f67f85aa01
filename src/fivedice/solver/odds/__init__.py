"""`odds`: the exact distribution of the final total when the mean is played for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from fivedice.errors import IllegalError
from fivedice.solver.model.reachable_states import ReachableStates
from fivedice.solver.values.turn_choices import turnout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fivedice.drawing import Chart
    from fivedice.solver.model.book_arrays import CompiledBook, State
    from fivedice.solver.runtime.worker_threads import Progress

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Odds:
    """How a game may end. All numbers belong to one strategy; of several best moves it takes that of `turn_choices`."""

    pmf: Mapping[int, float]  #: total to its probability, in ascending order
    upper_bonus: float  #: the chance of the upper bonus, of whatever tier
    box_means: Mapping[str, float]  #: by key; a box that is filled already has what it holds
    extra_mean: float  #: how many extras are paid for further rolls of all dice alike, those on the card included

    def __repr__(self) -> str:
        return f"<Odds of totals {min(self.pmf)} to {max(self.pmf)}: mean {self.mean:.2f}, sd {self.sd:.2f}>"

    @cached_property
    def mean(self) -> float:
        """The mean of the final total."""
        return float(self._totals @ self._chances)

    @cached_property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(float((self._totals - self.mean) ** 2 @ self._chances))

    def quantile(self, share: float) -> int:
        """The lowest total that is not exceeded with at least this chance."""
        if not 0 <= share <= 1:
            raise IllegalError("solver.quantile", share=str(share))
        place = int(np.searchsorted(np.cumsum(self._chances), share - _ROUNDING))
        return int(self._totals[min(place, len(self._totals) - 1)])

    def plot(self) -> Chart:
        """A chart of the totals: a notebook shows it, `plot().save("odds.svg")` writes it to a file."""
        from fivedice.solver.odds.odds_chart import odds_chart  # most programs draw nothing

        return odds_chart(self)

    def _repr_svg_(self) -> str:
        return self.plot().svg

    def at_least(self, total: int) -> float:
        """The chance of this total or more."""
        return float(self._chances[self._totals >= total].sum())

    @cached_property
    def _totals(self) -> NDArray[np.int64]:
        return np.array(list(self.pmf), dtype=np.int64)

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        return np.array(list(self.pmf.values()))


@dataclass(frozen=True, eq=False)
class Finish:
    """What play comes to; points are those since the start, and all bonuses."""

    chances: NDArray[np.float64]  # of each number of points
    bonus: float  # the chance of the upper bonus
    boxes: NDArray[np.float64]  # mean points of each box
    extras: float  # mean number of extras


def play_on(
    book: CompiledBook,
    table: NDArray[np.float64],
    state: State,
    rolls: NDArray[np.float64],
    rerolls: int,
    progress: Progress | None = None,
) -> Finish:
    """From the chances of all rolls of a turn to the end of the game."""
    from fivedice.solver.odds.forward_pass import finish  # only here, since it brings in numba

    return finish(ReachableStates(book, state), table, turnout(book, table, state, rolls, rerolls), progress)


def totals(end: Finish, banked: int) -> dict[int, float]:
    """Final totals and their chances, from points since the start; those without a chance are left out."""
    return {banked + points: float(end.chances[points]) for points in np.flatnonzero(end.chances).tolist()}
