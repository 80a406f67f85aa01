"""Why a box is closed, in a sentence that names the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fivedice.rules import JokerStep, RuleBook, TargetBoxes

if TYPE_CHECKING:
    from fivedice.game.legality import Ruling

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def why_closed(ruling: Ruling, place: int) -> str:
    """The sentence for one closed box of a ruling."""
    card, box = ruling.card, ruling.card.book.boxes[place]
    held = card.marks[place]
    if held is not None:
        return f"{box.name} is filled already: it holds {held}."
    if not ruling.available >> place & 1:
        following = _names(card.book, ruling.available)
        return f"The boxes are filled in the order of the sheet, and {following} comes next."
    return _forced(ruling)


def _forced(ruling: Ruling) -> str:
    book = ruling.card.book
    if ruling.joker_step is None or book.alike is None:  # only a ladder closes an available box
        raise AssertionError(ruling)
    return f"{_dice(ruling)}: {_step(book, ruling.joker_step, ruling)} ({book.alike.name})."


def _step(book: RuleBook, rung: JokerStep, ruling: Ruling) -> str:
    own = book.face_boxes[ruling.roll.faces[0]]
    if rung.boxes is TargetBoxes.FACE:
        return f"the {_names(book, ruling.boxes)} box is open, so they must go there"
    filled = f"the {_names(book, own)} box is filled" if own & ruling.card.filled == own and own else ""
    section = {TargetBoxes.UPPER: book.sheet.upper, TargetBoxes.LOWER: book.sheet.lower}.get(rung.boxes, "sheet")
    lead = f"{filled}, so they" if filled else "they"
    return f"{lead} must go in an open box of the {section}"


def _dice(ruling: Ruling) -> str:
    """'Five Fours': the number of dice and the name of the face as the sheet has it."""
    book, face = ruling.card.book, ruling.roll.faces[0]
    count = _NUMBERS[len(ruling.roll)].capitalize()
    return f"{count} {_names(book, book.face_boxes[face]) or f'{face}s'}"


def _names(book: RuleBook, mask: int) -> str:
    return ", ".join(box.name for place, box in enumerate(book.boxes) if mask >> place & 1)
