"""Choose positions: the ten of a day, and the next one of a person in training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date
from hashlib import blake2b

from fivedice.core.rules import RuleBook
from fivedice.message import Message, message
from fivedice.positions.bank import BankPosition, positions_of
from fivedice.reports.themes import THEMES, Theme
from fivedice.solver.runtime.compile_watch import has_compiler

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
