"""Moves, positions, payoffs and regrets as numbers, the same for all environments.

Actions are first every keep, the smaller ones first, then the boxes in the order of the sheet. A keep has no order, so
no two numbers mean the same. Five dice have 210 keeps that leave a die to roll; with 13 boxes that makes 223 actions.

A position is numbers from 0 to 1, the same for one game and for thousands at once. In this order, with F faces, B boxes
and the bonuses of the book:

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
from typing import Literal, TypeAlias, get_args
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll, as_keep, keeps
from fivedice.core.game import Hold, Mark, Position, Scorecard
from fivedice.core.game.card import possible_points
from fivedice.core.rules import RuleBook, book as find_book, load_book
from fivedice.errors import IllegalError, IllegalMove, quote
from fivedice.message import Either, message
from fivedice.solver.runtime.compile_watch import has_compiler
from fivedice.solver.runtime.solve_limits import Answers, estimate, takes_long, too_large
from fivedice.solver.solution import Solution, known, solve


def rules_of(book: RuleBook | str | Path) -> RuleBook:
    """Return the rules: a `RuleBook`, the key of shipped ones, the path of a file, or the text of house rules."""
    if isinstance(book, str) and ("\n" in book or ("=" in book and not book.endswith(".toml"))):
        return load_book(book)
    return find_book(book)


class ActionList:
    """The meaning of each action number in a book. `book` is a key, a path, the text of house rules or a `RuleBook`.

    >>> from fivedice.learning.encoding import ActionList
    >>> len(ActionList("yahtzee"))
    223
    """

    def __init__(self, book: RuleBook | str | Path) -> None:
        self.book = book = rules_of(book)
        self.keeps = tuple(keep for keep in keeps(book.dice, book.faces) if len(keep) < book.dice)
        self.boxes = tuple(box.key for box in book.boxes)
        self._numbers = {keep.faces: number for number, keep in enumerate(self.keeps)}

    def __len__(self) -> int:
        return len(self.keeps) + len(self.boxes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return a name for each action: the dice that are kept, as in a record, or the key of the box."""
        return (*map(str, self.keeps), *self.boxes)

    def number(self, move: Hold | Mark) -> int:
        """Return the action of a move. Raise KeyError if a keep leaves no die to roll."""
        if isinstance(move, Hold):
            return self._numbers[move.keep.faces]
        return len(self.keeps) + self.book.place(move.box)

    def move(self, action: int) -> Hold | Mark:
        """Return the move of an action, legal or not. Raise IllegalMove if there is no such action."""
        if not 0 <= action < len(self):
            raise IllegalMove("bots.no-such-action", action=quote(action), last=len(self) - 1)
        number = int(action)
        if number < len(self.keeps):
            return Hold(as_keep(self.keeps[number]))
        return Mark(self.boxes[number - len(self.keeps)])

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Return an array with 1 for every legal action: none while dice are in the cup, or if the game is over."""
        found = np.zeros(len(self), dtype=np.int8)
        found[[self.number(move) for move in position.choices()]] = 1
        return found


action_list = lru_cache(maxsize=32)(ActionList)


MOST_PLAYERS = 12

Goal: TypeAlias = Literal["points", "win"]


def agent_names(players: int) -> list[str]:
    if not 1 <= players <= MOST_PLAYERS:
        raise IllegalError("bots.learning-players", least=1, most=MOST_PLAYERS, players=quote(players))
    return [f"player_{seat}" for seat in range(players)]


def check_goal(goal: str) -> Goal:
    """Return the goal. Raise IllegalError if it is unknown."""
    if goal not in get_args(Goal):
        raise IllegalError("bots.learning-goal", known=Either(get_args(Goal)), goal=quote(goal))
    return "win" if goal == "win" else "points"


def shares(position: Position) -> list[float]:
    """Return the payoff of each seat if only the win counts. The sum is 0; a sole winner of two gets 1."""
    outcome, seats = position.standing, len(position.cards)
    won = len(outcome.winners)
    return [seats * (seat in outcome.winners) / won - 1.0 for seat in range(seats)]


def solution_for(book: RuleBook | str | Path, regret: bool | None) -> Solution | None:
    """Return the solution for regrets, or None.

    `regret` True: solve the rules, however long it takes. None: only if the solution is at hand or takes seconds, with
    a warning if that needs the extra `solver`. False: None.
    """
    book = rules_of(book)
    if regret:
        return solve(book)
    if regret is False or estimate(book).answers is Answers.NOTHING:
        return None
    at_hand = known(book)
    if at_hand is not None or takes_long(book) or too_large(book):
        return at_hand
    if not has_compiler():
        warn(str(message("bots.regret-needs-extra", rules=book)), stacklevel=3)
        return None
    return solve(book)


def regrets(solution: Solution, position: Position) -> NDArray[np.float64]:
    """Return the regret of each action: 0 for the best and infinity for illegal ones."""
    roll = position.roll
    if roll is None:
        return np.full(len(action_list(position.book)), np.inf)
    return turn_regrets(solution, position.card, roll, position.rolls_left)


def turn_regrets(solution: Solution, card: Scorecard, roll: Roll, rolls_left: int) -> NDArray[np.float64]:
    """Return the same for a roll on a card."""
    actions = action_list(card.book)
    found = np.full(len(actions), np.inf)
    advice = solution.advise(card, roll, rolls_left)
    found[[actions.number(each.move) for each in advice]] = [each.loss for each in advice]
    return found


def check_solution(solution: Solution | None, book: RuleBook) -> Solution:
    """Return the solution. Raise IllegalError if there is none."""
    if solution is None:
        raise IllegalError("bots.no-regret", rules=book)
    return solution


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
