"""The coach: the best few things to do, what each costs, what it aims at, and why the best is best.

All numbers are exact. What a choice aims at is how this turn will end if everything after it is played best: the
chance of each box with enough points in it. The messages are made from these numbers alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fivedice.coaching import hint_messages as told
from fivedice.coaching.aims import Aim, aims_of
from fivedice.dice import Keep
from fivedice.errors import IllegalMove
from fivedice.game import judge
from fivedice.game.card import BonusStatus, bonus_pace
from fivedice.message import Message
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.solution import TIE, check_turn, options, ranked, state_of
from fivedice.solver.values.turn_choices import Leads, Turnout, filled_in, leads, lying, settled, thrown, tolerance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.dice import Roll
    from fivedice.game import Scorecard
    from fivedice.solver import Advice, Solution
    from fivedice.solver.chase import Chase

BEST = 5  # options that are shown


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to do: hold `keep` and roll the rest, or fill `box`."""

    keep: Keep | None
    box: str | None
    label: Message  # keep 4-4, roll all 5 dice again, Full House for 25
    value: float  # expected further points, those of this turn among them; in a chase, the chance
    cost: float  # against the best, 0.0 for all that are as good
    best: bool
    now: float  # expected points of this turn
    aims: tuple[Aim, ...]  # how the turn may end, likeliest first; they exclude each other
    bonus: float | None  # the chance that the finished card has the upper bonus, where that is still open

    @property
    def words(self) -> str:
        return str(self.label)

    @property
    def title(self) -> str:
        """As an entry of a list."""
        return str(self.label if self.box is not None else told.first(self))

    @property
    def line(self) -> str:
        """Aims and bonus in one line."""
        return str(told.line(self.aims, self.bonus))


@dataclass(frozen=True, slots=True)
class Coaching:
    """What the coach says about one roll."""

    choices: tuple[Choice, ...]  # best first
    why: tuple[Message, ...]  # the first is best
    ruled: Message | None  # where the rules decide for all dice alike: how
    target: int | None  # the total to reach, or None where points are played for

    @property
    def sentence(self) -> str:
        """Why the first is best."""
        return " ".join(map(str, self.why))

    @property
    def rule(self) -> str | None:
        return None if self.ruled is None else str(self.ruled)


@dataclass(frozen=True, eq=False)
class _Turn:
    """A roll as it lies, and what it is played for."""

    card: Scorecard
    roll: Roll
    rolls_left: int
    values: NDArray[np.float64]  # [rolls, boxes]
    near: float
    led: Leads
    bonuses: NDArray[np.float64] | None  # the chance of the upper bonus of every state


def coach(
    solution: Solution,
    card: Scorecard,
    roll: Roll,
    rolls_left: int,
    *,
    best: int = BEST,
    bonuses: NDArray[np.float64] | None = None,
) -> Coaching:
    """The best few choices for the most points; with the table of `bonuses`, the chance of the upper bonus too."""
    check_turn(card, roll, rolls_left)
    values, near, book = solution.box_values(card), tolerance(solution.compiled), solution.compiled
    turn = _Turn(card, roll, rolls_left, values, near, leads(book, state_of(card)), _open(card, bonuses))
    return _coached(turn, TIE, best, None)


def coach_to_reach(
    chase: Chase, card: Scorecard, roll: Roll, rolls_left: int, target: int, *, best: int = BEST
) -> Coaching:
    """The best few choices for the chance of this total or more."""
    check_turn(card, roll, rolls_left)
    led = leads(compiled_book(card.book), state_of(card))
    turn = _Turn(card, roll, rolls_left, chase.box_chances(card, target), chase.tie, led, None)
    return _coached(turn, chase.tie, best, target)


def cost(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int, move: Keep | str) -> float:
    """The points that a keep or a box loses against the best; 0.0 for all that are as good."""
    advice = solution.advise(card, roll, rolls_left)
    for each in advice:
        if move in (each.keep, each.box):
            return each.loss
    raise IllegalMove("coach.not-a-choice", move=str(move))


def _open(card: Scorecard, bonuses: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """A bonus that is paid already or out of reach is not worth a word."""
    pace = bonus_pace(card)
    return bonuses if pace is not None and pace.status is BonusStatus.OPEN else None


def _coached(turn: _Turn, tie: float, best: int, target: int | None) -> Coaching:
    if best < 1:
        raise IllegalMove("coach.how-many", count=best)
    found = ranked(options(turn.card.book, turn.values, turn.roll, turn.rolls_left), tie)
    choices = tuple(_choice(turn, each) for each in found[:best])
    ruling = judge(turn.card, turn.roll)
    why = tuple(told.why(choices, only=len(found) == 1, target=target))
    return Coaching(choices, why, told.rule(ruling), target)


def _choice(turn: _Turn, advice: Advice) -> Choice:
    end = _end(turn, advice)
    aims = aims_of(turn.card, end) if advice.box is None else ()
    bonus = None if turn.bonuses is None else _chance(end, turn.bonuses)
    return Choice(
        keep=advice.keep,
        box=advice.box,
        label=told.label(turn.card, turn.roll, advice.keep, advice.box),
        value=advice.value,
        cost=advice.loss,
        best=advice.best,
        now=float(end.chances @ (end.points + end.extras)),
        aims=aims,
        bonus=bonus,
    )


def _end(turn: _Turn, advice: Advice) -> Turnout:
    """How the turn ends after this choice."""
    book, state, values = compiled_book(turn.card.book), state_of(turn.card), turn.values
    if advice.keep is None:
        place = book.order.index(turn.card.book.index[advice.box or ""])
        values = np.where(np.arange(book.boxes) == place, values, -np.inf)
        filled = lying(book.lattice, turn.roll.faces)
    else:
        rolls = thrown(book.lattice, advice.keep.faces)
        filled = filled_in(book.lattice, values.max(axis=1), rolls, turn.rolls_left - 1, turn.near)
    return settled(book, state, values, filled, turn.led, turn.near)


def _chance(end: Turnout, bonuses: NDArray[np.float64]) -> float:
    return min(1.0, float(end.chances @ bonuses[end.masks, end.flags, end.lanes]))
