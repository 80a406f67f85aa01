"""Compute a hint: the best few choices for a roll, the cost of each, what it aims at, and why the first is best.

All numbers are exact. The aims of a choice are the ways in which the turn may end if everything after it is played
best, each with its chance. `hint_messages` puts these numbers into words, and `win_hints` gives hints for the win.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.coaching import hint_messages as messages
from fivedice.coaching.hint_messages import BEST, GoalKind, Reason
from fivedice.core.dice import AnyDice, Keep, Roll
from fivedice.core.game import Scorecard, judge
from fivedice.core.game.card import BonusStatus, bonus_pace, par
from fivedice.core.rules import AnyBook, Anything, Box, FaceSum, RuleBook, Summed
from fivedice.errors import IllegalMove
from fivedice.message import Message, message
from fivedice.solver import Advice, find_solution
from fivedice.solver.model.book_arrays import compiled_book
from fivedice.solver.solution import TIE, check_turn, keeps_within, options, parse_turn, rank_options, state_of
from fivedice.solver.values.turn_choices import (
    Leads,
    Turnout,
    certain_roll,
    expected_measure,
    join_turnouts,
    leads,
    score_rolls,
    scoring_chances,
    scoring_chances_by_left,
    throw_others,
    tolerance,
)
from fivedice.solver.values.turn_values import alike_extras, best_rolls, keep_values, turn_ahead

if TYPE_CHECKING:
    from fivedice.core.game import Position
    from fivedice.solver import Solution
    from fivedice.solver.chase import Chase

_ROUNDING = 1e-12  # lower chances are rounding errors


@dataclass(frozen=True, slots=True, repr=False)
class Coaching:
    """A hint for one roll: `choices`, the reason for the first, and all of it in words.

    >>> hint = fd.coach(fd.solve("crag"), fd.read_position("crag - 0 466 1"))
    >>> hint.headline, hint.because
    ('Keep the two sixes', 'A 1 makes Crag.')
    >>> print(hint.details)
    Next best: keep 4-6. It costs 1.2 points: 6.0 fewer this turn, 4.8 more later.
    >>> [(hint.price(choice), hint.fact(choice)) for choice in hint.choices[:2]]
    [('best', 'scores Crag: 17%'), ('−1.2 points', '...')]
    """

    choices: tuple[Choice, ...]  #: best first
    reason: Reason  #: why the first is best
    about: Message  #: the first choice as a headline
    why: tuple[Message, ...]  #: the cost of the other choices
    ruled: Message | None  #: how the rules restrict a roll with all dice the same, if they do
    target: int | None  #: the total to reach, if the hint is for one
    goal: GoalKind = "points"  #: the goal of the hint
    notes: tuple[Message, ...] = ()  #: remarks about the goal, its assumptions and the other goal

    def __repr__(self) -> str:
        return f"<Coaching: {self.headline}>"

    @property
    def headline(self) -> str:
        """Return what to do: Keep the two fours."""
        return str(self.about)

    @property
    def because(self) -> str:
        """Return why the first choice is best."""
        return str(self.reason.message)

    @property
    def sentence(self) -> str:
        """Return what to do and why."""
        return str(message("coach.told", do=self.about, because=self.reason.message))

    @property
    def details(self) -> str:
        """Return the cost of the next best choices."""
        return " ".join(map(str, self.why))

    @property
    def rule(self) -> str | None:
        """Return how the rules restrict a roll with all dice the same, if they do."""
        return None if self.ruled is None else str(self.ruled)

    @property
    def beside(self) -> str:
        """Return the notes as one text."""
        return " ".join(map(str, self.notes))

    @property
    def advised(self) -> Choice | None:
        """Return the best choice; None if the total to reach is out of reach."""
        return None if self.reason.kind == "lost" else self.choices[0]

    def price(self, choice: Choice) -> str:
        """Return the cost of one of the `choices`: best, as good, −2.1 points."""
        return str(messages.price(choice, first=choice == self.choices[0], goal=self.goal))

    def fact(self, choice: Choice) -> str:
        """Return the most important number of one of the `choices`, besides its cost."""
        return str(messages.fact(choice, self.reason))


def coach(
    solution: Solution | AnyBook,
    card: Scorecard | Position,
    roll: AnyDice | None = None,
    rolls_left: int | None = None,
    *,
    best: int = BEST,
    bonuses: NDArray[np.float64] | None = None,
) -> Coaching:
    """Return a hint for the most points: at most `best` choices, what they aim at, and why the first is best.

    `solution` is that of the book, or a book to solve. `card` is a position with its dice; or a score sheet, then with
    `roll` and `rolls_left`. `bonuses` is a table of `fivedice.solver.bonus`; with it the hint has the odds of the upper
    bonus too. Raises `IllegalMove` if there are no dice on the table, or `best` is below 1.

    >>> hint = fd.coach("crag", fd.read_position("crag - 0 466 1"))
    >>> print(hint.sentence)
    Keep the two sixes. A 1 makes Crag.
    >>> [(choice.words, round(choice.cost, 1)) for choice in hint.choices[:2]]
    [('keep 6-6', 0.0), ('keep 4-6', 1.2)]
    """
    return _make_hint(_rolled_turn(find_solution(solution), *parse_turn(card, roll, rolls_left), bonuses), best, None)


def coach_to_reach(
    chase: Chase, card: Scorecard, roll: Roll, rolls_left: int, target: int, *, best: int = BEST
) -> Coaching:
    """Return a hint for the best chance of `target` points or more."""
    check_turn(card, roll, rolls_left)
    led = leads(compiled_book(card.book), state_of(card))
    values = chase.box_chances(card, target)[None]
    turn = RolledTurn(card, roll, rolls_left, values, chase.tie, chase.tie, led, None)
    return _make_hint(turn, best, target)


def best_choice(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int) -> Choice:
    """Return the best choice for points, without a reason."""
    turn = _rolled_turn(solution, card, roll, rolls_left, None)
    return turn.choice(turn.rank_choices()[0])


def cost(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int, move: Keep | str) -> float:
    """Return the points that a keep or a box loses against the best; 0.0 for all that are as good.

    Raises `IllegalMove` if the move is not possible.
    """
    for each in solution.advise(card, roll, rolls_left):
        if move in (each.keep, each.box):
            return each.loss
    raise IllegalMove("coach.not-a-choice", move=str(move))


def check_count(best: int) -> None:
    """Raise `IllegalMove` unless at least one choice is asked for."""
    if best < 1:
        raise IllegalMove("coach.how-many", count=best)


def _make_hint(turn: RolledTurn, best: int, target: int | None) -> Coaching:
    check_count(best)
    ranks = turn.rank_choices()
    choices = tuple(turn.choice(each) for each in ranks[:best])
    reason = messages.find_reason(turn, ranks, target)
    goal: GoalKind = "points" if target is None else "target"
    return Coaching(
        choices=choices,
        reason=reason,
        about=messages.headline(turn.card, turn.roll, choices[0], reason, target),
        why=tuple(messages.explain_costs(choices, reason, goal)),
        ruled=messages.rule(judge(turn.card, turn.roll)),
        target=target,
        goal=goal,
    )


def _rolled_turn(
    solution: Solution, card: Scorecard, roll: Roll, rolls_left: int, bonuses: NDArray[np.float64] | None
) -> RolledTurn:
    check_turn(card, roll, rolls_left)
    led = leads(solution.compiled, state_of(card))
    pace = bonus_pace(card)
    open_bonuses = bonuses if pace is not None and pace.status is BonusStatus.OPEN else None
    values, near = solution.leaves(card, rolls_left), tolerance(solution.compiled)
    return RolledTurn(card, roll, rolls_left, values, near, TIE, led, open_bonuses)


AimKind = Literal["score", "extra", "rest", "few", "zero"]
_Group: TypeAlias = tuple[AimKind, int]  # a kind of end and the index of its box; -1 if it is not about a single box


@dataclass(frozen=True, slots=True)
class Aim:
    """One way in which the turn may end."""

    # A score; an extra bonus for all dice the same; a box that takes anything; few of a face; a zero in any box.
    kind: AimKind
    box: str | None
    message: Message  # "3 or more Fours", "Full House"
    chance: float
    points: float = 0.0  # expected points of this turn that come from it

    @property
    def words(self) -> str:
        return str(self.message)


@dataclass(frozen=True, slots=True)
class Choice:
    """Keep `keep` and roll the rest, or score `box`."""

    keep: Keep | None
    box: str | None
    label: Message  # keep 4-4, roll all 5 dice again, Full House for 25
    value: float  # expected points from this turn on; the chance, if a total or the win is the goal
    cost: float  # compared with the best; 0.0 for all that are as good
    best: bool
    now: float  # expected points of this turn
    aims: tuple[Aim, ...]  # how the turn may end, likeliest first; they exclude each other
    bonus: float | None  # the chance that the finished sheet has the upper bonus, while that is open

    @property
    def loss(self) -> float:
        """Return the cost, under the name that it has in `Advice`."""
        return self.cost

    @property
    def later(self) -> float:
        """Return the expected points after this turn."""
        return self.value - self.now

    @property
    def scores(self) -> tuple[Aim, ...]:
        """Return the aims that are worth playing for."""
        return tuple(aim for aim in self.aims if aim.kind in {"score", "extra"})

    @property
    def words(self) -> str:
        return str(self.label)

    @property
    def title(self) -> str:
        """Return the choice as an entry of a list."""
        return str(self.label if self.box is not None else messages.start_sentence(self))

    @property
    def line(self) -> str:
        """Return the aims and the bonus in one line."""
        return str(messages.aims_line(self.scores, self.bonus))


@dataclass(frozen=True, eq=False)
class RolledTurn:
    """A roll of one player, with the value of every roll in every box.

    The chance of the upper bonus is known only in books without saved rolls.
    """

    card: Scorecard
    roll: Roll
    rolls_left: int
    levels: NDArray[np.float64]  # [levels, rolls, boxes]: for 0, 1, ... rolls left, the last for all that follow
    near: float  # values this close are equal when the end of a turn is computed
    tie: float  # values this close are equal when choices are compared
    led: Leads
    bonuses: NDArray[np.float64] | None  # the chance of the upper bonus from every state, while it is open

    def rank_choices(self) -> list[Advice]:
        """Return all choices, best first."""
        return rank_options(options(self.card.book, self.levels, self.roll, self.rolls_left), self.tie)

    def choice(self, advice: Advice) -> Choice:
        """Return a choice with its aims and its chance of the upper bonus."""
        end = self.after_scoring(advice.box or "") if advice.keep is None else self.after_keeping(advice.keep)
        return Choice(
            keep=advice.keep,
            box=advice.box,
            label=messages.label(self.card, self.roll, advice.keep, advice.box),
            value=advice.value,
            cost=advice.loss,
            best=advice.best,
            now=float(end.chances @ (end.points + end.extras)),
            aims=self.aims(end) if advice.box is None else (),
            bonus=None if self.bonuses is None else min(1.0, float(end.chances @ self.bonus_chances(end))),
        )

    @property
    def values(self) -> NDArray[np.float64]:
        """Return the value of every roll in every box if it is scored now: [rolls, boxes]."""
        return self.level(self.rolls_left)

    def level(self, left: int) -> NDArray[np.float64]:
        """Return the value of every roll in every box if it is scored with `left` rolls left: [rolls, boxes]."""
        found: NDArray[np.float64] = self.levels[min(left, len(self.levels) - 1)]
        return found

    def after_keeping(self, keep: Keep) -> Turnout:
        """Return how the turn ends if these dice are kept and everything after that is played best."""
        grid, left = compiled_book(self.card.book).lattice, self.rolls_left - 1
        rolls = throw_others(grid, keep.faces)
        if not self.card.book.save_rolls:
            return self._settle(scoring_chances(grid, self.values.max(axis=1), rolls, left, self.near))
        ends = scoring_chances_by_left(grid, lambda left: self.level(left).max(axis=1), rolls, left, self.near)
        return join_turnouts([self._settle(filled, left) for left, filled in ends.items()])

    def after_scoring(self, box: str) -> Turnout:
        """Return how the turn ends if this box is scored now."""
        book = compiled_book(self.card.book)
        place = book.order.index(self.card.book.index[box])
        values = np.where(np.arange(book.boxes) == place, self.values, -np.inf)
        return score_rolls(
            book, state_of(self.card), values, certain_roll(book.lattice, self.roll.faces), self.led, self.near
        )

    @cached_property
    def ends(self) -> Turnout:
        """Return every roll scored in its best box: one entry per roll, in their order."""
        return self._settle(np.ones(len(self.values)))

    def aims(self, end: Turnout) -> tuple[Aim, ...]:
        """Group the ways in which the turn may end, likeliest first, then in sheet order."""
        book = self.card.book
        chances: dict[_Group, float] = defaultdict(float)
        points: dict[_Group, float] = defaultdict(float)
        paid = (end.points + end.extras).tolist()
        for group, chance, each in zip(_group_entries(book, end), end.chances.tolist(), paid, strict=True):
            chances[group] += chance
            points[group] += chance * each
        extras = tuple(sorted({*end.extras.tolist()} - {0}))
        likely = [(group, chance) for group, chance in chances.items() if chance > _ROUNDING]
        aims = [_make_aim(book, group, chance, points[group], extras) for group, chance in likely]
        return tuple(sorted(aims, key=lambda aim: (-aim.chance, book.index.get(aim.box or "", -1))))

    def expected_by_keep(self, measure: NDArray[np.float64]) -> Mapping[Keep, float]:
        """Return the expectation of a number that each of `ends` has, for every possible keep."""
        grid = compiled_book(self.card.book).lattice
        found = expected_measure(grid, self.values.max(axis=1), measure, self.rolls_left - 1, self.near)
        return {keep: float(found[grid.row[keep.faces]]) for keep in keeps_within(self.roll)}

    def best_chances(self, wanted: NDArray[np.float64]) -> Mapping[Keep, float]:
        """Return the best chance to end the turn with one of the wanted rolls, for every possible keep."""
        grid = compiled_book(self.card.book).lattice
        found = keep_values(grid, wanted)
        for _ in range(self.rolls_left - 1):
            found = keep_values(grid, best_rolls(grid, found))
        return {keep: float(found[grid.row[keep.faces]]) for keep in keeps_within(self.roll)}

    @property
    def best_keep(self) -> float:
        """Return the value of the best keep."""
        grid = compiled_book(self.card.book).lattice
        keeps, _ = turn_ahead(grid, self.levels.max(axis=2), self.rolls_left)
        return max(float(keeps[grid.row[keep.faces]]) for keep in keeps_within(self.roll))

    def rolls_with(self, aim: Aim) -> NDArray[np.float64]:
        """Return 1.0 for every roll that has what this aim is about, in whatever box it is scored, and 0.0 else."""
        if aim.box is not None:
            return (self.points_in(aim.box) >= wanted_points(self.card.book, aim.box)).astype(np.float64)
        grid = compiled_book(self.card.book).lattice
        return np.isin(np.arange(len(self.values)), grid.alike - grid.first_roll).astype(np.float64)

    def shows(self, aim: Aim) -> bool:
        """Return whether the current roll has what this aim is about."""
        grid = compiled_book(self.card.book).lattice
        return bool(self.rolls_with(aim)[grid.row[self.roll.faces] - grid.first_roll])

    def points_in(self, box: str) -> NDArray[np.int64]:
        """Return the points that every roll scores in this box, without extra bonuses."""
        book = compiled_book(self.card.book)
        paid: NDArray[np.int64] = self.led[2][:, book.order.index(self.card.book.index[box])]
        extras = np.zeros(len(paid), dtype=np.int64)
        extras[book.lattice.alike - book.lattice.first_roll] = alike_extras(book, state_of(self.card))
        return np.where(paid >= extras, paid - extras, paid)

    @property
    def value_without_saving(self) -> float:
        """Return the value of the roll if it is scored now and the rolls left are lost."""
        grid = compiled_book(self.card.book).lattice
        return float(self.level(0)[grid.row[self.roll.faces] - grid.first_roll].max())

    def bonus_chances(self, end: Turnout) -> NDArray[np.float64]:
        """Return the chance of the upper bonus for each entry of an end."""
        if self.bonuses is None:
            raise AssertionError(self.card)
        return self.bonuses[end.masks, end.flags, end.lanes]

    def _settle(self, filled: NDArray[np.float64], left: int = 0) -> Turnout:
        book = compiled_book(self.card.book)
        return score_rolls(book, state_of(self.card), self.level(left), filled, self.led, self.near)


def wanted_points(book: RuleBook, box: str) -> int:
    """Return the points in a box that are worth aiming at."""
    return _limits(book)[book.index[box]] or 1


def wanted_dice(book: RuleBook, box: Box) -> int | None:
    """Return how many dice of its face make an upper box worth aiming at, so that the bonus stays in reach."""
    if not isinstance(box.pattern, FaceSum) or box.summed is not Summed.MATCHING:
        return None
    wanted = max(0.0, par(book, box) - box.constant)
    return ceil(round(wanted / box.pattern.face, 6)) if wanted else (book.dice + 1) // 2


@lru_cache(maxsize=64)
def _limits(book: RuleBook) -> tuple[int | None, ...]:
    """Return the points in each box that are worth aiming at; None for a box that takes any dice."""
    return tuple(_limit(book, box) for box in book.boxes)


def _limit(book: RuleBook, box: Box) -> int | None:
    if isinstance(box.pattern, Anything):
        return None
    count = wanted_dice(book, box)
    return box.constant + count * box.pattern.face if count is not None and isinstance(box.pattern, FaceSum) else 1


def _group_entries(book: RuleBook, end: Turnout) -> list[_Group]:
    """Return the group of every entry of an end."""
    found: list[_Group] = []
    order, limits = compiled_book(book).order, _limits(book)
    for number, points, extra in zip(end.boxes.tolist(), end.points.tolist(), end.extras.tolist(), strict=True):
        place = order[number]
        if extra or not points:
            found.append(("extra" if extra else "zero", -1))
        elif (limit := limits[place]) is None:
            found.append(("rest", place))
        else:
            found.append(("score" if points >= limit else "few", place))
    return found


def _make_aim(book: RuleBook, group: _Group, chance: float, points: float, extras: tuple[int, ...]) -> Aim:
    kind, place = group
    box = book.boxes[place] if place >= 0 else None
    if box is None:
        text = messages.aim_without_box(book, kind, extras)
    else:
        text = messages.aim_in_box(book, kind, box, wanted_dice(book, box))
    return Aim(kind, box.key if box else None, text, min(1.0, chance), points)
