"""Reports: sums are exact, perfect games lose nothing, and known blunders are found."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fivedice as fd
from analysis.players import bot_game, random_game
from fivedice.core.game.card import sheet_lines
from fivedice.core.notation import read_card
from fivedice.drawing.theme import INKS
from fivedice.reports.game_report import PlayerReport, Report
from fivedice.reports.report_json import attempt_facts, report_to_json
from fivedice.reports.report_lines import PlayerLine, headline, report_lines
from fivedice.reports.share_picture import best_turn, picture_svg
from fivedice.solver import Solution, solve
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.text import format_signed
from for_each import for_each
from long import few
from solver.tiny_books import random_book

FULL = bool(os.environ.get("FIVEDICE_ANALYSIS"))  # campaign `analysis`: ten thousand games, and the large book too
GAMES = 10_000 if FULL else 200
BOOKS = [key for key in fd.SHIPPED if FULL or not takes_long(fd.book(key))]
HERE = Path(__file__).parent
WORKED: dict[str, Any] = json.loads((HERE / "worked.json").read_text(encoding="utf-8"))


def check_identity(player: PlayerReport) -> None:
    """Final total = expected at the start + luck - lost, and so for every turn."""
    assert player.start + player.luck - player.lost == pytest.approx(player.expected, abs=1e-6)
    if player.card.is_full:
        assert player.expected == pytest.approx(player.total, abs=1e-6)
    before = player.start
    for turn in player.turns:
        assert turn.start == pytest.approx(before, abs=1e-6)
        assert turn.start + turn.luck - turn.lost == pytest.approx(turn.end, abs=1e-6)
        before = turn.end
    assert all(moment.decision.loss >= 0 for moment in player.moments)


@pytest.mark.campaign
@pytest.mark.parametrize("key", BOOKS if FULL else few(BOOKS, 4))
def test_sum_holds_for_random_games(key: str) -> None:
    rules, draw = fd.book(key), Random(key)
    solution = solve(rules)
    for _ in range(GAMES // len(BOOKS) + 1):
        for player in fd.report(random_game(rules, draw), solution, win=False).players:
            assert player.card.is_full
            check_identity(player)


@pytest.mark.campaign
def test_sum_holds_for_generated_books() -> None:
    for number in range(GAMES // 8):
        draw = Random(number)
        rules = random_book(draw)
        game = random_game(rules, draw)
        for player in fd.report(game, solve(rules, cache=False), win=False).players:
            check_identity(player)


def test_unfinished_and_unstarted_games_are_judged_so_far() -> None:
    rules = fd.book("yahtzee-plain")
    for number in range(12):
        game = random_game(rules, Random(number), finish=False)
        found = fd.report(game, solve(rules), win=False)
        assert found.finished == game.is_over
        for player in found.players:
            check_identity(player)
            assert player.accuracy is None or 0 <= player.accuracy <= 100
    found = fd.report(fd.Game.new("yatzy-forced", ["Ann", "Bob"], first=0), win=False)
    assert [player.expected for player in found.players] == [pytest.approx(122.558527)] * 2
    assert [player.accuracy for player in found.players] == [None, None]
    assert found.costliest() == ()


@for_each("key", BOOKS)
def test_perfect_game_loses_nothing(key: str) -> None:
    rules = fd.book(key)
    solve(rules)  # or the bots of a large book would do with less
    for player in fd.report(bot_game(rules, "perfect", "flawless", 2), win=False).players:
        assert player.lost == 0.0
        assert player.accuracy == 100.0
        assert player.best_decisions == player.decisions > 0
        assert player.luck == pytest.approx(player.total - player.start, abs=1e-6)


def as_text(move: fd.Hold | fd.Mark) -> str:
    return f"keep {move.keep}" if isinstance(move, fd.Hold) else f"box {move.box}"


def worked(key: str) -> Report:
    return fd.report(fd.read_game("\n".join(WORKED[key]["record"]) + "\n"))


@for_each("key", [key for key in WORKED if key in BOOKS])
def test_known_blunders_are_ranked_with_advice_numbers(key: str) -> None:
    """Games that are perfect but for three or four blunders. The numbers were read off `fivedice hint`.

    Two of `yatzy-forced` can be counted on paper. Turn 8, two pairs, 13346 and one roll: keeping 336 instead of 334
    wins four points more in 11 of 36 throws and four fewer in one of 36, 40/36 = 1.111. Turn 11, small straight,
    12255 and two rolls: 3 and 4 come at once in 2 of 36, one of them in 18 of 36 and then the other in 1 of 6, none
    in 16 of 36 and then both in 2 of 36; fifteen points times that chance are 2.453704.
    """
    found, blunders = worked(key), WORKED[key]["blunders"]
    answer = [
        (moment.turn, str(moment.decision.roll), moment.decision.rolls_left, as_text(moment.decision.move))
        for moment in found.costliest(10)
    ]
    assert answer == [(each["turn"], each["roll"], each["rolls_left"], each["did"]) for each in blunders]
    for moment, each in zip(found.costliest(10), blunders, strict=True):
        assert moment.decision.loss == pytest.approx(each["loss"], abs=1e-6)
        assert [as_text(move) for move in moment.decision.best] == each["best"]
    assert len(found.costliest()) == 3
    assert found.players[0].lost == pytest.approx(sum(each["loss"] for each in blunders), abs=1e-5)


@for_each("key", [key for key in WORKED if key in BOOKS])
def test_worked_games_match_advise(key: str) -> None:
    rules, solution = fd.book(key), solve(fd.book(key))
    for each in WORKED[key]["blunders"]:
        advice = solution.advise(read_card(each["card"], rules), fd.Roll.parse(each["roll"]), each["rolls_left"])
        losses = {f"keep {a.keep}" if a.keep is not None else f"box {a.box}": a.loss for a in advice}
        assert losses[each["did"]] == pytest.approx(each["loss"], abs=1e-6)
        assert [name for name, loss in losses.items() if loss == 0.0] == each["best"]


@pytest.fixture(scope="module")
def forced() -> Solution:
    return solve(fd.book("yatzy-forced"))


def test_final_dice_have_one_luck_and_one_decision(forced: Solution) -> None:
    game = fd.Game.new(forced.book, ["Ann"], dice=fd.dice.real())
    game.roll("11136", last=True)
    game.mark("1s")
    turn = fd.report(game, forced).players[0].turns[0]
    card = fd.Scorecard.empty(forced.book)
    best = forced.advise(card, fd.Roll.parse("11136"), 0)[0].value
    assert turn.final_dice_only
    assert [fall.luck for fall in turn.falls] == [pytest.approx(best - forced.value(card), abs=1e-9)]
    assert len(turn.decisions) == 1
    assert fd.report(game, forced).final_dice_turns == 1


def test_accuracy_and_extra_bonuses_in_the_sum() -> None:
    found = worked("yatzy-forced").players[0]
    assert found.accuracy == pytest.approx(100 * (1 - found.lost / found.start))
    assert found.accuracy == pytest.approx(95.82, abs=0.01)
    assert replace(found, start=found.lost / 2).accuracy == 0.0  # more than all that was expected is still nothing
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.real())
    for dice, box in (("66666", "yz"), ("66666", "6s"), ("11111", "1s")):
        game.roll(dice, last=True)
        game.mark(box)
    player = fd.report(game).players[0]
    assert [turn.extra for turn in player.turns] == [0, 100, 100]
    check_identity(player)


def test_dice_counts_match_the_rolls(forced: Solution) -> None:
    game = fd.Game.new(forced.book, ["Ann"], dice=fd.dice.real())
    game.roll("11136")
    game.hold("111")
    game.roll("22")
    game.mark("1s")
    game.roll("33333", last=True)
    game.mark("2s")
    dice = fd.report(game, forced).players[0].dice
    assert dice.counts == (3, 2, 1, 0, 0, 1)
    assert dice.dice == 7
    assert dice.expected == pytest.approx(7 / 6)


def test_report_json_is_complete(forced: Solution) -> None:
    found = worked("yatzy-forced")
    data = json.loads(json.dumps(report_to_json(found)))
    player = data["players"][0]
    assert player["total"] == found.players[0].total == 96
    assert player["expected_at_start"] + player["luck"] - player["lost"] == pytest.approx(96, abs=1e-6)
    assert [each["turn"] for each in data["costliest"]] == [11, 2, 8]
    assert data["costliest"][0]["box"] == "small_straight"
    assert data["costliest"][0]["best"] == [{"keep": "125"}]
    assert sum(len(turn["decisions"]) for turn in player["turns"]) == player["decisions"]
    assert forced.book.fingerprint == data["fingerprint"]


def test_parts_of_a_total_and_the_winner_are_worded() -> None:
    """Rounded each by itself, 122.6 − 21.4 − 5.1 would be said to make 96."""
    for key in WORKED:
        if key in BOOKS:
            player = report_lines(worked(key), None).players[0]
            start, luck, lost = (float(text.replace("\N{MINUS SIGN}", "-")) for text in _parts(player))
            assert round(start + luck + lost, 1) == player.total

    def answer(names: list[str], finish: bool = True) -> str:
        game = fd.Game.new("yatzy-forced", names, dice=fd.dice.outside(), first=0)
        while finish and not game.is_over:
            game.roll("11111", last=True)
            game.mark(next(iter(game.position.ruling().legal)))
        return str(headline(fd.report(game)))

    assert answer(["Ann"]) == "Final score: 69"
    assert answer(["Ann", "Bob"]) == "Ann and Bob share the win with 69"
    assert answer(["Ann", "Bob"], finish=False) == "Game in progress"
    with pytest.raises(fd.IllegalError, match="1 to 12 players, not 13"):
        fd.report(fd.Game.new("yatzy-forced", [f"Player {number}" for number in range(13)], first=0))


def _parts(player: PlayerLine) -> tuple[str, str, str]:
    return player.start, player.luck, player.lost


def turns_of(key: str, *turns: tuple[str, str]) -> fd.Game:
    game = fd.Game.new(key, ["Ann"], dice=fd.dice.scripted([dice for dice, _ in turns]), first=0)
    for _, box in turns:
        game.roll()
        game.mark(box)
    return game


@for_each(
    ("turns", "dice", "box", "points"),
    [
        ([("66651", "sixes"), ("23456", "large_straight")], "23456", "large_straight", 40),
        ([("23456", "large_straight"), ("55555", "five_of_a_kind")], "55555", "five_of_a_kind", 50),
        ([("55555", "five_of_a_kind"), ("44444", "fours")], "44444", "fours", 120),  # the bonus counts
        ([("66652", "chance"), ("55555", "fives")], "55555", "fives", 25),  # as many points, all dice the same
        ([("23466", "large_straight"), ("66651", "sixes")], "66651", "sixes", 18),
    ],
)
def test_best_turn_of_a_game(turns: list[tuple[str, str]], dice: str, box: str, points: int) -> None:
    best = best_turn(turns_of("yahtzee", *turns), 0)
    assert best is not None
    assert (best.roll, best.box.key, best.points) == (fd.Roll.parse(dice), box, points)


def test_no_best_turn_before_play() -> None:
    assert best_turn(turns_of("yahtzee", ("23466", "large_straight")), 0) is None


def test_pictures_have_the_colours_of_the_dice() -> None:
    """And as many strokes as the number of the ink: for 2-3-4-5-6 of Kismet 1 + 2 + 2 + 1."""
    game = turns_of("kismet", ("23456", "straight"))
    twos = fd.Game.new("kismet", ["Ann"], dice=fd.dice.scripted("22222"))
    twos.roll()
    for picture, pips, marks in ((picture_svg(game), 2 + 5, 6), (twos.position._repr_svg_(), 10, 5)):
        assert len(re.findall(f'<circle[^>]* fill="{INKS["ink-1"]}"', picture)) == pips
        assert picture.count('class="mark"') == marks
    assert 'class="mark"' not in picture_svg(turns_of("yahtzee", ("23456", "large_straight")))


def test_picture_shows_the_best_turn_and_no_mistake() -> None:
    """The total, every box of the sheet, the best turn and its dice; what was lost stays in the report."""
    game = fd.Game.new("yahtzee", ["Ann", "Bob"], dice=fd.dice.seeded(7), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    found = fd.report(game, solve(game.book), win=False)
    picture = picture_svg(game)
    texts = re.findall(r">([^<>]+)</text>", picture)
    first, second = sorted(found.players, key=lambda player: -player.total)
    best = best_turn(game, first.seat)
    assert best is not None
    assert {first.name, str(first.total), "Yahtzee", f"{second.name} {second.total}"} <= set(texts)
    assert f"Best turn: {best.points} in {best.box.name}" in texts
    assert picture.count("<circle") == sum(best.roll.faces), "a pip for each point of the dice"
    lines = [line for line in sheet_lines(first.card) if line.value is not None]
    assert [text for text in texts if text in {line.name for line in lines}] == [line.name for line in lines]
    assert found.costliest(), "there was something to hide"
    assert not re.search("lost|cost|Better|Accuracy", picture)


@for_each("seed", range(4))
def test_shown_parts_add_up(seed: int) -> None:
    game = fd.Game.new("yahtzee", ["Ann"], dice=fd.dice.seeded(seed), first=0)
    while not game.is_over:
        game.roll()
        game.mark(next(iter(game.position.ruling().legal)))
    found = fd.report(game, solve(game.book))
    lines = report_lines(found, None)
    player = lines.players[0]
    start, luck, lost = (_number(text) for text in (player.start, player.luck, player.lost))
    assert round(start + luck + lost, 1) == player.total
    assert round(sum(_number(turn.luck) for turn in player.turns), 1) == luck
    assert round(sum(_number(turn.lost) for turn in player.turns), 1) == lost
    for turn in player.turns:
        assert round(sum(_number(throw.luck) for throw in turn.throws), 1) == _number(turn.luck)
    assert attempt_facts(found.players[0])["luck"] == luck, "on the page of the day, too"
    luckiest = max(_number(turn.luck) for turn in player.turns)
    assert luckiest < 5 or f">{format_signed(round(luckiest))}<" in lines.charts[0].svg, "and in the picture"


def _number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))
