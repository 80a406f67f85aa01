"""The moves of a book as numbers: first every keep, the smaller ones first, then the boxes in the order of the sheet.

A keep has no order, so no two numbers mean the same. Five dice have 210 keeps that leave a die to roll; with 13 boxes
that makes 223 actions.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fivedice.core.dice import as_keep, keeps
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook, book as find_book, load_book
from fivedice.errors import IllegalMove, quote


def rules_of(book: RuleBook | str | Path) -> RuleBook:
    """Return the rules: a `RuleBook`, the key of shipped ones, the path of a file, or the text of house rules."""
    if isinstance(book, str) and ("\n" in book or ("=" in book and not book.endswith(".toml"))):
        return load_book(book)
    return find_book(book)


class ActionList:
    """The meaning of each action number in a book. `book` is a key, a path, the text of house rules or a `RuleBook`.

    >>> from fivedice.learning.arrays.action_list import ActionList
    >>> len(ActionList("yahtzee"))
    223
    """

    def __init__(self, book: RuleBook | str | Path) -> None:
        self.book = book = rules_of(book)
        self.keeps = tuple(keep for keep in keeps(book.dice, book.faces) if len(keep) < book.dice)
        self.boxes = tuple(box.key for box in book.boxes)
        self._numbers = {keep.faces: number for number, keep in enumerate(self.keeps)}

    def __len__(self) -> int:
        return len(self.keeps) + len(self.boxes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return a name for each action: the dice that are kept, as in a record, or the key of the box."""
        return (*map(str, self.keeps), *self.boxes)

    def number(self, move: Hold | Mark) -> int:
        """Return the action of a move. Raise KeyError if a keep leaves no die to roll."""
        if isinstance(move, Hold):
            return self._numbers[move.keep.faces]
        return len(self.keeps) + self.book.place(move.box)

    def move(self, action: int) -> Hold | Mark:
        """Return the move of an action, legal or not. Raise IllegalMove if there is no such action."""
        if not 0 <= action < len(self):
            raise IllegalMove("bots.no-such-action", action=quote(action), last=len(self) - 1)
        number = int(action)
        if number < len(self.keeps):
            return Hold(as_keep(self.keeps[number]))
        return Mark(self.boxes[number - len(self.keeps)])

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Return an array with 1 for every legal action: none while dice are in the cup, or if the game is over."""
        found = np.zeros(len(self), dtype=np.int8)
        found[[self.number(move) for move in position.choices()]] = 1
        return found


action_list = lru_cache(maxsize=32)(ActionList)
