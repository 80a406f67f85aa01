"""Every kind of card that joker steps can meet, so that it can be checked and compared without playing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fivedice.rules.rule_book import RuleBook

Situation: TypeAlias = tuple[int, int, bool]  # face, available boxes as a mask, face box still open


def situations(book: RuleBook) -> Iterator[Situation]:
    """For all dice alike with their own box filled. A step treats the boxes of a kind the same."""
    alike = 1 << (book.alike_box or 0)
    for face in range(1, book.faces + 1):
        own = book.face_boxes[face] & ~alike
        if book.fixed_order:
            yield from _in_order(face, own, book.full & -alike & ~alike)
        else:
            yield from _mixtures(face, own, book.full & ~alike, book.upper)


def _in_order(face: int, own: int, following: int) -> Iterator[Situation]:
    """One box at a time is available, all of them below the box for all dice alike; the face box may lie ahead."""
    while following:
        box = following & -following
        yield face, box, bool(own & following)
        following &= ~box


def _mixtures(face: int, own: int, others: int, upper: int) -> Iterator[Situation]:
    kinds = (own & upper, own & ~upper, others & upper & ~own, others & ~upper & ~own)
    present = [kind for kind in kinds if kind]
    for size in range(1, len(present) + 1):
        for mixture in combinations(present, size):
            available = sum(mixture)
            yield face, available, bool(available & own)
