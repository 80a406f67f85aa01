"""`chase`: the strategy with the best chance of reaching a total. One run answers for every target.

From the empty card this takes about a minute and a gigabyte for a book of 13 boxes. From a card late in the game it is
immediate, since only the states after that card are worked out: "can I still beat my best?"

The chances stay in memory as long as the `Chase` does. They are not stored: reading a file of a gigabyte is no faster
than working out the few cards that a game needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fivedice.core.dice import AnyDice
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import AnyBook, book as find_book
from fivedice.errors import IllegalCard, IllegalError
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook, State, compiled_book
from fivedice.solver.model.reachable_states import ROUND, Needs, ReachableStates, highest, needs, scored_since
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.solution import TIE, Advice, options, parse_turn, rank_options, state_of
from fivedice.solver.values import turn_values
from fivedice.solver.values.kernel_inputs import aligned_zeros, game_arrays, turn_arrays

if TYPE_CHECKING:
    from fivedice.solver.chase.chase_kernels import ChaseRows, ChaseWorkspace, Stretches

_CARDS_A_JOB = 16


def fill_chase_table(
    reachable: ReachableStates,
    bounds: Needs,
    kind: DTypeLike,
    progress: Progress | None = None,
    skips: NDArray[np.int64] | None = None,
) -> NDArray[Any]:
    """Return the chances of all rows."""
    size = int(bounds.offsets[-1]) * np.dtype(kind).itemsize
    if size > MOST_BYTES:
        raise IllegalError("solver.chase-too-large", size=size / 1e9)
    table = np.zeros(bounds.offsets[-1], dtype=kind)
    first, last = reachable.cards.rows[reachable.cards.layers[-2]], reachable.cards.rows[-1]
    for row in range(first, last):  # rows of full cards, whose bonus is certain
        table[bounds.offsets[row] : bounds.offsets[row + 1]][: max(0, bounds.possible[row])] = 1.0
    if len(table):
        fill_rows(reachable, bounds, table, progress, skips=skips)
    return table


def count_unasked(reachable: ReachableStates, least: int) -> NDArray[np.int64]:
    """Return for each row how many of its lowest needs cannot occur, in whole vectors, as [rows].

    If the first row is asked for `least` or more, later rows cannot have scored so much that their need is lower.
    """
    lowest = least - scored_since(reachable)[1]
    return np.clip((lowest - 1) // ROUND * ROUND, 0, None)


def fill_rows(
    reachable: ReachableStates,
    bounds: Needs,
    table: NDArray[Any],
    progress: Progress | None = None,
    met: float = 1.0,
    *,
    rising: bool = True,
    skips: NDArray[np.int64] | None = None,
) -> None:
    """Fill all rows but those of full cards, which are given, with the best mean for each need.

    Numbers must be between 0 and 1. `met` is the value of every need that is met. `rising` says that more points are
    never worse. `skips` ([rows], multiples of `ROUND`) has the number of lowest needs of each row that are not asked
    for. `progress` counts needs; an exception from it, or Ctrl-C, stops the work at once.
    """
    skipped = np.zeros(len(bounds.known), dtype=np.int64) if skips is None else skips
    chase = _ChaseFill(reachable, bounds, table, met, rising, skipped)
    total = chase.lanes(np.arange(reachable.cards.layers[-2]))  # 0 if every need is met or out of reach
    with WorkerPool(chase.new_workspace, progress=progress, total=total) as pool:
        for layer in chase.layers():
            pool.run(lambda workspace, cards: chase.run(cards, workspace, pool.stop), layer)


class _ChaseFill:
    """The arrays that all threads read, and the workspace of each thread."""

    def __init__(
        self,
        reachable: ReachableStates,
        bounds: Needs,
        table: NDArray[Any],
        met: float,
        rising: bool,
        skips: NDArray[np.int64],
    ) -> None:
        from fivedice.solver.chase import chase_kernels  # imported late because it needs numba

        self._kernels = chase_kernels
        self._reachable = reachable
        self._table = table
        self._met = met
        self._offsets = bounds.offsets
        self._lanes = 64 // table.itemsize
        longest = int(np.diff(bounds.offsets).max(initial=0)) + ROUND
        self._rows = _rows(reachable, bounds, skips)
        self._stretches = stretches_of(reachable.book, longest, zeros=not rising)
        self._turn = turn_arrays(reachable.book, self._lanes)._replace(
            weights=reachable.book.lattice.weights.astype(table.dtype)
        )
        self._game = game_arrays(reachable.book, self._lanes, zeros=not rising)

    def layers(self) -> Iterator[list[NDArray[np.int64]]]:
        """Yield the cards of each layer in small parts, from nearly full cards back to the start."""
        bounds = self._reachable.cards.layers
        for start, stop in reversed(list(pairwise(bounds[:-1]))):
            jobs = -(-(stop - start) // _CARDS_A_JOB)
            yield [np.arange(start + first, stop, jobs) for first in range(jobs)]

    def lanes(self, cards: NDArray[np.int64]) -> int:
        rows = self._reachable.cards.rows
        return int((self._offsets[rows[cards + 1]] - self._offsets[rows[cards]]).sum())

    def run(self, cards: NDArray[np.int64], workspace: ChaseWorkspace, stop: NDArray[np.uint8]) -> int:
        every = self._reachable.cards
        chosen = every.masks[cards], every.flags[cards], every.kinds[cards]
        self._kernels.solve_cards(
            self._table, *chosen, self._rows, self._stretches, self._turn, self._game, workspace, stop
        )
        return self.lanes(cards)

    def new_workspace(self) -> ChaseWorkspace:
        book, stretches = self._reachable.book, self._stretches
        return self._kernels.ChaseWorkspace(
            work=aligned_zeros(self._lanes * book.lattice.rows, self._table.dtype),
            stretches=np.full(2 * len(stretches.slots) * stretches.width, self._met, dtype=self._table.dtype),
            places=np.zeros(book.lattice.faces * book.boxes, dtype=np.uint32),
        )


def _rows(reachable: ReachableStates, bounds: Needs, skips: NDArray[np.int64]) -> ChaseRows:
    from fivedice.solver.chase.chase_kernels import ChaseRows

    return ChaseRows(
        first_rows=reachable.first_rows,
        ranks=reachable.totals.ranks,
        kind_bits=reachable.kind_bits,
        starts=reachable.totals.starts,
        totals=reachable.totals.highest,
        offsets=bounds.offsets,
        skips=skips,
        threshold=reachable.book.threshold,
    )


def stretches_of(book: CompiledBook, longest: int, *, zeros: bool = False) -> Stretches:
    """Return a stretch for every slot and every number of counted points; boxes that do not count have one per slot."""
    from fivedice.solver.chase.chase_kernels import Stretches

    # All points of a slot lead to the same mask and flag.
    slots = {(box, points): int(book.slots.of[box][points]) for box in range(book.boxes) for points in book.points[box]}
    found = dict.fromkeys((slot, _shift(book, box, points)) for (box, points), slot in sorted(slots.items()))
    numbers = {stretch: place for place, stretch in enumerate(found)}
    number = {pair: numbers[slot, _shift(book, *pair)] for pair, slot in slots.items()}
    pad = min(longest, -(-int(max(book.plain.max(), book.alike.max() + book.extra.max())) // ROUND) * ROUND)
    width = pad + longest
    entries = work_plan.entries(book, zeros=zeros)
    box_of_entry = np.repeat(book.slots.boxes, np.diff(entries.starts))
    scored = zip(box_of_entry.tolist(), entries.points.tolist(), strict=True)
    places = [number[box, points] * width + pad - min(points, pad) for box, points in scored]
    alike = [[[number.get(pair, 0) for pair in enumerate(row)] for row in price] for price in book.alike.tolist()]
    return Stretches(
        width=width,
        pad=pad,
        slots=np.array([slot for slot, _ in found]),
        shifts=np.array([shift for _, shift in found]),
        zero=np.array([number[box, 0] for box in range(book.boxes)]),
        dump=not zeros,
        entry_places=np.array(places, dtype=np.uint32),
        alike=np.array(alike),
    )


def _shift(book: CompiledBook, box: int, points: int) -> int:
    return points if book.counted >> box & 1 else 0


_Whole: TypeAlias = "NDArray[np.int64]"

_USUAL = 415  # in books of 13 boxes, perfect play ends higher in one game of forty
_DOUBLE = 1 << 20  # up to this size a table is in double precision
_SINGLE_TIE = 1e-6  # chances in single precision that are closer than this are equal


def chase(
    book: AnyBook,
    *,
    card: Scorecard | None = None,
    least: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
) -> Chase:
    """Work out the best chances of every total from `least` up to `most`, from a card and all that may follow it.

    `book` is a rule book, its key or the path of its file; `card` is the empty card by default. Fewer totals take less
    time, and none if the card cannot reach `least`. The default of `most` is 415, or the highest total without extras
    if that is more. Chances are exact to 1e-9 for small jobs, and to 1e-5 for large ones in single precision.
    `progress(done, total)` is called during the work; an exception from it stops the work.

    Raises `IllegalCard` if the card belongs to another book, and `IllegalError` for a book that saves rolls or is too
    large.

    >>> late = fd.notation.read_card("1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50", "crag")
    >>> round(fd.chase("crag", card=late, least=193).chance(late, 193), 4)
    0.1127
    """
    book = find_book(book)
    start = Scorecard.empty(book) if card is None else card
    if start.book != book:
        raise IllegalCard("solver.chase-start", rules=book, other=start.book)
    if book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=book)
    asked = most
    if asked is None:
        without_extras = banked_points(start) + highest(compiled_book(book), state_of(start))[1]
        asked = min(_highest_total(start), max(_USUAL, without_extras))
    reachable = ReachableStates(compiled_book(book), state_of(start))
    is_possible = least <= _highest_total(start)
    bounds = needs(reachable, asked - banked_points(start) if is_possible else 0)
    kind = np.float64 if bounds.offsets[-1] <= _DOUBLE else np.float32
    table = fill_chase_table(reachable, bounds, kind, progress, count_unasked(reachable, least - banked_points(start)))
    return Chase(start, least, asked, reachable, bounds, table)


class Chase:
    """The chances of a finished chase, for any card after `start` and any target from `least` up to `most`.

    >>> fd.chase("crag", least=1000)
    <Chase of up to 244 in 'crag'>
    """

    def __init__(
        self, start: Scorecard, least: int, most: int, reachable: ReachableStates, bounds: Needs, table: NDArray[Any]
    ) -> None:
        self.book = start.book
        self.start = start
        self.least = least
        self.most = most
        self._reachable = reachable
        self._bounds = bounds
        self._table = table

    def __repr__(self) -> str:
        return f"<Chase of up to {self.most} in {self.book.key!r}>"

    @property
    def nbytes(self) -> int:
        """Return the memory that the chances take, in bytes.

        >>> fd.chase("crag", least=1000).nbytes
        0
        """
        return int(self._table.nbytes)

    def covers(self, card: Scorecard) -> bool:
        """Return whether the chase has the chances of a card, that is, whether the card may follow the start.

        >>> fd.chase("crag", least=1000).covers(fd.Scorecard.empty("yatzy"))
        False
        """
        if card.book != self.book or self._reachable.row(state_of(card)) < 0:
            return False
        return all(before in {None, now} for before, now in zip(self.start.marks, card.marks, strict=True))

    def chance(self, card: Scorecard, target: int) -> float:
        """Return the best chance of a final total of `target` or more, from the start of a turn.

        Raises `IllegalCard` for a card that does not follow the start, and `IllegalError` for a target out of range.

        >>> fd.chase("crag", least=1000).chance(fd.Scorecard.empty("crag"), 1000)
        0.0
        """
        state = self._state(card, target)
        rows, wanted = np.array([self._reachable.row(state)]), np.array([target - banked_points(card)])
        return float(self._look_up(rows, wanted)[0])

    def advise(
        self,
        card: Scorecard | Position,
        roll: AnyDice | None = None,
        rolls_left: int | None = None,
        target: int | None = None,
    ) -> list[Advice]:
        """Return every keep and every legal box with the best chance that it leaves, best first.

        Give a position with its dice; or a card, a roll and the number of rolls left. `target` is the total to reach.
        Raises `IllegalMove` for a turn that cannot be, and `IllegalError` without a target or for one out of range.

        >>> late = fd.notation.read_card("1s:1,2s:2,3s:3,4s:4,5s:10,6s:12,os:20,es:20,ls:20,hs:0,13:26,cr:50", "crag")
        >>> fd.chase("crag", card=late, least=193).advise(late, "336", 1, 193)[0].keep
        Keep.parse('33')
        """
        here, rolled, left = parse_turn(card, roll, rolls_left)
        if target is None:
            raise IllegalError("solver.no-target")
        return rank_options(options(self.book, self.box_chances(here, target), rolled, left), self.tie)

    @property
    def tie(self) -> float:
        """Return the difference below which chances count as equal.

        >>> fd.chase("crag", least=1000).tie
        1e-09
        """
        return TIE if self._table.dtype == np.float64 else _SINGLE_TIE

    def box_chances(self, card: Scorecard, target: int) -> NDArray[np.float64]:
        """Return the best chance after every roll in every box, as [rolls, boxes]; -inf where illegal.

        >>> fd.chase("crag", least=1000).box_chances(fd.Scorecard.empty("crag"), 1000).shape
        (56, 13)
        """
        state = self._state(card, target)
        return turn_values.over_boxes(self._reachable.book, state, self._chances_after(target - banked_points(card)))

    def _state(self, card: Scorecard, target: int) -> State:
        if card.book != self.book:
            raise IllegalCard("solver.chase-start", rules=self.book, other=card.book)
        state = state_of(card)
        row = self._reachable.row(state)
        if row < 0:
            raise IllegalCard("solver.chase-other-card")
        if target < self.least > 0:
            raise IllegalError("solver.chase-least", least=self.least, target=target)
        wanted = target - banked_points(card)
        if self._bounds.known[row] < wanted <= self._bounds.possible[row]:
            raise IllegalError("solver.chase-most", most=self.most, target=target)
        return state

    def _chances_after(self, wanted: int) -> turn_values.Worth:
        """Return a function for the chance that is left after filling boxes."""
        reachable = self._reachable

        def chances(masks: _Whole, flags: _Whole, lanes: _Whole, points: _Whole) -> NDArray[np.float64]:
            ranks = reachable.totals.ranks[reachable.kinds(masks), lanes]
            return self._look_up(reachable.first_rows[masks, flags] + ranks, wanted - points)

        return chances

    def _look_up(self, rows: _Whole, wanted: _Whole) -> NDArray[np.float64]:
        """Return the chances of needs, counted without a bonus already earned, as in `reachable_states`."""
        inside = (wanted > 0) & (wanted <= self._bounds.possible[rows])
        places = np.where(inside, self._bounds.offsets[rows] + wanted - 1, 0)
        known = self._table[places].astype(np.float64) if len(self._table) else 0.0
        return np.where(inside, known, np.where(wanted > 0, 0.0, 1.0))


def banked_points(card: Scorecard) -> int:
    """Return the points on the card without bonuses."""
    return card.total - card.bonus_total


def _highest_total(card: Scorecard) -> int:
    """Return a total that no game from this card exceeds."""
    return banked_points(card) + highest(compiled_book(card.book), state_of(card))[0]
