"""Decision nodes of all kinds: random cards, many of them with all dice alike and the joker rules in force."""

from random import Random

from fivedice.core.dice import Keep, rolls
from fivedice.core.game import Position, Scorecard
from fivedice.core.rules import RuleBook
from solver.tiny_books import random_card


def random_position(random: Random, book: RuleBook) -> Position:
    """One or two seats, dice on the table; half of the time all alike."""
    cards = tuple(_unfinished(random, book) for _ in range(random.randint(1, 2)))
    alike = (random.randint(1, book.faces),) * book.dice
    dice = alike if random.random() < 0.5 else random.choice(rolls(book.dice, book.faces)).faces
    return Position(cards, random.randrange(len(cards)), Keep(dice), random.randrange(book.rolls))


def _unfinished(random: Random, book: RuleBook) -> Scorecard:
    while True:
        card = random_card(random, book)
        if not card.is_full:
            return card
