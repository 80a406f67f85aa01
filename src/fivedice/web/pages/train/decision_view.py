"""A decision as its page shows it: the sheet and the dice of a table, and the answer once it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fivedice.coaching.hint_messages import points
from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.drawing.theme import pip_inks
from fivedice.message import Message, message
from fivedice.table.refusals import BadRequest
from fivedice.table.view.sheet_rows import rows_of_card
from fivedice.table.view.view_shapes import DieView, RowView
from fivedice.text import name_of, word
from fivedice.web.http.forms import Form
from fivedice.web.pages.page_parts import NOTHING

if TYPE_CHECKING:
    from fivedice.positions.judging import Judgement


@dataclass(frozen=True, slots=True)
class ColumnView:
    """The only column of the sheet."""

    total: int
    name: str
    number: int = 0
    color: str = "green"
    token: str = ""
    main: bool = True
    shown: bool = True
    on_turn: bool = True


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


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What an answer cost, the best move, and why."""

    grade: int
    lost: float
    price: Message
    yours: Message
    best: Message
    why: Message
    advised: str  # the box that is best, if it is one


def decision_context(position: Position, judged: Judgement | None = None) -> dict[str, Any]:
    """Return what the templates need; of the answer only what is stored already."""
    book, card, left = position.book, position.card, position.rolls_left
    ruling = None if judged else position.ruling()
    view = DecisionView(
        name_of(book),
        rows_of_card(card, ruling),
        _dice(position, judged),
        book.dice,
        book.rolls,
        left,
        min(card.saved, left),
        (ColumnView(card.total, word("coach.train-you")),),
        judged is None,
    )
    answer = None if judged is None else answer_view(judged)
    return {"table": view, "answer": answer, "inks": pip_inks(book), "extra": NOTHING}


def answer_view(judged: Judgement) -> AnswerView:
    """Return an answer as people read it."""
    best = judged.best
    return AnswerView(
        judged.grade,
        judged.lost,
        message("coach.train-costs", cost=points(judged.lost)) if judged.lost else message("coach.train-best"),
        describe_move(judged.position, judged.move),
        judged.headline,
        judged.why,
        best.box if isinstance(best, Mark) else "",
    )


def describe_move(position: Position, move: Hold | Mark) -> Message:
    """Return what someone did."""
    if isinstance(move, Mark):
        return message("coach.train-yours-box", box=position.book.box(move.box))
    return message("coach.train-yours-keep", dice=move.keep) if move.keep else message("coach.train-yours-all")


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
