"""Am I on pace for the upper bonus?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from fivedice.game.card import Scorecard
from fivedice.message import Message, Signed, message
from fivedice.rules import Box, RuleBook, Section


class BonusStatus(StrEnum):
    """Where the bonus stands."""

    REACHED = "reached"
    OPEN = "open"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Pace:
    """How far ahead of an even course to the bonus a card is; negative is behind."""

    status: BonusStatus
    ahead: int

    @property
    def message(self) -> Message:
        """In a word: +3, on pace, out of reach."""
        if self.status is BonusStatus.OPEN:
            ahead = message("game.bonus-ahead", ahead=Signed(self.ahead))
            return ahead if self.ahead else message("game.bonus-on-pace")
        return message("game.bonus-reached" if self.status is BonusStatus.REACHED else "game.bonus-lost")

    def __str__(self) -> str:
        return str(self.message)


def bonus_pace(card: Scorecard) -> Pace | None:
    """The pace of a card, or None where the book has no bonus."""
    bonus = card.book.bonus
    if bonus is None:
        return None
    upper = [(box, points) for box, points in zip(card.book.boxes, card.marks, strict=True) if _counts(box)]
    ahead = round(sum(points - par(card.book, box) for box, points in upper if points is not None))
    if card.upper_total >= bonus.threshold:
        return Pace(BonusStatus.REACHED, ahead)
    most = card.upper_total + sum(card.book.highest(box) for box, points in upper if points is None)
    return Pace(BonusStatus.OPEN if most >= bonus.threshold else BonusStatus.LOST, ahead)


def par(book: RuleBook, box: Box) -> float:
    """What a box gives on an even course: the same number of dice in every upper box."""
    return _pars(book).get(box.key, 0)


@lru_cache(maxsize=256)  # every view of every table asks; house books come and go
def _pars(book: RuleBook) -> dict[str, float]:
    """The par of every box that counts towards the bonus."""
    if book.bonus is None:
        return {}
    upper = {box.key: book.highest(box) for box in book.boxes if _counts(box)}
    return {key: book.bonus.threshold * highest / sum(upper.values()) for key, highest in upper.items()}


def _counts(box: Box) -> bool:
    return box.section is Section.UPPER
