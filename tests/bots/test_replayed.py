"""The bots of a record are asked again and must choose the same."""

from pathlib import Path
from random import Random

import pytest

import fivedice as fd
from bots.positions import random_position
from fivedice.core.dice import Keep
from fivedice.core.game import Game, Hold, Mark, Position
from fivedice.core.notation import read_game
from fivedice.core.rules import book
from fivedice.players import bots
from fivedice.players.bots.levels import ALL_LEVELS, FIRST_PLAY, PLAY, PLAYS, find_level
from fivedice.players.bots.players import pick_first_best, player_of
from fivedice.players.bots.replayed import MOST_DECISIONS, ReplayedSeat, bots_tag, replay_bots
from fivedice.solver import solve
from for_each import for_each


def play_levels(key: str, *seats: str, seed: int = 1, play: str = PLAY) -> Game:
    """A game between these levels; a person, who has none, does anything."""
    game, luck = Game.new(key, [f"P{number}" for number in range(len(seats))], dice=fd.dice.seeded(seed)), Random(seed)
    while not game.is_over:
        level = seats[game.position.seat]
        if game.position.chance_moves_next:
            game.roll()
        elif level:
            game.play(bots.bot(level, game.book, play=play).choose(game.position))
        else:
            game.play(luck.choice(list(game.position.choices())))
    game.tags |= bots_tag([f"{level}/{play}" if level else "" for level in seats])
    return game


@for_each("patient", [True, False])
def test_every_level_repeats_its_moves(patient: bool) -> None:
    solve(book("yatzy"))
    levels = bots.LEVELS[:-1]  # the champion: see `test_champion`
    game = play_levels("yatzy", *levels, "")
    found = replay_bots(game, patient=patient)
    assert [seat.name for seat in found] == [f"P{number}" for number in range(len(levels))]
    decided = [step.before.seat for step in game.steps if isinstance(step.move, Hold | Mark)]
    assert [seat.decisions for seat in found] == [decided.count(number) for number in range(len(levels))]
    assert "all" in str(found[0].about)
    assert replay_bots(play_levels("yatzy", ""), patient=patient) == ()


@for_each("level", bots.LEVELS)
def test_foreign_decision_is_named_with_its_round(level: str) -> None:
    """Return a game at each level's seat, played by random moves."""
    game = play_levels("yatzy", "", seed=ALL_LEVELS.index(find_level(level)))
    game.tags |= bots_tag([f"{level}/{PLAY}"])
    player = bots.bot(level, game.book)
    asked = [step for step in game.steps if step.before.roll is not None]
    lie = next(step for step in asked if player.choose(step.before) != step.move)
    with pytest.raises(fd.IllegalRecord, match=f"Round {1 + lie.before.card.filled.bit_count()}: P0 chose") as found:
        replay_bots(game, patient=True)
    for move in (lie.move, player.choose(lie.before)):
        if isinstance(move, Mark):
            assert f"“score {game.book.box(move.box).name}”" in str(found.value)
        elif isinstance(move, Hold):
            assert f"“keep {'-'.join(map(str, move.keep.faces)) or 'no dice'}”" in str(found.value)


def test_unreplayable_bots_are_named() -> None:
    game = play_levels("yatzy", "", "")
    game.tags |= bots_tag(["stand-in", "perfect/0"])
    one, other = replay_bots(game, patient=True)
    assert (one.decisions, "stand-in" in str(one.about)) == (0, True)
    assert (other.decisions, "cannot play the bot" in str(other.about)) == (0, True)
    for written in ("clever/1", "perfect", "/1"):
        game.tags |= bots_tag(["", written])
        (found,) = replay_bots(game, patient=True)
        assert found.unchecked is not None, written
    for written in ("perfect", '["perfect/1"]', '["", 1]'):
        game.tags["Bots"] = written
        with pytest.raises(fd.MalformedError, match="The tag Bots"):
            replay_bots(game, patient=True)


def test_replay_does_not_wait_for_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_levels("yatzy", "")
    game.tags |= bots_tag(["perfect/1"])
    monkeypatch.setattr("fivedice.solver.solution.known", lambda _: None)
    monkeypatch.setattr("fivedice.solver.solution.solve", lambda *_: pytest.fail("it would take seconds"))
    (found,) = replay_bots(game, patient=False)
    assert (found.decisions, "not at hand" in str(found.about)) == (0, True)


def test_large_book_without_solution_is_not_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fivedice.solver.solution.known", lambda _: None)
    game = play_levels("maxi-yatzy", "perfect", play=FIRST_PLAY)
    (found,) = replay_bots(game, patient=True)
    assert found.decisions > 20
    other = play_levels("maxi-yatzy", "")
    other.tags |= bots_tag(["perfect/1"])
    (found,) = replay_bots(other, patient=True)
    assert "not at hand" in str(found.about)


def test_oversized_game_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_levels("yatzy", "", "")
    game.tags |= bots_tag(["random/1", ""])
    monkeypatch.setattr("fivedice.players.bots.replayed.MOST_DECISIONS", 20)
    (found,) = replay_bots(game, patient=True)
    assert "too large" in str(found.about)
    assert MOST_DECISIONS > 12 * 20 * 3, "the largest table that a server opens"
    assert str(ReplayedSeat("Bot", 1).about) == "Bot was played again: its 1 decision is the bot’s own."


def test_ties_take_the_first_choice_regardless_of_rounding() -> None:
    one, other = Mark("ones"), Mark("twos")
    assert pick_first_best([(one, 7.0), (other, 7.0 + 1e-11)]) == one
    assert pick_first_best([(one, 7.0 + 1e-11), (other, 7.0)]) == one
    assert pick_first_best([(one, 7.0), (other, 7.0 + 1e-7)]) == other


def test_other_cards_do_not_change_a_choice() -> None:
    """A score may be taken back and written anew while the bot's dice lie there: they stay where they are.

    Not where the champion has rolled, who looks at all cards.
    """
    random, rules = Random(3), book("yatzy")
    empty = fd.Scorecard.of(rules, {})
    for level in (level for level in bots.LEVELS if not bots.wants_odds(level)):
        player = player_of(find_level(level), rules)
        for _ in range(20):
            own = random_position(random, rules)
            beside = [
                Position((other, own.card), 1, own.dice, own.rolls_left)
                for other in (empty, fd.Scorecard.of(rules, {"chance": 20}))
            ]
            assert len({player.choose(position) for position in beside}) == 1


def test_bot_play_is_versioned() -> None:
    """If this fails, a level chooses differently: give PLAY in `bots.levels` another number."""
    rules = book("yatzy")
    card = fd.Scorecard.of(rules, {"ones": 3, "chance": 20})
    rolls = ("11234", "22456", "33355", "12345", "45566")
    positions = [Position((card,), 0, Keep.parse(roll), 2) for roll in rolls]
    found = {
        play: {each.name: [notation(player_of(each, rules).choose(here)) for here in positions] for each in levels}
        for play, levels in PLAYS.items()
    }
    assert (FIRST_PLAY, PLAY) == ("1", "2")
    assert found == {"1": FIRST, "2": CHOSEN | {name: FIRST[name] for name in ("random", "greedy")}}


@for_each(("name", "seats"), [("first_play_yatzy", 6), ("first_play_maxi", 2)])
def test_records_of_the_first_version_still_replay(name: str, seats: int) -> None:
    """Written by the version before levels made mistakes; one by par, as large books were played then."""
    game = read_game(Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8"))
    found = replay_bots(game, patient=True)
    assert [seat.unchecked for seat in found] == [None] * seats
    assert sum(seat.decisions for seat in found) > 30 * seats
    game.tags["Bots"] = game.tags["Bots"].replace("sharp/1", f"sharp/{PLAY}")
    with pytest.raises(fd.IllegalRecord, match="This bot would choose"):
        replay_bots(game, patient=True)


def test_perfect_bot_is_not_checked_by_heuristics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the values are not at hand nothing is claimed: since the second play it never plays by anything else."""
    monkeypatch.setattr("fivedice.solver.solution.known", lambda _: None)
    game = play_levels("maxi-yatzy", "perfect", play=FIRST_PLAY)
    game.tags |= bots_tag([f"perfect/{PLAY}"])
    (found,) = replay_bots(game, patient=True)
    assert (found.decisions, "not at hand" in str(found.about)) == (0, True)


def notation(move: Hold | Mark) -> str:
    return f"={move.box}" if isinstance(move, Mark) else f">{move.keep}"


FIRST = {
    "random": ["=one_pair", "=large_straight", "=small_straight", ">14", "=fours"],
    "greedy": [">1234", ">246", "=one_pair", ">245", ">4556"],
    "casual": [">234", ">6", "=full_house", ">5", ">5566"],
    "steady": [">34", ">6", ">333", "=small_straight", ">5566"],
    "sharp": [">4", ">22", ">333", "=small_straight", ">5566"],
    "perfect": [">4", ">56", ">333", "=small_straight", ">5566"],
}
CHOSEN = {
    "newcomer": [">-", ">6", ">55", ">5", ">66"],
    "hopeful": [">11", ">6", ">333", ">2345", "=two_pairs"],
    "casual": [">11", ">6", ">333", ">2345", "=two_pairs"],
    "steady": [">1234", ">22", "=full_house", "=small_straight", "=two_pairs"],
    "sharp": [">-", ">56", ">333", "=small_straight", ">5566"],
    "perfect": [">4", ">56", ">333", "=small_straight", ">5566"],
    "champion": [">4", ">56", ">333", "=small_straight", ">5566"],  # there is no opponent
}
