"""The champion takes the best share of the win that fractions give, reproducibly."""

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest

import fivedice as fd
from bots.positions import random_position
from fivedice.core.dice import Keep, Roll, rolls
from fivedice.core.game import Game, Hold, Position, Scorecard
from fivedice.core.rules import RuleBook, book
from fivedice.players import bots
from fivedice.players.bots import players as champion
from fivedice.players.bots.levels import PLAY, find_level
from fivedice.players.bots.players import Choice, player_of
from fivedice.players.bots.replayed import bots_tag, replay_bots
from fivedice.solver import solve
from solver.fraction_solver import Search, Turn, distribution, score_box
from solver.fraction_table import Shares, Table, share_win
from solver.tiny_books import newer_book, random_book, random_card
from support.books import Slow, smaller_book


@pytest.fixture(autouse=True)
def forgetful() -> None:
    champion._turn.cache_clear()


def chosen(position: Position) -> Choice:
    return player_of(find_level("champion"), position.book).choose(position)


def seated(random: Random, rules: RuleBook, players: int) -> Position:
    """The player on turn has the same number of open boxes as the others, or one more."""
    while True:
        cards = tuple(random_card(random, rules) for _ in range(players))
        more = {cards[0].marks.count(None) - card.marks.count(None) for card in cards[1:]}
        if not cards[0].is_full and more in ({0}, {1}):
            roll, left = random.choice(rolls(rules.dice, rules.faces)), random.randrange(rules.rolls)
            return Position(cards, 0, Keep(roll.faces), left)


@pytest.mark.parametrize("make", [random_book, newer_book])
@pytest.mark.parametrize("seed", range(15))
def test_champion_takes_the_best_share_against_one(seed: int, make) -> None:  # type: ignore[no-untyped-def]
    random = Random(seed)
    table = Table()
    for _ in range(3):
        position = seated(random, smaller_book(random, make), 2)
        cards, left, roll = position.cards, position.rolls_left, position.roll
        assert roll is not None
        known = dict[object, Shares]()
        move, best = chosen(position), table.best(cards, 0, roll, left, known)[0]
        if isinstance(move, Hold):
            assert table.keep(cards, 0, move.keep, left, known)[0] == best
        else:
            assert table.shares((score_box(cards[0], move.box, roll), cards[1]), 1)[0] == best


@pytest.mark.parametrize("seed", range(12))
def test_champion_answers_several_who_play_for_points(seed: int) -> None:
    random = Random(seed)
    position = seated(random, smaller_book(random, random_book), 3)
    card, left, roll = position.card, position.rolls_left, position.roll
    assert roll is not None
    ends = [distribution(each) for each in position.cards[1:]]

    def share(total: int) -> Fraction:
        falls = product(*(each.items() for each in ends))
        parts = (prod(part for _, part in fall) * share_win([total, *(each for each, _ in fall)])[0] for fall in falls)
        return sum(parts, Fraction(0))

    search = Search(card.book, share, additive=False)
    turn, move = Turn(search, card), chosen(position)
    found = turn.keep(move.keep, left) if isinstance(move, Hold) else search.after(card, move.box, roll)
    assert found == turn.best(roll, left)[0]


@pytest.mark.parametrize("seed", range(12))
def test_champion_optimises_this_turn_early(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champion, "MOST_DUEL", -1)
    monkeypatch.setattr(champion, "MOST_PLAN", -1)
    random = Random(seed)
    position = seated(random, smaller_book(random, random_book), 3)
    if all(card.is_full for card in position.cards[1:]):
        return  # then it is a chase
    roll, left = position.roll, position.rolls_left
    assert roll is not None
    slow, move = Slow(position.cards, 0), chosen(position)
    found = slow.held(move.keep, left, True) if isinstance(move, Hold) else slow.scored(roll, move.box)
    assert found[0] == slow.lying(roll, left, True)[0]


def late(*open_boxes: str, **points: int) -> Scorecard:
    rules = book("yahtzee")
    return Scorecard.of(rules, {box.key: 0 for box in rules.boxes if box.key not in open_boxes} | points)


def test_champion_gambles_when_behind_and_plays_for_points_when_decided() -> None:
    mine, roll = late("chance", "large_straight"), Keep((2, 3, 4, 5, 5))
    for ahead in (0, 45, 400):
        theirs = late("fives", small_straight=30 * bool(ahead), sixes=ahead and 18, five_of_a_kind=50 * (ahead > 100))
        position = Position((mine, theirs), 0, roll, 1)
        win, points = chosen(position), bots.bot("perfect", position.book).choose(position)
        share = {each.keep: each.share for each in fd.win(position).advise()}
        if isinstance(win, Hold):
            assert share[win.keep] == max(share.values())
        if max(share.values()) - min(share.values()) < 1e-9:
            assert win == points


def test_champion_alone_is_perfect() -> None:
    random, rules = Random(2), random_book(Random(2))
    for _ in range(20):
        position = random_position(random, rules)
        alone = Position((position.card,), 0, position.dice, position.rolls_left)
        assert chosen(alone) == bots.bot("perfect", rules).choose(alone)
        left = Position(position.cards, position.seat, position.dice, position.rolls_left, out=_others(position))
        assert chosen(left) == bots.bot("perfect", rules).choose(left), "who has left is not there"


def _others(position: Position) -> frozenset[int]:
    return frozenset(range(len(position.cards))) - {position.seat}


def test_champion_without_odds_or_with_saved_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.solver.endings.MOST_KEPT", 0)
    monkeypatch.setattr("fivedice.solver.endings.MOST_STATES", 0)
    rules = book("yatzy")
    position = Position((Scorecard.empty(rules),) * 2, 0, Keep((1, 1, 2, 5, 6)), 2)
    assert champion.turn_to_win(position) is None
    assert chosen(position) == bots.bot("perfect", rules).choose(position)
    monkeypatch.setattr("fivedice.players.bots.entrants.has_values", lambda _: True)
    assert "where rolls are saved" in str(bots.unavailable("champion", book("maxi-yatzy")))
    assert bots.unavailable("champion", book("maxi-yatzy-plain")) is None
    monkeypatch.setattr("fivedice.players.bots.entrants.has_values", lambda _: False)
    assert "best moves are not known" in str(bots.unavailable("champion", book("maxi-yatzy-plain")))


def record_champions(rules: RuleBook, seats: int, seed: int) -> Game:
    """A game of champions on a book of few boxes."""
    game = Game.new(rules, [f"P{number}" for number in range(seats)], dice=fd.dice.seeded(seed))
    while not game.is_over:
        if game.position.chance_moves_next:
            game.roll()
        else:
            game.play(chosen(game.position))
    game.tags |= bots_tag([f"champion/{PLAY}"] * seats)
    return game


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_champion_record_is_replayed(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = random_book(Random(5))
    game = record_champions(rules, seats, 1)
    champion._turn.cache_clear()
    found = replay_bots(game, patient=True)
    assert all(seat.unchecked is None and seat.decisions >= len(rules.boxes) for seat in found)
    solve(rules)
    assert replay_bots(game, patient=False) == found
    monkeypatch.setattr("fivedice.solver.solution.Solution.is_prepared", lambda *_, **__: False)
    assert all("not at hand" in str(seat.about) for seat in replay_bots(game, patient=False))
    monkeypatch.setattr("fivedice.solver.solution.known", lambda _: None)
    assert all("not at hand" in str(seat.about) for seat in replay_bots(game, patient=False))


def test_changed_champion_decision_is_detected() -> None:
    rules = random_book(Random(5))
    game, random = Game.new(rules, ["P0", "P1"], dice=fd.dice.seeded(2)), Random(1)
    while not game.is_over:
        if game.position.chance_moves_next:
            game.roll()
        else:
            game.play(random.choice(list(game.position.choices())))
    game.tags |= bots_tag([f"champion/{PLAY}", ""])
    with pytest.raises(fd.IllegalRecord, match="P0 chose"):
        replay_bots(game, patient=True)


def test_decided_duel_has_an_answer() -> None:
    """Nothing that may still come can change who wins: there is not one lead to work out."""
    position = Position((late("aces"), late("twos", five_of_a_kind=50, sixes=30)), 0, Keep((1, 1, 1, 1, 2)), 1)
    assert fd.win(position).shares == (0.0, 1.0)
    position.check(chosen(position))
    assert isinstance(position.roll, Roll)
