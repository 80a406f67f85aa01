"""Playing to win: against fractions on tiny books, a chase, and an independent whole game."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from random import Random

import numpy as np
import pytest

import fivedice as fd
from fivedice.core.dice import Keep, Roll, rolls
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import RuleBook, book
from fivedice.core.rules.playability import first_problem
from fivedice.errors import IllegalCard, IllegalError
from fivedice.solver import solve
from fivedice.solver.win import ending
from fivedice.solver.win.opponents import shares, trim_sure_wins
from fivedice.solver.win.plans import Plan
from for_each import for_each
from long import LONG, few, long_only
from solver.fraction_solver import Search, distribution, score_box, throws
from solver.fraction_table import Table, share_win
from solver.tiny_books import Make, newer_book, random_book, random_card, smaller_book, tiny_book


def pair(random: Random, rules: RuleBook) -> tuple[Scorecard, Scorecard]:
    """Cards as in one game: that of the player on turn has as many open boxes as the other, or one more."""
    while True:
        one, two = random_card(random, rules), random_card(random, rules)
        more = one.marks.count(None) - two.marks.count(None)
        if not one.is_full and more in {0, 1}:
            return one, two


@for_each("make", [random_book, newer_book])
@for_each("seed", few(range(30), 5))
def test_two_players_match_fractions(seed: int, make: Make) -> None:
    random = Random(seed)
    rules = smaller_book(random, make)
    table = Table()
    for cards in ((Scorecard.empty(rules),) * 2, pair(random, rules)):
        wanted = table.shares(cards, 0)
        found = fd.win(Position(cards, 0, Keep(()), rules.rolls))
        assert found.exact
        assert found.shares == pytest.approx([float(each) for each in wanted], abs=1e-12)
        assert sum(found.shares) == pytest.approx(1, abs=1e-12)
        roll, left = random.choice(list(rolls(rules.dice, rules.faces))), random.randrange(rules.rolls)
        known = dict[object, tuple[Fraction, ...]]()
        here = fd.win(Position(cards, 0, Keep(roll.faces), left))
        assert here.shares[0] == pytest.approx(float(table.best(cards, 0, roll, left, known)[0]), abs=1e-12)
        for each in here.advise():
            if each.keep is not None:
                assert each.share == pytest.approx(float(table.keep(cards, 0, each.keep, left, known)[0]), abs=1e-12)
        assert here.advise()[0].loss == 0


@for_each("seed", range(20))
def test_any_utility_matches_fractions(seed: int) -> None:
    random = Random(seed)
    rules = tiny_book(random)
    worth = [random.randint(-9, 9) for _ in range(random.randint(5, 60))]
    for card in (Scorecard.empty(rules), random_card(random, rules)):
        search = Search(rules, lambda total: Fraction(worth[min(total, len(worth) - 1)]), additive=False)
        assert Plan(card, worth).value() == pytest.approx(float(search.worth(card)), abs=1e-10)


@for_each("seed", few(range(12), 5))
def test_blind_optimum_and_ceiling_match_fractions(seed: int) -> None:
    random = Random(seed)
    rules = tiny_book(random)
    empty, odds = Scorecard.empty(rules), solve(rules, cache=False).odds()
    others = distribution(empty)

    def share(total: int) -> Fraction:
        falls = product(others.items(), repeat=2)
        return sum((one * two * share_win([total, left, right])[0] for (left, one), (right, two) in falls), Fraction(0))

    wanted = Search(rules, cache(share), additive=False).worth(empty)
    blind = fd.best_response(rules, field=[odds, odds])
    assert blind.share == pytest.approx(float(wanted), abs=1e-12)
    bound = sum(
        (
            chance * Search(rules, lambda total, s=total: share_win([total, s])[0], additive=False).worth(empty)  # type: ignore[misc]
            for total, chance in others.items()
        ),
        Fraction(0),
    )
    assert fd.ceiling(rules, field=odds) == pytest.approx(float(bound), abs=1e-12)
    assert fd.ceiling(rules, field=odds) >= fd.best_response(rules, field=[odds]).share - 1e-12


@for_each("make", few([random_book, newer_book], 1))
@for_each("seed", few(range(12), 1))
def test_three_players_in_fixed_order_match_fractions(seed: int, make: Make) -> None:
    """To the last digit, so who cannot win any more chooses alike too."""
    random = Random(seed)
    while True:
        rules = replace(smaller_book(random, make), fixed_order=True, upper_first=False)
        if 1 < len(rules.boxes) <= (3 if LONG else 2) and first_problem(rules) is None:
            break
    wanted = Table().shares((Scorecard.empty(rules),) * 3, 0)
    found = fd.equilibrium(rules, players=3)
    assert found.shares == pytest.approx([float(each) for each in wanted], abs=1e-12)
    assert sum(found.shares) == pytest.approx(1, abs=1e-12)


def late(key: str, *open_boxes: str) -> Scorecard:
    rules = book(key)
    marks = {box.key: 0 for box in rules.boxes if box.key not in open_boxes}
    return Scorecard.of(rules, marks | {"sixes": 18} if "sixes" in marks else marks)


@for_each("chance", [5, 12, 30])
def test_finished_opponent_means_a_chase_with_half_ties(chance: int) -> None:
    card = late("yahtzee", "fives", "large_straight", "chance")
    rules = card.book
    marks = {"sixes": 18, "chance": chance, "small_straight": 30}
    other = Scorecard.of(rules, {box.key: 0 for box in rules.boxes} | marks)
    found = fd.win(Position((other, card), 1, Keep(()), 3))
    hunt = fd.chase(rules, card=card, most=other.total + 1)
    more, level = hunt.chance(card, other.total + 1), hunt.chance(card, other.total)
    assert found.exact
    assert more - 1e-12 <= found.shares[1] <= level + 1e-12
    worth = [0.0] * other.total + [0.5, 1.0]
    assert found.shares[1] == pytest.approx(Plan(card, worth).value(), abs=1e-12)


def test_utilities_of_points_and_steps() -> None:
    card = late("yatzy", "fives", "chance", "full_house", "two_pairs")
    solution = solve(card.book)
    assert Plan(card, np.arange(500)).value() == pytest.approx(card.total + solution.value(card), abs=1e-9)
    hunt = fd.chase(card.book, card=card, most=80)
    for target in (40, 60, 80):
        step = [0.0] * target + [1.0]
        assert Plan(card, step).value() == pytest.approx(hunt.chance(card, target), abs=1e-12)
        assert Plan(card, step).advise(card, Roll.parse("44126"), 2)[0].value == pytest.approx(
            hunt.advise(card, Roll.parse("44126"), 2, target)[0].value, abs=1e-12
        )


def test_winning_play_is_never_worse_than_points() -> None:
    mine, theirs = late("yahtzee", "fives", "chance", "full_house"), late("yahtzee", "fours", "chance", "aces")
    solution = solve(mine.book)
    for seat in (0, 1):
        position = Position((mine, theirs) if seat == 0 else (theirs, mine), 0, Keep(()), 3)
        found, race = fd.win(position), fd.race(position, solution)
        assert found.exact
        assert sum(found.shares) == pytest.approx(1, abs=1e-12)
        assert found.shares[0] != pytest.approx(race.players[0].share, abs=1e-6)
    blind = fd.best_response(mine.book, field=[ending(solution, theirs)], card=mine)
    assert blind.share >= fd.race(Position((mine, theirs), 0, Keep(()), 3), solution).players[0].share


def test_early_answers_are_marked_as_planned() -> None:
    cards = tuple(late("yahtzee", each) for each in ("three_of_a_kind", "chance", "four_of_a_kind"))
    position = Position(cards, 1, Keep((4, 4, 1, 2, 6)), 1)
    found = fd.win(position)
    assert not found.exact
    assert sum(found.shares) == pytest.approx(1, abs=1e-12)
    assert found.shares[1] == found.advise()[0].share
    for one, other in zip(found.shares, _follow_plan(position), strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    two = Position(cards[:2], 1, Keep((4, 4, 1, 2, 6)), 1)
    assert not fd.win(two, most=0).exact
    assert fd.win(two).exact


def _follow_plan(position: Position) -> tuple[float, ...]:
    """Return the shares of all seats by playing the plan to the end."""
    solution, seat = solve(position.book), position.seat
    ends = [ending(solution, card) for place, card in enumerate(position.cards) if place != seat]
    plan = Plan(position.card, shares(ends))
    found = np.zeros(len(position.cards))
    for total, chance in _final_totals(plan, position.card, position.roll, position.rolls_left).items():
        for falls in product(*(each.items() for each in ends)):
            totals = [other for other, _ in falls]
            each = share_win([*totals[:seat], total, *totals[seat:]])
            found += chance * prod(part for _, part in falls) * np.array([float(share) for share in each])
    return tuple(found.tolist())


def _final_totals(plan: Plan, card: Scorecard, roll: Roll | None, left: int) -> dict[int, float]:
    """Final totals and their chances if every move is the first of the plan's advice."""
    if card.is_full:
        return {card.total: 1.0}
    found: dict[int, float] = {}
    if roll is None:
        parts = [(float(chance), fall, left - 1) for fall, chance in throws(card.book, Keep(()))]
    else:
        best = plan.advise(card, roll, left)[0]
        if best.box is not None:
            return _final_totals(plan, score_box(card, best.box, roll), None, card.book.rolls)
        parts = [(float(chance), fall, left - 1) for fall, chance in throws(card.book, best.keep or Keep(()))]
    for chance, fall, rest in parts:
        for total, part in _final_totals(plan, card, fall, rest).items():
            found[total] = found.get(total, 0.0) + chance * part
    return found


def test_settled_games_and_refused_questions() -> None:
    full = Scorecard.of(book("yahtzee"), {box.key: 0 for box in book("yahtzee").boxes})
    found = fd.win(Position((full, full), 0, Keep(()), 3))
    assert (found.shares, found.exact, found.advise()) == ((0.5, 0.5), True, [])
    with pytest.raises(IllegalError, match="too many states"):
        fd.equilibrium(book("yahtzee"))
    with pytest.raises(IllegalError, match="two or three players, not for 7"):
        fd.equilibrium(book("yatzy-forced"), players=7)
    with pytest.raises(IllegalError, match="saves rolls"):
        fd.equilibrium(book("maxi-yatzy"))
    card = late("yatzy", "chance")
    with pytest.raises(IllegalCard):
        Plan(card, [0.0, 1.0]).value(Scorecard.empty(card.book))


def test_worth_of_a_total_among_opponents() -> None:
    field = [{3: 0.5, 5: 0.5}, {5: 1.0}]
    assert shares(field).tolist() == pytest.approx([0, 0, 0, 0, 0, 0.5 * 0.5 + 0.5 / 3, 1])
    assert trim_sure_wins(np.array([0.0, 0.5, 1 - 1e-9, 1.0]), 1e-7).tolist() == [0.0, 0.5, 1.0]
    assert shares([]).tolist() == [1.0]


class SecondProgram:
    """Yatzy in the order of the sheet, two players, both to win: keeps times rolls as one matrix, points by hand."""

    def __init__(self) -> None:
        self.rolls = list(combinations_with_replacement(range(1, 7), 5))
        self.keeps = [keep for size in range(6) for keep in combinations_with_replacement(range(1, 7), size)]
        number = {roll: place for place, roll in enumerate(self.rolls)}
        self.falls = np.zeros((len(self.keeps), len(self.rolls)))
        for place, keep in enumerate(self.keeps):
            for thrown in combinations_with_replacement(range(1, 7), 5 - len(keep)):
                ways = factorial(len(thrown)) // prod(factorial(thrown.count(face)) for face in range(1, 7))
                self.falls[place, number[tuple(sorted(keep + thrown))]] += ways / 6 ** len(thrown)
        self.inside = [[place for place, keep in enumerate(self.keeps) if lies_in(keep, roll)] for roll in self.rolls]

    def turn(self, leaf: np.ndarray) -> np.ndarray:
        """[rolls, lanes] to [lanes]."""
        best = leaf
        for _ in range(2):
            keeps = self.falls @ best
            best = np.stack([keeps[inside].max(axis=0) for inside in self.inside])
        found: np.ndarray = self.falls[0] @ best
        return found

    def share(self) -> float:
        """Of the one who begins. Lanes are the leads of the one on turn, from -HALF on."""
        half = 500
        leads = np.arange(-half, half + 1)
        value = np.where(leads > 0, 1.0, np.where(leads == 0, 0.5, 0.0))
        for points in reversed(list(self.lower())):
            for _ in range(2):
                value = self.turn(np.stack([1.0 - self.moved(value, -1, score) for score in points]))
        upper = {(one, two): 0.0 for one in range(106) for two in range(106)}
        for one, two in upper:
            upper[one, two] = float(value[half + one - two + 50 * ((one >= 63) - (two >= 63))])
        grid = np.array([[upper[one, two] for two in range(106)] for one in range(106)])
        for face in range(6, 0, -1):
            for _ in range(2):
                leaves = []
                for roll in self.rolls:
                    score = face * roll.count(face)
                    rows = np.minimum(np.arange(106) + score, 105)
                    leaves.append(1.0 - grid.T[rows, :])  # the other is on turn: rows are theirs
                grid = self.turn(np.stack(leaves).reshape(len(self.rolls), -1)).reshape(106, 106)
        return float(grid[0, 0])

    def moved(self, value: np.ndarray, sign: int, score: int) -> np.ndarray:
        """Return the opponent's share after the score, with the lead reversed."""
        half = len(value) // 2
        leads = sign * (np.arange(-half, half + 1) + score)
        found: np.ndarray = value[np.clip(leads + half, 0, len(value) - 1)]
        return found

    def lower(self) -> Iterator[list[int]]:
        counts = [{face: roll.count(face) for face in set(roll)} for roll in self.rolls]
        pairs = [sorted((face for face, count in each.items() if count >= 2), reverse=True) for each in counts]
        yield [2 * each[0] if each else 0 for each in pairs]
        yield [2 * sum(each[:2]) if len(each) > 1 else 0 for each in pairs]
        for size in (3, 4):
            yield [max((size * face for face, count in each.items() if count >= size), default=0) for each in counts]
        yield [15 if roll == (1, 2, 3, 4, 5) else 0 for roll in self.rolls]
        yield [20 if roll == (2, 3, 4, 5, 6) else 0 for roll in self.rolls]
        yield [
            sum(roll) if sorted(each.values()) == [2, 3] else 0 for roll, each in zip(self.rolls, counts, strict=True)
        ]
        yield [sum(roll) for roll in self.rolls]
        yield [50 if len(each) == 1 else 0 for each in counts]


def lies_in(keep: tuple[int, ...], roll: tuple[int, ...]) -> bool:
    return all(keep.count(face) <= roll.count(face) for face in set(keep))


@long_only
def test_fixed_order_yatzy_by_two_programs() -> None:
    rules = book("yatzy-forced")
    found = fd.equilibrium(rules, players=2)
    assert sum(found.shares) == pytest.approx(1, abs=1e-12)
    assert found.shares[0] == pytest.approx(SecondProgram().share(), abs=1e-10)
    assert found.shares[0] == pytest.approx(0.4954427296, abs=1e-10)
    empty = Scorecard.empty(rules)
    start = fd.win(Position((empty, empty), 0, Keep(()), 3))
    assert (start.exact, start.shares) == (True, pytest.approx(found.shares, abs=1e-12))


def test_plans_refuse_a_card_of_another_book() -> None:
    """The card decides what is computed, so a card of other rules would answer another question."""
    other = fd.Scorecard.empty("yatzy")
    with pytest.raises(fd.IllegalCard, match="Yatzy"):
        fd.best_response("crag", field=[{100: 1.0}], card=other)
    with pytest.raises(fd.IllegalCard, match="Yatzy"):
        fd.ceiling("crag", field={100: 1.0}, card=other)
