"""How large a book is to solve, and what its solution can answer: from its data alone, before anything is solved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import comb, prod

from fivedice.core.rules import RuleBook

LONG_WORK = 5e9  # rows of the lattice times states: beyond this a solution takes more than a few seconds
MOST_WORK = 1e11  # beyond this a solution takes minutes
MOST_STATES = 1 << 27  # of eight bytes each: a gigabyte
MOST_CHASE = 1_000_000  # rows times cards that may follow: about eight seconds and 150 MB
MOST_MEMORY = 1 << 32  # bytes: beyond this nothing is solved
MOST_SUMS = 1 << 12  # totals of further bonuses that a solution distinguishes
MOST_ON_A_PHONE = 1 << 22  # states whose values a phone may fetch: about 2 MB, and 20 MB of its memory
_KEPT = 2  # where rolls are saved, about half of the totals are impossible or no longer matter, and are left out
_PACE = 2.5e9  # work per second, on two cores
_AT_ONCE = 60  # seconds


class Answers(StrEnum):
    """What the solution of a book can answer."""

    ODDS = "odds"  # exact values, and the odds of every total
    VALUES = "values"  # exact values alone
    NOTHING = "nothing"  # there is none: the book is too large


@dataclass(frozen=True, slots=True)
class SolveCost:
    """Upper bounds for solving a book; the first solution of an installation takes half a minute more, to compile."""

    answers: Answers
    states: int
    work: int
    seconds: float  # on two cores
    memory: int  # bytes during the work
    stored: int  # bytes of the solution

    @property
    def takes_minutes(self) -> bool:
        return self.seconds > _AT_ONCE


def estimate(book: RuleBook) -> SolveCost:
    """Estimate what solving this book takes and can answer."""
    memory = _memory(book)
    answers = Answers.VALUES if book.save_rolls else Answers.ODDS
    if memory > MOST_MEMORY or _sums(book) > MOST_SUMS:
        answers = Answers.NOTHING
    size = 4 // _KEPT if book.save_rolls else 8
    return SolveCost(answers, states(book), work(book), work(book) / _PACE, memory, size * states(book))


def states(book: RuleBook) -> int:
    """Return how many numbers the table of values has at most."""
    return sum(cards * (1 + _count_saved(book, filled)) for filled, cards in _every_mask(book)) * _lanes_and_flags(book)


def work(book: RuleBook) -> int:
    """Return the work of solving: rows of the lattice times states, and where rolls are saved, times the rolls."""
    rolls = max(1, book.rolls - 1)
    turns = sum(cards * (rolls + _count_saved(book, filled)) for filled, cards in _masks(book))
    return comb(book.dice + book.faces, book.dice) * _lanes_and_flags(book) * turns // rolls


def takes_long(book: RuleBook) -> bool:
    """Return whether solving the book takes more than a few seconds."""
    return work(book) > LONG_WORK


def too_large(book: RuleBook) -> bool:
    """Return whether players should not wait for this book to be solved; `solve` refuses only for lack of memory."""
    return states(book) > MOST_STATES or work(book) > MOST_WORK or estimate(book).answers is Answers.NOTHING


def fits_a_phone(book: RuleBook) -> bool:
    """Return whether a phone may fetch the values of a book. With saved rolls there are far too many."""
    return estimate(book).answers is Answers.ODDS and states(book) <= MOST_ON_A_PHONE


def has_odds(book: RuleBook) -> bool:
    """Return whether the odds of totals are available wherever values are."""
    return estimate(book).answers is not Answers.VALUES


def chase_takes_long(book: RuleBook, open_boxes: int) -> bool:
    """Return whether players should not wait for a chase from a card with this many open boxes."""
    cards = open_boxes + 1 if book.fixed_order else 1 << open_boxes
    flags = (1 if book.alike is None else 2) * _sums(book)
    return comb(book.dice + book.faces, book.dice) * cards * flags > MOST_CHASE


def _memory(book: RuleBook) -> int:
    """Return the bytes of the whole table; where rolls are saved, of two layers without totals that are left out."""
    layers = [
        cards * (1 + _count_saved(book, filled)) * _lanes_and_flags(book) * 8 for filled, cards in _every_mask(book)
    ]
    return max(map(sum, pairwise(layers))) // _KEPT if book.save_rolls else sum(layers)


def _every_mask(book: RuleBook) -> list[tuple[int, int]]:
    """Return how many sets of 0, 1, ... boxes there are."""
    return [(filled, comb(len(book.boxes), filled)) for filled in range(len(book.boxes) + 1)]


def _masks(book: RuleBook) -> list[tuple[int, int]]:
    """Return the same for sets that play can reach."""
    if book.fixed_order:
        return [(filled, 1) for filled in range(len(book.boxes) + 1)]
    if not book.upper_first:
        return _every_mask(book)
    upper = book.upper.bit_count()
    lower = len(book.boxes) - upper
    first = [(filled, comb(upper, filled)) for filled in range(upper)]
    return first + [(upper + filled, comb(lower, filled)) for filled in range(lower + 1)]


def _count_saved(book: RuleBook, filled: int) -> int:
    return filled * (book.rolls - 1) if book.save_rolls else 0


def _lanes_and_flags(book: RuleBook) -> int:
    """Return the number of counted totals of all bonuses, times the numbers for dice that are all the same."""
    if book.alike is None:
        return _lanes(book) * _sums(book)
    # Empty or zero, points, and the number of extras as far as it matters.
    alikes = 2 + min(max(len(book.alike.extras) - 1, book.alike.most or 0), len(book.boxes))
    return _lanes(book) * _sums(book) * alikes


def _lanes(book: RuleBook) -> int:
    return 1 + max((bonus.highest.threshold for bonus in book.bonuses), default=0)


def _sums(book: RuleBook) -> int:
    """Return the number of totals of all bonuses but the widest."""
    return prod(1 + bonus.highest.threshold for bonus in book.bonuses) // _lanes(book)
