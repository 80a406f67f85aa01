"""Changed rules, late cards, and turns computed in fractions."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random

import fivedice as fd
from fivedice.core.dice import Keep, Roll
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from solver.fraction_solver import Search, Turn, distribution, keeps_inside, score_box, throws
from solver.fraction_table import share_win
from solver.tiny_books import Make, random_card, tiny_book

LATE = 8  # filled boxes from which on odds are a matter of milliseconds


def late_cards(rules: RuleBook, count: int, filled: int = LATE) -> Iterator[Scorecard]:
    random = Random(rules.key)
    while count:
        card = random_card(random, rules)
        if len(rules.boxes) > card.filled.bit_count() >= filled:
            count -= 1
            yield card


Shares = tuple[Fraction, ...]


class Slow:
    """Compute a turn in fractions, after which all players play for points."""

    def __init__(self, cards: tuple[Scorecard, ...], seat: int) -> None:
        self.cards, self.seat, self.card = cards, seat, cards[seat]
        self.points = Turn(Search(self.card.book, Fraction, additive=True), self.card)
        self.ends = [distribution(card) for card in cards]
        self.scored = cache(self._scored)
        self.held = cache(self._held)

    def _scored(self, roll: Roll, box: str) -> Shares:
        ends = list(self.ends)
        ends[self.seat] = distribution(score_box(self.card, box, roll))
        found = [Fraction(0)] * len(ends)
        for falls in product(*(each.items() for each in ends)):
            each = share_win([total for total, _ in falls])
            found = [old + prod(part for _, part in falls) * new for old, new in zip(found, each, strict=True)]
        return tuple(found)

    def _held(self, keep: Keep, left: int, to_win: bool) -> Shares:
        falls = throws(self.card.book, keep)
        parts = [(chance, self.lying(roll, left - 1, to_win)) for roll, chance in falls]
        return tuple(
            sum((chance * part[place] for chance, part in parts), Fraction(0)) for place in range(len(self.cards))
        )

    def lying(self, roll: Roll, left: int, to_win: bool) -> Shares:
        if not to_win:
            choice = self.points.best(roll, left)[1]
            return self.held(choice, left, False) if isinstance(choice, Keep) else self.scored(roll, choice)
        options = [self.scored(roll, box) for box in self.card.options(roll)]
        if left:
            options += [self.held(keep, left, True) for keep in keeps_inside(roll.faces)[1:]]
        return max(options, key=lambda each: each[self.seat])


def smaller_book(random: Random, make: Make) -> RuleBook:
    while True:
        rules = tiny_book(random, make)
        if rules.faces**rules.dice * len(rules.boxes) ** 2 * rules.rolls <= 60:
            return rules


REVERSED = ", ".join(f'"{box.key}"' for box in reversed(fd.book("yahtzee").boxes))


COSMETIC = (
    'name = "Kniffel"',
    'key = "our-kniffel"',
    'summary = "Other words."',
    'source = "My aunt."',
    "variant = false",
    'boxes.aces.name = "Einser"',
    'boxes.chance.code = "xx"',
    'alike.name = "Extra"',
    "sheet.columns = 2",
    'sheet.layout = "players"',
    "notes.solo = false",
    'notes.chips.text = "Plenty."',
    f"sequence = [{REVERSED}]",
)


PLAY = (
    "rolls = 4",
    "bonus.threshold = 62",
    "bonus.points = 36",
    'start = "draw"',
    "alike.extra = 50",
    "alike.repeat = false",
    'alike.applies = "scored"',
    'alike.ladder = [{ boxes = "any", worth = "joker" }]',
    "boxes.full_house.points = 26",
    "boxes.full_house.same_face = true",
    "boxes.small_straight.length = 3",
    'boxes.chance.section = "upper"',
    "boxes.large_straight = false",
    'boxes.four_of_a_kind.points = "matching"',
)


# Some say one thing in two ways, so they are not mixed with each other.
MORE_PLAY = (
    'boxes.chance.points = "5 + all"',
    'order = "upper_first"',
    "save_rolls = true",
    "bonus.tiers = [{ from = 63, points = 35 }, { from = 71, points = 55 }]",
    'bonuses.low = { name = "Low", section = "lower", threshold = 100, points = 50 }',
    "alike.extra = [100, 200]",
    "alike.at_most = 3",
    'alike.ladder = [{ boxes = "any", worth = "wild" }]',
    'alike.ladder = [{ boxes = "any", worth = "joker", extra = 0 }]',
)
