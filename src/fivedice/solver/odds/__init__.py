"""`odds`: the exact distribution of the final total when playing for the mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from fivedice.drawing import svg as draw
from fivedice.drawing.svg import Chart, Scale
from fivedice.errors import IllegalError
from fivedice.message import Chance, message
from fivedice.solver.model.book_arrays import State
from fivedice.solver.model.reachable_states import ReachableStates, highest
from fivedice.solver.runtime.solution_cache import SolvedTables
from fivedice.solver.runtime.solution_files import pack_file, unpack_file
from fivedice.solver.values.turn_choices import turnout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fivedice.drawing.svg import Chart
    from fivedice.solver.model.book_arrays import CompiledBook
    from fivedice.solver.runtime.worker_threads import Progress


_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Odds:
    """The distribution of the final total of one strategy; of several best moves it takes that of `turn_choices`.

    >>> odds = fd.solve("crag").odds()
    >>> round(odds.mean, 2), round(odds.sd, 2)
    (149.85, 33.62)
    """

    pmf: Mapping[int, float]  #: totals and their probabilities, in ascending order
    upper_bonus: float  #: the chance of the upper bonus, of any tier
    box_means: Mapping[str, float]  #: mean points by key; a filled box has its points
    extra_mean: float  #: mean number of extra bonuses for all dice the same, including those on the card

    def __repr__(self) -> str:
        return f"<Odds of totals {min(self.pmf)} to {max(self.pmf)}: mean {self.mean:.2f}, sd {self.sd:.2f}>"

    @cached_property
    def mean(self) -> float:
        """Return the mean of the final total."""
        return float(self._totals @ self._chances)

    @cached_property
    def sd(self) -> float:
        """Return the standard deviation of the final total."""
        return sqrt(float((self._totals - self.mean) ** 2 @ self._chances))

    def quantile(self, share: float) -> int:
        """Return the lowest total that is not exceeded with at least this chance.

        `share` is between 0 and 1. Raises `IllegalError` for other numbers.

        >>> fd.solve("crag").odds().quantile(0.5)
        152
        """
        if not 0 <= share <= 1:
            raise IllegalError("solver.quantile", share=str(share))
        place = int(np.searchsorted(np.cumsum(self._chances), share - _ROUNDING))
        return int(self._totals[min(place, len(self._totals) - 1)])

    def plot(self) -> Chart:
        """Return a chart of the totals. A notebook shows it; `plot().save("odds.svg")` writes it to a file.

        >>> fd.solve("crag").odds().plot().svg[:4]
        '<svg'
        """
        from fivedice.solver.odds import odds_chart  # imported late: most programs draw nothing

        return odds_chart(self)

    def _repr_svg_(self) -> str:
        return self.plot().svg

    def at_least(self, total: int) -> float:
        """Return the chance of this total or more.

        >>> round(fd.solve("crag").odds().at_least(200), 3)
        0.042
        """
        return float(self._chances[self._totals >= total].sum())

    @cached_property
    def _totals(self) -> NDArray[np.int64]:
        return np.array(list(self.pmf), dtype=np.int64)

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        return np.array(list(self.pmf.values()))


@dataclass(frozen=True, eq=False)
class Finish:
    """The result of playing on; points are those since the start, with all bonuses."""

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
    """Play from the chances of all rolls of a turn to the end of the game."""
    from fivedice.solver.odds.forward_pass import finish  # imported late because it needs numba

    return finish(ReachableStates(book, state), table, turnout(book, table, state, rolls, rerolls), progress)


def totals(end: Finish, banked: int) -> dict[int, float]:
    """Return the possible final totals and their chances, from points since the start."""
    return {banked + points: float(end.chances[points]) for points in np.flatnonzero(end.chances).tolist()}


KIND = "odds"
START = State(0, 0, 0)

_tables = SolvedTables(KIND)


def first_turn_odds(
    fingerprint: str, book: CompiledBook, work: Callable[[], Finish], progress: Progress | None = None
) -> Finish:
    """Return the odds from memory, from disk, as shipped, or worked out now."""

    def shipped() -> tuple[NDArray[np.float64]] | None:
        content = unpack_file(fingerprint, _shape(book), KIND)
        return None if content is None else (np.frombuffer(content, "<f8").reshape(_shape(book)),)

    (row,) = _tables.get(fingerprint, _shape(book), lambda: (_row(book, work()),), progress, shipped)
    return _finish(book, row.reshape(-1))


def is_known(fingerprint: str, book: CompiledBook) -> bool:
    """Return whether the odds are available without working them out."""
    found = unpack_file(fingerprint, _shape(book), KIND) is not None
    return found or _tables.known(fingerprint, _shape(book)) is not None


def packed_odds(book: CompiledBook, end: Finish, fingerprint: str) -> bytes:
    """Return the content of the file that is shipped."""
    return pack_file(fingerprint, _shape(book), KIND, _row(book, end).astype("<f8").tobytes())


def _shape(book: CompiledBook) -> tuple[int, int, int]:
    """Return the shape of the table: bonus and extras, a mean for every box, and a chance for every total."""
    return 1, 1, 2 + book.boxes + highest(book, START)[0] + 1


def _row(book: CompiledBook, end: Finish) -> NDArray[np.float64]:
    row = np.zeros(_shape(book))
    chances = np.trim_zeros(end.chances, "b")
    numbers = np.concatenate([[end.bonus, end.extras], end.boxes, chances])
    row[0, 0, : len(numbers)] = numbers
    return row


def _finish(book: CompiledBook, row: NDArray[np.float64]) -> Finish:
    return Finish(row[2 + book.boxes :], float(row[0]), row[2 : 2 + book.boxes], float(row[1]))


WIDTH, HEIGHT = 360, 200
_LEFT, _RIGHT, _TOP, _FLOOR = 12, 348, 24, 160
_BARS = 60
_RARE = 0.001  # rarer totals on either side would only be a flat line
_QUARTER = 0.25


def odds_chart(odds: Odds) -> Chart:
    """Draw bars that each stand for the same number of totals."""
    marks = draw.ticks(odds.quantile(_RARE), max(odds.quantile(1 - _RARE), odds.quantile(_RARE) + 1), 6)
    step = max(1, (marks[-1] - marks[0]) // _BARS)
    groups = [(first, _share(odds, first, step)) for first in range(marks[0], marks[-1] + 1, step)]
    across, up = (
        Scale(marks[0], marks[-1] + step, _LEFT, _RIGHT),
        Scale(0, max(each for _, each in groups), _FLOOR, _TOP),
    )
    low, high = odds.quantile(_QUARTER), odds.quantile(1 - _QUARTER)
    wide = across(step) - across(0) - 0.6
    bars = [
        draw.rect(across(at), up(each), wide, _FLOOR - up(each), *_look(low <= at + step - 1 and at <= high))
        for at, each in groups
    ]
    mean = across(odds.mean)
    axis = [draw.words(across(mark), _FLOOR + 16, str(mark), "middle") for mark in marks]
    axis += [
        draw.line(_LEFT, _FLOOR, _RIGHT, _FLOOR, "axis", draw.FAINT),
        draw.line(mean, 16, mean, _FLOOR, "mean", draw.INK, "5 3"),
    ]
    label = min(max(mean, _LEFT + 30), _RIGHT - 30)
    axis.append(draw.words(label, 12, str(message("solver.odds-mean", mean=round(odds.mean, 1))), "middle"))
    axis.append(draw.words(_RIGHT, HEIGHT - 6, str(message("solver.odds-axis")), "end", "faint", draw.FAINT))
    about = message("solver.odds-about", mean=round(odds.mean, 1), sd=round(odds.sd, 1), low=low, high=high)
    return Chart(
        "odds",
        str(message("solver.odds-title")),
        str(about),
        WIDTH,
        HEIGHT,
        draw.draw_rounded(0, 0, WIDTH, HEIGHT, 8, draw.GROUND) + "".join([*bars, *axis]),
        (str(message("solver.odds-axis")), str(message("solver.odds-chance"))),
        tuple((_range(at, step), str(message("solver.odds-share", chance=Chance(each)))) for at, each in groups),
    )


def _share(odds: Odds, first: int, step: int) -> float:
    return sum(odds.pmf.get(total, 0.0) for total in range(first, first + step))


def _look(middle: bool) -> tuple[str, str]:
    return ("bar strong", draw.STRONG) if middle else ("bar", draw.BAR)


def _range(first: int, step: int) -> str:
    return str(first) if step == 1 else f"{first}\N{EN DASH}{first + step - 1}"
