"""The contents of a state's flag as arrays: payments for all dice the same, and the totals of further bonuses.

`book_arrays` says what the numbers of a flag mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import AlikePolicy, Bonus

_Number = TypeVar("_Number", np.uint16, np.int64, np.float64, np.bool_)


def read_only(values: object, kind: type[_Number]) -> NDArray[_Number]:
    """Return a read-only array, as it is shared between threads and callers."""
    array = np.array(values, dtype=kind)
    array.flags.writeable = False
    return array


def int_array(values: object) -> NDArray[np.int64]:
    return read_only(values, np.int64)


@dataclass(frozen=True, eq=False)
class Payments:
    """What all dice the same are paid in addition to their points, by the alike part of the flag and the rung."""

    policy: AlikePolicy | None
    boxes: int

    @cached_property
    def alikes(self) -> int:
        """Return how many numbers the alike part of the flag has."""
        policy = self.policy
        if policy is None:
            return 1
        if policy.pays_extra:
            # The payments after 0, 1, ... payments. From some row on they are the same.
            rows = [self._row(policy, before) for before in range(self.boxes)]
            while len(rows) > 1 and rows[-1] == rows[-2]:
                rows.pop()
            return 1 + len(rows)
        return 2 if policy.joker_steps and not policy.holds(filled=True, scored=False) else 1

    def extras(self, alike: int) -> list[int]:
        """Return the extra without a rung, and then for each rung."""
        if self.policy is None:
            return [0]
        return self._row(self.policy, alike - 1) if alike else [0] * (1 + len(self.policy.joker_steps))

    def after(self, alike: int) -> int:
        """Return the alike part once one more extra is paid."""
        return min(alike + 1, self.alikes - 1) if alike else 0

    @cached_property
    def most(self) -> NDArray[np.int64]:
        """Return the most that can be paid in a number of turns, once the box holds points, as [alikes, turns]."""
        table = np.zeros((self.alikes, self.boxes + 1), dtype=np.int64)
        for turns in range(1, self.boxes + 1):
            for alike in range(1, self.alikes):
                paid = max(self.extras(alike)) + table[self.after(alike), turns - 1]
                table[alike, turns] = max(paid, table[alike, turns - 1])
        return table

    @cached_property
    def least(self) -> NDArray[np.int64]:
        """Return what must have been paid to reach each alike part, as [alikes]."""
        steps = [min(filter(None, self.extras(alike)), default=0) for alike in range(1, self.alikes)]
        return int_array(np.cumsum([0, 0, *steps])[: self.alikes])

    def most_paid_to(self, first: int) -> NDArray[np.int64]:
        """Return the most that can have been paid in a number of turns from `first` to each alike part, as [turns,
        alikes].
        """
        never = np.iinfo(np.int64).min // 2
        paid = np.full((self.boxes + 1, self.alikes), never)
        paid[0, first] = 0
        for turns in range(1, self.boxes + 1):
            paid[turns] = paid[turns - 1]
            for alike in range(1, self.alikes):
                after, most = self.after(alike), max(self.extras(alike))
                if most:
                    paid[turns, after] = max(paid[turns, after], paid[turns - 1, alike] + most)
        return int_array(np.maximum(paid, 0))

    @staticmethod
    def _row(policy: AlikePolicy, before: int) -> list[int]:
        return [policy.pays(scored=True, before=before, step=step) for step in (None, *policy.joker_steps)]


@dataclass(frozen=True, eq=False)
class Sums:
    """The totals of the further bonuses, which the flag counts."""

    masks: tuple[int, ...]  # the boxes that count towards each
    bonuses: tuple[Bonus, ...]

    @cached_property
    def caps(self) -> tuple[int, ...]:
        """Return for each total the value from which on it is paid the most."""
        return tuple(bonus.highest.threshold for bonus in self.bonuses)

    @cached_property
    def count(self) -> int:
        return prod(cap + 1 for cap in self.caps)

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Return the totals that each number stands for, as [sums, bonuses]."""
        return int_array(list(product(*(range(cap + 1) for cap in self.caps)))).reshape(self.count, len(self.caps))

    @cached_property
    def paid(self) -> NDArray[np.int64]:
        """Return the bonus points on a full card, as [sums]."""
        paid = np.zeros(self.count, dtype=np.int64)
        for bonus, totals in zip(self.bonuses, self.totals.T, strict=True):
            paid += np.array([bonus.pays(total) for total in range(bonus.highest.threshold + 1)])[totals]
        return paid

    def numbers(self, totals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of totals along the last axis."""
        places = [prod(cap + 1 for cap in self.caps[place + 1 :]) for place in range(len(self.caps))]
        return np.minimum(totals, int_array(self.caps)) @ int_array(places)

    def after(self, box: int, points: int) -> NDArray[np.int64]:
        """Return the numbers after filling a box, as [sums]."""
        return self.numbers(self.totals + int_array([points * (mask >> box & 1) for mask in self.masks]))

    def drop_lost(self, left: Sequence[int]) -> NDArray[np.int64]:
        """Return the numbers with totals set to 0 that can no longer earn anything, given the points still to come, as
        [sums].
        """
        reach = int_array([bonus.threshold for bonus in self.bonuses])
        return self.numbers(np.where(self.totals + int_array(left) < reach, 0, self.totals))


@dataclass(frozen=True, eq=False)
class Slots:
    """The effects of filling boxes, apart from the counted total."""

    boxes: NDArray[np.int64]  # [slots]: in ascending order
    of: tuple[dict[int, int], ...]  # [boxes]: points to their slot
    plain: NDArray[np.int64]  # [rolls, boxes]: the slot of a roll in a box
    alike: NDArray[np.int64]  # [prices, faces, boxes]: the same for all dice the same
    zero: NDArray[np.int64]  # [boxes]: the slot of no points
    usual: NDArray[np.int64]  # [flags, slots]: the flag after it
    paid: NDArray[np.int64]  # [flags, slots]: the flag if all dice the same score in their own box or are paid an extra


def slots_of(
    plain: NDArray[np.int64], alike: NDArray[np.int64], points: list[set[int]], sums: Sums, paid: Payments, own: int
) -> Slots:
    """Return one slot for each box, or one for each number of points if the box counts towards a further bonus."""
    counts = [any(mask >> box & 1 for mask in sums.masks) for box in range(len(points))]
    found = [(box, each) for box in range(len(points)) for each in (sorted(points[box]) if counts[box] else [0])]
    number = {slot: place for place, slot in enumerate(found)}
    of = tuple({each: number[box, each if counts[box] else 0] for each in points[box]} for box in range(len(points)))
    count = paid.alikes
    stay, scored, rise = list(range(count)), [min(1, count - 1)] * count, list(map(paid.after, range(count)))
    return Slots(
        boxes=int_array([box for box, _ in found]),
        of=of,
        plain=int_array([[of[box][each] for box, each in enumerate(row)] for row in plain.tolist()]),
        alike=int_array(
            [[[of[box].get(each, 0) for box, each in enumerate(row)] for row in price] for price in alike.tolist()]
        ),
        zero=int_array([each[0] for each in of]),
        usual=int_array([_flags(paid, sums, slot, [0] * count if slot[0] == own else stay) for slot in found]).T.copy(),
        paid=int_array([_flags(paid, sums, slot, scored if slot[0] == own else rise) for slot in found]).T.copy(),
    )


def _flags(paid: Payments, sums: Sums, slot: tuple[int, int], alike: list[int]) -> NDArray[np.int64]:
    """Return the flags after a slot, given the alike parts after it, as [flags]."""
    return np.add.outer(paid.alikes * sums.after(*slot), alike).reshape(-1)
