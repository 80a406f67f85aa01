"""The short texts next to a row: how to score, and the minimum for the bonus, derived from the rules.

They are as short as on printed pads; if the rules ask for the words of their card, they use those.
"""

from __future__ import annotations

from math import ceil

from fivedice.core.game import LineKind, SheetLine
from fivedice.core.game.card import par
from fivedice.core.rules import (
    AlikePolicy,
    AllAlike,
    Anything,
    Bonus,
    Box,
    Captions,
    FaceSum,
    Groups,
    RuleBook,
    Run,
    Summed,
)
from fivedice.core.rules.book_facts import brief_rule
from fivedice.message import Either, Message, Series, message
from fivedice.text import word


def tick_rule(policy: AlikePolicy) -> Message:
    """Say how often a square may be ticked."""
    if policy.most is None:
        return message("paper.tick-each-time")
    return message("paper.tick-once") if policy.most == 1 else message("paper.tick-up-to", most=policy.most)


def tick_points(policy: AlikePolicy) -> Message:
    """Say what the ticks are worth: always the same, in turn, or as the rules have it for the box."""
    amounts = sorted({*policy.extras, *(step.extra for step in policy.joker_steps if step.extra)} - {0})
    if policy.pays_by_step:
        return message("paper.tick-scores-each", points=Either(tuple(amounts)))
    if policy.rising:
        return message("paper.tick-scores-in-turn", points=Series(policy.extras))
    return message("paper.tick-scores" if policy.most == 1 else "paper.tick-scores-each", points=policy.extra)


def describe_line(book: RuleBook, line: SheetLine) -> tuple[str, str]:
    """Return how to score a line, and its minimum for the bonus."""
    if line.box is not None:
        box = book.box(line.box)
        least = ceil(par(book, box))  # rounded up, so that the minimums together never fall short
        return str(_describe_box(box, book)), str(least) if least else ""
    if line.kind is LineKind.BONUS:
        return _describe_bonus(book, find_bonus(book, line)), ""
    if line.kind is LineKind.EXTRA and book.alike is not None:
        return str(tick_points(book.alike)), ""
    if line.role == "upper_total" and book.bonus is not None:
        return "", str(book.bonus.threshold)
    return "", ""


def minimum_heading(book: RuleBook) -> str:
    """Return the heading of the minimums."""
    return word("paper.card-minimum" if _has_card_words(book) else "paper.for-bonus")


def find_bonus(book: RuleBook, line: SheetLine) -> Bonus:
    """Return the bonus of a line."""
    return next(bonus for bonus in book.bonuses if bonus.role == line.role)


def _has_card_words(book: RuleBook) -> bool:
    return book.sheet.captions is Captions.CARD


def _describe_box(box: Box, book: RuleBook) -> Message:
    return (_box_on_card(box, book) if _has_card_words(book) else None) or brief_rule(box, book)


def _box_on_card(box: Box, book: RuleBook) -> Message | None:
    """Return the words of the printed card for a box, or None if the card has no such box."""
    match box.pattern, box.points:
        case FaceSum(), Summed.MATCHING:
            return message("paper.card-count", box=box)
        case Groups(sizes=(_,), one_colour=False), Summed.ALL:
            return message("paper.card-all-dice")
        case Groups(sizes=(3, 2), one_colour=False), int(points):
            return message("rules.brief-fixed-alone", points=points)
        case Run(length=length), int(points):
            return message("paper.card-sequence", length=length, points=points)
        case AllAlike(), int(points):
            return message("paper.card-alike", dice=book.dice, points=points)
        case Anything(), Summed.ALL:
            return message("paper.card-any", dice=book.dice)
    return None


def _describe_bonus(book: RuleBook, bonus: Bonus) -> str:
    """Say what a bonus asks for and pays. The upper bonus needs no list of boxes."""
    if bonus.higher:
        tiers = [message("paper.tier", threshold=tier.threshold, points=tier.points) for tier in bonus.tiers]
        rule = message("paper.tiers", tiers=Series(tuple(tiers)))
    else:
        kind = "paper.card-bonus" if _has_card_words(book) and bonus is book.bonus else "paper.bonus"
        rule = message(kind, threshold=bonus.threshold, points=bonus.points)
    over = tuple(box for box in book.boxes if box.key in bonus.boxes)
    return word("paper.bonus-over", boxes=over, rule=rule) if over else str(rule)
