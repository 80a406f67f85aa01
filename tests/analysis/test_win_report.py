"""Games in shares of the win: against fractions on tiny books, with exact sums."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest

import fivedice as fd
from analysis.players import any_move, bot_game, next_dice
from fivedice.core.game import Game, Position, apply
from fivedice.core.rules import RuleBook
from fivedice.reports.decisions import Currency
from fivedice.reports.game_report import Report
from fivedice.reports.report_charts import charts
from fivedice.reports.report_json import report_to_json
from fivedice.reports.report_lines import report_lines
from fivedice.reports.win_report import WinJudge, can_judge, wins_of
from fivedice.solver import Solution, solve
from for_each import for_each
from solver.fraction_solver import distribution
from solver.fraction_table import Table, share_win
from solver.tiny_books import newer_book, random_book, saving_book

BOOK = fd.book("yatzy-forced")


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(BOOK)


def smallest_book(seed: int, most: int = 40) -> RuleBook:
    """Small enough for fractions of several players."""
    random = Random(seed)
    while True:
        rules = (random_book if seed % 2 else newer_book)(random)
        if rules.faces**rules.dice * len(rules.boxes) ** 2 * rules.rolls <= most:
            return rules


def play_randomly(rules: RuleBook, random: Random, players: int) -> Game:
    """Anything that is legal, dice and all."""
    names = ["Ann", "Bob", "Cleo"][:players]
    game = fd.Game.new(rules, names, dice=fd.dice.real(), first=random.randrange(players))
    while not game.is_over:
        position = game.position
        if position.chance_moves_next:
            game.roll(next_dice(position, random))
        else:
            game.play(any_move(position, random))
    return game


def race_in_fractions(position: Position) -> list[Fraction]:
    """Return the shares at the start of a turn if all play for points."""
    found = [Fraction(0)] * len(position.cards)
    for falls in product(*(distribution(card).items() for card in position.cards)):
        each = share_win([total for total, _ in falls])
        found = [old + prod(part for _, part in falls) * new for old, new in zip(found, each, strict=True)]
    return found


@for_each("players", [2, 3])
@for_each("seed", range(6))
def test_shares_at_turn_starts_match_fractions(seed: int, players: int) -> None:
    rules, random = smallest_book(seed), Random(seed)
    game = play_randomly(rules, random, players)
    wins = wins_of(game, solve(rules, cache=False))
    for step, shares in zip(game.steps, wins.courses, strict=False):
        assert sum(shares) == pytest.approx(1, abs=1e-12)
        if not step.before.dice.faces and step.before.rolls_left == rules.rolls:
            assert shares == pytest.approx(list(map(float, race_in_fractions(step.before))), abs=1e-12)
    assert wins.courses[-1] == pytest.approx(share_win([card.total for card in game.position.cards]))


@for_each("seed", range(8))
def test_losses_of_two_players_match_fractions(seed: int) -> None:
    """Tiny books are exact to the end: both play to win."""
    rules, random = smallest_book(seed), Random(seed)
    game, table = play_randomly(rules, random, 2), Table()
    wins = wins_of(game, solve(rules, cache=False))
    for step, move in zip(game.steps, wins.moves, strict=True):
        position, decision, done = step.before, move.decision, step.move
        assert (decision is None) == isinstance(done, fd.Throw)
        if decision is None or not isinstance(done, fd.Hold | fd.Mark):
            continue
        assert decision.how == "exact"
        left = {choice: after(table, position, choice) for choice in position.choices()}
        best = max(left.values())
        assert decision.share == pytest.approx(float(left[done]), abs=1e-12)
        assert decision.loss == pytest.approx(float(best - left[done]), abs=1e-9)
        assert set(decision.best) == {choice for choice, share in left.items() if share == best}
        assert decision.unforced == (len(set(left.values())) > 1)


def after(table: Table, position: Position, move: fd.Hold | fd.Mark) -> Fraction:
    """Return the share after a move, in fractions."""
    step, seat = apply(position, move), position.seat
    if isinstance(move, fd.Hold):
        return table.keep(position.cards, seat, move.keep, position.rolls_left, {})[seat]
    return table.shares(step.after.cards, (seat + 1) % len(position.cards))[seat]


def walk_outcomes(
    judge: WinJudge, position: Position, random: Random
) -> Iterator[tuple[Fraction, list[float], list[float]]]:
    """Every way the dice of a whole game may fall, under one way to play: chance, luck of all, result of all."""
    if position.is_over:
        yield Fraction(1), [0.0] * len(position.cards), list(judge.shares(position))
        return
    if not position.chance_moves_next:
        yield from walk_outcomes(judge, apply(position, random.choice(list(position.choices()))).after, random)
        return
    before, falls = judge.shares(position), list(position.chances())
    all_ways = sum(ways for _, ways in falls)
    afters = [(Fraction(ways, all_ways), apply(position, throw).after) for throw, ways in falls]
    for seat, share in enumerate(before):
        assert sum(float(part) * judge.shares(each)[seat] for part, each in afters) == pytest.approx(share, abs=1e-12)
    for part, each in afters:
        own = [now - then for now, then in zip(judge.shares(each), before, strict=True)]
        for chance, luck, result in walk_outcomes(judge, each, random):
            yield part * chance, [one + other for one, other in zip(own, luck, strict=True)], result


@for_each("seed", [0, 1, 3, 5])  # with the rules of 2 nothing is left to luck
def test_luck_averages_to_zero(seed: int) -> None:
    rules = smallest_book(seed, most=16)
    judge = WinJudge(solve(rules, cache=False))
    every = list(walk_outcomes(judge, Position.start(rules, 2), Random(seed)))
    assert sum(chance for chance, _, _ in every) == 1
    assert any(abs(luck[0]) > 1e-3 for _, luck, _ in every)
    for seat in (0, 1):
        assert sum(float(chance) * luck[seat] for chance, luck, _ in every) == pytest.approx(0, abs=1e-12)


@pytest.fixture(scope="module")
def three(solution: Solution) -> Report:
    return fd.report(bot_game(BOOK, "greedy", "three", 3), solution)


def test_parts_of_a_share_add_up(three: Report) -> None:
    assert three.judged_by is Currency.WIN
    assert three.wins is not None
    wins = [player.wins for player in three.players if player.wins is not None]
    assert [each.start for each in wins] == pytest.approx([1 / 3] * 3, abs=1e-12)
    for each in wins:
        assert each.start + each.own + each.others + each.luck == pytest.approx(each.now, abs=1e-12)
        assert each.even_luck == pytest.approx(each.now - each.luck, abs=1e-12)
    assert sum(each.even_luck or 0 for each in wins) == pytest.approx(1, abs=1e-12)
    assert sum(each.luck for each in wins) == pytest.approx(0, abs=1e-12)
    for player in three.players:
        falls = [fall.win or 0 for turn in player.turns for fall in turn.falls]
        assert any(falls)
        assert player.win_lost == pytest.approx(
            sum(each.decision.win.loss for each in player.moments if each.decision.win)
        )


def test_perfect_play_for_points_loses_no_share(solution: Solution) -> None:
    found = fd.report(bot_game(BOOK, "perfect", "points", 2), solution)
    for player in found.players:
        assert player.wins is not None
        assert [player.wins.own, player.wins.others] == pytest.approx([0, 0], abs=1e-12)
        assert player.wins.even_luck == pytest.approx(0.5, abs=1e-12)


def test_right_gamble_is_no_mistake(solution: Solution) -> None:
    """Both play for points, and the last three rounds to win, as `fd.win` says."""
    game = fd.Game.new(BOOK, ["Ann", "Bob"], dice=fd.dice.seeded("gamble"), first=0)
    while not game.is_over:
        position = game.position
        if position.chance_moves_next:
            game.roll()
            continue
        game.play(
            _to_win(position, solution) if position.card.marks.count(None) <= 3 else _for_points(position, solution)
        )
    found = fd.report(game, solution)
    late = [each.decision for player in found.players for each in player.moments if each.turn > len(BOOK.boxes) - 3]
    assert [each.win.loss for each in late if each.win] == [0.0] * len(late)
    gambles = [each for each in late if each.loss > 0.01]
    assert gambles
    costly = [moment.decision for moment in found.costliest(100)]
    assert not any(gamble in costly for gamble in gambles)
    assert all(gamble in [each.decision for each in found.costliest(100, by=Currency.POINTS)] for gamble in gambles)


def _to_win(position: Position, solution: Solution) -> fd.Hold | fd.Mark:
    best = fd.win(position, solution).advise()[0]
    return fd.Mark(str(best.box)) if best.keep is None else fd.Hold(best.keep)


def _for_points(position: Position, solution: Solution) -> fd.Hold | fd.Mark:
    assert position.roll is not None
    best = solution.advise(position.card, position.roll, position.rolls_left)[0]
    return fd.Mark(str(best.box)) if best.keep is None else fd.Hold(best.keep)


def test_final_dice_have_unknown_luck(solution: Solution) -> None:
    game = fd.Game.new(BOOK, ["Ann", "Bob"], dice=fd.dice.outside(), first=0)
    for dice in ("11136", "12345"):
        game.roll(dice, last=True)
        game.mark("1s")
    found = fd.report(game, solution)
    for player in found.players:
        assert player.wins is not None
        assert player.wins.even_luck is None
        assert player.wins.start + player.wins.own + player.wins.unknown + player.wins.others == pytest.approx(
            player.wins.now, abs=1e-12
        )
        assert (player.accuracy, player.error_rate(Currency.WIN), player.fully_noted) == (None, None, False)
    assert "Luck is unknown" in (report_lines(found, None).players[0].win_words or "")


def test_turns_by_points_and_single_games_are_not_judged_by_share(solution: Solution) -> None:
    game = fd.Game.new(BOOK, ["Ann", "Bob"], dice=fd.dice.outside(), first=0)
    game.play(fd.Throw(fd.Roll.parse("11136"), last=True, told=False))
    game.mark("1s")
    player = fd.report(game, solution).players[0]
    assert player.wins is not None
    assert (player.wins.luck, player.wins.even_luck, player.decisions) == (0.0, None, 0)
    assert player.wins.start + player.wins.own + player.wins.unknown == pytest.approx(player.wins.now, abs=1e-12)
    assert player.wins.own == 0.0
    assert fd.report(bot_game(BOOK, "greedy", "alone"), solution).judged_by is Currency.POINTS
    rules = saving_book(Random(3))
    game = play_randomly(rules, Random(3), 2)
    assert not can_judge(game, solve(rules, cache=False))
    assert fd.report(game, solve(rules, cache=False)).judged_by is Currency.POINTS


def test_win_report_in_both_measures(three: Report) -> None:
    told = report_lines(three, None)
    assert told.judged == "Choices are judged by the chance of winning. Points are shown too."
    for player, line in zip(three.players, told.players, strict=True):
        assert line.win is not None
        assert line.win.even is not None
        even, luck, now = (float(text.replace("\N{MINUS SIGN}", "-").rstrip("%")) for text in _shares(line.win))
        assert round(even + luck, 1) == now
        assert len(line.turns[0].cells) == 8
        assert line.errors.startswith("Errors: ")
        assert player.error_rate(Currency.WIN) is not None
    assert all("%" in moment.lost for moment in told.costliest)
    assert [chart.name for chart in charts(three, None)] == ["course", "win", "dice"]
    data = json.loads(json.dumps(report_to_json(three)))
    assert data["judged_by"] == "win"
    losses = [each["win"]["loss"] for each in data["costliest_to_win"]]
    assert losses == sorted(losses, reverse=True)
    assert data["players"][0]["win"]["even_luck"] == pytest.approx(three.players[0].wins.even_luck)  # type: ignore[union-attr]


def _shares(line: object) -> tuple[str, str, str]:
    return line.even, line.luck, line.now  # type: ignore[attr-defined]
