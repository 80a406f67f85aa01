"""A book as a table of plain data, so that a script can judge by arithmetic and knows no rule: `static/pad/judge.js`.

What the engine would be asked is answered here beforehand, as far as a card does not matter: the points of every roll
in every box, plain and by each joker, and which boxes each joker step speaks of. Boxes are masks: bit i stands for the
i-th box of the sheet. Rolls stand in the order of `rolls`. Words are not in it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from fivedice.dice import Roll, rolls
from fivedice.game.card import course, layout, line_places
from fivedice.rules import TALLY_CODE, AlikePolicy, JokerStep, Order, RuleBook, ScoreAs, canonical_order

Table: TypeAlias = dict[str, Any]  # for JSON


def rule_table(book: RuleBook) -> Table:
    """All that judging needs of a book."""
    worths = (book.worth(roll).plain for roll in rolls(book.dice, book.faces))
    return {
        "key": book.key,
        "fingerprint": book.fingerprint,
        "dice": book.dice,
        "faces": book.faces,
        "rolls": book.rolls,
        "saves": book.save_rolls,
        "order": str(book.order),
        "stages": _stages(book),
        "tally": TALLY_CODE,
        "canonical": list(canonical_order(book)),  # the boxes as the values of all books that play the same have them
        "boxes": [[box.key, box.code, str(box.section)] for box in book.boxes],
        "points": [list(points) for points in zip(*worths, strict=True)],  # a row a box
        "alike": None if book.alike is None else _alike(book, book.alike),
        "bonuses": _bonuses(book),
        "course": [[place, highest] for place, highest, _ in course(book)],
        "lines": [[*map(str, line), place] for line, place in zip(layout(book), line_places(book), strict=True)],
        "again": _repeated_line(book),
    }


def _repeated_line(book: RuleBook) -> int | None:
    """Return the line that paper repeats above the grand total: the last of the upper section, or None."""
    if not book.sheet.upper_again:
        return None
    lower = (place for place, (_, _, role) in enumerate(layout(book)) if role == "lower")
    return next((place - 1 for place in lower if place), None)


def _stages(book: RuleBook) -> list[int]:
    """The boxes that come first, then, and so on: of the first mask with an open box all open ones are available."""
    if book.order is Order.SHEET:
        return [1 << place for place in range(len(book.boxes))]
    return [book.upper, book.full] if book.order is Order.UPPER_FIRST else [book.full]


def _alike(book: RuleBook, policy: AlikePolicy) -> Table:
    """What happens when all dice are alike. Lists by face begin with the lowest."""
    worths = tuple(dict.fromkeys(step.worth for step in policy.joker_steps))
    return {
        "box": book.alike_box,
        "applies": str(policy.applies),
        "extras": list(policy.extras),  # the last goes on
        "most": policy.most,
        "byStep": policy.pays_by_step,
        "own": list(book.face_boxes[1:]),
        "steps": [_step(book, step, worths.index(step.worth)) for step in policy.joker_steps],
        "worths": [[list(points) for points in _by_face(book, worth)] for worth in worths],
    }


def _step(book: RuleBook, step: JokerStep, worth: int) -> Table:
    """Its boxes by face, while a box of that face is open and once all are filled."""
    own = book.face_boxes[1:]
    offers = [
        [step.offer(face, book.upper, face_open=is_open) & book.full for is_open in (True, False)] for face in own
    ]
    return {"boxes": str(step.boxes), "worth": worth, "extra": step.extra, "offers": offers}


def _by_face(book: RuleBook, worth: ScoreAs) -> list[tuple[int, ...]]:
    return [book.points_as(Roll((face,) * book.dice), worth) for face in range(1, book.faces + 1)]


def _bonuses(book: RuleBook) -> list[Table]:
    """Each with the boxes that count, whether it stands below the upper section, and its tiers, the lowest first."""
    found = zip(book.bonuses, book.bonus_masks, book.bonus_above, strict=True)
    return [
        {"boxes": mask, "above": above, "tiers": [[tier.threshold, tier.points] for tier in bonus.tiers]}
        for bonus, mask, above in found
    ]
