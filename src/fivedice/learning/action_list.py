"""The moves of a book as numbers: first every keep, the smaller ones first, then the boxes as they stand on the sheet.

A keep is a multiset of dice, so no two numbers mean the same. Five dice have 210 keeps that leave a die to roll; with
13 boxes that makes 223 actions.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fivedice.dice import Keep, as_keep, keeps
from fivedice.errors import IllegalMove, quote
from fivedice.game import Hold, Mark, Position
from fivedice.rules import RuleBook, book as find_book, load_book


def rules_of(book: RuleBook | str | Path) -> RuleBook:
    """A book, the key of a shipped one, the path of a file, or the text of house rules."""
    if isinstance(book, str) and ("\n" in book or ("=" in book and not book.endswith(".toml"))):
        return load_book(book)
    return find_book(book)


class ActionList:
    """What each number means in a book."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.keeps = tuple(keep for keep in keeps(book.dice, book.faces) if len(keep) < book.dice)
        self.boxes = tuple(box.key for box in book.boxes)
        self._numbers = {keep.faces: number for number, keep in enumerate(self.keeps)}

    def __len__(self) -> int:
        return len(self.keeps) + len(self.boxes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each action in a word: the dice that are kept, as in a record, or the key of the box."""
        return (*map(str, self.keeps), *self.boxes)

    def number(self, move: Hold | Mark) -> int:
        """The action of a move."""
        if isinstance(move, Hold):
            return self._numbers[move.keep.faces]
        return len(self.keeps) + self.book.place(move.box)

    def keep_number(self, keep: Keep) -> int:
        return self._numbers[keep.faces]

    def move(self, action: int) -> Hold | Mark:
        """The move of an action, legal or not."""
        if not 0 <= action < len(self):
            raise IllegalMove("bots.no-such-action", action=quote(action), last=len(self) - 1)
        number = int(action)
        if number < len(self.keeps):
            return Hold(as_keep(self.keeps[number]))
        return Mark(self.boxes[number - len(self.keeps)])

    def mask(self, position: Position) -> NDArray[np.int8]:
        """One for every action that the position allows: none while the dice are in the cup, or the game is over."""
        found = np.zeros(len(self), dtype=np.int8)
        found[[self.number(move) for move in position.choices()]] = 1
        return found


@lru_cache(maxsize=32)
def action_list(book: RuleBook) -> ActionList:
    return ActionList(book)
