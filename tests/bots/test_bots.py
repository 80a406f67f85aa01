"""Bots: legal, reproducible, as strong as their level, and quick to ask."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import fivedice as fd
from bots.positions import random_position
from fivedice.core.dice import Keep
from fivedice.core.game import Position
from fivedice.core.rules import book
from fivedice.players import bots
from fivedice.players.bots import players
from fivedice.players.bots.levels import FIRST_PLAY, find_level
from fivedice.players.bots.players import LevelBot, has_values, player_of
from fivedice.players.bots.solo_games import play, simulate
from fivedice.solver import Advice, solution as solved_book, solve
from fivedice.solver.runtime.solve_limits import takes_long
from fivedice.solver.solution import outlook
from for_each import for_each
from long import LONG, few
from solver import fraction_solver as exact
from solver.tiny_books import random_book

QUICK = [key for key in fd.SHIPPED if not takes_long(book(key))]


@for_each("key", few(fd.SHIPPED, 4))
@for_each("level", bots.LEVELS[:-1])  # the champion, who prepares every book: see `test_champion`
def test_every_move_is_legal(key: str, level: str) -> None:
    random, rules = Random(f"{key}/{level}"), book(key)
    if level not in bots.offered(rules):
        pytest.skip("not offered")
    player = bots.bot(level, rules)
    for _ in range(60):
        position = random_position(random, rules)
        position.check(player.choose(position))


@for_each("seed", few(range(20), 6))
def test_moves_are_legal_under_house_rules(seed: int) -> None:
    random = Random(seed)
    rules = random_book(random)
    for level in bots.LEVELS:
        position = random_position(random, rules)
        position.check(bots.bot(level, rules).choose(position))


@for_each("seed", range(20, 30))
def test_every_level_finishes_any_game(seed: int) -> None:
    rules = random_book(Random(seed))
    for level in bots.LEVELS:
        assert play(rules, bots.bot(level, rules), str(seed)).is_full


@for_each("key", ["yahtzee", "yardzee", "yatzy", "yatzy-forced"])
def test_perfect_loses_nothing_by_the_advice(key: str) -> None:
    random, rules = Random(key), book(key)
    solution, player = solve(rules), bots.bot("perfect", rules)
    for _ in range(100):
        position = random_position(random, rules)
        assert position.roll is not None
        best = [each for each in solution.advise(position.card, position.roll, position.rolls_left) if each.best]
        assert _choices(best) >= {player.choose(position)}


@for_each("level", bots.LEVELS[:-1])
def test_bots_repeat_their_choice_and_salt_changes_mistakes(level: str) -> None:
    random, rules = Random(1), book("yahtzee")
    positions = [random_position(random, rules) for _ in range(60)]
    one = [player_of(find_level(level), rules).choose(position) for position in positions]
    assert one == [player_of(find_level(level), rules).choose(position) for position in reversed(positions)][::-1]
    assert (one != [bots.bot(level, rules, salt="other").choose(each) for each in positions]) == (level != "perfect")


def test_bots_are_created_once_and_perfect_ignores_salt() -> None:
    random, rules = Random(1), book("yahtzee")
    positions = [random_position(random, rules) for _ in range(60)]
    perfect = [bots.bot("perfect", rules, salt=salt).choose(position) for salt in "ab" for position in positions]
    assert perfect[:60] == perfect[60:]
    assert bots.bot("steady", book("yatzy")) is bots.bot("steady", book("yatzy"))
    assert bots.bot("steady", book("yatzy")) is not bots.bot("steady", book("yatzy"), salt="x")
    assert "steady" in bots.LEVELS[2:-2]
    assert (bots.LEVELS[0], *bots.LEVELS[-2:]) == ("newcomer", "perfect", "champion")
    assert len({bots.about(level) for level in bots.LEVELS}) == len(bots.LEVELS)
    for ask in (bots.about, bots.means, lambda name: bots.bot(name, book("yatzy"))):
        with pytest.raises(fd.MalformedError, match=r"no bot 'clever'\. Choose newcomer, hopeful"):
            ask("clever")
    rules = book("yahtzee")
    some = [bots.bot(level, rules) for level in ("perfect", "random", "casual")]
    for player in (*some, bots.chaser(rules, 200)):
        with pytest.raises(fd.IllegalMove, match="only after all dice are rolled"):
            player.choose(Position.start(rules, 1))
        with pytest.raises(fd.IllegalMove, match="The game is "):
            player.choose(random_position(Random(1), book("yatzy")))


def test_slips_are_as_likely_as_the_blur() -> None:
    """An option that loses x points is e ** (-x / blur) times as likely as the best."""
    rules = book("yahtzee")
    card = fd.Scorecard.of(rules, {box.key: 0 for box in rules.boxes if box.key not in ("aces", "twos")})
    position = Position((card,), 0, Keep.parse("12345"), 0)
    level = find_level("casual", FIRST_PLAY)
    picks = Counter(LevelBot(level, rules, str(salt)).choose(position) for salt in range(1500))
    assert picks[fd.Mark("aces")] / picks[fd.Mark("twos")] == pytest.approx(2.718281828 ** (-1 / level.blur), abs=0.06)


def test_importing_the_bots_loads_no_numpy() -> None:
    code = (
        "import sys; from fivedice import bots; bots.about('sharp'), bots.means('sharp'); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("key", ["maxi-yatzy", "maxi-yatzy-plain"])
def test_perfect_is_offered_only_where_exact(key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not by par under that name: a book that takes minutes has to be solved first."""
    maxi = book(key)
    assert takes_long(maxi)
    assert set(fd.SHIPPED) - set(QUICK) == {"maxi-yatzy", "maxi-yatzy-plain"}
    monkeypatch.setattr("fivedice.solver.runtime.solution_files.cache_folder", lambda: tmp_path)
    monkeypatch.setattr("fivedice.solver.solution.solve", lambda *_, **__: pytest.fail("it would take minutes"))
    assert bots.offered(maxi) == bots.LEVELS[:-2]
    assert "The perfect bot can’t play Maxi Yatzy" in str(bots.unavailable("perfect", maxi))
    with pytest.raises(fd.IllegalError, match="Choose another level"):
        bots.bot("perfect", maxi)
    with pytest.raises(fd.IllegalError, match="Choose another level"):
        LevelBot(find_level("perfect"), maxi, "").choose(random_position(Random(2), maxi))
    fd.apply(position := random_position(Random(2), maxi), bots.bot("sharp", maxi).choose(position))


def test_perfect_needs_a_solvable_book(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = book("yahtzee")
    assert bots.unavailable("perfect", rules) is None
    monkeypatch.setattr("fivedice.solver.runtime.solve_limits.MOST_MEMORY", 1000)
    assert not has_values(rules)
    assert bots.offered(rules) == bots.LEVELS[:-2]


def test_solved_large_book_is_played_exactly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("fivedice.solver.runtime.solve_limits.LONG_WORK", 0)
    rules = book("yahtzee-plain")
    solution = solve(rules)
    assert outlook(rules, "exact", patient=False).table is solution.table
    monkeypatch.setattr(solved_book._tables, "memory", {})
    assert outlook(rules, "exact", patient=False).table.shape == solution.table.shape  # from the folder
    assert bots.offered(rules) == bots.LEVELS
    monkeypatch.setattr("fivedice.solver.runtime.solution_files.cache_folder", lambda: tmp_path)
    assert bots.offered(rules) == bots.LEVELS[:-2]
    (tmp_path / f"{rules.fingerprint}.values").write_bytes(b"of an older version")
    assert bots.offered(rules) == bots.LEVELS[:-2]


@for_each("seed", few(range(12), 4))
def test_chaser_takes_the_best_chance_near_the_end(seed: int) -> None:
    random = Random(seed)
    rules = random_book(random)
    position = random_position(random, rules)
    card, roll, left = position.card, fd.Roll(position.dice.faces), position.rolls_left
    target = card.total + round(solve(rules, cache=False).value(card)) + random.randint(-2, 6)
    search = exact.Search(rules, lambda total: exact.Fraction(total >= target), additive=False)
    turn, move = exact.Turn(search, card), bots.chaser(rules, target).choose(position)
    best, _ = turn.best(roll, left)
    assert (turn.keep(move.keep, left) if isinstance(move, fd.Hold) else search.after(card, move.box, roll)) == best


def test_chaser_uses_a_finished_chase() -> None:
    rules = random_book(Random(3))
    hunt = fd.chase(rules)
    position = Position((fd.Scorecard.empty(rules),), 0, Keep((1,) * rules.dice), rules.rolls - 1)
    target = hunt.most // 2
    move = bots.chaser(rules, target, hunt).choose(position)
    advice = hunt.advise(position.card, fd.Roll(position.dice.faces), position.rolls_left, target)
    assert move in _choices([each for each in advice if each.best])


@pytest.mark.parametrize("seed", few(range(8), 3))
def test_chaser_is_exact_from_the_first_turn(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat these few boxes as many: the chase starts at the first question, once per game."""
    monkeypatch.setattr("fivedice.players.bots.players._NEAR", 0)
    rules, hunted = random_book(Random(seed)), list[fd.Scorecard]()
    real = players._chase_from
    monkeypatch.setattr(
        "fivedice.players.bots.players._chase_from", lambda card, target: hunted.append(card) or real(card, target)
    )
    target = round(solve(rules, cache=False).value(fd.Scorecard.empty(rules))) + 2
    search = exact.Search(rules, lambda total: exact.Fraction(total >= target), additive=False)
    chaser, dice = bots.chaser(rules, target), Random(seed)
    position = Position.start(rules, 1)
    while not position.is_over:
        roll = fd.Roll((*position.dice, *(dice.randint(1, rules.faces) for _ in range(position.in_cup))))
        position = fd.apply(position, fd.Throw(roll)).after
        card, left, turn = position.card, position.rolls_left, exact.Turn(search, position.card)
        move = chaser.choose(position)
        best, _ = turn.best(roll, left)
        assert (turn.keep(move.keep, left) if isinstance(move, fd.Hold) else search.after(card, move.box, roll)) == best
        position = fd.apply(position, move).after
    assert hunted == [fd.Scorecard.empty(rules)]


def test_simulated_games_are_reproducible_and_match_asked_bots() -> None:
    """Move by move and by the kernels: the same player, so the same mean within chance."""
    rules = book("yahtzee")
    for level in ("greedy", "perfect"):
        slow = simulate(rules, 80 if LONG else 40, bot=bots.bot(level, rules), seed=5)
        fast = simulate(rules, 20_000, bot=level, seed=5)
        assert abs(slow.mean - fast.mean) < 4.5 * slow.standard_error
        assert sum(slow.box_means.values()) + 35 * slow.bonus_rate + 100 * slow.extra_mean == pytest.approx(slow.mean)
    rules = book("yatzy")
    player = bots.bot("casual", rules)
    assert play(rules, player, "7") == play(rules, player, "7") != play(rules, player, "8")
    seen: list[tuple[int, int]] = []
    simulate("yatzy", 3, bot=player, progress=lambda done, games: seen.append((done, games)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def _choices(advice: list[Advice]) -> set[fd.Hold | fd.Mark]:
    return {fd.Mark(str(each.box)) if each.keep is None else fd.Hold(each.keep) for each in advice}
