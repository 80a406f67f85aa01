"""What can be done with a roll on a card, ranked by what it is worth to one aim or another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from fivedice.dice import Keep, Roll, keeps_of
from fivedice.errors import IllegalMove
from fivedice.game import Scorecard
from fivedice.solver.model.book_arrays import State, compiled_book
from fivedice.solver.values import turn_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.rules import RuleBook
    from fivedice.solver.model.dice_lattice import Lattice

TIE = 1e-9  # options closer than this are equally good

Option: TypeAlias = tuple[Keep | None, str | None, float]  # a keep or a box, and what it is worth


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do now: hold a keep and throw the rest, or fill a box."""

    keep: Keep | None
    box: str | None
    value: float  # expected further points, those scored now among them
    loss: float  # against the best; 0.0 for all that tie with it
    best: bool


def state_of(card: Scorecard) -> State:
    """All of a card that the future depends on."""
    compiled = compiled_book(card.book)
    filled = (card.marks[place] is not None for place in compiled.order)
    mask = sum(1 << box for box, is_filled in enumerate(filled) if is_filled)
    flag = 0
    if compiled.flags > 1 and card.alike_scored:
        flag = 2 if compiled.flags == 3 and card.bonuses else 1
    return State(mask, min(card.upper_total, compiled.threshold), flag)


def check_turn(card: Scorecard, roll: Roll, rolls_left: int) -> None:
    """Refuse what cannot lie on the table."""
    card.book.check_roll(roll)
    if card.is_full:
        raise IllegalMove("solver.full-card")
    if not 0 <= rolls_left < card.book.rolls:
        raise IllegalMove("solver.rolls-left", most=card.book.rolls - 1, rolls=rolls_left)


def options(book: RuleBook, values: NDArray[np.float64], roll: Roll, rolls_left: int) -> list[Option]:
    """Every legal box and, while there are rolls left, every keep; `values` are those of all rolls in all boxes."""
    grid, order = compiled_book(book).lattice, compiled_book(book).order
    here = values[grid.row[roll.faces] - grid.first_roll]
    legal = np.flatnonzero(here > -np.inf).tolist()
    boxes: list[Option] = [(None, book.boxes[order[box]].key, float(here[box])) for box in legal]
    return boxes + (_keeps(grid, values, roll, rolls_left) if rolls_left else [])


def _keeps(grid: Lattice, values: NDArray[np.float64], roll: Roll, rolls_left: int) -> list[Option]:
    keeps = turn_values.keep_values(grid, values.max(axis=1))
    for _ in range(rolls_left - 1):
        keeps = turn_values.keep_values(grid, turn_values.best_rolls(grid, keeps))
    return [(keep, None, float(keeps[grid.row[keep.faces]])) for keep in keeps_within(roll)]


def ranked(found: list[Option], tie: float = TIE) -> list[Advice]:
    """Best first; options that are closer to the best than `tie` are as good."""
    found.sort(key=lambda option: -option[2])
    best = found[0][2]
    return [
        Advice(keep, box, value, 0.0 if best - value <= tie else best - value, best - value <= tie)
        for keep, box, value in found
    ]


@lru_cache(maxsize=4096)
def keeps_within(roll: Roll) -> tuple[Keep, ...]:
    """The distinct keeps that throw at least one die again."""
    return keeps_of(roll)[:-1]
