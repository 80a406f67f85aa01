"""Thousands of solo games of one book in numpy: dice, sheets, totals, and the legal actions in each.

The rules come from the solver's arrays of the book. Tests compare them with `core/game/legality.py`, move by move.
Boxes have the solver's numbers here, as in its masks; only results for other modules are in the order of the sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from fivedice.learning.encoding import Numbers, action_list, sheet_features
from fivedice.solver.model.book_arrays import compiled_book

Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sheets:
    """The state of many sheets that the future depends on, in the solver's numbers."""

    masks: Whole
    flags: Whole
    lanes: Whole

    def at(self, chosen: Whole | Flags) -> Sheets:
        return Sheets(self.masks[chosen], self.flags[chosen], self.lanes[chosen])


@dataclass(frozen=True, eq=False)
class Rulings:
    """The legal boxes and the points of each sheet's roll."""

    boxes: Whole  # the legal boxes as masks
    points: Whole  # [sheets, boxes]
    slots: Whole  # [sheets, boxes]: see the solver's `book_arrays`
    extras: Whole  # the extra bonuses
    alike: Flags  # whether all dice are the same


class BatchRules:
    """Legality, points and next states."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.compiled = compiled_book(book)
        self.sheet_order = np.argsort(self.compiled.order)  # from the place on the sheet to the solver's number

    @cached_property
    def alike_faces(self) -> Whole:
        """Return [rolls + 1]: the face that all dice show, from 0, or -1. The last entry is for no dice."""
        grid = self.compiled.lattice
        found = np.full(len(grid.rolls) + 1, -1)
        found[grid.alike - grid.first_roll] = np.arange(grid.faces)
        return found

    @cached_property
    def counts(self) -> Whole:
        """Return [rolls + 1, faces]: how many dice show each face."""
        grid = self.compiled.lattice
        rolls = [[roll.count(face) for face in range(1, grid.faces + 1)] for roll in grid.rolls]
        return np.array([*rolls, [0] * grid.faces])

    @cached_property
    def successors(self) -> Whole:
        """Return [rows, faces]: the row with one more die; a complete roll stays the same."""
        grid = self.compiled.lattice
        stays = np.repeat(np.arange(grid.first_roll, grid.rows)[:, None], grid.faces, axis=1)
        return np.concatenate([grid.successors.astype(np.int64), stays])

    @cached_property
    def keep_rows(self) -> Whole:
        """Return [keeps]: the row of each keep, in the order of the actions."""
        return np.array([self.compiled.lattice.row[keep.faces] for keep in action_list(self.book).keeps])

    @cached_property
    def keep_masks(self) -> NDArray[np.int8]:
        """Return [rolls + 1, keeps]: which keeps a roll contains.

        The last entry is for dice that may not be rolled again.
        """
        parts = np.array_split(self.counts[:-1], 1 + len(self.counts) // 256)  # eight dice have thousands of rolls
        inside = [(part[:, None, :] >= self._keep_counts).all(axis=2).astype(np.int8) for part in parts]
        return np.concatenate([*inside, np.zeros((1, len(self._keep_counts)), dtype=np.int8)])

    @cached_property
    def _keep_counts(self) -> Whole:
        keeps, faces = action_list(self.book).keeps, range(1, self.book.faces + 1)
        return np.array([[keep.faces.count(face) for face in faces] for keep in keeps])

    @cached_property
    def box_bits(self) -> Whole:
        return 1 << np.arange(self.compiled.boxes)

    def start(self, count: int) -> Sheets:
        """Return empty sheets."""
        return Sheets(*(np.zeros(count, dtype=np.int64) for _ in range(3)))

    def throw(self, rows: Whole, random: np.random.Generator) -> Whole:
        """Roll the dice that these rows leave, and return the numbers of the rolls."""
        grid = self.compiled.lattice
        fell = random.integers(0, grid.faces, (grid.dice, len(rows)), dtype=np.uint8)
        for faces in fell:
            rows = self.successors[rows, faces]
        return rows - grid.first_roll

    def available(self, masks: Whole) -> Whole:
        """Return the boxes that may be filled next, as masks."""
        unfilled = self.compiled.full & ~masks
        if self.compiled.fixed_order:
            return unfilled & -unfilled
        first = unfilled & self.compiled.first
        return np.where(first != 0, first, unfilled)

    def alike_rulings(self, sheets: Sheets, faces: Whole) -> tuple[Whole, Whole]:
        """Return the legal boxes if all dice show a face, as masks, and the joker step that decides, or 0."""
        ladder, available = self.compiled.ladder, self.available(sheets.masks)
        filled = (sheets.masks >> self.compiled.policy_box & 1) if self.compiled.policy_box >= 0 else 0 * sheets.masks
        is_open = (ladder.faces[faces] & ~sheets.masks != 0).astype(np.int64)
        offers = ladder.offers[is_open, faces] & available[:, None]
        offers = np.concatenate([offers, available[:, None]], axis=1)  # if no step has a box, all are legal
        place = np.argmax(offers != 0, axis=1)
        place[~ladder.applies[sheets.flags, filled]] = offers.shape[1] - 1
        boxes = offers[np.arange(len(offers)), place]
        return boxes, np.where(place == offers.shape[1] - 1, 0, place + 1)

    def rulings(self, sheets: Sheets, rolls: Whole) -> Rulings:
        """Return what these rolls may do on these sheets. The number after the last roll stands for no dice."""
        book, dice = self.compiled, rolls < len(self.compiled.lattice.rolls)
        known = np.where(dice, rolls, 0)
        boxes, points, slots = self.available(sheets.masks), book.plain[known], book.slots.plain[known]
        extras, alike = np.zeros_like(rolls), self.alike_faces[rolls] >= 0
        chosen = np.flatnonzero(alike)
        if len(chosen):
            some, faces = sheets.at(chosen), self.alike_faces[rolls[chosen]]
            boxes[chosen], steps = self.alike_rulings(some, faces)
            prices = book.ladder.prices[steps]
            points[chosen], slots[chosen] = book.alike[prices, faces], book.slots.alike[prices, faces]
            extras[chosen] = book.extra[some.flags, steps]
        return Rulings(np.where(dice, boxes, 0), points, slots, extras, alike)

    def after(self, sheets: Sheets, boxes: Whole, points: Whole, slots: Whole, paid: Flags) -> Sheets:
        """Return the sheets with one more box filled. `paid` is as in `is_paid`."""
        book = self.compiled
        flags = np.where(paid, book.slots.paid[sheets.flags, slots], book.slots.usual[sheets.flags, slots])
        lanes = np.minimum(sheets.lanes + points * (book.counted >> boxes & 1), book.threshold)
        return Sheets(sheets.masks | 1 << boxes, flags, lanes)

    def is_paid(self, alike: Flags, boxes: Whole, extras: Whole) -> Flags:
        """Return where all dice the same change the flag: in their own box, and where they earn an extra bonus."""
        paid: Flags = alike & ((boxes == self.compiled.policy_box) | (extras > 0))
        return paid


batch_rules = lru_cache(maxsize=16)(BatchRules)


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
