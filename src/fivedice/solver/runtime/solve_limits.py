"""How large a book may be for its solution to be prepared while people wait, told from its data alone."""

from __future__ import annotations

from math import comb

from fivedice.rules import RuleBook

LONG_WORK = 5e9  # rows of the lattice times states: beyond this a solution takes more than a few seconds
MOST_WORK = 1e11  # the same: beyond this it takes minutes
MOST_STATES = 1 << 27  # of eight bytes each: a gigabyte
MOST_CHASE = 1_000_000  # rows times cards that may follow: some eight seconds and 150 MB
_FLAGS = 3  # the most that any book has


def states(book: RuleBook) -> int:
    """How many numbers the table of values has, at most."""
    lanes = 1 + (book.bonus.threshold if book.bonus else 0)
    return (1 << len(book.boxes)) * lanes * (1 if book.alike is None else _FLAGS)


def work(book: RuleBook) -> int:
    """Rows of the lattice times states: what solving takes grows with it."""
    return comb(book.dice + book.faces, book.dice) * states(book)


def takes_long(book: RuleBook) -> bool:
    """Whether solving the book takes more than a few seconds."""
    return work(book) > LONG_WORK


def too_large(book: RuleBook) -> bool:
    """Whether nobody should wait for this book to be solved; `solve` itself refuses only what memory cannot hold."""
    return states(book) > MOST_STATES or work(book) > MOST_WORK


def has_odds(book: RuleBook) -> bool:
    """Whether the odds of totals are worked out beside their means: where rolls are saved, they are not."""
    return not book.save_rolls


def chase_takes_long(book: RuleBook, open_boxes: int) -> bool:
    """Whether nobody should wait for a chase from a card with so many open boxes."""
    cards = open_boxes + 1 if book.fixed_order else 1 << open_boxes
    return comb(book.dice + book.faces, book.dice) * cards * (1 if book.alike is None else 2) > MOST_CHASE
