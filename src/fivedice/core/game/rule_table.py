"""Rules as a table of plain data, so that `static/pad/judge.js` can decide legality by arithmetic alone.

The table has everything that does not depend on a card: the points of every roll in every box, plain and as each kind
of joker, and the boxes of each joker step. Boxes are masks: bit i stands for the i-th box of the sheet. Rolls are in
the order of `rolls`. It has no text.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from fivedice.core.dice import Roll, rolls
from fivedice.core.game.card import course, layout, line_places
from fivedice.core.rules import (
    TALLY_CODE,
    AlikePolicy,
    AnyBook,
    JokerStep,
    Order,
    RuleBook,
    book as find_book,
    canonical_order,
)

Table: TypeAlias = dict[str, Any]  # for JSON


def rule_table(book: AnyBook) -> Table:
    """Return everything about the rules that deciding legality needs. `book` is a key, a path or a `RuleBook`."""
    book = find_book(book)
    worths = (book.worth(roll).plain for roll in rolls(book.dice, book.faces))
    bonuses = zip(book.bonuses, book.bonus_masks, book.bonus_above, strict=True)
    return {
        "key": book.key,
        "fingerprint": book.fingerprint,
        "dice": book.dice,
        "faces": book.faces,
        "rolls": book.rolls,
        "saves": book.save_rolls,
        "order": str(book.order),
        "stages": _list_stages(book),
        "tally": TALLY_CODE,
        "canonical": list(canonical_order(book)),  # an order that books with the same fingerprint share
        "boxes": [[box.key, box.code, str(box.section)] for box in book.boxes],
        "points": [list(points) for points in zip(*worths, strict=True)],  # one row per box
        "alike": None if book.alike is None else _describe_alike(book, book.alike),
        "bonuses": [
            {"boxes": mask, "above": above, "tiers": [[tier.threshold, tier.points] for tier in bonus.tiers]}
            for bonus, mask, above in bonuses
        ],
        "course": [[place, highest] for place, highest, _ in course(book)],
        "lines": [[*map(str, line), place] for line, place in zip(layout(book), line_places(book), strict=True)],
        "again": _find_repeated_line(book),
    }


def _find_repeated_line(book: RuleBook) -> int | None:
    """Return the line that paper repeats above the grand total: the last of the upper section, or None."""
    if not book.sheet.upper_again:
        return None
    lower = (place for place, (_, _, role) in enumerate(layout(book)) if role == "lower")
    return next((place - 1 for place in lower if place), None)


def _list_stages(book: RuleBook) -> list[int]:
    """Return masks of boxes in the order in which they must be filled.

    The open boxes of the first mask that has any are available.
    """
    if book.order is Order.SHEET:
        return [1 << place for place in range(len(book.boxes))]
    return [book.upper, book.full] if book.order is Order.UPPER_FIRST else [book.full]


def _describe_alike(book: RuleBook, policy: AlikePolicy) -> Table:
    """Return the rules for all dice the same. Lists by face begin with the lowest."""
    worths = tuple(dict.fromkeys(step.worth for step in policy.joker_steps))
    return {
        "box": book.alike_box,
        "applies": str(policy.applies),
        "extras": list(policy.extras),  # the last repeats
        "most": policy.most,
        "byStep": policy.pays_by_step,
        "own": list(book.face_boxes[1:]),
        "steps": [_describe_step(book, step, worths.index(step.worth)) for step in policy.joker_steps],
        "worths": [
            [list(book.points_as(Roll((face,) * book.dice), worth)) for face in range(1, book.faces + 1)]
            for worth in worths
        ],
    }


def _describe_step(book: RuleBook, step: JokerStep, worth: int) -> Table:
    """Return a joker step with its boxes by face, while a box of that face is open and once all are filled."""
    own = book.face_boxes[1:]
    offers = [
        [step.offer(face, book.upper, face_open=is_open) & book.full for is_open in (True, False)] for face in own
    ]
    return {"boxes": str(step.boxes), "worth": worth, "extra": step.extra, "offers": offers}
