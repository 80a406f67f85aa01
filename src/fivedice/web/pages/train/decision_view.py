"""A decision as its page shows it: the sheet and the dice of a table, and the answer once it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.drawing.theme import pip_inks
from fivedice.positions.judging import describe_standing
from fivedice.table.refusals import BadRequest
from fivedice.table.view.sheet_rows import rows_of_cards
from fivedice.table.view.view_shapes import DieView, RowView
from fivedice.text import name_of, word
from fivedice.web.http.forms import Form
from fivedice.web.pages.page_parts import NOTHING

if TYPE_CHECKING:
    from fivedice.positions.judging import Judgement


@dataclass(frozen=True, slots=True)
class ColumnView:
    """The column of a player."""

    total: int
    name: str
    number: int
    color: str
    main: bool
    on_turn: bool
    token: str = ""
    shown: bool = True


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What the parts of a table's page need of a decision."""

    book_name: str
    rows: tuple[RowView, ...]
    dice: tuple[DieView, ...]
    dice_count: int
    rolls_each: int
    rolls_left: int
    saved: int
    seats: tuple[ColumnView, ...]
    can_score: bool
    id: str = ""
    phase: str = "playing"

    @property
    def can_roll(self) -> bool:
        return self.can_score and self.rolls_left > 0


def decision_context(position: Position, judged: Judgement | None = None) -> dict[str, Any]:
    """Return what the templates need; of the answer only what is stored already."""
    book, card, left = position.book, position.card, position.rolls_left
    ruling = None if judged else position.ruling()
    totals, names = (each.total for each in position.cards), (word("coach.train-you"), word("coach.train-other"))
    view = DecisionView(
        name_of(book),
        rows_of_cards(position.cards, ruling),
        _dice(position, judged),
        book.dice,
        book.rolls,
        left,
        min(card.saved, left),
        tuple(map(ColumnView, totals, names, range(2), ("green", "blue"), (True, False), (True, False))),
        judged is None,
    )
    advised = None if judged is None else getattr(judged.best, "box", None)
    context = {"table": view, "answer": judged, "advised_box": advised, "standing": describe_standing(position)}
    return context | {"inks": pip_inks(book), "extra": NOTHING}


def _dice(position: Position, judged: Judgement | None) -> tuple[DieView, ...]:
    """Return the dice; with an answer, the best ones to keep are marked."""
    keep = judged.best.keep if judged is not None and isinstance(judged.best, Hold) else Keep(())
    left, dice = list(keep.faces), []
    for slot, face in enumerate(position.dice.faces):
        kept = face in left
        if kept:
            left.remove(face)
        dice.append(DieView(slot, face, kept, kept))
    return tuple(dice)


def move_of(position: Position, form: Form) -> Hold | Mark:
    """Return the move of a form: the box if there is one, else the dice to keep by slot."""
    if form.last("box"):
        return Mark(position.book.box(form.last("box")[:40]).key)
    if not position.rolls_left:
        raise BadRequest("coach.train-nothing-chosen")
    faces = position.dice.faces
    slots = {int(each) for each in form.all("hold")[: len(faces)] if each.isdecimal() and len(each) == 1}
    return Hold(Keep(tuple(faces[slot] for slot in sorted(slots) if slot < len(faces))))
