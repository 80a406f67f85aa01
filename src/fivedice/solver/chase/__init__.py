"""`chase`: the strategy that maximises the chance of reaching a total; one run answers every target.

From the empty card that is a job of about a minute and a gigabyte for a book of 13 boxes. From a card late in the
game it is done at once, since only what may follow that card is worked out: "can I still beat my best?"
Answers stay in memory as long as the `Chase` does. They are not stored: a file of a gigabyte would be read no faster
than the few cards that a table asks for are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fivedice.dice import AnyDice
from fivedice.errors import IllegalCard, IllegalError
from fivedice.game import Position, Scorecard
from fivedice.rules import AnyBook, book as find_book
from fivedice.solver.model import work_plan
from fivedice.solver.model.book_arrays import CompiledBook, State, compiled_book
from fivedice.solver.model.reachable_states import ROUND, Needs, ReachableStates, highest, needs, scored_since
from fivedice.solver.runtime.worker_threads import MOST_BYTES, Progress, WorkerPool
from fivedice.solver.solution import TIE, Advice, options, ranked, state_of, turn_given
from fivedice.solver.values import turn_values
from fivedice.solver.values.kernel_inputs import aligned, game_arrays, turn_arrays

if TYPE_CHECKING:
    from fivedice.solver.chase.chase_kernels import Rows, Stretches, Workspace

_CARDS_A_JOB = 16


def fill_chase_table(
    reachable: ReachableStates,
    bounds: Needs,
    kind: DTypeLike,
    progress: Progress | None = None,
    skips: NDArray[np.int64] | None = None,
) -> NDArray[Any]:
    """The chances of all rows."""
    table = _empty_table(reachable, bounds, kind)
    if len(table):
        fill_rows(reachable, bounds, table, progress, skips=skips)
    return table


def unasked(reachable: ReachableStates, least: int) -> NDArray[np.int64]:
    """[rows]: how many needs are too low to come about, if the first row is asked for `least` or more: not so much can
    have been scored by then. In whole vectors.
    """
    lowest = least - scored_since(reachable)[1]
    found: NDArray[np.int64] = np.clip((lowest - 1) // ROUND * ROUND, 0, None)
    return found


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
    """Fill all rows but those of full cards, which are there: the best mean of what these say of each need.

    Numbers must lie between 0 and 1; `met` is that of all needs that are met; `rising` if more points are never worse;
    `skips` ([rows], multiples of `ROUND`) are how many of the lowest needs of each row nobody asks for.
    Progress counts needs; an exception from
    it, or Ctrl-C, stops the work at once.
    """
    skipped = np.zeros(len(bounds.known), dtype=np.int64) if skips is None else skips
    chase = _ChaseFill(reachable, bounds, table, met, rising, skipped)
    done, total = 0, chase.lanes(np.arange(reachable.cards.layers[-2]))
    with WorkerPool(chase.new_workspace) as pool:
        for layer in chase.layers():
            for lanes in pool.work(lambda workspace, cards: chase.run(cards, workspace, pool.stop), layer):
                done += lanes
                if progress is not None and total:  # where every need is met or out of reach, there is nothing to do
                    progress(done, total)


def _empty_table(reachable: ReachableStates, bounds: Needs, kind: DTypeLike) -> NDArray[Any]:
    size = int(bounds.offsets[-1]) * np.dtype(kind).itemsize
    if size > MOST_BYTES:
        raise IllegalError("solver.chase-too-large", size=size / 1e9)
    table = np.zeros(bounds.offsets[-1], dtype=kind)
    first, last = reachable.cards.rows[reachable.cards.layers[-2]], reachable.cards.rows[-1]
    for row in range(first, last):  # of full cards: what the bonus brings is certain
        table[bounds.offsets[row] : bounds.offsets[row + 1]][: max(0, bounds.possible[row])] = 1.0
    return table


class _ChaseFill:
    """The arrays that all threads read, and what each works in."""

    def __init__(
        self,
        reachable: ReachableStates,
        bounds: Needs,
        table: NDArray[Any],
        met: float,
        rising: bool,
        skips: NDArray[np.int64],
    ) -> None:
        from fivedice.solver.chase import chase_kernels  # here, because it brings in numba

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
        """From nearly full cards back to the start, each layer dealt out in small parts."""
        bounds = self._reachable.cards.layers
        for start, stop in reversed(list(pairwise(bounds[:-1]))):
            jobs = -(-(stop - start) // _CARDS_A_JOB)
            yield [np.arange(start + first, stop, jobs) for first in range(jobs)]

    def lanes(self, cards: NDArray[np.int64]) -> int:
        rows = self._reachable.cards.rows
        return int((self._offsets[rows[cards + 1]] - self._offsets[rows[cards]]).sum())

    def run(self, cards: NDArray[np.int64], workspace: Workspace, stop: NDArray[np.uint8]) -> int:
        every = self._reachable.cards
        chosen = every.masks[cards], every.flags[cards], every.kinds[cards]
        self._kernels.solve_cards(
            self._table, *chosen, self._rows, self._stretches, self._turn, self._game, workspace, stop
        )
        return self.lanes(cards)

    def new_workspace(self) -> Workspace:
        book, stretches = self._reachable.book, self._stretches
        return self._kernels.Workspace(
            work=aligned(self._lanes * book.lattice.rows, self._table.dtype),
            stretches=np.full(2 * len(stretches.slots) * stretches.width, self._met, dtype=self._table.dtype),
            places=np.zeros(book.lattice.faces * book.boxes, dtype=np.uint32),
        )


def _rows(reachable: ReachableStates, bounds: Needs, skips: NDArray[np.int64]) -> Rows:
    from fivedice.solver.chase.chase_kernels import Rows

    return Rows(
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
    """One for every slot and every number of counted points; a box that does not count has one for each slot only."""
    from fivedice.solver.chase.chase_kernels import Stretches

    slots = {(box, points): _slot(book, box, points) for box in range(book.boxes) for points in book.points[box]}
    found = dict.fromkeys((slot, _shift(book, box, points)) for (box, points), slot in sorted(slots.items()))
    numbers = {stretch: place for place, stretch in enumerate(found)}
    number = {pair: numbers[slot, _shift(book, *pair)] for pair, slot in slots.items()}
    pad = min(longest, -(-_highest(book) // ROUND) * ROUND)
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


def _slot(book: CompiledBook, box: int, points: int) -> int:
    """What may follow so many points in a box: those of a slot differ in the need and the counted total alone."""
    return int(book.slots.of[box][points])


def _shift(book: CompiledBook, box: int, points: int) -> int:
    return points if book.counted >> box & 1 else 0


def _highest(book: CompiledBook) -> int:
    return int(max(book.plain.max(), book.alike.max() + book.extra.max()))


_Whole: TypeAlias = "NDArray[np.int64]"

_USUAL = 415  # in the 13-box books perfect play ends higher in one game of forty
_DOUBLE = 1 << 20  # up to so many numbers are kept in double precision
_SINGLE_TIE = 1e-6  # what single precision cannot tell apart


def chase(
    book: AnyBook,
    *,
    card: Scorecard | None = None,
    least: int = 0,
    most: int | None = None,
    progress: Progress | None = None,
) -> Chase:
    """The best chances of every total from `least` up to `most`, from `card` (else the empty one) and all that may
    follow it. Fewer totals take less time, and none where `least` is more than the card can reach.

    Without `most`, up to 415 or to what the boxes can bring without extras, whichever is more. Chances are exact to
    1e-9 where the job is small, and to 1e-5 where it is done in single precision.
    """
    book = find_book(book)
    start = Scorecard.empty(book) if card is None else card
    if start.book != book:
        raise IllegalCard("solver.chase-start", rules=book, other=start.book)
    if book.save_rolls:
        raise IllegalError("solver.saves-rolls", rules=book)
    asked = _usual(start) if most is None else most
    reachable = ReachableStates(compiled_book(book), state_of(start))
    bounds = needs(reachable, asked - _banked(start) if least <= _most(start) else 0)  # 0: nothing is worked out
    kind = np.float64 if bounds.offsets[-1] <= _DOUBLE else np.float32
    table = fill_chase_table(reachable, bounds, kind, progress, unasked(reachable, least - _banked(start)))
    return Chase(start, least, asked, reachable, bounds, table)


class Chase:
    """A finished chase: ask it for any card from `start` on, and any target from `least` up to `most`."""

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
        """The memory that the chances take."""
        return int(self._table.nbytes)

    def covers(self, card: Scorecard) -> bool:
        """Whether it can be asked for a card: whether that follows the start."""
        return card.book == self.book and self._reachable.row(state_of(card)) >= 0 and self._follows(card)

    def _follows(self, card: Scorecard) -> bool:
        return all(before is None or before == now for before, now in zip(self.start.marks, card.marks, strict=True))

    def chance(self, card: Scorecard, target: int) -> float:
        """The best chance of a final total of `target` or more, from the start of a turn."""
        state = self._state(card, target)
        rows, wanted = np.array([self._reachable.row(state)]), np.array([target - _banked(card)])
        return float(self._look_up(rows, wanted)[0])

    def advise(
        self,
        card: Scorecard | Position,
        roll: AnyDice | None = None,
        rolls_left: int | None = None,
        target: int | None = None,
    ) -> list[Advice]:
        """Every keep and every legal box with the best chance that it leaves, best first.

        Give a position with its dice, or a card, a roll and how many rolls are left; `target` is the total to reach.
        """
        here, rolled, left = turn_given(card, roll, rolls_left)
        if target is None:
            raise IllegalError("solver.no-target")
        return ranked(options(self.book, self.box_chances(here, target), rolled, left), self.tie)

    @property
    def tie(self) -> float:
        """Chances that are closer than this are equal."""
        return TIE if self._table.dtype == np.float64 else _SINGLE_TIE

    def box_chances(self, card: Scorecard, target: int) -> NDArray[np.float64]:
        """[rolls, boxes]: the best chance that every roll in every box leaves; -inf where illegal."""
        state = self._state(card, target)
        return turn_values.over_boxes(self._reachable.book, state, self._after(target - _banked(card)))

    def _state(self, card: Scorecard, target: int) -> State:
        if card.book != self.book:
            raise IllegalCard("solver.chase-start", rules=self.book, other=card.book)
        state = state_of(card)
        row = self._reachable.row(state)
        if row < 0:
            raise IllegalCard("solver.chase-other-card")
        if target < self.least > 0:
            raise IllegalError("solver.chase-least", least=self.least, target=target)
        wanted = target - _banked(card)
        if self._bounds.known[row] < wanted <= self._bounds.possible[row]:
            raise IllegalError("solver.chase-most", most=self.most, target=target)
        return state

    def _after(self, wanted: int) -> turn_values.Worth:
        """What filling a box leaves of the chance, for many boxes at once."""
        reachable = self._reachable

        def chances(masks: _Whole, flags: _Whole, lanes: _Whole, points: _Whole) -> NDArray[np.float64]:
            ranks = reachable.totals.ranks[reachable.kinds(masks), lanes]
            return self._look_up(reachable.first_rows[masks, flags] + ranks, wanted - points)

        return chances

    def _look_up(self, rows: _Whole, wanted: _Whole) -> NDArray[np.float64]:
        """What is wanted is counted without a bonus already earned, as in `reachable_states`."""
        inside = (wanted > 0) & (wanted <= self._bounds.possible[rows])
        places = np.where(inside, self._bounds.offsets[rows] + wanted - 1, 0)
        known = self._table[places].astype(np.float64) if len(self._table) else 0.0
        return np.where(inside, known, np.where(wanted > 0, 0.0, 1.0))


def _banked(card: Scorecard) -> int:
    """Points that are on the card, bonuses left out."""
    return card.total - card.bonus_total


def _most(card: Scorecard) -> int:
    """Return a total that no game from this card exceeds."""
    return _banked(card) + highest(compiled_book(card.book), state_of(card))[0]


def _usual(card: Scorecard) -> int:
    boxes = highest(compiled_book(card.book), state_of(card))[1]
    return min(_most(card), max(_USUAL, _banked(card) + boxes))
