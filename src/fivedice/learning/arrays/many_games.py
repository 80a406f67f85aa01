"""Thousands of solo games of one book in arrays: dice, sheets, totals, and the legal actions in each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from fivedice.learning.arrays.batch_rules import BatchRules, Flags, Rulings, Sheets, Whole, batch_rules
from fivedice.learning.arrays.sheet_features import Numbers, sheet_features


class ManyGames:
    """Many games that move at once, each at its own point."""

    def __init__(self, book: RuleBook, count: int) -> None:
        self.rules: BatchRules = batch_rules(book)
        self.book, self.count = book, count
        self.sheets: Sheets = self.rules.start(count)
        self.marks = np.zeros((count, len(book.boxes)), dtype=np.int64)  # in the order of the sheet
        self.extras = np.zeros(count, dtype=np.int64)  # the number of extra bonuses
        self.totals = np.zeros(count, dtype=np.int64)
        self.saved = np.zeros(count, dtype=np.int64)
        self.left = np.zeros(count, dtype=np.int64)
        self.rolls = np.zeros(count, dtype=np.int64)  # the number of the roll; `no_dice` if there is none
        self.rulings: Rulings
        self.masks: NDArray[np.int8]
        self._bonuses = np.array([[mask >> place & 1 for place in range(len(book.boxes))] for mask in book.bonus_masks])
        self._numbers = np.arange(count)

    @property
    def no_dice(self) -> int:
        return len(self.rules.compiled.lattice.rolls)

    @property
    def over(self) -> Flags:
        found: Flags = self.sheets.masks == self.rules.compiled.full
        return found

    def restart(self, games: Whole, random: np.random.Generator) -> None:
        """Start new games in these places."""
        for numbers in (self.sheets.masks, self.sheets.flags, self.sheets.lanes, self.marks, self.extras):
            numbers[games] = 0
        self.totals[games] = self.saved[games] = 0
        self._begin_turns(games, random)

    def settle(self) -> None:
        """Compute the legal actions: call it once after all changes of a step."""
        self.rulings = self.rules.rulings(self.sheets, self.rolls)
        keeps = self.rules.keep_masks[np.where(self.left > 0, self.rolls, self.no_dice)]
        boxes = self.rulings.boxes[:, None] & self.rules.box_bits[self.rules.sheet_order] != 0
        self.masks = np.concatenate([keeps, boxes], axis=1, dtype=np.int8)

    def keep(self, games: Whole, actions: Whole, random: np.random.Generator) -> None:
        """Roll the dice that these actions do not keep."""
        self.left[games] -= 1
        self.rolls[games] = self.rules.throw(self.rules.keep_rows[actions], random)

    def score(self, games: Whole, places: Whole, random: np.random.Generator) -> Whole:
        """Score a box each, by its place on the sheet, and begin the next turns.

        Return the points that the games gain.
        """
        boxes, found, before = self.rules.sheet_order[places], self.rulings, self.totals[games].copy()
        points, extras = found.points[games, boxes], found.extras[games]
        paid = self.rules.is_paid(found.alike[games], boxes, extras)
        after = self.rules.after(self.sheets.at(games), boxes, points, found.slots[games, boxes], paid)
        for mine, new in zip(
            (self.sheets.masks, self.sheets.flags, self.sheets.lanes),
            (after.masks, after.flags, after.lanes),
            strict=True,
        ):
            mine[games] = new
        earned = self._sum_bonuses(self.marks[games])
        self.marks[games, places] = points
        self.extras[games] += extras > 0
        self.totals[games] += points + extras + self._sum_bonuses(self.marks[games]) - earned
        if self.book.save_rolls:
            self.saved[games] = self.left[games]
        over = after.masks == self.rules.compiled.full
        self.left[games[over]], self.rolls[games[over]] = 0, self.no_dice
        self._begin_turns(games[~over], random)
        return self.totals[games] - before

    def _begin_turns(self, games: Whole, random: np.random.Generator) -> None:
        self.left[games] = self.book.rolls + self.saved[games] - 1
        self.rolls[games] = self.rules.throw(np.zeros(len(games), dtype=np.int64), random)

    def _count_bonuses(self, marks: Whole) -> list[Whole]:
        """Return for each bonus the points that count towards it, up to its threshold."""
        return [
            np.minimum(marks @ mask, bonus.highest.threshold)
            for bonus, mask in zip(self.book.bonuses, self._bonuses, strict=True)
        ]

    def _sum_bonuses(self, marks: Whole) -> Whole:
        paid = np.zeros(len(marks), dtype=np.int64)
        for bonus, counted in zip(self.book.bonuses, self._count_bonuses(marks), strict=True):
            for before, tier in zip((0, *(each.points for each in bonus.tiers)), bonus.tiers, strict=False):
                paid += np.where(counted >= tier.threshold, tier.points - before, 0)
        return paid

    def features(self) -> Numbers:
        """Return [games, numbers]: see `sheet_features`."""
        order = self.rules.sheet_order
        filled = self.sheets.masks[:, None] >> order & 1
        legal = self.rulings.boxes[:, None] >> order & 1
        own = self.book.alike_box
        scored = self.marks[:, own] > 0 if own is not None else np.zeros(self.count, dtype=np.int64)
        worth = self.rulings.points[:, order] * legal
        columns = [self.rules.counts[self.rolls], self.left, worth, filled, self.marks]
        columns += [*self._count_bonuses(self.marks), scored, self.extras, self.saved, self.totals]
        raw = np.concatenate([each.reshape(self.count, -1) for each in columns], axis=1, dtype=np.float32)
        raw *= sheet_features(self.book).scale
        return np.minimum(raw, np.float32(1.0), out=raw)

    def turn(self, game: int) -> tuple[Scorecard, Roll, int]:
        """Return one game as the engine has it: the card, the roll, and the rolls left."""
        boxes = self.rules.sheet_order.tolist()
        marks = zip(boxes, self.marks[game].tolist(), strict=True)
        held = tuple(points if self.sheets.masks[game] >> box & 1 else None for box, points in marks)
        card = Scorecard(self.book, held, int(self.extras[game]), int(self.saved[game]))
        return card, Roll(self.rules.compiled.lattice.rolls[int(self.rolls[game])]), int(self.left[game])
