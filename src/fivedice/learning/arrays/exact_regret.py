"""The exact regret of every action: the expected points it loses against the best one, by the solution of the rules."""

from __future__ import annotations

from pathlib import Path
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import Roll
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import RuleBook
from fivedice.errors import IllegalError
from fivedice.learning.arrays.action_list import action_list, rules_of
from fivedice.message import message
from fivedice.solver.runtime.compile_watch import has_compiler
from fivedice.solver.runtime.solve_limits import Answers, estimate, takes_long, too_large
from fivedice.solver.solution import Solution, known, solve


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
