"""Bots: legal, reproducible, as strong as their level says, and quick to ask."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from random import Random

import pytest

import fivedice as fd
from bots.positions import random_position
from fivedice import bots
from fivedice.bots.players import Player, find_level
from fivedice.bots.solo_games import play, simulate
from fivedice.dice import Keep
from fivedice.game import Position
from fivedice.rules import book
from fivedice.solver import Advice, solution as solved_book, solve
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.solver.solution import outlook
from solver import fraction_solver as exact
from solver.tiny_books import random_book

QUICK = [key for key in fd.SHIPPED if not takes_long(book(key))]


@pytest.mark.parametrize("key", fd.SHIPPED)
@pytest.mark.parametrize("level", bots.LEVELS)
def test_every_move_is_legal_whatever_lies_on_the_table(key: str, level: str) -> None:
    random, rules = Random(f"{key}/{level}"), book(key)
    player = bots.bot(level, rules)
    for _ in range(60):
        position = random_position(random, rules)
        position.check(player.choose(position))


@pytest.mark.parametrize("seed", range(20))
def test_moves_are_legal_under_house_rules_too(seed: int) -> None:
    random = Random(seed)
    rules = random_book(random)
    for level in bots.LEVELS:
        position = random_position(random, rules)
        position.check(bots.bot(level, rules).choose(position))


@pytest.mark.parametrize("key", ["yahtzee", "yardzee", "yatzy", "yatzy-forced"])
def test_perfect_never_loses_by_the_advice(key: str) -> None:
    random, rules = Random(key), book(key)
    solution, player = solve(rules), bots.bot("perfect", rules)
    for _ in range(100):
        position = random_position(random, rules)
        assert position.roll is not None
        best = [each for each in solution.advise(position.card, position.roll, position.rolls_left) if each.best]
        assert _choices(best) >= {player.choose(position)}


def test_a_bot_does_the_same_in_the_same_position_and_salt_changes_its_slips() -> None:
    random, rules = Random(1), book("yahtzee")
    positions = [random_position(random, rules) for _ in range(60)]
    one = [Player(find_level("casual"), rules, "").choose(position) for position in positions]
    assert one == [Player(find_level("casual"), rules, "").choose(position) for position in positions]
    assert one != [bots.bot("casual", rules, salt="other").choose(position) for position in positions]
    perfect = [bots.bot("perfect", rules, salt=salt).choose(position) for salt in "ab" for position in positions]
    assert perfect[:60] == perfect[60:]


def test_slips_are_as_likely_as_the_blur_says() -> None:
    """An option that loses x points is e ** (-x / blur) times as likely as the best."""
    rules = book("yahtzee")
    card = fd.Scorecard.of(rules, {box.key: 0 for box in rules.boxes if box.key not in ("aces", "twos")})
    position = Position((card,), 0, Keep.parse("12345"), 0)
    level = find_level("casual")
    picks = Counter(Player(level, rules, str(salt)).choose(position) for salt in range(1500))
    assert picks[fd.Mark("aces")] / picks[fd.Mark("twos")] == pytest.approx(2.718281828 ** (-1 / level.blur), abs=0.06)


def test_a_bot_is_made_once() -> None:
    assert bots.bot("steady", book("yatzy")) is bots.bot("steady", book("yatzy"))
    assert bots.bot("steady", book("yatzy")) is not bots.bot("steady", book("yatzy"), salt="x")


def test_levels_explain_themselves() -> None:
    assert "steady" in bots.LEVELS[2:-2]
    assert (bots.LEVELS[0], bots.LEVELS[-1]) == ("random", "perfect")
    assert all(bots.about(level) for level in bots.LEVELS)
    for ask in (bots.about, bots.means, lambda name: bots.bot(name, book("yatzy"))):
        with pytest.raises(fd.MalformedError, match=r"no bot 'clever'\. Choose random, greedy"):
            ask("clever")


def test_what_a_bot_cannot_be_asked() -> None:
    rules = book("yahtzee")
    for player in (bots.bot("perfect", rules), bots.bot("random", rules), bots.chaser(rules, 200)):
        with pytest.raises(fd.IllegalMove, match="only after all dice are rolled"):
            player.choose(Position.start(rules, 1))
        with pytest.raises(fd.IllegalMove, match="The game is "):
            player.choose(random_position(Random(1), book("yatzy")))


def test_importing_the_bots_loads_no_numpy() -> None:
    code = (
        "import sys; from fivedice import bots; bots.about('sharp'), bots.means('sharp'); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_book_that_takes_minutes_is_played_by_par_until_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    maxi = book("maxi-yatzy")
    assert takes_long(maxi)
    assert set(fd.SHIPPED) - set(QUICK) == {"maxi-yatzy", "maxi-yatzy-plain"}

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a bot must not make a table wait for minutes")

    monkeypatch.setattr("fivedice.solver.solution.solve", refuse)
    assert outlook(maxi, "exact", patient=False).table.shape[0] == 1
    fd.apply(position := random_position(Random(2), maxi), bots.bot("perfect", maxi).choose(position))


def test_a_long_book_that_was_solved_is_played_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.solver.runtime.solve_limits.LONG_WORK", 0)
    rules = book("yahtzee-plain")
    solution = solve(rules)
    assert outlook(rules, "exact", patient=False).table is solution.table
    monkeypatch.setattr(solved_book._tables, "memory", {})
    assert outlook(rules, "exact", patient=False).table.shape == solution.table.shape  # from the folder


@pytest.mark.parametrize("seed", range(12))
def test_a_chaser_takes_the_best_chance_near_the_end(seed: int) -> None:
    random = Random(seed)
    rules = random_book(random)
    position = random_position(random, rules)
    card, roll, left = position.card, fd.Roll(position.dice.faces), position.rolls_left
    target = card.total + round(solve(rules, cache=False).value(card)) + random.randint(-2, 6)
    search = exact.Search(rules, lambda total: exact.Fraction(total >= target), additive=False)
    turn, move = exact.Turn(search, card), bots.chaser(rules, target).choose(position)
    best, _ = turn.best(roll, left)
    assert (turn.keep(move.keep, left) if isinstance(move, fd.Hold) else search.after(card, move.box, roll)) == best


def test_a_chaser_takes_a_finished_hunt() -> None:
    rules = random_book(Random(3))
    hunt = fd.chase(rules)
    position = Position((fd.Scorecard.empty(rules),), 0, Keep((1,) * rules.dice), rules.rolls - 1)
    target = hunt.most // 2
    move = bots.chaser(rules, target, hunt).choose(position)
    advice = hunt.advise(position.card, fd.Roll(position.dice.faces), position.rolls_left, target)
    assert move in _choices([each for each in advice if each.best])


def test_a_chaser_far_from_the_end_plays_for_the_mean() -> None:
    rules = book("yatzy")
    position = Position((fd.Scorecard.empty(rules),), 0, Keep.parse("24466"), 2)
    assert bots.chaser(rules, 300).choose(position) == bots.bot("perfect", rules).choose(position)


def test_any_bot_can_be_simulated_and_levels_play_alike_in_both_ways() -> None:
    """Move by move and by the kernels: the same player, so the same mean within chance."""
    rules = book("yahtzee")
    for level in ("greedy", "steady"):
        slow = simulate(rules, 80, bot=bots.bot(level, rules), seed=5)
        fast = simulate(rules, 20_000, bot=level, seed=5)
        assert abs(slow.mean - fast.mean) < 4.5 * slow.standard_error
        assert sum(slow.box_means.values()) + 35 * slow.bonus_rate + 100 * slow.extra_mean == pytest.approx(slow.mean)


def test_single_games_are_reproducible() -> None:
    rules = book("yatzy")
    player = bots.bot("casual", rules)
    assert play(rules, player, "7") == play(rules, player, "7") != play(rules, player, "8")
    seen: list[tuple[int, int]] = []
    simulate("yatzy", 3, bot=player, progress=lambda done, games: seen.append((done, games)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def _choices(advice: list[Advice]) -> set[fd.Hold | fd.Mark]:
    return {fd.Mark(str(each.box)) if each.keep is None else fd.Hold(each.keep) for each in advice}
