"""Many solo games at once, played by the kernels of the solver: seeded, reproducible, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError
from fivedice.solver.odds import Odds
from fivedice.solver.runtime.worker_threads import Progress
from fivedice.solver.solution import Outlook, outlook

if TYPE_CHECKING:
    from fivedice.drawing.svg import Chart

MOST_GAMES = 10**9
_BATCH = 1 << 21  # games played together: the more there are, the more of them share a block
_SEEDS = 1 << 64


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """The results of many games; `totals` is in the order of their numbers."""

    book: RuleBook
    totals: NDArray[np.int32]
    box_means: dict[str, float]
    bonus_rate: float  #: the share of games with the upper bonus
    extra_mean: float  #: the mean number of extra bonuses for further rolls of all dice the same

    def __repr__(self) -> str:
        return f"<Simulation of {self.games} games of {self.book.key!r}: mean {self.mean:.2f}, sd {self.sd:.2f}>"

    def plot(self) -> Chart:
        """Return a chart of the totals. A notebook shows it; `plot().save("totals.svg")` writes it to a file.

        >>> fd.simulate("crag", 2, bot="steady").plot().svg[:4]
        '<svg'
        """
        found, counts = np.unique(self.totals, return_counts=True)
        shares = (counts / self.games).tolist()
        pmf = dict(zip(found.tolist(), shares, strict=True))
        return Odds(pmf, self.bonus_rate, self.box_means, self.extra_mean).plot()

    def _repr_svg_(self) -> str:
        return self.plot().svg

    @property
    def games(self) -> int:
        """Return the number of games.

        >>> fd.simulate("crag", 2, bot="steady").games
        2
        """
        return len(self.totals)

    @property
    def mean(self) -> float:
        """Return the mean total.

        >>> fd.simulate("crag", 2, bot="steady").mean
        167.0
        """
        return float(self.totals.mean())

    @property
    def sd(self) -> float:
        """Return the standard deviation of a game's total.

        >>> fd.simulate("crag", 1, bot="steady").sd
        0.0
        """
        return float(self.totals.std(ddof=1)) if self.games > 1 else 0.0

    @property
    def standard_error(self) -> float:
        """Return the standard error of the mean.

        >>> fd.simulate("crag", 1, bot="steady").standard_error
        0.0
        """
        return self.sd / sqrt(self.games)

    def quantile(self, share: float) -> int:
        """Return the lowest total that this share of the games did not exceed.

        `share` is between 0 and 1.

        >>> fd.simulate("crag", 2, bot="steady").quantile(0.5)
        148
        """
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
    """Play solo games: perfectly, or by another outlook and with blurred sight. `number` is that of the first game.

    With `blur`, an option that loses x points is e ** (-x / blur) times as likely as the best. Raises `IllegalError`
    for a bad number of games and for a book that saves rolls.
    """
    from fivedice.solver.simulate.game_batch import GameBatch  # imported late because it needs numba

    check_games(games)
    if book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=book)
    seen = outlook(book, "exact") if view is None else view
    totals = np.empty(games, dtype=np.int32)
    bonuses = 0
    with GameBatch(seen, blur, seed % _SEEDS, threads) as batch:
        for first in range(0, games, _BATCH):
            bonuses += batch.play(
                number + first, totals[first : first + _BATCH], _batch_progress(first, games, progress)
            )
        points, extras = batch.sums[:-1], int(batch.sums[-1])
    sums = dict(zip(seen.compiled.order, points.tolist(), strict=True))
    means = {box.key: sums[place] / games for place, box in enumerate(book.boxes)}
    return Simulation(book, totals, means, bonuses / games, extras / games)


def join_simulations(parts: Sequence[Simulation]) -> Simulation:
    """Join several simulations, in order. Means are turned back into whole sums, so nothing is lost by rounding."""
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
    """Raise `IllegalError` for a number of games that cannot be played."""
    if not 1 <= games <= MOST_GAMES:
        raise IllegalError("solver.games", games=games, most=MOST_GAMES)


def _batch_progress(first: int, games: int, progress: Progress | None) -> Callable[[int], None]:
    """Return a function that reports the progress of a batch as progress of the whole."""
    return lambda done: None if progress is None else progress(first + done, games)
