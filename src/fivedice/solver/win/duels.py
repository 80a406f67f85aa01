"""Two players in turn, both playing to win, exactly: the share for every pair of states and every lead.

With few boxes left, few pairs of cards may follow two cards. Where boxes are filled in a fixed order, where the upper
section comes first, or where there is no bonus, whole games are small enough.
"""

from __future__ import annotations

import mmap
import os
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError
from fivedice.solver.chase import stretches_of
from fivedice.solver.model.book_arrays import CompiledBook, State
from fivedice.solver.model.reachable_states import ROUND, ReachableStates, needs, scored_since
from fivedice.solver.model.work_plan import BLOCK, count_states
from fivedice.solver.runtime.worker_threads import Progress, WorkerPool
from fivedice.solver.values import turn_values
from fivedice.solver.values.kernel_inputs import aligned_zeros, game_arrays, turn_arrays

if TYPE_CHECKING:
    from fivedice.solver.chase.chase_kernels import ChaseWorkspace, Stretches
    from fivedice.solver.win.duel_kernels import Mover, Pairs, Spans

_Whole = NDArray[np.int64]

MOST_MEMORY = 8_000_000_000  # bytes of a duel
_MOST_STATES = 200_000  # of one card: beyond this even counting the pairs takes too long
_MOST_PAIRS = 1 << 24  # of one step, likewise
_LARGE = 1 << 26  # bytes from which a layer is released part by part
_PARTS = 64  # of a large layer
_PACE = 5e-11  # seconds for each part of the work of a lane
_PAIR = 1e-6  # seconds for each pair


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


class Layer:
    """All pairs of one step, and for each of their leads the share that is left to the player who is not on turn.

    The step before reads it row by row, so memory that has been read can be released.
    """

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self.size = int(pairs.counts.sum())
        if 8 * self.size > MOST_MEMORY:
            raise IllegalError("solver.duel-too-large", size=8 * self.size / 1e9)
        length = self.size + BLOCK  # the last pair may be read too far
        self.is_large = 8 * length >= _LARGE
        self._memory: mmap.mmap | None = None
        if self.is_large and hasattr(mmap.mmap, "madvise"):
            self._memory = mmap.mmap(-1, 8 * length, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            self.shares: NDArray[np.float64] = np.frombuffer(self._memory)
        else:
            self.shares = aligned_zeros(length)

    def release(self, rows: _Whole) -> None:
        """Give back the memory of neighbouring rows of the player on turn; they are not read again."""
        if self._memory is None:
            return
        offsets, page = self.pairs.offsets, mmap.PAGESIZE
        last = int(rows[-1]) + 1
        stop = 8 * int(offsets[last, 0] if last < len(offsets) else self.size) // page * page
        start = -(-8 * int(offsets[rows[0], 0]) // page) * page
        if stop > start:
            self._memory.madvise(mmap.MADV_DONTNEED, start, stop - start)


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
        self._next = self._fill(progress)

    @property
    def share(self) -> float:
        """Return the share of player 0 at the start of the turn."""
        grid = self._book.lattice
        return float(turn_values.turn_worth(grid, self.box_shares().max(axis=1), (), self._book.rolls))

    def box_shares(self) -> NDArray[np.float64]:
        """Return the share of player 0 after every roll in every box, as [rolls, boxes]; -inf where illegal."""
        side, layer = self._sides[0], self._next
        reachable, pairs = side.reachable, layer.pairs

        def after(masks: _Whole, flags: _Whole, lanes: _Whole, points: _Whole) -> NDArray[np.float64]:
            ranks = reachable.totals.ranks[reachable.kinds(masks), lanes]
            rows = reachable.first_rows[masks, flags] + ranks - side.starts[1]
            at = self._lead - points - pairs.lows[0, rows]
            count = pairs.counts[0, rows]
            inside = (at >= 0) & (at < count)
            found = layer.shares[np.where(inside, pairs.offsets[0, rows] + at, 0)]
            return np.where(inside, found, np.where(at < 0, 1.0, 0.0))

        return turn_values.over_boxes(self._book, side.state, after)

    def _fill(self, progress: Progress | None) -> Layer:
        """Return the layer of the first turn of player 1, worked out from full cards back."""
        after = _final_layer(self._sides, _pairs(self._sides, self._steps[-1], self._lead))
        fill = _Fill(self._book, _longest(self._sides, self._steps))
        total = 0 if progress is None else _estimate(self._book, self._sides, self._steps, self._lead).lanes
        with WorkerPool(fill.new_workspace, progress=progress, total=total) as pool:
            for number in range(len(self._steps) - 2, 0, -1):
                step = self._steps[number]
                here = Layer(_pairs(self._sides, step, self._lead))
                self._solve_layer(fill, self._sides[step.mover].mover(step.filled[step.mover]), here, after, pool)
                after = here
        return after

    def _solve_layer(
        self, fill: _Fill, mover: Mover, here: Layer, after: Layer, pool: WorkerPool[ChaseWorkspace]
    ) -> None:
        pool.run(fill.work(mover, here, after, pool.stop), fill.jobs(here, pool.threads))


class _Fill:
    def __init__(self, book: CompiledBook, longest: int) -> None:
        from fivedice.solver.win import duel_kernels

        self._kernels = duel_kernels
        self._book = book
        most = int(max(book.plain.max(), book.alike.max() + book.extra.max()))
        longest = -(-max(longest, most) // ROUND) * ROUND + 2 * ROUND  # a vector may be written too far
        self._stretches: Stretches = stretches_of(book, longest)
        self._spans = _spans(book, self._stretches)
        self._turn, self._game = turn_arrays(book), game_arrays(book)

    def new_workspace(self) -> ChaseWorkspace:
        from fivedice.solver.chase.chase_kernels import ChaseWorkspace

        book, stretches = self._book, self._stretches
        return ChaseWorkspace(
            work=aligned_zeros(BLOCK * book.lattice.rows),
            stretches=np.zeros(2 * len(stretches.slots) * stretches.width),
            places=np.zeros(book.lattice.faces * book.boxes, dtype=np.uint32),
        )

    def jobs(self, here: Layer, threads: int) -> list[tuple[_Whole, _Whole]]:
        """Return rows of the player on turn and rows of the other, for each job.

        What follows is read by rows of the other. Of a large layer, one job has all pairs of such rows.
        """
        rows, others = map(np.arange, here.pairs.counts.shape)
        if here.is_large:
            return [(rows, part) for part in np.array_split(others, max(_PARTS, 4 * threads)) if len(part)]
        count = min(len(rows), 4 * threads)
        return [(rows[first::count].copy(), others) for first in range(count)]

    def work(self, mover: Mover, here: Layer, after: Layer, stop: NDArray[np.uint8]):  # type: ignore[no-untyped-def]
        def run(workspace: ChaseWorkspace, job: tuple[_Whole, _Whole]) -> int:
            rows, others = job
            common = self._stretches, self._spans, self._turn, self._game, workspace, stop
            self._kernels.solve_pairs(after.shares, here.shares, *job, mover, after.pairs, here.pairs, *common)
            if here.is_large:
                after.release(others)
                return int(here.pairs.counts[:, others].sum())
            return int(here.pairs.counts[rows].sum())

        return run


@dataclass(frozen=True, slots=True)
class DuelCost:
    """What a duel takes; all are upper bounds but the seconds."""

    pairs: int
    lanes: int  # leads that are worked out, in all pairs
    memory: int  # bytes
    seconds: float  # of one core


def estimate(book: CompiledBook, states: tuple[State, State], lead: int) -> DuelCost | None:
    """Estimate what a duel takes, or return None if it is so large that even counting would take long."""
    if count_states(book) > _MOST_STATES:
        return None
    sides, steps = _sides(book, states), _steps(book, states)
    if max(_count_pairs(sides, step) for step in steps) > _MOST_PAIRS:
        return None
    return _estimate(book, sides, steps, lead)


def count_work(book: CompiledBook, states: tuple[State, State], lead: int) -> int:
    """Return the number of lanes of a duel: a million take half a second of one core."""
    return _estimate(book, _sides(book, states), _steps(book, states), lead).lanes


def _estimate(book: CompiledBook, sides: tuple[Side, Side], steps: list[_Step], lead: int) -> DuelCost:
    sizes = []
    for step in steps[1:-1]:
        lows, highs = _window(sides, step, lead)
        sizes.append(_count_lanes(highs - lows + 1))
    lanes, pairs = sum(sizes), sum(_count_pairs(sides, step) for step in steps[1:-1])
    grid = book.lattice
    # Additions and comparisons of a turn; the pace is that of a core with registers of eight numbers.
    work = (book.rolls - 1) * (grid.successors.size + len(grid.predecessors)) + book.boxes * len(book.plain)
    memory = 8 * max(sizes, default=0) * 9 // 8 + 48 * max(_count_pairs(sides, step) for step in steps)
    return DuelCost(pairs, lanes, memory, lanes * work * _PACE + pairs * _PAIR)


def _count_lanes(counts: _Whole) -> int:
    return int((-(-np.maximum(counts, 0) // BLOCK) * BLOCK).sum())


def _count_pairs(sides: tuple[Side, Side], step: _Step) -> int:
    return sides[0].rows(step.filled[0]) * sides[1].rows(step.filled[1])


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


def _pairs(sides: tuple[Side, Side], step: _Step, lead: int) -> Pairs:
    """Return the leads that can occur and are not decided, in whole vectors: see `duel_kernels`."""
    from fivedice.solver.win.duel_kernels import Pairs

    lows, highs = _window(sides, step, lead)
    counts = -(-np.maximum(highs - lows + 1, 0) // BLOCK) * BLOCK
    ends = np.cumsum(counts.reshape(-1)).reshape(counts.shape)
    return Pairs(ends - counts, 1 - lows - counts, counts)


def _longest(sides: tuple[Side, Side], steps: list[_Step]) -> int:
    """Return a bound for the number of leads of any pair."""
    found = 1
    for step in steps:
        these = [side.layer(filled) for side, filled in zip(sides, step.filled, strict=True)]
        parts = list(zip(sides, these, strict=True))
        reached = sum(int(side.most[rows].max() - side.least[rows].min()) for side, rows in parts)
        left = sum(int(side.left[rows].max()) for side, rows in parts)
        found = max(found, min(reached, left) + 1)
    return found


def _spans(book: CompiledBook, stretches: Stretches) -> Spans:
    """Return the fewest and the most points that read each stretch, and the most extras of each flag."""
    from fivedice.solver.win.duel_kernels import Spans

    found: list[list[int]] = []
    for slot, shift in zip(stretches.slots.tolist(), stretches.shifts.tolist(), strict=True):
        box = int(book.slots.boxes[slot])
        points = [each for each in book.points[box] if book.slots.of[box][each] == slot]
        found.append([shift] if book.counted >> box & 1 else points)
    return Spans(
        least=np.array([min(each) for each in found]),
        most=np.array([max(each) for each in found]),
        extras=book.extra.max(axis=1),
    )


def _final_layer(sides: tuple[Side, Side], pairs: Pairs) -> Layer:
    """Return the shares when both cards are full and the bonuses decide."""
    turns = (len(sides[0].starts) - 2) + (len(sides[1].starts) - 2)
    one = turns % 2
    mine, theirs = sides[one].bonuses(), sides[1 - one].bonuses()
    layer = Layer(pairs)
    for row, other in np.argwhere(pairs.counts > 0).tolist():
        first, count = int(pairs.offsets[row, other]), int(pairs.counts[row, other])
        behind = theirs[other] - mine[row] - (pairs.lows[row, other] + np.arange(count))
        layer.shares[first : first + count] = np.where(behind > 0, 1.0, np.where(behind == 0, 0.5, 0.0))
    return layer


def find_stored_share(book: RuleBook) -> float | None:
    """Return the share of the player who begins a whole game, or None if the package does not have it."""
    return None if os.environ.get("FIVEDICE_TABLES") == "no" else _load_stored_shares().get(book.fingerprint)


@cache
def _load_stored_shares() -> dict[str, float]:
    """Return the shares by the fingerprint of the rules; `tools/solve_duels.py` writes the file."""
    text = (files("fivedice.solver.win") / "stored_shares.toml").read_text(encoding="utf-8")
    return {each["fingerprint"]: each["share"] for each in tomllib.loads(text)["games"]}
