"""A turn as a person sees it: which dice to keep and which box to fill, by rules of thumb and with mistakes.

Nothing here is random, and nothing needs a solution: a decision takes a millisecond or two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from fivedice.players.bots.levels import Habit, Mood
from fivedice.players.bots.thumb import Floats, Thumb, thumb
from fivedice.solver.model.book_arrays import State
from fivedice.solver.solution import TIE, keeps_within, state_of
from fivedice.solver.values.turn_values import best_rolls, keep_values, over_boxes

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
    lying, keeps = _turn(card.book, state_of(card), mood, rolls_left)
    allowed = [each for each in keeps_within(roll) if Habit.ALIKE not in mood.habits or len(set(each.faces)) <= 1]
    worths = [float(keeps[grid.row[each.faces]]) for each in allowed]
    best = max(worths)
    if best <= lying[grid.row[roll.faces] - grid.first_roll] + TIE:
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
        boxes = _worth_playing_for(view, boxes)
    lying, saved = boxes.max(axis=1), _saving_worth(view, state, mood)
    if not one_aim:
        return lying + saved(rolls_left), _keeps(view, lying, rolls_left, saved)
    possible = np.flatnonzero(boxes.max(axis=0) > -np.inf)
    aims = _fill_illegal(boxes[:, possible])
    keeps = _keeps(view, aims, rolls_left, saved)
    if Habit.LONG_SHOTS in mood.habits:
        keeps = _raise_long_shots(keeps, aims, view.all_or_nothing[possible])
    return lying + saved(rolls_left), keeps.max(axis=1)


def _open(view: Thumb, state: State) -> int:
    return view.compiled.boxes - state.mask.bit_count()


def _keeps(view: Thumb, lying: Floats, rolls_left: int, saved: Callable[[int], float]) -> Floats:
    """Return the mean that every keep leads to if the rest of the turn is played well, as [rows, ...]."""
    grid, after = view.compiled.lattice, max(0, rolls_left - _AHEAD)
    rolls = lying + saved(after)
    for left in range(after + 1, rolls_left):
        values = keep_values(grid, rolls)
        values[grid.first_roll :] = lying + saved(left)
        rolls = best_rolls(grid, values)
    return keep_values(grid, rolls)


def _worth_playing_for(view: Thumb, boxes: Floats) -> Floats:
    """Leave out boxes that take any roll, where there are others: people do not aim for them while rolls are left."""
    others = np.where(view.takes_anything, -np.inf, boxes)
    return np.where((others.max(axis=1) > -np.inf)[:, None], others, boxes)


def _fill_illegal(aims: Floats) -> Floats:
    """Fill in illegal entries, where all dice the same must go elsewhere, with the lowest value of the box."""
    legal = aims > -np.inf
    return np.where(legal, aims, np.where(legal, aims, np.inf).min(axis=0))


def _raise_long_shots(keeps: Floats, aims: Floats, long_shots: NDArray[np.bool_]) -> Floats:
    """Raise the chance of long shots between their lowest and highest result."""
    low, high = aims.min(axis=0), aims.max(axis=0)
    chances = np.clip((keeps - low) / np.maximum(high - low, TIE), 0.0, 1.0)
    return np.where(long_shots, low + (high - low) * chances**_HOPE, keeps)


@lru_cache(maxsize=64)
def _on_the_sheet(book: RuleBook, state: State, mood: Mood, open_boxes: int) -> Floats:
    """Return how each box looks against its par while this many are open, as [rolls, boxes]; -inf where illegal."""
    view = thumb(book)
    if Habit.BONUS in mood.habits:
        boxes = over_boxes(view.compiled, state, lambda _, __, ___, points: points.astype(np.float64))
    else:
        now = float(view.bonus(np.array(state.mask), np.array(state.upper)))
        boxes = over_boxes(view.compiled, state, lambda m, _, lanes, points: points + view.bonus(m, lanes) - now)
    for number in mood.unseen:
        boxes[boxes[:, number] > -np.inf, number] = 0.0
    return _beyond_par(boxes, view, mood, open_boxes)


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


def _saving_worth(view: Thumb, state: State, mood: Mood) -> Callable[[int], float]:
    """Return a function for the worth of saving a number of rolls."""
    useful = _USEFUL * (_open(view, state) - 1)
    worth = view.roll * (_REGARD if Habit.NOW in mood.habits else 1.0)
    return lambda left: worth * min(left, useful)
