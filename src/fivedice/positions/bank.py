"""The bank of positions that comes with the package, and the choice of the next: the ten of a day, and in training.

`tools/make_positions.py` makes the bank; docs/positions.md says how.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Literal

from fivedice.core.game import Position
from fivedice.core.notation import read_position
from fivedice.core.rules import SHIPPED, RuleBook, shipped
from fivedice.message import Message, message
from fivedice.reports.decisions import THEMES, Theme
from fivedice.solver.runtime.compile_watch import has_compiler

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


TEN = 10
MOST_THEMES = 5  # in the ten of a day
# Rules have their turn every ten days or less often. A quarter of their positions is used at a time, so that a
# position comes back after forty days at the earliest.
DAYS_OF_A_PART, PARTS = 10, 4
NEAREST = 12  # of these positions, any may be next in training


def choose_ten(book: RuleBook, day: date, seed: str) -> tuple[BankPosition, ...]:
    """Return the ten positions of a day, from easy to hard. The seed must stay secret until the day begins."""
    part = day.toordinal() // DAYS_OF_A_PART % PARTS
    found = [each for each in positions_of(book) if _draw(each.card, PARTS) == part]
    themes = sorted(Counter(each.theme for each in found), key=lambda theme: _mix(seed, theme))[:MOST_THEMES]
    found = [each for each in found if each.theme in themes]  # still sorted by rating
    used: Counter[Theme] = Counter()
    ten: list[BankPosition] = []
    for number in range(TEN):
        band = found[len(found) * number // TEN : len(found) * (number + 1) // TEN]
        ten.append(min(band, key=lambda each: (used[each.theme], _mix(seed, each.id))))
        used[ten[-1].theme] += 1
    return tuple(ten)


def _draw(text: str, sides: int) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "big") % sides


def _mix(seed: str, text: str) -> bytes:
    return blake2b(f"{seed}/ten/{text}".encode(), digest_size=16).digest()


def choose_next(
    found: Collection[BankPosition],
    ratings: Mapping[str, float],
    own: float,
    seen: Collection[str],
    pick: int,
) -> BankPosition | None:
    """Return a position near a person's own rating that they have not seen lately; `pick` is any random number."""
    fresh = [each for each in found if each.id not in seen] or list(found)
    near = sorted(fresh, key=lambda each: (abs(ratings.get(each.id, each.rating) - own), each.id))[:NEAREST]
    return near[pick % len(near)] if near else None


def themes_of(book: RuleBook) -> tuple[Theme, ...]:
    """Return the themes that the positions of a book have; for house rules, all but that of the win."""
    there = {each.theme for each in positions_of(book)}
    themes = tuple(theme for theme in THEMES if theme in there) if there else THEMES
    return themes if refuse_win(book) else (*themes, Theme.WIN)


def refuse_win(book: RuleBook) -> Message | None:
    """Return why there is no training to win under these rules; None if there is."""
    if not positions_of(book, "wins"):
        return message("coach.train-no-win", rules=book)
    return None if has_compiler() else message("coach.train-win-needs-extra")
