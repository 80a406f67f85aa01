"""What the ten, the trainer and deals show equals `fd.solve`: campaign `values`, and its short version.

Servers read tables that are shipped, and rounded, or that were stored. The ten and the trainer show `judge_answer`,
deals the decisions of a report.
"""

from __future__ import annotations

from tempfile import TemporaryDirectory

import pytest

import fivedice as fd
from fivedice.core.rules import SHIPPED, shipped
from fivedice.players.bots.players import choice
from fivedice.positions.bank import BankPosition, positions_of
from fivedice.positions.judging import Judgement, judge_answer, read_move, write_move
from fivedice.reports.decisions import TurnValues, judge_move
from fivedice.solver import Solution
from fivedice.solver.solution import _layers, _tables, known
from fivedice.solver.win import WinAdvice
from for_each import for_each
from long import LONG, few

QUICK = [key for key in SHIPPED if shipped(key).dice <= 5]  # six dice take minutes and gigabytes to solve


@for_each("key", SHIPPED if LONG else dict.fromkeys(["crag", *few(QUICK, 1)]))
def test_values_shown_equal_those_of_a_fresh_solve(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book, most = shipped(key), 0.0
    with TemporaryDirectory() as folder, monkeypatch.context() as patch:
        patch.setenv("FIVEDICE_CACHE", folder)
        patch.setattr(_tables, "memory", {})
        patch.setattr(_layers, "memory", {})
        fresh = fd.solve(book, cache=book.save_rolls)  # twice would take half an hour
        if known(book) is None:
            fd.solve(book)
        patch.setattr(_tables, "memory", {})  # so that what was stored is read
        patch.setattr(_layers, "memory", {})
        served, positions = known(book), (*few(positions_of(book), 25), *few(positions_of(book, "wins"), 5))
        assert served is not None
        for each in positions:
            most = max(most, largest_difference(each, fresh, served))
        assert most <= 1e-9
    print(f"{key}: {len(positions)} positions, largest difference {most:.1e}")


def largest_difference(each: BankPosition, fresh: Solution, served: Solution) -> float:
    """Return by how much anything shown about a position differs from a fresh solve, over all of its moves."""
    position, most = each.position, 0.0
    assert position.roll is not None
    if len(position.cards) > 1:
        rights = fd.win(position, fresh).advise()
        answers = [(judge_answer(served, position, choice(each.keep, each.box)), each) for each in rights]
        return max(abs(each) for judged, right in answers for each in odds_apart(judged, right))
    turn = TurnValues(served, position.card)
    for right in fresh.advise(position):
        move = right.move
        assert read_move(each.book, write_move(each.book, move)) == move
        judged, decision = judge_answer(served, position, move), judge_move(turn, position.roll, each.rolls_left, move)
        assert (judged.best in decision.best, judged.lost == 0) == (True, right.best)
        value = position.card.total + right.value
        found = (judged.lost - right.loss, decision.loss - right.loss, decision.value - value)
        most = max(most, *map(abs, found))
    return most


def odds_apart(judged: Judgement, right: WinAdvice) -> tuple[float, float]:
    """Return by how much the odds to win differ, and what the move costs."""
    assert judged.share is not None
    assert (judged.lost == 0) == right.best
    return judged.share - right.share, judged.lost / 100 - right.loss
