"""Reasons for the best choice are true by independent numbers."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import compress, product
from random import Random

import pytest

from fivedice import Keep, Roll, Scorecard, book
from fivedice.coaching.hints import Choice, Coaching, coach, wanted_dice
from fivedice.core.dice import rolls
from fivedice.core.notation import read_card
from fivedice.core.rules import Box, RuleBook
from fivedice.message import Chance, Either
from fivedice.solver import Solution, solve
from fivedice.solver.bonus import bonus_chances
from for_each import for_each
from long import LONG, few
from solver.tiny_books import random_card, tiny_book

ALL = 1000
NEAR = 1e-9


@cache
def solved(key: str) -> Solution:
    return solve(book(key))


class Told:
    """The coach's hint for a roll, and slow answers to the same questions."""

    def __init__(self, solution: Solution, card: Scorecard, roll: Roll, rolls_left: int) -> None:
        self.card, self.roll, self.rolls_left = card, roll, rolls_left
        self.found: Coaching = coach(solution, card, roll, rolls_left, best=ALL, bonuses=bonus_chances(solution))
        self.best, self.others = self.found.choices[0], self.found.choices[1:]
        self.boxes = [choice for choice in self.found.choices if choice.box is not None]

    @property
    def args(self) -> dict[str, object]:
        return dict(self.found.reason.args)

    def sought(self, is_wanted: Callable[[Roll], bool], rolls_left: int) -> dict[Keep, float]:
        """Return the chance of a wanted roll for a player who plays for it alone, for each keep."""

        @cache
        def after(kept: Keep, left: int) -> float:
            fallen = throws(self.card.book.faces, self.card.book.dice - len(kept.faces))
            return sum(part * of(Roll((*kept.faces, *dice)), left - 1) for dice, part in fallen)

        @cache
        def of(roll: Roll, left: int) -> float:
            return max(after(each, left) for each in keeps(roll)) if left else float(is_wanted(roll))

        return {each: after(each, rolls_left) for each in keeps(self.roll)}


@cache
def throws(faces: int, dice: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Yield the outcomes of that many dice with their chances."""
    found = Counter(tuple(sorted(fallen)) for fallen in product(range(1, faces + 1), repeat=dice))
    return tuple((fallen, count / found.total()) for fallen, count in found.items())


@cache
def keeps(roll: Roll) -> list[Keep]:
    return list(dict.fromkeys(Keep(tuple(compress(roll.faces, mask))) for mask in product((0, 1), repeat=len(roll))))


def shows(told: Told, box: Box) -> Callable[[Roll], bool]:
    count = wanted_dice(told.card.book, box)
    bar = 1 if count is None else count * box.pattern.face  # type: ignore[attr-defined]

    def is_wanted(roll: Roll) -> bool:
        entry = told.card.options(roll).get(box.key)
        return entry is not None and entry.points >= bar

    return is_wanted


def wanted(told: Told) -> Callable[[Roll], bool]:
    aim = told.found.reason.aim
    assert aim is not None
    return (lambda roll: roll.alike is not None) if aim.box is None else shows(told, told.card.book.box(aim.box))


def is_best_for_the_bonus(told: Told) -> bool:
    assert told.best.bonus is not None
    return all(other.bonus is not None and other.bonus <= told.best.bonus + NEAR for other in told.others)


def is_one_die_short(told: Told) -> bool:
    """With each face that is named, and with no other, the box scores whatever the rest shows."""
    keep, box, faces = told.best.keep, told.args["box"], told.args["faces"]
    assert keep is not None
    assert isinstance(box, Box)
    assert isinstance(faces, Either)

    def always(face: int) -> bool:
        rest = product(range(1, told.card.book.faces + 1), repeat=told.card.book.dice - len(keep.faces) - 1)
        entries = [told.card.options(Roll((*keep.faces, face, *dice))).get(box.key) for dice in rest]
        return all(entry is not None and entry.points > 0 for entry in entries)

    return {face for face in range(1, told.card.book.faces + 1) if always(face)} == set(faces.items)


def has_best_odds(told: Told) -> bool:
    keep = told.best.keep
    assert keep is not None
    if wanted(told)(told.roll):
        return False
    chances = told.sought(wanted(told), told.rolls_left)
    return chances[keep] >= max(chances[each] for each in keeps(told.roll)[:-1]) - NEAR


def is_certain(told: Told) -> bool:
    aim = told.found.reason.aim
    assert aim is not None
    return chance_in(told.best, aim.box) == pytest.approx(1.0)


def is_likely(told: Told) -> bool:
    aim, chance = told.found.reason.aim, told.args["chance"]
    assert aim is not None
    assert isinstance(chance, Chance)
    return chance.value == pytest.approx(chance_in(told.best, aim.box))


def chance_in(choice: Choice, box: str | None) -> float:
    return sum(aim.chance for aim in choice.aims if aim.box == box and aim.kind in {"score", "extra"})


def is_there_and_counts_further(told: Told) -> bool:
    face, box = told.args["face"], told.args["box"]
    assert isinstance(box, Box)
    assert isinstance(face, int)
    return wanted(told)(told.roll) and box.plain((face,) * 2) == 2 * face


def points(told: Told, choice: Choice) -> int:
    entry = told.card.options(told.roll)[choice.box or ""]
    return entry.points + entry.bonus


def cannot_be_more(told: Told) -> bool:
    key = told.best.box or ""
    every = rolls(told.card.book.dice, told.card.book.faces)
    most = max(told.card.book.worth(roll).joker[told.card.book.index[key]] for roll in every)
    return told.card.options(told.roll)[key].points == most


def pays_more(told: Told) -> bool:
    box = told.args["box"]
    assert isinstance(box, Box)
    other = next(each for each in told.boxes if each.box == box.key)
    return points(told, told.best) - points(told, other) == told.args["count"]


def later(told: Told, choice: Choice) -> float:
    return choice.value - points(told, choice)


def saves_all(told: Told) -> bool:
    return all(later(told, told.best) >= later(told, other) - NEAR for other in told.boxes)


def saves(told: Told) -> bool:
    box = told.args["box"]
    assert isinstance(box, Box)
    return later(told, told.best) > later(told, next(each for each in told.boxes if each.box == box.key))


TRUE: dict[str, Callable[[Told], bool]] = {
    "only": lambda told: not told.others,
    "any": lambda told: all(choice.cost == 0 for choice in told.others),
    "bonus": is_best_for_the_bonus,
    "one-die": is_one_die_short,
    "further": is_there_and_counts_further,
    "aim": has_best_odds,
    "safe": is_certain,
    "likely": is_likely,
    "roll-all": lambda told: told.best.keep == Keep(()) and told.best.cost == 0,
    "full": cannot_be_more,
    "stop": lambda told: (
        told.best.box is not None and all(other.cost > 0 for other in told.others if other.keep is not None)
    ),
    "pays-most": lambda told: all(points(told, told.best) >= points(told, other) for other in told.boxes),
    "more-now": pays_more,
    "least": lambda told: points(told, told.best) == 0 and saves_all(told),
    "saves": saves,
    "saves-all": saves_all,
    "average": lambda told: told.best.cost == 0,
}

SITUATIONS = {
    ("yahtzee-plain", "-", "44126", 2): ("aim", "Best chance for 3 or more Fours."),
    ("yahtzee-plain", "-", "44126", 0): ("saves-all", "Your other boxes are worth more later."),
    ("yahtzee-plain", "-", "23456", 2): ("full", "That is the most this box can score."),
    ("yahtzee-plain", "-", "34456", 1): ("one-die", "A 2 makes Lg. Straight."),
    ("yahtzee-plain", "ss:30", "23446", 1): ("aim", "Best chance for 3 or more Fours."),
    ("yahtzee-plain", "1s:3,2s:6,3s:9,5s:20", "33666", 1): ("further", "Every further 6 counts in Sixes."),
    ("yahtzee-plain", "fh:25,3k:20", "33555", 1): ("bonus", "Best chance for your upper bonus."),
    ("yahtzee-plain", "ch:20,3k:20,4k:20", "11355", 0): ("saves-all", "Your other boxes are worth more later."),
    ("yatzy", "-", "11266", 0): ("more-now", "10 points more than in Ones."),
    ("yahtzee-plain", "2s:6,4s:12,3k:20,4k:0,6s:18", "22446", 1): ("one-die", "A 2 or 4 makes Full House."),
    ("yardzee", "1s:3,2s:6,3s:9,ch:20", "22446", 0): ("pays-most", "No other box scores more now."),
    ("yahtzee-classic", "yz:50,4s:12", "44443", 1): ("aim", "Best chance for another Yahtzee (+100)."),
}


@for_each("case", few(SITUATIONS, 3), ids=lambda case: " ".join(map(str, case)))
def test_stated_reasons_are_true(case: tuple[str, str, str, int]) -> None:
    key, sheet, dice, rolls_left = case
    told = Told(solved(key), read_card(sheet, book(key)), Roll.parse(dice), rolls_left)
    assert (told.found.reason.kind, told.found.because) == SITUATIONS[case]
    assert TRUE[told.found.reason.kind](told)


def situations(rules: RuleBook, random: Random) -> tuple[Scorecard, Roll, int]:
    card = random_card(random, rules)
    if card.is_full:
        card = Scorecard.empty(rules)
    roll = Roll(tuple(random.randint(1, rules.faces) for _ in range(rules.dice)))
    return card, roll, random.randrange(rules.rolls)


@for_each("number", few(range(60), 15))
def test_no_false_reason_for_any_rules(number: int) -> None:
    random = Random(number)
    rules = tiny_book(random)
    solution = solve(rules)
    for _ in range(4):
        told = Told(solution, *situations(rules, random))
        assert TRUE[told.found.reason.kind](told), told.found.sentence


@for_each("key", few(["yahtzee", "yatzy", "yardzee"], 1))
def test_no_false_reason_for_second_model_books(key: str) -> None:
    """The odds for those who go for a roll are counted by the thousand here, so they are asked for late in a turn."""
    random, kinds = Random(key), set()
    for _ in range(100 if LONG else 15):
        card, roll, rolls_left = situations(book(key), random)
        told = Told(solved(key), card, roll, min(rolls_left, 1))
        assert TRUE[told.found.reason.kind](told), told.found.sentence
        kinds.add(told.found.reason.kind)
    assert len(kinds) >= (9 if LONG else 6), kinds


def test_facts_match_their_reason() -> None:
    told = Told(solved("yahtzee-plain"), Scorecard.empty(book("yahtzee-plain")), Roll.parse("44126"), 2).found
    facts = [told.fact(choice) for choice in told.choices[:3]]
    assert facts[0] == "scores 3 or more Fours: 47%"
    assert all(fact.startswith("scores 3 or more Fours: ") for fact in facts)
