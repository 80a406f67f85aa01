"""Two players in turn, both playing to win, exactly: the share for every pair of states and every lead.

With few boxes left, few pairs of cards may follow two cards. Where boxes are filled in a fixed order, the whole game is
small enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.errors import IllegalError
from fivedice.solver.chase import stretches_of
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.model.reachable_states import ROUND, ReachableStates, needs, scored_since
from fivedice.solver.model.work_plan import BLOCK
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.values import turn_values
from fivedice.solver.values.kernel_inputs import aligned_zeros, game_arrays, turn_arrays

if TYPE_CHECKING:
    from fivedice.solver.chase.chase_kernels import ChaseWorkspace, Stretches
    from fivedice.solver.win.duel_kernels import Mover, Pairs

_Whole = NDArray[np.int64]


class Side:
    """One player: the rows that may follow, and the points scored and still to score in them."""

    def __init__(self, book: CompiledBook, state: State) -> None:
        self.state = state
        self.reachable = ReachableStates(book, state)
        cards = self.reachable.cards
        self.starts = cards.rows[cards.layers]  # the first row of each layer, and the end
        self.least, self.most = scored_since(self.reachable)
        self.left = needs(self.reachable, 0).possible

    def layer(self, number: int) -> slice:
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    def rows(self, number: int) -> int:
        return int(self.starts[number + 1] - self.starts[number])

    def mover(self, number: int) -> Mover:
        from fivedice.solver.win.duel_kernels import Mover

        reachable, these = self.reachable, self.layer(number)
        cards = reachable.card_of_row()[these]
        return Mover(
            masks=reachable.cards.masks[cards],
            flags=reachable.cards.flags[cards],
            kinds=reachable.cards.kinds[cards],
            totals=reachable.totals.highest[reachable.total_of_row()[these]],
            first_rows=reachable.first_rows,
            ranks=reachable.totals.ranks,
            kind_bits=reachable.kind_bits,
            next_row=int(self.starts[number + 1]),
            threshold=reachable.book.threshold,
        )

    def bonuses(self) -> _Whole:
        """Return the bonus points at the end, as [rows of full cards]."""
        reachable, these = self.reachable, self.layer(len(self.starts) - 2)
        flags = reachable.cards.flags[reachable.card_of_row()[these]]
        lanes = reachable.totals.highest[reachable.total_of_row()[these]]
        return reachable.book.final[flags, lanes].astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Step:
    """Which player is on turn, and how many boxes each has filled since the start."""

    mover: int
    filled: tuple[int, int]


class Duel:
    """The shares of two players from a pair of states on; player 0 is on turn, and player 1 leads by `lead` points.

    The lead is without bonuses, which are paid at the end.
    """

    def __init__(
        self, book: CompiledBook, states: tuple[State, State], lead: int, progress: Progress | None = None
    ) -> None:
        self._book, self._lead = book, lead
        self._sides = _sides(book, states)
        self._steps = _steps(book, states)
        self._stop = len(self._steps)
        self._windows = [self._pairs(step) for step in self._steps]
        self._after = self._fill(progress)

    @property
    def share(self) -> float:
        """Return the share of player 0 at the start of the turn."""
        grid = self._book.lattice
        return float(turn_values.turn_worth(grid, self.box_shares().max(axis=1), (), self._book.rolls))

    def box_shares(self) -> NDArray[np.float64]:
        """Return the share of player 0 after every roll in every box, as [rolls, boxes]; -inf where illegal."""
        side, pairs = self._sides[0], self._windows[1]
        reachable = side.reachable

        def after(masks: _Whole, flags: _Whole, lanes: _Whole, points: _Whole) -> NDArray[np.float64]:
            ranks = reachable.totals.ranks[reachable.kinds(masks), lanes]
            rows = reachable.first_rows[masks, flags] + ranks - side.starts[1]
            at = points - self._lead - pairs.lows[0, rows]
            count = pairs.counts[0, rows]
            inside = (at >= 0) & (at < count)
            theirs = self._after[np.where(inside, pairs.offsets[0, rows] + at, 0)] if len(self._after) else 0.0
            return np.where(inside, 1.0 - theirs, np.where(at >= count, 1.0, 0.0))

        return turn_values.over_boxes(self._book, side.state, after)

    def _pairs(self, step: _Step) -> Pairs:
        """Return the leads that can occur and are not decided: see `duel_kernels`."""
        from fivedice.solver.win.duel_kernels import Pairs

        lows, highs = _window(self._sides, step, self._lead)
        counts = np.maximum(highs - lows + 1, 0)
        sizes = -(-counts // BLOCK) * BLOCK
        offsets = (np.cumsum(sizes.reshape(-1)) - sizes.reshape(-1)).reshape(sizes.shape)
        return Pairs(offsets, lows, counts)

    def _fill(self, progress: Progress | None) -> NDArray[np.float64]:
        """Work out the shares from full cards back to the first turn of player 1."""
        total = sum(int(pairs.counts.sum()) for pairs in self._windows[1:-1])
        after = _final_shares(self._sides, self._windows[-1])
        fill = _Fill(self._book, self._windows)
        with WorkerPool(fill.new_workspace, progress=progress, total=total) as pool:
            for number in range(self._stop - 2, 0, -1):
                step, pairs = self._steps[number], self._windows[number]
                here = np.zeros(_size(pairs))
                jobs = fill.jobs(self._sides[step.mover].mover(step.filled[step.mover]), pairs, pool.threads)
                pool.run(fill.work(after, here, self._windows[number + 1], pool.stop), jobs)
                after = here
        return after


class _Fill:
    def __init__(self, book: CompiledBook, windows: list[Pairs]) -> None:
        from fivedice.solver.win import duel_kernels

        self._kernels = duel_kernels
        self._book = book
        longest = max(int(pairs.counts.max(initial=1)) for pairs in windows)
        most = int(max(book.plain.max(), book.alike.max() + book.extra.max()))
        self._stretches: Stretches = stretches_of(book, -(-max(longest, most) // ROUND) * ROUND + ROUND)
        self._turn, self._game = turn_arrays(book), game_arrays(book)

    def new_workspace(self) -> ChaseWorkspace:
        from fivedice.solver.chase.chase_kernels import ChaseWorkspace

        book, stretches = self._book, self._stretches
        return ChaseWorkspace(
            work=aligned_zeros(BLOCK * book.lattice.rows),
            stretches=np.zeros(2 * len(stretches.slots) * stretches.width),
            places=np.zeros(book.lattice.faces * book.boxes, dtype=np.uint32),
        )

    def jobs(self, mover: Mover, pairs: Pairs, threads: int) -> list[tuple[Mover, Pairs, _Whole]]:
        rows = np.arange(len(pairs.counts))
        count = min(len(rows), 4 * threads)
        return [(mover, pairs, rows[first::count].copy()) for first in range(count)]

    def work(self, after: NDArray[np.float64], here: NDArray[np.float64], following: Pairs, stop: NDArray[np.uint8]):  # type: ignore[no-untyped-def]
        def run(workspace: ChaseWorkspace, job: tuple[Mover, Pairs, _Whole]) -> int:
            mover, pairs, rows = job
            common = self._stretches, self._turn, self._game, workspace, stop
            self._kernels.solve_pairs(after, here, rows, pairs.counts.shape[1], mover, following, pairs, *common)
            return int(pairs.counts[rows].sum())

        return run


def count_work(book: CompiledBook, states: tuple[State, State], lead: int) -> int:
    """Return the number of lanes of a duel: a million take half a second of one core."""
    sides = _sides(book, states)
    found = 0
    for step in _steps(book, states)[1:-1]:
        lows, highs = _window(sides, step, lead)
        counts = np.maximum(highs - lows + 1, 0)
        found += int((-(-counts // BLOCK) * BLOCK).sum())
    return found


def _sides(book: CompiledBook, states: tuple[State, State]) -> tuple[Side, Side]:
    one, two = (Side(book, state) for state in states)
    return one, two


def _steps(book: CompiledBook, states: tuple[State, State]) -> list[_Step]:
    """List the turns, alternating, until both cards are full; player 0 begins.

    Raises `IllegalError` if the numbers of open boxes do not fit.
    """
    boxes = [book.boxes - state.mask.bit_count() for state in states]
    if boxes[0] - boxes[1] not in {0, 1}:
        raise IllegalError("solver.duel-out-of-turn")
    return [_Step(turn % 2, ((turn + 1) // 2, turn // 2)) for turn in range(sum(boxes) + 1)]


def _window(sides: tuple[Side, Side], step: _Step, lead: int) -> tuple[_Whole, _Whole]:
    """Return the lowest and the highest lead of the other that matter, as [rows of the player on turn, rows of the
    other].
    """
    one, two = step.mover, 1 - step.mover
    mine, theirs = sides[one].layer(step.filled[one]), sides[two].layer(step.filled[two])
    ahead = lead if one == 0 else -lead
    lowest = ahead + sides[two].least[theirs][None, :] - sides[one].most[mine][:, None]
    highest = ahead + sides[two].most[theirs][None, :] - sides[one].least[mine][:, None]
    lows = np.maximum(lowest, -sides[two].left[theirs][None, :])
    highs = np.minimum(highest, sides[one].left[mine][:, None])
    return lows, highs


def _size(pairs: Pairs) -> int:
    size = int((-(-pairs.counts // BLOCK) * BLOCK).sum())
    if 16 * size > MOST_BYTES:
        raise IllegalError("solver.duel-too-large", size=16 * size / 1e9)
    return size


def _final_shares(sides: tuple[Side, Side], pairs: Pairs) -> NDArray[np.float64]:
    """Return the shares when both cards are full and the bonuses decide; the lead is that of the player not on turn."""
    turns = (len(sides[0].starts) - 2) + (len(sides[1].starts) - 2)
    one = turns % 2
    mine, theirs = sides[one].bonuses(), sides[1 - one].bonuses()
    found = np.zeros(_size(pairs))
    for row, other in np.argwhere(pairs.counts > 0).tolist():
        first, count = int(pairs.offsets[row, other]), int(pairs.counts[row, other])
        ahead = mine[row] - theirs[other] - (pairs.lows[row, other] + np.arange(count))
        found[first : first + count] = np.where(ahead > 0, 1.0, np.where(ahead == 0, 0.5, 0.0))
    return found
