"""The value of every action in many games at once, given the values of sheets at the start of a turn.

Those come from the table of a solved book, which gives regrets, or from a learner, which gives its choices. The dice
within a turn are computed exactly, with the solver's lattice. The games are the last axis of the arrays, so that each
step of the lattice is a sum or a maximum of whole rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError
from fivedice.learning.encoding import turn_regrets
from fivedice.learning.many_games import BatchRules, ManyGames, Sheets, batch_rules
from fivedice.solver.values.turn_values import padded_predecessors, sizes

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution

Reals: TypeAlias = "NDArray[np.float64]"
SheetValues: TypeAlias = "Callable[[Sheets], Reals]"  # points still to come from the start of a turn, with bonuses

_AT_ONCE = 256  # games whose rows fit the processor's cache


class TurnWorths:
    """The values of turns for many sheets. Raise IllegalError for rules that save rolls."""

    def __init__(self, book: RuleBook, values: SheetValues) -> None:
        if book.save_rolls:
            raise IllegalError("bots.no-saved-rolls", rules=book)
        self.rules: BatchRules = batch_rules(book)
        self.values = values
        self._entries = _Entries(self.rules)

    def of(self, sheets: Sheets) -> tuple[Reals, Reals]:
        """Return [rerolls, keeps, sheets], every keep with 1, 2, ...

        rolls left; and [sheets], the turn before its first roll.
        """
        count = len(sheets.masks)
        parts = [self._of(sheets.at(part)) for part in np.array_split(np.arange(count), max(1, -(-count // _AT_ONCE)))]
        return np.concatenate([keeps for keeps, _ in parts], axis=2), np.concatenate([worth for _, worth in parts])

    def _of(self, sheets: Sheets) -> tuple[Reals, Reals]:
        grid, rolls = self.rules.compiled.lattice, self._leaf(sheets)
        rerolls = self.rules.compiled.rolls - 1
        keeps = np.empty((rerolls, len(self.rules.keep_rows), len(sheets.masks)))
        for left in range(rerolls):
            rows = self._down(rolls)
            keeps[left] = rows[self.rules.keep_rows]
            rolls = self._up(rows)[grid.first_roll :]
        worth: Reals = grid.weights @ rolls
        return keeps, worth

    def _down(self, rolls: Reals) -> Reals:
        """Return [rows, sheets]: the value of every keep, given that of every roll."""
        grid = self.rules.compiled.lattice
        rows = np.empty((grid.rows, rolls.shape[1]))
        rows[grid.first_roll :] = rolls
        for start, stop in reversed(sizes(grid)[:-1]):
            total = rows[grid.successors[start:stop, 0]]
            for face in range(1, grid.faces):
                total += rows[grid.successors[start:stop, face]]
            np.divide(total, grid.faces, out=rows[start:stop])
        return rows

    def _up(self, rows: Reals) -> Reals:
        """Return for every row the best value of the row and of all keeps inside it."""
        grid = self.rules.compiled.lattice
        for (start, stop), predecessors in zip(sizes(grid)[1:], padded_predecessors(grid), strict=True):
            for fewer in predecessors.T:
                np.maximum(rows[start:stop], rows[fewer], out=rows[start:stop])
        return rows

    def _leaf(self, sheets: Sheets) -> Reals:
        """Return [rolls, sheets]: every roll in its best box."""
        worth, compiled = self._entries.plain(sheets, self.values), self.rules.compiled
        leaf: Reals = worth[self._entries.of_roll[:, 0]]
        for box in range(1, compiled.boxes):
            np.maximum(leaf, worth[self._entries.of_roll[:, box]], out=leaf)
        leaf[compiled.lattice.alike - compiled.lattice.first_roll] = self._entries.alike(sheets, self.values)
        return leaf

    def boxes(self, games: ManyGames) -> Reals:
        """Return [games, boxes]: the current roll in every box of the sheet; minus infinity if not legal."""
        rules, found = self.rules, games.rulings
        game, place = np.nonzero(found.boxes[:, None] >> rules.sheet_order & 1)
        box = rules.sheet_order[place]
        points, extras = found.points[game, box], found.extras[game]
        paid = rules.is_paid(found.alike[game], box, extras)
        after = rules.after(games.sheets.at(game), box, points, found.slots[game, box], paid)
        worth = np.full((games.count, len(rules.sheet_order)), -np.inf)
        worth[game, place] = points + extras + self.values(after)
        return worth


class _Entries:
    """The different points of each box, far fewer than rolls, and the even fewer states that they lead to."""

    def __init__(self, rules: BatchRules) -> None:
        self.rules, book = rules, rules.compiled
        pairs = [(box, points) for box in range(book.boxes) for points in np.unique(book.plain[:, box]).tolist()]
        number = {pair: place for place, pair in enumerate(pairs)}
        self.points = np.array([points for _, points in pairs])
        self.of_roll = np.array(
            [[number[box, points] for box, points in enumerate(row)] for row in book.plain.tolist()]
        )
        # The part of an entry that later turns depend on: the box, its slot and, if it counts, the points.
        left = [(box, book.slots.of[box][points], points * (book.counted >> box & 1)) for box, points in pairs]
        landings = list(dict.fromkeys(left))
        self.landing = np.array([landings.index(each) for each in left])
        self.boxes, self.slots, self.counted = np.array(landings).T

    def plain(self, sheets: Sheets, values: SheetValues) -> Reals:
        """Return [entries, sheets]: the points plus the value of what follows; minus infinity if not available."""
        follows = np.full((len(self.boxes), len(sheets.masks)), -np.inf)
        place, sheet = np.nonzero(self.rules.available(sheets.masks) >> self.boxes[:, None] & 1)
        never = np.zeros(len(place), dtype=np.bool_)
        after = self.rules.after(sheets.at(sheet), self.boxes[place], self.counted[place], self.slots[place], never)
        follows[place, sheet] = values(after)
        worth: Reals = self.points[:, None] + follows[self.landing]
        return worth

    def alike(self, sheets: Sheets, values: SheetValues) -> Reals:
        """Return [faces, sheets]: all dice the same in their best box."""
        rules, book, count = self.rules, self.rules.compiled, len(sheets.masks)
        faces = np.repeat(np.arange(book.lattice.faces), count)
        every = sheets.at(np.tile(np.arange(count), book.lattice.faces))
        legal, steps = rules.alike_rulings(every, faces)
        case, box = np.nonzero(legal[:, None] & rules.box_bits)
        price, face, extras = book.ladder.prices[steps[case]], faces[case], book.extra[every.flags, steps][case]
        points, slots = book.alike[price, face, box], book.slots.alike[price, face, box]
        paid = rules.is_paid(np.ones(len(case), dtype=np.bool_), box, extras)
        after = rules.after(every.at(case), box, points, slots, paid)
        worth = np.full(len(faces), -np.inf)
        np.maximum.at(worth, case, points + extras + values(after))
        return worth.reshape(-1, count)


def action_worths(worths: TurnWorths, games: ManyGames, keeps: Reals) -> Reals:
    """Return [games, actions]: the value of every action, minus infinity if not legal.

    `keeps` are the values of the keeps in the current turns.
    """
    game, count = np.flatnonzero(games.left > 0), keeps.shape[1]
    found = np.full(games.masks.shape, -np.inf)
    found[game, :count] = np.where(games.masks[game, :count] > 0, keeps[games.left[game] - 1, :, game], -np.inf)
    found[:, count:] = worths.boxes(games)
    return found


class ActionWorths:
    """The values of all actions in running games. Each turn is computed once, when it begins."""

    def __init__(self, worths: TurnWorths) -> None:
        self.worths = worths
        self._keeps: Reals | None = None
        self._seen: Sheets | None = None

    def of(self, games: ManyGames) -> Reals:
        """Return [games, actions]: the value of every action, minus infinity if not legal."""
        return action_worths(self.worths, games, self._update_keeps(games))

    def _update_keeps(self, games: ManyGames) -> Reals:
        now = Sheets(games.sheets.masks.copy(), games.sheets.flags.copy(), games.sheets.lanes.copy())
        if self._keeps is None or self._seen is None:
            self._keeps, _ = self.worths.of(now)
        else:
            seen = self._seen
            other = (seen.masks != now.masks) | (seen.flags != now.flags) | (seen.lanes != now.lanes)
            changed = np.flatnonzero(other & ~games.over)
            if len(changed):
                self._keeps[:, :, changed], _ = self.worths.of(now.at(changed))
        self._seen = now
        return self._keeps


def table_values(solution: Solution) -> SheetValues:
    """Return a function that gives the values of sheets by a solved book.

    Raise IllegalError for rules that save rolls.
    """
    table = solution.table
    if not isinstance(table, np.ndarray):
        raise IllegalError("bots.no-saved-rolls", rules=solution.book)
    found = table
    return lambda sheets: found[sheets.masks, sheets.flags, sheets.lanes]


def batch_regrets(solution: Solution) -> Callable[[ManyGames], Reals]:
    """Return a function that gives the regrets of many games. With saved rolls it takes one game after the other."""
    if solution.book.save_rolls:
        return lambda games: np.stack([_regrets_of_game(solution, games, game) for game in range(games.count)])
    worths = ActionWorths(TurnWorths(solution.book, table_values(solution)))

    def of(games: ManyGames) -> Reals:
        found = worths.of(games)
        best = found.max(axis=1, keepdims=True)
        return np.where(games.masks > 0, np.where(np.isfinite(best), best, 0.0) - found, np.inf)

    return of


def _regrets_of_game(solution: Solution, games: ManyGames, game: int) -> Reals:
    if games.rolls[game] == games.no_dice:
        return np.full(games.masks.shape[1], np.inf)
    return turn_regrets(solution, *games.turn(game))
