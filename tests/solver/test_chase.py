"""The best chance of a target: against fractions, the odds of perfect play, and played games."""

import threading
from collections.abc import Callable
from functools import cache
from math import sqrt
from random import Random

import pytest

import fivedice as fd
from fivedice.core.dice import Keep, Roll, rolls
from fivedice.core.game import Scorecard
from fivedice.core.rules import book
from fivedice.errors import IllegalCard, IllegalError, IllegalMove
from fivedice.solver import Solution
from fivedice.solver.chase import Chase, chase
from for_each import for_each
from long import LONG, few
from solver import fraction_solver as exact
from solver.tiny_books import Make, newer_book, random_book, random_card, tiny_book
from support.books import late_cards


@for_each("make", [random_book, newer_book])
@for_each("seed", few(range(60), 8))
def test_chances_of_random_books_match_fractions(seed: int, make: Make) -> None:
    random = Random(seed)
    rules = tiny_book(random, make)
    hunt = chase(rules)
    for card in (Scorecard.empty(rules), random_card(random, rules)):
        target = random.randint(0, hunt.most + 1)
        best = float(exact.chance(card, target))
        assert hunt.chance(card, target) == pytest.approx(best, abs=1e-9)
        assert chase(rules, card=card, most=target).chance(card, target) == pytest.approx(best, abs=1e-9)


@for_each("make", [random_book, newer_book])
@for_each("seed", few(range(60), 8))
def test_chase_advice_matches_fractions(seed: int, make: Make) -> None:
    random = Random(seed)
    rules = tiny_book(random, make)
    card = random_card(random, rules)
    while card.is_full:
        card = random_card(random, rules)
    target = random.randint(card.total, chase(rules, card=card).most)
    search = exact.Search(rules, lambda total: exact.Fraction(total >= target), additive=False)
    turn, hunt = exact.Turn(search, card), chase(rules, card=card, most=target)
    for roll in random.sample(rolls(rules.dice, rules.faces), 3):
        left = random.randrange(rules.rolls)
        advice = hunt.advise(card, roll, left, target)
        worth, _ = turn.best(roll, left)
        assert advice[0].value == pytest.approx(float(worth), abs=1e-9)
        for each in advice:
            value = search.after(card, each.box, roll) if each.box else turn.keep(each.keep or Keep(()), left)
            assert each.value == pytest.approx(float(value), abs=1e-9)
            assert each.best == (value == worth)


@for_each("key", few(["yahtzee", "yardzee", "yatzy", "yatzy-forced", "yahtzee-plain"], 2))
def test_chase_beats_other_strategies_and_falls_with_the_target(key: str, solved: Callable[[str], Solution]) -> None:
    solution = solved(key)
    for card in late_cards(solution.book, 4, 9):
        hunt, odds = chase(solution.book, card=card), solution.odds(card)
        targets = range(card.total, hunt.most + 1)
        chances = [hunt.chance(card, target) for target in targets]
        assert chances[0] == 1
        assert all(0 <= chance <= 1 for chance in chances)
        assert chances == sorted(chances, reverse=True)
        assert all(chance >= odds.at_least(total) - 1e-9 for total, chance in zip(targets, chances, strict=True))


def test_mean_of_best_chase_advice_is_the_chance() -> None:
    rules = book("yahtzee")
    for card in late_cards(rules, 2, 10):
        target = card.total + 60
        hunt = chase(rules, card=card, most=target)
        best = [(fd.dice.ways(roll), hunt.advise(card, roll, 2, target)[0].value) for roll in rolls(5)]
        mean = sum(weight * value for weight, value in best) / 6**5
        assert mean == pytest.approx(hunt.chance(card, target), abs=1e-9)


def test_chase_of_an_earlier_card_answers_later_ones() -> None:
    rules = book("yahtzee")
    for card in late_cards(rules, 3, 9):
        hunt = chase(rules, card=card, most=card.total + 90)
        roll = Roll.parse("55544")
        for box in card.options(roll):
            after = exact.score_box(card, box, roll)
            alone = chase(rules, card=after, most=hunt.most)
            for target in (after.total + 1, after.total + 25, hunt.most):
                assert hunt.chance(after, target) == pytest.approx(alone.chance(after, target), abs=1e-12)


def test_single_precision_is_close_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    card = Scorecard.of(
        book("yahtzee"),
        dict.fromkeys(
            ["aces", "twos", "threes", "fours", "fives", "chance", "full_house", "small_straight", "sixes"]
            + ([] if LONG else ["three_of_a_kind", "four_of_a_kind"]),
            0,
        ),
    )
    exact_one = chase(card.book, card=card, most=270)
    monkeypatch.setattr("fivedice.solver.chase._DOUBLE", 0)
    single = chase(card.book, card=card, most=270)
    assert single.nbytes * 2 == exact_one.nbytes
    chances = [(single.chance(card, target), exact_one.chance(card, target)) for target in range(271)]
    assert max(abs(one - other) for one, other in chances) < 1e-6
    assert [one for one, _ in chances] == sorted((one for one, _ in chances), reverse=True)
    roll = Roll.parse("33566")
    assert single.advise(card, roll, 2, 200)[0].keep == exact_one.advise(card, roll, 2, 200)[0].keep


@for_each("need", few([12, 40, 52], 1))
def test_played_games_confirm_the_chance(need: int) -> None:
    """Played by the engine with the advice of the chase only."""
    rules = book("yahtzee")
    card = Scorecard.of(rules, {box.key: 0 for box in rules.boxes if box.key not in {"large_straight", "sixes"}})
    hunt, random, games = chase(rules, card=card, most=need), Random(need), 2000
    move = advisor(hunt, need)
    wins = sum(play_chase(card, move, random) >= need for _ in range(games))
    chance = hunt.chance(card, need)
    assert abs(wins / games - chance) < 4 * sqrt(chance * (1 - chance) / games)


def advisor(hunt: Chase, target: int) -> Callable[[Scorecard, Roll, int], Keep | str]:
    @cache
    def best(card: Scorecard, roll: Roll, left: int) -> Keep | str:
        advice = hunt.advise(card, roll, left, target)[0]
        return advice.box or advice.keep or Keep(())

    return best


def play_chase(card: Scorecard, move: Callable[[Scorecard, Roll, int], Keep | str], random: Random) -> int:
    while not card.is_full:
        choice: Keep | str = Keep(())
        left = card.book.rolls
        while isinstance(choice, Keep):
            left -= 1
            thrown = (random.randint(1, card.book.faces) for _ in range(card.book.dice - len(choice)))
            roll = Roll((*choice.faces, *thrown))
            choice = move(card, roll, left)
        card = exact.score_box(card, choice, roll)
    return card.total


def test_earned_bonuses_and_full_cards_in_a_chase() -> None:
    rules = book("yatzy")
    marks = {box.key: 0 for box in rules.boxes if box.key != "chance"} | {"sixes": 30, "fives": 25, "fours": 20}
    card = Scorecard.of(rules, marks)
    hunt = chase(rules, card=card)
    assert card.total == 125
    assert hunt.chance(card, 130) == pytest.approx(1, abs=1e-12)  # five dice show five at least
    assert hunt.chance(card, 155) == pytest.approx(float(exact.chance(card, 155)), abs=1e-9)
    assert hunt.chance(card, 156) == 0
    card = Scorecard.of(rules, {box.key: 0 for box in rules.boxes} | {"chance": 20})
    hunt = chase(rules, card=card)
    assert [hunt.chance(card, target) for target in (-3, 20, 21, 5000)] == [1, 1, 0, 0]
    with pytest.raises(IllegalMove):
        hunt.advise(card, Roll.parse("12345"), 0, 20)


def test_unknown_questions_of_a_chase_are_refused() -> None:
    rules = book("yahtzee")
    card, other = late_cards(rules, 2, 10)
    hunt = chase(rules, card=card, most=card.total + 40)
    with pytest.raises(IllegalError, match=f"most={card.total + 41}"):
        hunt.chance(card, card.total + 41)
    with pytest.raises(IllegalCard, match="does not lead"):
        hunt.chance(other, other.total + 1)
    with pytest.raises(IllegalCard, match="Yatzy"):
        hunt.chance(Scorecard.empty(book("yatzy")), 5)
    with pytest.raises(IllegalCard):
        chase(rules, card=Scorecard.empty(book("yatzy")))
    with pytest.raises(IllegalError, match="fuller score sheet"):
        chase(book("maxi-yatzy-plain"))
    assert str(card.total + 40) in repr(hunt)


@for_each("error", [KeyboardInterrupt, ZeroDivisionError])
def test_interruption_stops_all_threads_of_a_chase(error: type[BaseException]) -> None:
    def interrupt(done: int, _total: int) -> None:
        if done:
            raise error

    with pytest.raises(error):
        fd.chase(book("yahtzee"), progress=interrupt)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("fivedice-solver")]


def test_progress_of_a_chase() -> None:
    seen: list[tuple[int, int]] = []
    card = next(late_cards(book("yatzy"), 1, 10))
    chase(card.book, card=card, progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]
    # A total that is reached already, or out of reach, on every card.
    card = next(late_cards(book("yatzy"), 1, 2))
    for target in (card.total, 1000):
        found = chase(card.book, card=card, least=target, most=target, progress=lambda done, total: [done / total])
        assert found.chance(card, target) == (target == card.total)


@for_each("seed", range(10))
def test_fewer_totals_have_the_same_chances(seed: int) -> None:
    random = Random(seed)
    rules = tiny_book(random)
    card = random_card(random, rules)
    whole = chase(rules, card=card)
    least = card.total + random.randint(0, max(1, whole.most - card.total) // 2)
    part = chase(rules, card=card, least=least, most=whole.most)
    for target in range(least, whole.most + 1):
        assert part.chance(card, target) == pytest.approx(whole.chance(card, target), abs=1e-12)
    if least > 0:
        with pytest.raises(IllegalError, match=f"totals from {least} on"):
            part.chance(card, least - 1)
