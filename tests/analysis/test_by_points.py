"""Turns recorded by points alone: excluded from luck and accuracy, included in the sum."""

import json

import pytest

import fivedice as fd
from fivedice.core.game import Game
from fivedice.core.notation import read_game
from fivedice.reports.game_report import report
from fivedice.reports.race import race
from fivedice.reports.report_json import report_to_json
from fivedice.reports.report_lines import report_lines
from fivedice.solver import Solution, solve

TEXT = """[Fivedice "1"]
[Book "yatzy"]
[Players "Ann" "Bob" "Cat"]
[First "0"]

1. ~=4s:12 12345=ls:0 ~66666=yz:50
2. 12346>46/12466=1p:12 - -1 ~=ch:20
* 24 0 70
"""


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(fd.book("yatzy"))


@pytest.fixture
def game() -> Game:
    return read_game(TEXT)


def test_turns_by_points_are_in_the_sum_and_marked(game: Game, solution: Solution) -> None:
    found = report(game, solution, win=False)
    for player in found.players:
        total = player.start + player.luck - player.lost + player.brought
        assert total == pytest.approx(player.expected)
    ann, bob, cat = found.players
    assert [each.turns_by_points for each in found.players] == [1, 0, 1]
    assert (ann.turns[0].luck, ann.turns[0].lost, ann.turns[0].decisions) == (0, 0, ())
    assert (bob.brought, found.turns_by_points) == (0.0, 2)
    assert ann.decisions == 2
    assert cat.final_dice_turns == 1
    answer = report_lines(report(game, solution, win=False), None)
    assert answer.note is not None
    assert "2 turns have only their points" in answer.note
    assert "by turns without dice" in answer.players[0].identity
    assert "by turns without dice" not in answer.players[1].identity
    data = json.loads(json.dumps(report_to_json(report(game, solution, win=False))))
    assert (data["turns_by_points"], data["players"][0]["turns"][0]["by_points"]) == (2, True)


def test_leaver_has_no_odds() -> None:
    boxes_in_order = solve(fd.book("yatzy-forced"))  # the quickest to solve
    game = read_game(
        '[Fivedice "1"]\n[Book "yatzy-forced"]\n[Players "Ann" "Bob" "Cat"]\n\n1. ~=1s:3 - -1 ~=1s:2\n* 3 0 2'
    )
    chances = race(game.position, boxes_in_order).players
    assert (chances[1].share, chances[1].mean) == (0.0, 0.0)
    assert sum(each.share for each in chances) == pytest.approx(1.0)
