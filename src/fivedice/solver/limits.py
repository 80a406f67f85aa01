"""How large a book may be for its solution to be prepared while people wait, told from its data alone."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fivedice.rules import RuleBook

LONG_WORK = 5e9  # rows of the lattice times states: beyond this a solution takes more than a few seconds
MOST_WORK = 1e11  # the same: beyond this it takes minutes
MOST_STATES = 1 << 27  # of eight bytes each: a gigabyte
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
