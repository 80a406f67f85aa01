"""Hints for the win: both measures against fractions, and when the win is mentioned."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from fivedice.coaching.hints import Coaching
from fivedice.coaching.training import AUTO, BEAT, POINTS, WIN, Goal, is_goal, parse_goal
from fivedice.coaching.win_hints import LAST_BOXES, MATTERS, can_win, coach_with_others, compare, stakes
from fivedice.core.dice import Keep, Roll, rolls
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import RuleBook, book
from fivedice.solver import Advice, solve
from fivedice.solver.win import How, Win, WinAdvice
from fivedice.table.refusals import BadRequest
from fivedice.text import say
from for_each import for_each
from solver.fraction_solver import Search, Turn, score_box
from solver.fraction_table import Table
from solver.tiny_books import random_card, tiny_book

SMALL = 60


def small_book(random: Random) -> RuleBook:
    while True:
        rules = tiny_book(random)
        if rules.faces**rules.dice * len(rules.boxes) ** 2 * rules.rolls <= SMALL:
            return rules


def one_game(random: Random, rules: RuleBook) -> tuple[Scorecard, Scorecard]:
    while True:
        one, two = random_card(random, rules), random_card(random, rules)
        if not one.is_full and one.marks.count(None) - two.marks.count(None) in {0, 1}:
            return one, two


@for_each("seed", [*range(60), 80])  # in the last it is decided whatever is rolled
def test_both_measures_match_fractions(seed: int) -> None:
    """Compare both measures and the stated sacrifice with fractions."""
    random = Random(seed)
    rules = small_book(random)
    cards = one_game(random, rules)
    roll, left = random.choice(list(rolls(rules.dice, rules.faces))), random.randrange(rules.rolls)
    found = stakes(Position(cards, 0, Keep(roll.faces), left), solve(rules, cache=False))
    table, known = Table(), dict[object, tuple[Fraction, ...]]()
    search = Search(rules, lambda total: Fraction(total), additive=True)
    turn = Turn(search, cards[0])
    measured = {}
    for each in found.options:
        if each.box is not None:
            share = table.shares((score_box(cards[0], each.box, roll), cards[1]), 1)[0]
            points = search.after(cards[0], each.box, roll)
        else:
            assert each.keep is not None
            share, points = table.keep(cards, 0, each.keep, left, known)[0], turn.keep(each.keep, left)
        measured[each.keep, each.box] = share, points
    to_win = max(measured.values())
    for_points = max((points, share) for share, points in measured.values())
    assert measured[found.best.keep, found.best.box] == to_win
    assert measured[found.by_points.keep, found.by_points.box] == for_points[::-1]
    assert found.agreed == (for_points[1] == to_win[0])
    assert found.given_up == pytest.approx(float(to_win[0] - for_points[1]), abs=1e-12)
    shares = {share for share, _ in measured.values()}
    assert found.decided == ("lost" if shares == {0} else "won" if shares == {1} else None)


def test_ties_in_one_measure_are_broken_by_the_other() -> None:
    """Four keeps by hand: two tie for the win, and the one with more points is named."""
    where = last_chance(28)
    rows = {(6, 6): (0.4, 20.0), (4, 6, 6): (0.4, 21.0), (1, 6, 6): (0.3, 22.0), (1, 1): (0.2, 22.0)}
    shares = [WinAdvice(Keep(keep), None, share, 0.4 - share, share == 0.4) for keep, (share, _) in rows.items()]
    points = [Advice(Keep(keep), None, each, 22.0 - each, each == 22.0) for keep, (_, each) in rows.items()]
    found = compare(where, FakeWin(shares), points)
    assert (found.best.keep, found.by_points.keep) == (Keep((4, 6, 6)), Keep((1, 6, 6)))
    assert found.given_up == pytest.approx(0.1)
    points[1] = Advice(Keep((4, 6, 6)), None, 22.0, 0.0, True)
    agreed = compare(where, FakeWin(shares), points)
    assert agreed.agreed
    assert (agreed.best.keep, agreed.given_up) == (Keep((4, 6, 6)), 0.0)


class FakeWin(Win):
    def __init__(self, shares: list[WinAdvice]) -> None:
        self._shares, self.how = shares, How.PLANNED

    def advise(self) -> list[WinAdvice]:
        return self._shares


DONE = {"aces": 3, "twos": 6, "threes": 9, "fives": 15, "full_house": 25, "small_straight": 30, "large_straight": 40}


def card(**marks: int) -> Scorecard:
    return Scorecard.of(book("yahtzee-plain"), marks)


def position(mine: Scorecard, *others: Scorecard, dice: str = "44166", left: int = 2) -> Position:
    return Position((mine, *others), 0, Keep(Roll.parse(dice).faces), left)


def full(total: int) -> Scorecard:
    """A finished card with this total."""
    straight = 40 if total > 30 else 0
    marks = {box.key: 0 for box in book("yahtzee-plain").boxes}
    return card(**marks | {"large_straight": straight, "chance": total - straight})


def ask_coach(where: Position, goal: Goal) -> Coaching:
    solution = solve(book("yahtzee-plain"))
    return coach_with_others(solution, where, goal, stakes(where, solution))


def last_chance(needed: int) -> Position:
    """Only Chance is open, and the other has finished just so far ahead."""
    mine = card(**{box.key: 0 for box in book("yahtzee-plain").boxes if box.key != "chance"})
    return position(mine, full(needed), dice="11466", left=1)


def test_trailing_player_is_advised_to_gamble() -> None:
    """One roll of the last turn, by hand: for points a four is worth keeping, for 28 it is not."""
    hint = ask_coach(last_chance(28), AUTO)
    assert hint.goal == "win"
    shares = {keep: tail(28 - sum(keep), 5 - len(keep)) for keep in ((6, 6), (4, 6, 6), (1, 6, 6), (6,), ())}
    assert max(shares.values()) == shares[6, 6] == Fraction(7, 216)
    assert shares[4, 6, 6] == Fraction(1, 72)
    assert hint.choices[0].keep == Keep((6, 6))
    assert hint.choices[0].value == pytest.approx(7 / 216, abs=1e-12)
    assert hint.headline == "Keep the two sixes"
    assert hint.because == "You trail by 28 with 1 box left. Odds to win: 3%. For points you would keep 4-6-6: 1%."
    assert hint.beside == "This hint is for the win. Exact: the other player has finished. Ties are split."
    assert ask_coach(last_chance(28), WIN).beside == "Exact: the other player has finished. Ties are split."
    assert hint.fact(hint.choices[0]) == "3% to win"
    assert hint.price(hint.choices[1]).endswith("percentage points")
    assert hint.price(replace(hint.choices[1], cost=0.0004)) == "almost as good"
    assert hint.price(replace(hint.choices[1], cost=0.0006)) == "−0.1 percentage points"
    nearly = ask_coach(last_chance(26), AUTO)
    assert nearly.because == (
        "You trail by 26 with 1 box left. Odds to win: 13%. For points you would keep 4-6-6, almost as likely."
    )
    agreed = ask_coach(last_chance(20), AUTO)
    assert agreed.because.endswith("It is best for points too.")


def tail(needed: int, dice: int) -> Fraction:
    """The share of the win: more than needed wins, the same is half of it."""
    falls = [sum(each.faces) for each in all_rolls(dice)]
    won = sum((Fraction(2 if total > needed else 1 if total == needed else 0, 2) for total in falls), Fraction(0))
    return won / len(falls)


def all_rolls(dice: int) -> list[Keep]:
    found = [tuple[int, ...]()]
    for _ in range(dice):
        found = [(*each, face) for each in found for face in range(1, 7)]
    return [Keep(each) for each in found]


def test_decided_games_get_hints_for_points() -> None:
    lost, won = ask_coach(last_chance(45), AUTO), ask_coach(last_chance(0), AUTO)
    assert (lost.goal, lost.beside) == ("points", "You cannot win any more, so this is for points.")
    assert (won.goal, won.beside) == ("points", "You win with every choice, so this is for points.")
    assert ask_coach(last_chance(45), WIN).goal == "points"


def test_win_is_mentioned_once_it_matters() -> None:
    """By its numbers alone: a share that is given up, or the last boxes."""
    mine = card(**DONE, sixes=18, three_of_a_kind=20)  # four are open
    solution = solve(mine.book)
    seen = set()
    for lead, dice in product((0, 10, 25), ("44166", "12355", "45566")):
        other = mine.write(mine.book.index["chance"], lead, bonus=False)
        where = position(mine, other, dice=dice, left=2)
        found = stakes(where, solution)
        seen.add(found.matters)
        assert found.matters == (found.given_up >= MATTERS and found.decided is None)
        assert (ask_coach(where, AUTO).goal == "win") == found.matters
        if found.decided is None:
            assert ask_coach(where, WIN).goal == "win"
        assert ask_coach(where, POINTS).goal == "points"
    assert seen == {True, False}
    fewer = mine.write(mine.book.index["five_of_a_kind"], 0, bonus=False)
    found = stakes(position(fewer, fewer), solution)
    assert found.boxes == LAST_BOXES
    assert found.matters


def test_win_sentence_and_leavers() -> None:
    hint = ask_coach(last_chance(28), POINTS)
    assert hint.goal == "points"
    assert hint.beside.startswith("To win, keep 6-6: ")
    agreed = ask_coach(last_chance(20), POINTS)
    assert agreed.beside.startswith("Best to win too: ")
    mine = card(**DONE)
    alone = Position((mine, mine), 0, Keep(Roll.parse("44166").faces), 2, out=frozenset({1}))
    assert not can_win(alone)
    three = Position((mine, full(70), mine), 0, Keep(Roll.parse("44166").faces), 2, out=frozenset({1}))
    found = stakes(three, solve(mine.book))
    assert (found.others, found.ahead) == (1, 0)
    assert can_win(three)
    assert not can_win(Position((Scorecard.empty(book("maxi-yatzy")),) * 2, 0, Keep(()), 3)), "rolls are saved there"


@for_each(("typed", "goal"), [("win", WIN), (" Points ", POINTS), ("auto", AUTO), ("beat", BEAT)])
def test_typed_aims_are_parsed(typed: str, goal: Goal) -> None:
    assert parse_goal(typed) == goal
    assert parse_goal(goal.text) == goal


def test_typed_totals_are_parsed() -> None:
    assert parse_goal("275") == Goal("target", 275)
    assert parse_goal("275").text == "275"
    for wrong in ("", "0", "-3", "10000", "٣", "glory", "2.5"):
        assert not is_goal(wrong)
        with pytest.raises(BadRequest, match="Play for points, win or a score such as 275"):
            parse_goal(wrong)


def test_open_boxes_are_counted_where_they_differ() -> None:
    rules = book("yahtzee")
    keys = [box.key for box in rules.boxes]
    own, other = (Scorecard.of(rules, dict.fromkeys(keys[left:], 0)) for left in (2, 1))
    found = stakes(Position((own, other), 0, Keep((1, 1, 2, 3, 4)), 0), solve(rules))
    assert say(found.standing) == "You are level with 2 boxes left. The other player has 1 box left."
    assert say(replace(found, theirs=2).standing) == "You are level with 2 boxes left."
