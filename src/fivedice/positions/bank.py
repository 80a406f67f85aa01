"""The bank of positions that comes with the package. `tools/make_positions.py` makes it; docs/positions.md says how."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import Any

from fivedice.core.game import Position
from fivedice.core.notation import read_position
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.reports.themes import Theme

FILE = "bank.json.xz"


@dataclass(frozen=True)
class BankPosition:
    """A decision of the bank: its text without the book, its theme, and the rating where bots place it."""

    book: RuleBook
    card: str
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
def _content() -> dict[str, Any]:
    packed = (files("fivedice.positions") / FILE).read_bytes()
    found: dict[str, Any] = json.loads(lzma.decompress(packed))
    return found


@cache
def bank() -> dict[str, BankPosition]:
    """Return all positions by their ids, easy ones first within a book. Rules that have changed have none."""
    found = [each for key in SHIPPED for each in positions_of(shipped(key))]
    return {each.id: each for each in found}


@cache
def positions_of(book: RuleBook) -> tuple[BankPosition, ...]:
    """Return the positions of a book, easy ones first; none for house rules."""
    data = _content()["books"].get(book.key)
    if data is None or data["fingerprint"] != book.fingerprint:
        return ()
    found = []
    for line in data["positions"]:
        card, dice, left, theme, rating = line.split()
        found.append(BankPosition(book, card, dice, int(left), Theme(theme), int(rating)))
    return tuple(found)


def level_losses(book: RuleBook) -> dict[str, float]:
    """Return the points that each human-like level gives away per game, weakest first; empty for house rules."""
    data = _content()["books"].get(book.key)
    if data is None or data["fingerprint"] != book.fingerprint:
        return {}
    lost: dict[str, float] = data["lost"]
    return lost
