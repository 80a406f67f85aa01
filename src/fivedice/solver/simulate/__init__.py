"""Many solo games at once, by the kernels of the solver: seeded, reproducible, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.rules import RuleBook
from fivedice.solver.odds import Odds
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import Outlook, outlook

if TYPE_CHECKING:
    from fivedice.drawing import Chart

MOST_GAMES = 10**9
_BATCH = 1 << 21  # games that are in play together: the more, the more of them share a block
_SEEDS = 1 << 64


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """What came of many games; `totals` in the order of their numbers."""

    book: RuleBook
    totals: NDArray[np.int32]
    box_means: dict[str, float]
    bonus_rate: float  #: how often the upper bonus was earned
    extra_mean: float  #: how many extras a game brought for further rolls of all dice alike

    def __repr__(self) -> str:
        return f"<Simulation of {self.games} games of {self.book.key!r}: mean {self.mean:.2f}, sd {self.sd:.2f}>"

    def plot(self) -> Chart:
        """A chart of the totals: a notebook shows it, `plot().save("totals.svg")` writes it to a file."""
        found, counts = np.unique(self.totals, return_counts=True)
        shares = (counts / self.games).tolist()
        pmf = dict(zip(found.tolist(), shares, strict=True))
        return Odds(pmf, self.bonus_rate, self.box_means, self.extra_mean).plot()

    def _repr_svg_(self) -> str:
        return self.plot().svg

    @property
    def games(self) -> int:
        """How many were played."""
        return len(self.totals)

    @property
    def mean(self) -> float:
        """The mean total."""
        return float(self.totals.mean())

    @property
    def sd(self) -> float:
        """The standard deviation of a game's total."""
        return float(self.totals.std(ddof=1)) if self.games > 1 else 0.0

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return self.sd / sqrt(self.games)

    def quantile(self, share: float) -> int:
        """The lowest total that this share of the games did not exceed."""
        return int(np.quantile(self.totals, share, method="inverted_cdf"))


def simulate(
    book: RuleBook,
    games: int,
    *,
    view: Outlook | None = None,
    blur: float = 0.0,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    number: int = 0,
) -> Simulation:
    """Play solo games: perfectly, or by another outlook and with blurred sight. `number` is that of the first of them.

    With `blur`, an option that loses x points is e ** (-x / blur) times as likely as the best.
    """
    from fivedice.solver.simulate.game_batch import GameBatch  # here, because it brings in numba

    check_games(games)
    if book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=book)
    seen = outlook(book, "exact") if view is None else view
    totals = np.empty(games, dtype=np.int32)
    bonuses = 0
    with GameBatch(seen, blur, seed % _SEEDS, threads) as batch:
        for first in range(0, games, _BATCH):
            bonuses += batch.play(number + first, totals[first : first + _BATCH], _from(first, games, progress))
        points, extras = batch.sums[:-1], int(batch.sums[-1])
    sums = dict(zip(seen.compiled.order, points.tolist(), strict=True))
    means = {box.key: sums[place] / games for place, box in enumerate(book.boxes)}
    return Simulation(book, totals, means, bonuses / games, extras / games)


def joined(parts: Sequence[Simulation]) -> Simulation:
    """Several as one, in their order. Means of whole numbers become sums again, so nothing is lost by rounding."""
    games = sum(part.games for part in parts)

    def mean(of: Callable[[Simulation], float]) -> float:
        return sum(round(of(part) * part.games) for part in parts) / games

    return Simulation(
        parts[0].book,
        np.concatenate([part.totals for part in parts]),
        {box: mean(lambda part, box=box: part.box_means[box]) for box in parts[0].box_means},  # type: ignore[misc]
        mean(lambda part: part.bonus_rate),
        mean(lambda part: part.extra_mean),
    )


def check_games(games: int) -> None:
    """Refuse what cannot be played."""
    if not 1 <= games <= MOST_GAMES:
        raise IllegalError("solver.games", games=games, most=MOST_GAMES)


def _from(first: int, games: int, progress: Progress | None) -> Callable[[int], None]:
    """Progress within a batch as progress in all."""
    return lambda done: None if progress is None else progress(first + done, games)
