"""A turn as a person sees it: which dice to keep and which box to fill, by rules of thumb and with mistakes.

A box is worth its par, which is the mean of several tries, and a share of the bonus.

Good players know that five of a kind comes up about once in three games, so they keep its box open, and that ones never
bring much. Both follow from one idea: while many boxes are open, there are several tries at each. A try is a turn spent
on one box, and fewer open boxes mean fewer tries. No solution is needed, and nothing is
random: a decision takes a millisecond or two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from fivedice.players.bots.levels import Habit, Mood
from fivedice.solver.model.book_arrays import CompiledBook, State, compiled_book
from fivedice.solver.solution import TIE, keeps_within, state_of
from fivedice.solver.values.turn_values import best_rolls, keep_values, over_boxes

Floats = NDArray[np.float64]

_TRIES = 0.3  # tries at a box per open box
_LONG_TRIES = 0.6  # the same for an all-or-nothing box: any turn may bring it by chance
_LEEWAY = 0.5  # of the points still to come: this far ahead of the pace the bonus is sure, this far behind it is lost
_STEPS = 12  # distinct points of a box that are considered: more change little, and large books have hundreds


@dataclass(frozen=True, eq=False)
class Thumb:
    """A book as seen by an experienced player who has calculated nothing."""

    book: RuleBook
    compiled: CompiledBook

    def pars(self, open_boxes: int) -> Floats:
        """Return the points to expect from each box while this many boxes are open, as [boxes]."""
        return self._pars[open_boxes]

    @cached_property
    def _pars(self) -> tuple[Floats, ...]:
        return tuple(self._pars_while(open_boxes) for open_boxes in range(self.compiled.boxes + 1))

    def _pars_while(self, open_boxes: int) -> Floats:
        tries = np.maximum(1.0, open_boxes * np.where(self.all_or_nothing, _LONG_TRIES, _TRIES))
        ways = zip(self._ways, tries, strict=True)
        return np.array([float(steps @ (1 - (1 - chances) ** many)) for (steps, chances), many in ways])

    @cached_property
    def _ways(self) -> tuple[tuple[Floats, Floats], ...]:
        return tuple(self._ways_of(box, self.compiled.rolls) for box in range(self.compiled.boxes))

    def _ways_of(self, box: int, rolls: int) -> tuple[Floats, Floats]:
        """Return the steps between a box's distinct points, and the best chance of reaching each."""
        book, points = self.compiled, self.compiled.plain[:, box]
        found = np.unique(points[points > 0])
        aims = found[np.unique(np.linspace(0, len(found) - 1, _STEPS).round().astype(int))] if len(found) else found
        best = (points[:, None] >= aims).astype(np.float64)
        for _ in range(rolls - 1):
            best = best_rolls(book.lattice, keep_values(book.lattice, best))
        return np.diff(aims, prepend=0).astype(np.float64), np.clip(book.lattice.weights @ best, 0.0, 1.0)

    @cached_property
    def roll(self) -> float:
        """Return the gain of one more roll in a turn, averaged over the boxes; 0 where rolls are not saved."""
        book = self.compiled
        more, usual = (
            [float(steps @ chances) for steps, chances in (self._ways_of(box, rolls) for box in range(book.boxes))]
            for rolls in (book.rolls + 1, book.rolls)
        )
        return float(np.mean(more) - np.mean(usual)) if book.save_rolls else 0.0

    @cached_property
    def pace(self) -> Floats:
        """Return the points that each box should hold for the bonus, about three of a face, as [boxes]."""
        book = self.compiled
        most = np.array([book.counted >> box & 1 for box in range(book.boxes)]) * book.plain.max(axis=0)
        found: Floats = book.reach * most / max(1, int(most.sum()))
        return found

    def bonus(self, masks: NDArray[np.int64], lanes: NDArray[np.int64]) -> Floats:
        """Return the worth of the bonus with these boxes filled and these totals: more if ahead of the pace."""
        book = self.compiled
        paid = book.final[0, lanes]
        coming = sum(share * (1 - (masks >> box & 1)) for box, share in enumerate(self.pace) if share)
        ahead = (lanes + coming - book.reach) / np.maximum(_LEEWAY * coming, 1)
        likely = np.where(np.asarray(coming) > 0, np.clip((1 + ahead) / 2, 0.0, 1.0), 0.0)
        found: Floats = np.where(lanes >= book.reach, paid, likely * book.final[0, book.reach])
        return found

    @cached_property
    def point(self) -> Floats:
        """Return the worth of a single point in each box towards the bonus, on average, as [boxes]."""
        book = self.compiled
        found: Floats = (self.pace > 0) * book.final[0, book.reach] / max(1, book.reach)
        return found

    @cached_property
    def takes_anything(self) -> NDArray[np.bool_]:
        """Return for each box whether every roll scores there, as [boxes]."""
        found: NDArray[np.bool_] = self.compiled.plain.min(axis=0) > 0
        return found

    @cached_property
    def all_or_nothing(self) -> NDArray[np.bool_]:
        """Return for each box whether it pays a fixed number of points or none, as [boxes]."""
        kinds = [len(np.unique(column)) for column in self.compiled.plain.T]
        found: NDArray[np.bool_] = (np.array(kinds) == 2) & ~self.takes_anything
        return found

    @cached_property
    def hidden(self) -> tuple[tuple[int, str], ...]:
        """Return the number and key of boxes that pay for combinations, where no single face decides."""
        grid, order = self.compiled.lattice, self.compiled.order
        shows = [np.array([face in roll for roll in grid.rolls]) for face in range(1, grid.faces + 1)]
        return tuple(
            (number, self.book.boxes[order[number]].key)
            for number, pays in enumerate(self.compiled.plain.T > 0)
            if not pays.all() and not any(np.array_equal(pays, each) for each in shows)
        )


@lru_cache(maxsize=32)
def thumb(book: RuleBook) -> Thumb:
    """Return the view of a book, cached."""
    return Thumb(book, compiled_book(book))


_REGARD = 0.1  # part of a box's par that a player with the habit NOW sees: big boxes are given up last
_HOPE = 0.4  # the power applied to the chance of a long shot: one in a hundred looks like one in six
_SIMPLE = {Habit.NOW, Habit.ANYTHING, Habit.LONG_SHOTS, Habit.ONE_AIM}
_AHEAD = 3  # rolls that people think ahead, where they have saved many
_USEFUL = 3  # saved rolls that a later turn can use, roughly; after the last turn they are worth nothing


def choose_keep(mood: Mood, card: Scorecard, roll: Roll, rolls_left: int) -> Keep | None:
    """Return the dice to keep, the first of equal choices, or None to score now."""
    if rolls_left <= (Habit.HASTE in mood.habits):
        return None
    grid = thumb(card.book).compiled.lattice
    scored_now, keeps = _turn(card.book, state_of(card), mood, rolls_left)
    allowed = [each for each in keeps_within(roll) if Habit.ALIKE not in mood.habits or len(set(each.faces)) <= 1]
    worths = [float(keeps[grid.row[each.faces]]) for each in allowed]
    best = max(worths)
    if best <= scored_now[grid.row[roll.faces] - grid.first_roll] + TIE:
        return None
    return next(each for each, worth in zip(allowed, worths, strict=True) if best - worth <= TIE)


def choose_box(mood: Mood, card: Scorecard, roll: Roll) -> str:
    """Return the box that looks best, the first of equal ones."""
    compiled = thumb(card.book).compiled
    row = compiled.lattice.row[roll.faces] - compiled.lattice.first_roll
    worths = _on_the_sheet(card.book, state_of(card), mood, card.marks.count(None))[row]
    best = int(np.flatnonzero(worths >= worths.max() - TIE)[0])
    return card.book.boxes[compiled.order[best]].key


@lru_cache(maxsize=64)  # a turn needs the same values several times
def _turn(book: RuleBook, state: State, mood: Mood, rolls_left: int) -> tuple[Floats, Floats]:
    """Return how good every roll looks as it is, as [rolls], and every keep, as [rows]."""
    view, see = thumb(book), _from_memory if Habit.SHEET in mood.habits else _on_the_sheet
    one_aim = bool(mood.habits & {Habit.ONE_AIM, Habit.LONG_SHOTS})
    boxes = see(book, state, mood, 1 if one_aim else _open(view, state))  # one aim only has to beat a usual turn
    if mood.habits & _SIMPLE:
        # Leave out boxes that take any roll, where there are others: people do not aim for them while rolls are left.
        others = np.where(view.takes_anything, -np.inf, boxes)
        boxes = np.where((others.max(axis=1) > -np.inf)[:, None], others, boxes)
    useful = _USEFUL * (_open(view, state) - 1)
    worth = view.roll * (_REGARD if Habit.NOW in mood.habits else 1.0)
    scored_now = boxes.max(axis=1)

    def saved(left: int) -> float:
        return worth * min(left, useful)

    if not one_aim:
        return scored_now + saved(rolls_left), _keeps(view, scored_now, rolls_left, saved)
    possible = np.flatnonzero(boxes.max(axis=0) > -np.inf)
    aims = boxes[:, possible]
    legal = aims > -np.inf  # all dice the same must go elsewhere: fill in the lowest value of the box
    aims = np.where(legal, aims, np.where(legal, aims, np.inf).min(axis=0))
    keeps = _keeps(view, aims, rolls_left, saved)
    if Habit.LONG_SHOTS in mood.habits:
        low, high = aims.min(axis=0), aims.max(axis=0)
        chances = np.clip((keeps - low) / np.maximum(high - low, TIE), 0.0, 1.0)
        keeps = np.where(view.all_or_nothing[possible], low + (high - low) * chances**_HOPE, keeps)
    return scored_now + saved(rolls_left), keeps.max(axis=1)


def _open(view: Thumb, state: State) -> int:
    return view.compiled.boxes - state.mask.bit_count()


def _keeps(view: Thumb, scored_now: Floats, rolls_left: int, saved: Callable[[int], float]) -> Floats:
    """Return the mean that every keep leads to if the rest of the turn is played well, as [rows, ...]."""
    grid, after = view.compiled.lattice, max(0, rolls_left - _AHEAD)
    rolls = scored_now + saved(after)
    for left in range(after + 1, rolls_left):
        values = keep_values(grid, rolls)
        values[grid.first_roll :] = scored_now + saved(left)
        rolls = best_rolls(grid, values)
    return keep_values(grid, rolls)


@lru_cache(maxsize=64)
def _on_the_sheet(book: RuleBook, state: State, mood: Mood, open_boxes: int) -> Floats:
    """Return how each box looks against its par while this many are open, as [rolls, boxes]; -inf where illegal."""
    view, boxes = thumb(book), _box_points(book, state, Habit.BONUS in mood.habits).copy()
    for number in mood.unseen:
        boxes[boxes[:, number] > -np.inf, number] = 0.0
    return _beyond_par(boxes, view, mood, open_boxes)


@lru_cache(maxsize=64)
def _box_points(book: RuleBook, state: State, forgets_bonus: bool) -> Floats:
    """Return the points of every roll in every box, with what they do for the bonus; -inf where illegal."""
    view = thumb(book)
    if forgets_bonus:
        return over_boxes(view.compiled, state, lambda _, __, ___, points: points.astype(np.float64))
    now = float(view.bonus(np.array(state.mask), np.array(state.upper)))
    return over_boxes(view.compiled, state, lambda m, _, lanes, points: points + view.bonus(m, lanes) - now)


def _from_memory(book: RuleBook, _: State, mood: Mood, open_boxes: int) -> Floats:
    """Return the same by the points that boxes pay, as if all of them were open."""
    view = thumb(book)
    boxes = view.compiled.plain.astype(np.float64)
    if Habit.BONUS not in mood.habits:
        boxes = boxes + (boxes - view.pace) * view.point
    boxes[:, list(mood.unseen)] = 0.0
    return _beyond_par(boxes, view, mood, open_boxes)


def _beyond_par(boxes: Floats, view: Thumb, mood: Mood, open_boxes: int) -> Floats:
    """Return the points above the par that an open box is expected to bring.

    With the habit ANYTHING, no roll is too bad for a box that takes anything.
    """
    pars = view.pars(open_boxes)
    if Habit.NOW in mood.habits:
        pars = pars * _REGARD
    found: Floats = boxes - pars
    if Habit.ANYTHING in mood.habits:
        found = np.where(view.takes_anything & (found > -np.inf), np.maximum(found, 0.0), found)
    return found
