"""The scripts of the score pad judge as the engine does: boxes, points, extras, jokers, reasons, sums, lines, numbers.

What a judgement reads of a card is which boxes are filled, whether the box for all dice alike holds points, and how
many extras were paid. Cards that agree in these are judged alike, and one of each kind that play can lead to is tried.
With the campaign `phone` all rolls are tried on each of them; only in the books of twenty boxes, with a million cards
each, it is those with all dice alike and a share of the others that moves from card to card (CASES=all leaves out
nothing). Otherwise a fixed part is taken: cards that are nearly empty or nearly full and a draw from the others, with
all rolls.

What filled boxes hold matters to sums alone: those are compared on drawn cards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.phone import Phone, attempts
from fivedice.core.dice import rolls
from fivedice.core.game import Scorecard
from fivedice.core.game.card import possible_points
from fivedice.core.rules import SHIPPED, Order, RuleBook, shipped
from long import LONG, examples, few
from rules.houses import ALIKE, CHANCE, box, face_box, load
from rules.second_houses import BY_STEP, COLOURED, RISING, SAVING, STEPPED
from solver.tiny_books import newer_book, random_book, random_card, saving_book

FULL = os.environ.get("FIVEDICE_PHONE", "")
CHUNKS = 32 if FULL else 1  # each of them within the time that a test may take
LARGE = 16  # boxes: beyond, there are hundreds of millions of cases
SHARE = 66  # of the rolls on a card of such a book
DRAWN = 2000 if FULL else examples(50)
BOOKS = 1500 if FULL else 15
SEEDS = range(3 if FULL or LONG else 1)
TWICE = load(  # two boxes of one face: a reason names them only where both are filled
    face_box(1),
    box("more_aces", "m1", "face, face = 1", '"matching"', "upper"),
    face_box(2),
    ALIKE,
    CHANCE,
    """[alike]
box = "five_of_a_kind"
applies = "filled"
ladder = [{ boxes = "lower", worth = "joker" }, { boxes = "any", worth = "zero" }]""",
    head=["dice = 3", "faces = 4"],
    key="twice",
)
HOUSES = {book.key: book for book in (SAVING, STEPPED, RISING, BY_STEP, COLOURED, TWICE)}
KEYS = [*SHIPPED, *HOUSES]
GROUPS = [[key] for key in KEYS] if FULL else [few(KEYS, 4)]  # each of them is one test
EDGE = 1  # boxes that are filled, or open, on a card that is always tried


def masks(book: RuleBook) -> Iterator[int]:
    """The boxes that can be filled, in every way that the order allows."""
    boxes = len(book.boxes)
    if book.order is Order.SHEET:
        yield from ((1 << filled) - 1 for filled in range(boxes + 1))
    elif book.order is Order.UPPER_FIRST:
        yield from (mask for mask in range(1 << boxes) if not mask & ~book.upper or mask & book.upper == book.upper)
    else:
        yield from range(1 << boxes)


def cards(book: RuleBook, mask: int) -> Iterator[Scorecard]:
    """The cards of a mask that are judged differently; what other boxes hold is drawn from what they can hold."""
    random, place = Random(mask), book.alike_box if book.alike is not None else None
    marks = [random.choice(_held(book, box)) if mask >> box & 1 else None for box in range(len(book.boxes))]
    if book.alike is None or place is None or marks[place] is None:
        yield Scorecard(book, tuple(marks))
        return
    for points in (0, max(possible_points(book, place))):
        marks[place] = points
        for bonuses in range(1 + (_most_extras(book, mask) if points else 0)):
            extra = 7 if bonuses and book.alike.pays_by_step else None
            yield Scorecard(book, tuple(marks), bonuses, extra=extra)


def _held(book: RuleBook, place: int) -> list[int]:
    return sorted(possible_points(book, place) | {0})


def _most_extras(book: RuleBook, mask: int) -> int:
    """How many can have been paid, as far as another one would be judged otherwise."""
    policy = book.alike
    if policy is None or not policy.pays_extra:
        return 0
    return min(mask.bit_count() - 1, max(len(policy.extras), policy.most or 0))


def chosen(book: RuleBook, chunk: int) -> Iterator[int]:
    every = list(masks(book))
    if FULL:
        yield from every[chunk::CHUNKS]
        return
    boxes = len(book.boxes)
    edges = [mask for mask in every if not EDGE < mask.bit_count() < boxes - EDGE]
    yield from dict.fromkeys(edges + Random(book.key).sample(every, min(DRAWN, len(every))))


def which(book: RuleBook, mask: int) -> range | list[int]:
    """The rolls to try on a card."""
    every = rolls(book.dice, book.faces)
    if FULL != "1" or len(book.boxes) < LARGE:
        return range(len(every))
    return [number for number, roll in enumerate(every) if roll.alike or (number + mask) % SHARE == 0]


def books(keys: list[str]) -> list[RuleBook]:
    return [HOUSES[key] if key in HOUSES else shipped(key) for key in keys]


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("keys", GROUPS)
def test_every_roll_on_every_kind_of_card(blank: Page, keys: list[str], chunk: int) -> None:
    for book in books(keys):
        phone = Phone(blank, book)
        every = ((card, which(book, mask)) for mask in chosen(book, chunk) for card in cards(book, mask))
        assert phone.rulings(every) == ""
        print(f"{book.key} {chunk}: {phone.compared} judgements compared")  # shown by the campaign `phone`


@pytest.mark.parametrize("keys", GROUPS)
def test_sums_lines_numbers_and_writing(blank: Page, keys: list[str]) -> None:
    for book in books(keys):
        phone, random, every = Phone(blank, book), Random(book.key), rolls(book.dice, book.faces)
        drawn = [Scorecard.empty(book), *(random_card(random, book) for _ in range(DRAWN))]
        assert phone.cards(drawn) == ""
        alike = [roll for roll in every if roll.alike]
        some = [(card, [*alike, *random.sample(every, 2)]) for card in drawn[:: 1 if FULL else 4]]
        tried = (case for card, rolled in some for case in attempts(card, rolled, random.randrange(3)))
        assert phone.writing(tried) == ""
        print(f"{book.key}: {phone.compared} cards and entries compared")


@pytest.mark.parametrize(("make", "seed"), product([random_book, newer_book, saving_book], SEEDS))
def test_random_house_books(blank: Page, make: Any, seed: int) -> None:
    """As odd as the model allows; all kinds of cards, all rolls, and everything about some drawn cards."""
    random, compared = Random(17 * seed), 0
    for number in range(BOOKS):
        drawn = make(random)
        labels = {"upper": "Upper half", "lower": "Lower half"}  # the same words for both would hide a mistake
        book = replace(drawn, key=f"tiny{number % 8}", sheet=replace(drawn.sheet, **labels))
        phone, every = Phone(blank, book), rolls(book.dice, book.faces)
        kinds = ((card, range(len(every))) for mask in masks(book) for card in cards(book, mask))
        assert phone.rulings(kinds) == ""
        some = [random_card(random, book) for _ in range(6)]
        assert phone.cards(some) == ""
        assert phone.writing(case for card in some for case in attempts(card, every, random.randrange(3))) == ""
        compared += phone.compared
    print(f"{make.__name__} {seed}: {compared} judgements, cards and entries compared")
