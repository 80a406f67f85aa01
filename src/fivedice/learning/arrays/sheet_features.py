"""A position as a learner sees it: numbers from 0 to 1, the same for one game and for thousands at once.

In this order, with F faces, B boxes and the bonuses of the book:

- the dice: how many show each face (F), and the rolls left (1); all 0 while no dice are on the table;
- the points of these dice in each box (B); 0 if the box is not legal;
- the sheet: which boxes are filled (B), their points (B), the progress to each bonus, whether the box for all dice the
  same has points, the number of extra bonuses, the saved rolls and the total.

At a table the sheets of the others follow, in the order of their turns. `scale` brings every number to at most 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fivedice.core.game import Position, Scorecard
from fivedice.core.game.card import possible_points
from fivedice.core.rules import RuleBook
from fivedice.learning.arrays.action_list import rules_of

Numbers = NDArray[np.float32]


class SheetFeatures:
    """The features of a book. `book` is a key, a path, the text of house rules or a `RuleBook`."""

    def __init__(self, book: RuleBook | str | Path) -> None:
        self.book = rules_of(book)

    @cached_property
    def scale(self) -> Numbers:
        """Return the factor of each raw number."""
        highest = [*self._highest_of_dice, *self._highest_of_sheet]
        return (1.0 / np.maximum(np.array(highest, dtype=np.float64), 1.0)).astype(np.float32)

    @property
    def size(self) -> int:
        """Return the number of features for one player's dice and sheet."""
        return len(self.scale)

    @property
    def sheet_size(self) -> int:
        """Return the number of features of a sheet."""
        return len(self._highest_of_sheet)

    @cached_property
    def most_points(self) -> tuple[int, ...]:
        """Return the highest points of each box, in the order of the sheet."""
        return tuple(max(possible_points(self.book, place), default=0) for place in range(len(self.book.boxes)))

    @cached_property
    def highest_total(self) -> int:
        """Return an upper bound of a game's total: all boxes and bonuses at their best, and all extra bonuses."""
        policy, turns = self.book.alike, len(self.book.boxes) - 1
        extras = 0
        if policy is not None and policy.pays_extra:
            steps = (None, *policy.joker_steps)
            extras = sum(
                max(policy.pays(scored=True, before=before, step=step) for step in steps) for before in range(turns)
            )
        return sum(self.most_points) + sum(bonus.highest.points for bonus in self.book.bonuses) + extras

    @cached_property
    def _highest_of_dice(self) -> tuple[int, ...]:
        book = self.book
        return *(book.dice,) * book.faces, book.most_rolls - 1, *self.most_points

    @cached_property
    def _highest_of_sheet(self) -> tuple[int, ...]:
        book, boxes = self.book, len(self.book.boxes)
        bonuses = tuple(bonus.highest.threshold for bonus in book.bonuses)
        saved = boxes * (book.rolls - 1) if book.save_rolls else 1
        return *(1,) * boxes, *self.most_points, *bonuses, 1, boxes, saved, self.highest_total

    def of(self, position: Position, seat: int | None = None) -> Numbers:
        """Return the view of a seat, by default the one on turn: the dice, its own sheet, and those of the others."""
        own = position.seat if seat is None else seat
        cards = [position.cards[(own + step) % len(position.cards)] for step in range(len(position.cards))]
        return self.seen(self._count_dice(position, own), cards)

    def alone(self, position: Position, others: Sequence[Scorecard]) -> Numbers:
        """Return the same if each player has their own dice: one player's position, and the sheets of the others."""
        return self.seen(self._count_dice(position, position.seat), [position.cards[0], *others])

    def seen(self, dice: Sequence[int], cards: Sequence[Scorecard]) -> Numbers:
        raw = [*dice, *(number for card in cards for number in self._count_sheet(card))]
        scale = np.concatenate([self.scale, *[self.scale[-self.sheet_size :]] * (len(cards) - 1)])
        found: Numbers = np.minimum(np.array(raw, dtype=np.float32) * scale, np.float32(1.0))
        return found

    def size_for(self, players: int) -> int:
        return self.size + self.sheet_size * (players - 1)

    def _count_dice(self, position: Position, seat: int) -> list[int]:
        """Return the dice, which all players see, and their points, which only the player on turn sees."""
        book, roll = self.book, position.roll
        if roll is None:
            return [0] * len(self._highest_of_dice)
        counts = [roll.faces.count(face) for face in range(1, book.faces + 1)]
        legal = position.ruling().legal if seat == position.seat else {}
        worth = [legal[box.key].points if box.key in legal else 0 for box in book.boxes]
        return [*counts, position.rolls_left, *worth]

    def _count_sheet(self, card: Scorecard) -> list[int]:
        filled = [int(points is not None) for points in card.marks]
        bonuses = [
            min(card.counted(mask), bonus.highest.threshold)
            for bonus, mask in zip(card.book.bonuses, card.book.bonus_masks, strict=True)
        ]
        held = [points or 0 for points in card.marks]
        return [*filled, *held, *bonuses, int(card.alike_scored), card.bonuses, card.saved, card.total]


sheet_features = lru_cache(maxsize=32)(SheetFeatures)
