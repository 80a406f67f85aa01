"""Why a box is closed, as a message that names the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fivedice.message import Message, message
from fivedice.rules import Box, RuleBook, TargetBoxes

if TYPE_CHECKING:
    from fivedice.game.legality import Ruling


def why_closed(ruling: Ruling, place: int) -> Message:
    """The reason for one closed box of a ruling."""
    card, box = ruling.card, ruling.card.book.boxes[place]
    held = card.marks[place]
    if held is not None:
        return message("game.box-filled", box=box, points=held)
    if not ruling.available >> place & 1:
        return message("game.box-not-next", box=card.book.boxes[ruling.available.bit_length() - 1])
    return _forced(ruling)


def _forced(ruling: Ruling) -> Message:
    book, step, roll = ruling.card.book, ruling.joker_step, ruling.roll
    if step is None or book.alike is None or step.boxes is TargetBoxes.ANY:  # only other steps close an available box
        raise AssertionError(ruling)
    rule, own = book.alike, book.face_boxes[roll.faces[0]]
    if step.boxes is TargetBoxes.FACE:
        boxes = _boxes(book, ruling.boxes)
        return message("game.forced-to-face", roll=roll, boxes=boxes, count=len(boxes), rule=rule)
    section, boxes = book.sheet.label(str(step.boxes)), _boxes(book, own)
    if boxes and own & ruling.card.filled == own:
        return message("game.forced-past-face", roll=roll, boxes=boxes, count=len(boxes), section=section, rule=rule)
    return message("game.forced-to-section", roll=roll, section=section, rule=rule)


def _boxes(book: RuleBook, mask: int) -> tuple[Box, ...]:
    return tuple(box for place, box in enumerate(book.boxes) if mask >> place & 1)
