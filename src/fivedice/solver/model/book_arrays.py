"""A rule book as plain arrays: all that the solver knows of a game. House rules end here.

Boxes are numbered in the book's canonical order, so that two sheets that differ only in their order share one solution;
bit b of a mask stands for box b. Rolls are numbered as the last rows of the lattice.

A turn starts in a *state* (mask of filled boxes, counted total, flag, saved rolls). The counted total is that of the
widest bonus, usually the upper one, capped where its highest tier begins. The flag stores what the mask cannot, and
only if a rule depends on it. It is two numbers in one, `alike + alikes * sums`:

- alike 0: the box of the five-of-a-kind policy is open or holds no points, or no rule depends on it;
- alike 1: it holds points;
- alike 2, 3, ...: it holds points, and one, two, ... extras have been paid, as far as that changes what the next pays;
- sums: the totals of all further bonuses, each capped in the same way. Without such bonuses there is only 0.

A *slot* is the effect of a box apart from the counted total: there is one for each box, and where a box counts towards
a further bonus one for each number of points in it, since these lead to different flags.

The *lattice* is all multisets of at most n dice as rows of one table, smaller ones first; the last rows are the rolls.
Two relations describe a whole turn: a row's *successors* have one die more (one for each face), its *predecessors* one
die fewer (one for each distinct face in it). Within a size, rows with the same number of distinct faces are neighbours,
so that loops over predecessors have the same length for many rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll, ways
from fivedice.core.rules import Bonus, RuleBook, ScoreAs, canonical_order
from fivedice.solver.model.flag_arrays import Payments, Slots, Sums, int_array, read_only, slots_of
from fivedice.solver.runtime.solve_limits import MOST_SUMS

Faces: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Lattice:
    """All multisets of dice. Rows are numbered from the empty multiset (0); row `first_roll` is the first with all
    dice.
    """

    dice: int
    faces: int
    multisets: tuple[Faces, ...]
    row: dict[Faces, int]  # sorted faces to their row
    first_roll: int
    successors: NDArray[np.uint16]  # [first_roll, faces]
    predecessors: NDArray[np.uint16]  # of all rows but 0, one after the other
    groups: NDArray[np.int64]  # [groups, 3]: first row, row past the last, predecessors of each row
    weights: NDArray[np.float64]  # of the rolls; they sum to one
    alike: NDArray[np.int64]  # for face 1, 2, ...: the row where all dice show it

    @property
    def rows(self) -> int:
        return len(self.multisets)

    @property
    def rolls(self) -> tuple[Faces, ...]:
        return self.multisets[self.first_roll :]


@lru_cache(maxsize=8)
def lattice(dice: int, faces: int) -> Lattice:
    """Build the lattice; it has at most 24,310 rows (eight dice of nine faces), so 16 bits are enough for a row."""
    up_to = range(1, faces + 1)
    orders = (combinations_with_replacement(up_to, size) for size in range(dice + 1))
    multisets = tuple(each for order in orders for each in sorted(order, key=lambda each: len(set(each))))
    row = {multiset: place for place, multiset in enumerate(multisets)}
    first_roll = sum(len(multiset) < dice for multiset in multisets)
    smaller, rolls = multisets[:first_roll], multisets[first_roll:]
    kinds = [(len(each), len(set(each))) for each in multisets]
    starts = [place for place in range(1, len(kinds)) if kinds[place] != kinds[place - 1]]
    stops = [*starts[1:], len(kinds)]
    return Lattice(
        dice=dice,
        faces=faces,
        multisets=multisets,
        row=row,
        first_roll=first_roll,
        successors=read_only([[row[tuple(sorted((*each, face)))] for face in up_to] for each in smaller], np.uint16),
        predecessors=read_only(
            [row[_remove_face(each, face)] for each in multisets for face in sorted(set(each))], np.uint16
        ),
        groups=read_only([(start, stop, kinds[start][1]) for start, stop in zip(starts, stops, strict=True)], np.int64),
        weights=read_only([ways(Roll(roll)) / faces**dice for roll in rolls], np.float64),
        alike=read_only([row[(face,) * dice] for face in up_to], np.int64),
    )


def _remove_face(multiset: Faces, face: int) -> Faces:
    place = multiset.index(face)
    return multiset[:place] + multiset[place + 1 :]


_PRICES = tuple(ScoreAs)  # the first applies where no rung decides


@dataclass(frozen=True, slots=True)
class State:
    """The start of a turn, as far as the future depends on it."""

    mask: int
    upper: int  # the counted total, capped at the threshold
    flag: int
    saved: int = 0  # rolls saved in earlier turns


@dataclass(frozen=True, eq=False)
class Ladder:
    """The policy for all dice the same, from `rules.ladder`, which also says how to choose among the offers."""

    offers: NDArray[np.int64]  # [2, faces, rungs]: masks of boxes, while the face box is filled and while it is open
    prices: NDArray[np.int64]  # [1 + rungs]: of what no rung decides, then of the rungs
    faces: NDArray[np.int64]  # [faces]: mask of the boxes that count each face
    applies: NDArray[np.bool_]  # [flags, 2]: does it hold, by flag and by "the policy's box is filled"?


@dataclass(frozen=True, eq=False)
class CompiledBook:
    """Everything that decides values, and nothing else."""

    lattice: Lattice
    order: tuple[int, ...]  # canonical number of a box to its place on the sheet
    rolls: int  # throws in a turn
    fixed_order: bool
    first: int  # mask of the boxes that must be filled before all others
    save_rolls: bool
    threshold: int  # counted totals from here on are one lane; 0 where there is no bonus
    reach: int  # totals that cannot reach this no longer matter
    final: NDArray[np.float64]  # [flags, lanes]: the bonuses of a full card
    earned: NDArray[np.bool_]  # [flags, lanes]: whether they include the upper bonus, of any tier
    plain: NDArray[np.int64]  # [rolls, boxes]
    alike: NDArray[np.int64]  # [prices, faces, boxes]: points of all dice the same at each price
    points: list[set[int]]  # [boxes]: all that a card may show in each
    counted: int  # mask of the boxes whose points make the counted total
    sums: Sums
    complete: bool  # False if there are too many further totals for the flag: then it stores none of them
    payments: Payments
    policy_box: int  # the box whose points the flag remembers, or -1
    flags: int  # how many flags there are
    extra: NDArray[np.int64]  # [flags, 1 + rungs]: paid for all dice the same, without a rung and by each rung
    slots: Slots
    ladder: Ladder

    @property
    def boxes(self) -> int:
        return len(self.order)

    @property
    def lanes(self) -> int:
        """Return the number of counted totals that are distinguished: 0 up to the threshold."""
        return self.threshold + 1

    @property
    def full(self) -> int:
        return (1 << self.boxes) - 1

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return the shape of the table of values: masks, flags, lanes."""
        return 1 << self.boxes, self.flags, self.lanes

    def most_saved(self, filled: int) -> int:
        """Return how many rolls can have been saved with this many boxes filled."""
        return filled * (self.rolls - 1) if self.save_rolls else 0


@lru_cache(maxsize=32)
def compiled_book(book: RuleBook) -> CompiledBook:
    """Return the arrays of a book, cached; it takes a few milliseconds, most of them to score every roll."""
    grid, order = lattice(book.dice, book.faces), canonical_order(book)
    plain = int_array([book.worth(Roll(roll)).plain for roll in grid.rolls])[:, order]
    alike_rolls = [Roll(grid.multisets[row]) for row in grid.alike]
    alike = int_array([[book.points_as(roll, price) for roll in alike_rolls] for price in _PRICES])[:, :, order]
    counted, wanted = _bonuses(book, order)
    sums = wanted if wanted.count <= MOST_SUMS else Sums((), ())
    payments = Payments(book.alike, len(order))
    own = order.index(book.index[book.alike.box]) if book.alike else -1
    flags = payments.alikes * sums.count
    return CompiledBook(
        lattice=grid,
        order=order,
        rolls=book.rolls,
        fixed_order=book.fixed_order,
        first=_in_order(book.upper, order) if book.upper_first else 0,
        save_rolls=book.save_rolls,
        threshold=counted.highest.threshold if counted else 0,
        reach=counted.threshold if counted else 0,
        final=_final(counted, sums, payments),
        earned=_mark_earned(book, counted, sums, payments),
        plain=plain,
        alike=alike,
        points=_possible(book, plain, alike),
        counted=_in_order(book.bonus_mask(counted), order) if counted else 0,
        sums=sums,
        complete=sums is wanted,
        payments=payments,
        policy_box=own,
        flags=flags,
        extra=int_array([payments.extras(flag % payments.alikes) for flag in range(flags)]),
        slots=slots_of(plain, alike, _possible(book, plain, alike), sums, payments, own),
        ladder=_ladder(book, order, flags, payments.alikes),
    )


def _possible(book: RuleBook, plain: NDArray[np.int64], alike: NDArray[np.int64]) -> list[set[int]]:
    """Return all points that a card may show in each box, slightly more than play can lead to."""
    used = [_PRICES.index(step.worth) for step in book.alike.joker_steps] if book.alike else []
    return [{0, *plain[:, box].tolist(), *alike[used, :, box].ravel().tolist()} for box in range(len(book.boxes))]


def _bonuses(book: RuleBook, order: tuple[int, ...]) -> tuple[Bonus | None, Sums]:
    """Return the bonus that lanes count for, the widest, and all others; the same for all books with equal play."""
    tiers = [[(tier.threshold, tier.points) for tier in bonus.tiers] for bonus in book.bonuses]
    masks = [_in_order(mask, order) for mask in book.bonus_masks]
    places = sorted(range(len(tiers)), key=lambda place: (-tiers[place][-1][0], masks[place], tiers[place]))
    counted = book.bonuses[places[0]] if places else None
    others = places[1:]
    return counted, Sums(tuple(masks[place] for place in others), tuple(book.bonuses[place] for place in others))


def _final(counted: Bonus | None, sums: Sums, payments: Payments) -> NDArray[np.float64]:
    lanes = [counted.pays(total) for total in range(counted.highest.threshold + 1)] if counted else [0]
    return read_only(np.repeat(sums.paid, payments.alikes)[:, None] + np.array(lanes), np.float64)


def _mark_earned(book: RuleBook, counted: Bonus | None, sums: Sums, payments: Payments) -> NDArray[np.bool_]:
    lanes = np.arange(1 + (counted.highest.threshold if counted else 0))
    by_lane = lanes >= book.bonus.threshold if book.bonus is not None and book.bonus is counted else lanes < 0
    by_sum = np.zeros(sums.count, dtype=np.bool_)
    for bonus, totals in zip(sums.bonuses, sums.totals.T, strict=True):
        if bonus is book.bonus:
            by_sum |= totals >= bonus.threshold
    return read_only(np.repeat(by_sum, payments.alikes)[:, None] | by_lane, np.bool_)


def _ladder(book: RuleBook, order: tuple[int, ...], flags: int, alikes: int) -> Ladder:
    rungs = book.alike.joker_steps if book.alike else ()
    face_boxes = book.face_boxes[1:]
    offers = [[_offers(book, face, order, is_open) for face in face_boxes] for is_open in (False, True)]
    states = [[(filled, flag % alikes > 0) for filled in (False, True)] for flag in range(flags)]
    holds = [
        [book.alike is not None and book.alike.holds(filled=one, scored=two) for one, two in each] for each in states
    ]
    return Ladder(
        offers=int_array(offers),
        prices=int_array([0, *(_PRICES.index(rung.worth) for rung in rungs)]),
        faces=int_array([_in_order(mask, order) for mask in face_boxes]),
        applies=read_only(holds, np.bool_),
    )


def _offers(book: RuleBook, face: int, order: tuple[int, ...], face_open: bool) -> list[int]:
    offers = book.alike.offers(face, book.upper, face_open=face_open) if book.alike else ()
    return [_in_order(mask, order) for mask in offers]


def _in_order(mask: int, order: tuple[int, ...]) -> int:
    return sum(1 << box for box, place in enumerate(order) if mask >> place & 1)
