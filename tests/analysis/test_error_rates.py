"""Classes of errors, rates and accuracy."""

from math import sqrt

import pytest

import fivedice as fd
from analysis.players import bot_game
from fivedice.reports.decisions import Currency, ErrorGrade, Mean, error_rate, grade_of, mean_of
from fivedice.reports.game_report import report_with
from fivedice.reports.statistics import BookStatistics, facts_of
from fivedice.reports.statistics_lines import book_lines, facts_to_json
from fivedice.solver import Solution, solve
from for_each import for_each

BOOK = fd.book("yatzy-forced")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(BOOK)


@for_each(
    ("loss", "stake", "grade"),
    [
        (0.0, 1.0, None),
        (1e-6, 1.0, ErrorGrade.SMALL),
        (0.0099, 1.0, ErrorGrade.SMALL),
        (0.01, 1.0, ErrorGrade.MISTAKE),
        (0.0399, 1.0, ErrorGrade.MISTAKE),
        (0.04, 1.0, ErrorGrade.BLUNDER),
        (2.5, 254.6, ErrorGrade.SMALL),
        (2.6, 254.6, ErrorGrade.MISTAKE),
        (10.2, 254.6, ErrorGrade.BLUNDER),
    ],
)
def test_limits_of_error_classes(loss: float, stake: float, grade: ErrorGrade | None) -> None:
    assert grade_of(loss, stake) is grade


def test_rates_and_errors_of_means() -> None:
    assert error_rate([0.0, 0.01, 0.02], 1.0) == pytest.approx(10)
    assert error_rate([2.0, 4.0], 200.0) == pytest.approx(15)
    assert error_rate([], 1.0) is None
    assert mean_of([None, 4.0]) == Mean(4.0, None, 1)
    found = mean_of([1.0, None, 3.0, 5.0])
    assert found is not None
    assert (found.value, found.count) == (3.0, 3)
    assert found.error == pytest.approx(2 / sqrt(3))
    assert mean_of([None]) is None


def test_forced_decisions_do_not_count(solution: Solution) -> None:
    """After the last roll a fixed order leaves one box: nothing is decided."""
    player = fd.report(bot_game(BOOK, "greedy", "rate"), solution).players[0]
    moments = [each.decision for each in player.moments]
    forced = [each for each in moments if not each.unforced]
    assert forced
    assert all(not each.unforced for each in moments if not each.rolls_left)
    losses = player.losses(Currency.POINTS)
    assert len(losses) == len(moments) - len(forced)
    assert player.error_rate(Currency.POINTS) == pytest.approx(1000 * player.lost / player.start / len(losses))
    assert sum(player.grades(Currency.POINTS).values()) == sum(each.loss > 0 for each in moments)


@pytest.mark.parametrize("seed", ["walk", "another walk"])
def test_accuracy_depends_on_decisions_only(solution: Solution, seed: str) -> None:
    """Move by move: it never comes back up without a decision, and within a turn it only falls."""
    whole, before = bot_game(BOOK, "greedy", seed), None
    game = fd.Game.new(BOOK, whole.players, dice=fd.dice.real(), first=0)
    rises = 0
    for step in whole.steps:
        game.play(step.move)
        now = report_with(game, solution, None).players[0].accuracy
        if isinstance(step.move, fd.Throw):
            assert now == before
        elif step.before.rolls_left < BOOK.rolls - 1:  # not the first decision of its turn
            assert now is not None
            assert before is not None
            assert now <= before
        elif before is not None and now is not None:
            rises += now > before
        before = now
    assert rises
    assert before == report_with(whole, solution, None).players[0].accuracy


def by_final_dice(game: fd.Game) -> fd.Game:
    """The same game, with the dice of every turn noted at its end alone."""
    noted = fd.Game.new(BOOK, game.players, dice=fd.dice.outside(), first=0)
    for step in game.steps:
        if isinstance(step.move, fd.Mark):
            noted.roll(step.before.dice.faces, last=True)
            noted.mark(step.move.box)
    return noted


def test_final_dice_games_have_no_accuracy(solution: Solution) -> None:
    whole = bot_game(BOOK, "greedy", "final")
    hidden = by_final_dice(whole)
    assert hidden.position.card.total == whole.position.card.total
    facts = [facts_of(each, 0, solution, number=number) for number, each in enumerate([whole, hidden])]
    both, one = BookStatistics(BOOK, tuple(facts), None), BookStatistics(BOOK, tuple(facts[:1]), None)
    assert (both.accuracy, both.lost, both.error_rate) == (one.accuracy, one.lost, one.error_rate)
    assert (len(both.judged), len(both.noted)) == (2, 1)
    assert facts[1].judged is not None
    assert facts[1].judged.accuracy is None
    assert facts_to_json(facts[1])["fully_noted"] is False
    assert "1 game has turns with final dice" in (book_lines(both).left_out or "")
    assert book_lines(BookStatistics(BOOK, tuple(facts[1:]), None)).skill == ()


def test_mixed_games_count_recorded_turns(solution: Solution) -> None:
    game = fd.Game.new(BOOK, ["Ann"], dice=fd.dice.outside(), first=0)
    game.roll("11136", last=True)
    game.mark("1s")
    game.roll("22345")
    game.hold("345")
    game.roll("11")
    game.mark("2s")
    player = report_with(game, solution, None).players[0]
    assert not player.fully_noted
    assert player.accuracy == pytest.approx(max(0, 100 * (1 - player.turns[1].lost / (player.start / 15))))
    facts = facts_of(game, 0, solution)
    assert BookStatistics(BOOK, (facts,), None).accuracy is None


def test_means_have_standard_errors(solution: Solution) -> None:
    games = [bot_game(BOOK, "greedy", f"error {number}") for number in range(3)]
    found = BookStatistics(BOOK, tuple(facts_of(game, 0, solution) for game in games), None)
    rates = [fd.report(game, solution).players[0].error_rate(Currency.POINTS) or 0 for game in games]
    assert found.error_rate is not None
    assert found.error_rate.value == pytest.approx(sum(rates) / 3)
    deviation = sqrt(sum((rate - sum(rates) / 3) ** 2 for rate in rates) / 2)
    assert found.error_rate.error == pytest.approx(deviation / sqrt(3))
    lines = {line.name: line for line in book_lines(found).skill}
    assert lines["Accuracy"].perfect.startswith("±")
    assert lines["Accuracy"].lost == "3"
