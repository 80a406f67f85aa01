"""The bank of positions that comes with the package. `tools/make_positions.py` makes it; docs/positions.md says how."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Literal

from fivedice.core.game import Position
from fivedice.core.notation import read_position
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.reports.themes import Theme

FILE = "bank.json.xz"


@dataclass(frozen=True)
class BankPosition:
    """A decision of the bank: its text without the book, its theme, and the rating where bots place it."""

    book: RuleBook
    card: str  # in the theme `win` two of them, that of the player on turn first
    dice: str
    rolls_left: int
    theme: Theme
    rating: int

    @property
    def text(self) -> str:
        """Return the position in Fivedice notation."""
        return f"{self.book.key} {self.card} 0 {self.dice} {self.rolls_left}"

    @cached_property
    def id(self) -> str:
        """Return a short name that depends on the rules and the position alone."""
        return position_id(self.book, self.text)

    @cached_property
    def position(self) -> Position:
        return read_position(self.text, self.book)


def position_id(book: RuleBook, text: str) -> str:
    """Return the short name of a position."""
    return blake2b(f"{book.fingerprint} {text}".encode(), digest_size=8).hexdigest()


@cache
def read_bank() -> dict[str, Any]:
    """Return what the file has of levels and books."""
    packed = (files("fivedice.positions") / FILE).read_bytes()
    found: dict[str, Any] = json.loads(lzma.decompress(packed))
    return found


@cache
def bank() -> dict[str, BankPosition]:
    """Return all positions by their ids, easy ones first within a book. Rules that have changed have none."""
    books = [shipped(key) for key in SHIPPED]
    found = [each for book in books for each in (*positions_of(book), *positions_of(book, "wins"))]
    return {each.id: each for each in found}


@cache
def positions_of(book: RuleBook, kind: Literal["positions", "wins"] = "positions") -> tuple[BankPosition, ...]:
    """Return the positions of a book, or those of two players for the win, easy ones first; none for house rules."""
    rows = (line.split() for line in _data_of(book).get(kind, ()))
    return tuple(
        BankPosition(book, card, dice, int(left), Theme(theme), int(rating)) for card, dice, left, theme, rating in rows
    )


def level_losses(book: RuleBook) -> dict[str, float]:
    """Return the points that each human-like level gives away per game, weakest first; empty for house rules."""
    lost: dict[str, float] = _data_of(book).get("lost", {})
    return lost


def _data_of(book: RuleBook) -> dict[str, Any]:
    """Return what the bank has of a book; nothing for house rules, and for rules that have changed."""
    data: dict[str, Any] = read_bank()["books"].get(book.key, {})
    return data if data.get("fingerprint") == book.fingerprint else {}
