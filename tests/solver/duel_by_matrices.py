"""A second program for whole games of two players who both play to win: NumPy alone, and nothing of the solver.

A turn is a product with one matrix of keeps times rolls for each roll. Every pair of score sheets is worked out by
recursion and remembered in a dictionary, for all leads that the open boxes can still turn round. Points are written by
hand here, so this program shares neither code nor rule books with the one that it checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import factorial, prod
from multiprocessing import get_context
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Dice: TypeAlias = tuple[int, ...]
Score: TypeAlias = Callable[[Dice], int]


class Turn:
    """All rolls and keeps of some dice, and the worth of a turn."""

    def __init__(self, dice: int, rolls: int) -> None:
        self.throws = rolls
        self.rolls = list(combinations_with_replacement(range(1, 7), dice))
        self.keeps = [keep for size in range(dice + 1) for keep in combinations_with_replacement(range(1, 7), size)]
        number = {roll: place for place, roll in enumerate(self.rolls)}
        self.falls = np.zeros((len(self.keeps), len(self.rolls)))
        for place, keep in enumerate(self.keeps):
            for thrown in combinations_with_replacement(range(1, 7), dice - len(keep)):
                ways = factorial(len(thrown)) // prod(factorial(thrown.count(face)) for face in range(1, 7))
                self.falls[place, number[tuple(sorted(keep + thrown))]] += ways / 6 ** len(thrown)
        where = {keep: place for place, keep in enumerate(self.keeps)}
        self._smaller = [
            np.array([[where[keep[:drop] + keep[drop + 1 :]] for drop in range(size)] for keep in self._of_size(size)])
            for size in range(1, dice + 1)
        ]

    def worth(self, leaf: Floats) -> Floats:
        """Return the worth of a turn for each lane, given that of scoring each roll, as [rolls, lanes]."""
        best = leaf
        for _ in range(self.throws - 1):
            keeps = self.falls @ best
            for smaller in self._smaller:
                first = int(smaller.max()) + 1
                these = keeps[first : first + len(smaller)]
                for column in smaller.T:
                    np.maximum(these, keeps[column], out=these)
            best = keeps[-len(self.rolls) :]
        found: Floats = self.falls[0] @ best
        return found

    def _of_size(self, size: int) -> list[Dice]:
        return [keep for keep in self.keeps if len(keep) == size]


def share_at(leads: NDArray[np.int64], shares: Floats) -> Floats:
    """Return the share of the player on turn at some own leads, given those at -most, ..., most; beyond all is
    decided.
    """
    most = len(shares) // 2
    found: Floats = np.where(
        leads > most, 1.0, np.where(leads < -most, 0.0, shares[np.clip(leads + most, 0, 2 * most)])
    )
    return found


class Sheets:
    """Boxes in any order, without bonuses. With `jokers` they are the lower section of Yahtzee, its five-of-a-kind box
    the last but one, after the upper one is filled: a state is a mask of filled boxes, and whether that box holds 50.
    """

    def __init__(self, turn: Turn, scores: Sequence[Score], *, jokers: bool = False) -> None:
        self.turn = turn
        self.points = np.array([[score(roll) for score in scores] for roll in turn.rolls])
        self.jokers = jokers
        self._alike = np.array([len(set(roll)) == 1 for roll in turn.rolls])
        self.known: dict[tuple[int, int, bool, bool], Floats] = {}

    @property
    def full(self) -> int:
        return (1 << len(self.points[0])) - 1

    def fill(self, processes: int) -> None:
        """Work out all pairs, those with fewest open boxes first, in several processes."""
        for number in range(2 * self.points.shape[1], -1, -1):
            self.known.update(_work_out_all(self, list(self._pairs(number // 2, number - number // 2)), processes))

    def _pairs(self, mine: int, theirs: int) -> Iterator[tuple[int, int, bool, bool]]:
        """Yield the pairs with this many filled boxes."""
        masks = range(self.full + 1)
        sheets = [
            [
                (mask, held)
                for mask in masks
                if mask.bit_count() == count
                for held in ((False, True) if self.jokers and mask >> self._five & 1 else (False,))
            ]
            for count in (mine, theirs)
        ]
        for (one, held), (two, other_held) in product(*sheets):
            yield one, two, held, other_held

    def shares(self, mine: int, theirs: int, held: bool = False, other_held: bool = False) -> Floats:
        """Return the share of the player on turn for each own lead."""
        key = mine, theirs, held, other_held
        if key not in self.known:
            self.known[key] = self.work_out(*key)
        return self.known[key]

    def _most(self, mask: int, held: bool) -> int:
        """Return the most points that a sheet can still bring."""
        still = [box for box in range(self.points.shape[1]) if not mask >> box & 1]
        best = sum(int(self.points[:, box].max()) for box in still)
        five_open = not mask >> self._five & 1
        return best + 100 * (len(still) - five_open if held or five_open else 0) if self.jokers else best

    @property
    def _five(self) -> int:
        return len(self.points[0]) - 2

    def work_out(self, mine: int, theirs: int, held: bool, other_held: bool) -> Floats:
        most = max(self._most(mine, held), self._most(theirs, other_held))
        leads = np.arange(-most, most + 1)
        if mine == theirs == self.full:
            return np.where(leads > 0, 1.0, np.where(leads == 0, 0.5, 0.0))
        leaf = np.full((len(self.points), len(leads)), -1.0)
        for box in range(self.points.shape[1]):
            if not mine >> box & 1:
                self._offer(leaf, leads, box, mine, theirs, held, other_held)
        return self.turn.worth(leaf)

    def _offer(
        self, leaf: Floats, leads: NDArray[np.int64], box: int, mine: int, theirs: int, held: bool, other_held: bool
    ) -> None:
        after = mine | 1 << box
        self._offer_rolls(leaf, leads, self.points[:, box], ~self._alike, self.shares(theirs, after, other_held, held))
        points, holds = self.points[:, box], held
        if self.jokers and mine >> self._five & 1:
            points = np.array([_joker(box, roll) for roll in self.turn.rolls]) + 100 * held
        elif self.jokers and box == self._five:
            holds = True
        self._offer_rolls(leaf, leads, points, self._alike, self.shares(theirs, after, other_held, holds))

    def _offer_rolls(
        self,
        leaf: Floats,
        leads: NDArray[np.int64],
        points: NDArray[np.int64],
        which: NDArray[np.bool_],
        after: Floats,
    ) -> None:
        for each in np.unique(points[which]).tolist():
            rows = np.flatnonzero(which & (points == each))
            leaf[rows] = np.maximum(leaf[rows], 1.0 - share_at(-(leads + each), after))


def _joker(box: int, roll: Dice) -> int:
    """Return the points of all dice the same as a joker, in the lower section of Yahtzee without its last but one."""
    return {2: 25, 3: 30, 4: 40}.get(box, sum(roll))


class UpperFirst:
    """A whole game with the upper section first: six boxes of one face each, a bonus from 63 on, then the others.

    Lower boxes in the mask `without` are not on the sheet.
    """

    def __init__(self, lower: Sheets, bonus: int, without: int = 0) -> None:
        self.lower, self.turn, self.bonus, self.without = lower, lower.turn, bonus, without
        self.totals = [self._possible(mask) for mask in range(64)]
        self.known: dict[tuple[int, int], Floats] = {}

    def fill(self, processes: int) -> None:
        """Work out the lower section, and then all pairs of the upper one."""
        self.lower.fill(processes)
        for number in range(12, -1, -1):
            mine, theirs = number // 2, number - number // 2
            pairs = product(*([mask for mask in range(64) if mask.bit_count() == count] for count in (mine, theirs)))
            self.known.update(_work_out_all(self, list(pairs), processes))

    def share(self) -> float:
        """Return the share of the player who begins."""
        return float(self.grid(0, 0)[0, 0])

    def grid(self, mine: int, theirs: int) -> Floats:
        """Return the share of the player on turn for each own total and each total of the other."""
        if (mine, theirs) not in self.known:
            self.known[mine, theirs] = self.work_out(mine, theirs)
        return self.known[mine, theirs]

    def _possible(self, mask: int) -> list[int]:
        """Return the totals of the upper boxes in a mask."""
        totals = {0}
        for face in range(1, 7):
            if mask >> (face - 1) & 1:
                totals = {total + face * count for total in totals for count in range(6)}
        return sorted(totals)

    def work_out(self, mine: int, theirs: int) -> Floats:
        own, other = (np.array(self.totals[mask]) for mask in (mine, theirs))
        if mine == theirs == 63:
            leads = own[:, None] - other[None, :] + self.bonus * ((own >= 63)[:, None] * 1 - (other >= 63)[None, :])
            return share_at(leads, self.lower.shares(self.without, self.without))
        leaf = np.full((len(self.turn.rolls), len(own), len(other)), -1.0)
        for face in range(1, 7):
            if not mine >> (face - 1) & 1:
                after = 1.0 - self.grid(theirs, mine | 1 << (face - 1)).T
                rows = np.array(self.totals[mine | 1 << (face - 1)])
                for place, roll in enumerate(self.turn.rolls):
                    then = after[np.searchsorted(rows, own + face * roll.count(face))]
                    np.maximum(leaf[place], then, out=leaf[place])
        return self.turn.worth(leaf.reshape(len(leaf), -1)).reshape(len(own), len(other))


_working: list[Any] = []  # the game, for processes that are forked and so have it


def _work_out_all(game: Any, pairs: list[Any], processes: int) -> Iterator[tuple[Any, Floats]]:
    """Yield pairs that do not depend on each other with their shares."""
    _working[:] = [game]
    with get_context("fork").Pool(processes) as pool:
        yield from zip(pairs, pool.map(_work_out, pairs, 1 + len(pairs) // (16 * processes)), strict=True)


def _work_out(pair: Any) -> Floats:
    found: Floats = _working[0].work_out(*pair)
    return found


def _number(face: int) -> Score:
    return lambda roll: face * roll.count(face)


def _alike(size: int) -> Score:
    return lambda roll: max((size * face for face in roll if roll.count(face) >= size), default=0)


def _exactly(dice: Dice, points: int) -> Score:
    return lambda roll: points if roll == dice else 0


def _sizes(roll: Dice) -> list[int]:
    return sorted(roll.count(face) for face in set(roll))


def _two_pairs(roll: Dice) -> int:
    pairs = [face for face in set(roll) if roll.count(face) >= 2]
    return 2 * sum(pairs) if len(pairs) == 2 else 0


def _run(length: int, points: int) -> Score:
    runs = [set(range(first, first + length)) for first in range(1, 8 - length)]
    return lambda roll: points if any(run <= set(roll) for run in runs) else 0


def _full_house(roll: Dice) -> int:
    return sum(roll) if _sizes(roll) == [2, 3] else 0


def _five(roll: Dice) -> int:
    return 50 if len(set(roll)) == 1 else 0


_NUMBERS = [_number(face) for face in range(1, 7)]

YACHT: list[Score] = [
    *_NUMBERS,
    _full_house,
    _alike(4),
    _exactly((1, 2, 3, 4, 5), 30),
    _exactly((2, 3, 4, 5, 6), 30),
    sum,
    _five,
]

CRAG: list[Score] = [
    *_NUMBERS,
    *(_exactly(dice, 20) for dice in [(1, 3, 5), (2, 4, 6), (1, 2, 3), (4, 5, 6)]),
    lambda roll: 25 if len(set(roll)) == 1 else 0,
    lambda roll: 26 if sum(roll) == 13 else 0,
    lambda roll: 50 if sum(roll) == 13 and len(set(roll)) == 2 else 0,
]

YATZY_LOWER: list[Score] = [
    _alike(2),
    _two_pairs,
    _alike(3),
    _alike(4),
    _exactly((1, 2, 3, 4, 5), 15),
    _exactly((2, 3, 4, 5, 6), 20),
    _full_house,
    sum,
    _five,
]

YAHTZEE_LOWER: list[Score] = [
    lambda roll: sum(roll) if max(_sizes(roll)) >= 3 else 0,
    lambda roll: sum(roll) if max(_sizes(roll)) >= 4 else 0,
    lambda roll: 25 if _sizes(roll) == [2, 3] else 0,
    _run(4, 30),
    _run(5, 40),
    _five,
    sum,
]
