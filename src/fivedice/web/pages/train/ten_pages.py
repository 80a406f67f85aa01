"""The ten decisions of a day. An answer is stored before the page shows anything about the best move."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from litestar.response import Response

from fivedice.core.dice import Keep
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook, shipped
from fivedice.drawing.theme import pip_inks
from fivedice.errors import FivediceError
from fivedice.message import message
from fivedice.positions.bank import TEN, BankPosition, choose_ten
from fivedice.positions.judging import Judgement, check_answer, describe_standing, judge_answer, read_move, write_move
from fivedice.store.access import VersionConflict
from fivedice.store.decision_store import TenResult, tenths
from fivedice.table.daily import read_day
from fivedice.table.refusals import AgainstTheRules, BadRequest, Refusal
from fivedice.table.view.sheet_rows import rows_of_cards
from fivedice.table.view.view_shapes import DieView, RowView
from fivedice.text import name_of, word
from fivedice.text.squares import grade_of_loss, result_text
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import COACH, SVG, NotFound, NotReady, get, post
from fivedice.web.http.identity import Person
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.pages.daily.daily_pages import columns_of, picture_of, preview_of, rank_of
from fivedice.web.pages.page_parts import NOTHING
from fivedice.web.services.app_services import AppServices, Visitor

if TYPE_CHECKING:
    from fivedice.positions.judging import Judgement
    from fivedice.solver import Solution


ENDS = (0.5, 2.5, 5, 10, 20)  # points lost, where the columns of the field end


@dataclass(frozen=True, slots=True)
class DayTen:
    """The ten of a day, and whether the day is over."""

    day: date
    book: RuleBook
    positions: tuple[BankPosition, ...]
    late: bool
    expired: bool  # answers no longer count, whenever the first was given

    @property
    def name(self) -> str:
        return self.day.isoformat()


def ten_of(services: AppServices, text: str | None) -> DayTen:
    """Return the ten of a day such as 2026-11-17, or of today. Raise NotFound for another text or day."""
    days, deal = services.daily.days, services.daily.of_day(text or None)
    day, book = read_day(deal.name), shipped(deal.book)
    return DayTen(day, book, _ten(book, day, days.secret(day)), not days.is_open(deal), days.has_expired(deal))


_ten = lru_cache(maxsize=64)(choose_ten)


def answer_ten(services: AppServices, person: str, ten: DayTen, number: int, move: Hold | Mark) -> TenResult:
    """Store the answer to a decision, counted from 0, and return all answers. Raise VersionConflict if it has one."""
    position = ten.positions[number].position
    try:
        check_answer(position, move)
    except FivediceError as error:
        raise AgainstTheRules(error.message) from None
    lost = judge_answer(solution_of(services.solutions, ten.book), position, move).lost
    answer = write_move(ten.book, move)
    return services.tables.store.decisions.answer_ten(
        person, ten.name, number, answer, lost, late=ten.expired if number else ten.late
    )


def judge_stored(services: AppServices, ten: DayTen, result: TenResult, number: int) -> Judgement:
    """Return what a stored answer cost."""
    position, (move, _) = ten.positions[number].position, result.answers[number]
    return judge_answer(solution_of(services.solutions, ten.book), position, read_move(ten.book, move))


def solution_of(solutions: Solutions, book: RuleBook) -> Solution:
    """Return the solution of a book. Raise NotReady, and ask for it, while there is none."""
    found = solutions.ready(book)
    if found is None:
        raise NotReady(solutions.want(book).about)
    return found


@get("/daily/ten", lane=COACH)
def show_ten(visitor: Visitor, day: str | None = None, n: int | None = None) -> Page:
    """Return the next decision of the day, an answer that is stored, or the result."""
    ten = ten_of(visitor.services, day)
    result = visitor.services.tables.store.decisions.ten_result(visitor.person.id, ten.name)
    answered = 0 if result is None else result.answered
    if result is not None and n is not None and 1 <= n <= answered:
        return _decision(visitor, ten, result, n - 1, judge_stored(visitor.services, ten, result, n - 1))
    if result is not None and result.finished:
        return _result(visitor, ten, result)
    return _decision(visitor, ten, result, answered)


@post("/daily/ten", lane=COACH, status_code=303)
def answer(visitor: Visitor, form: Form) -> Page | SeeOther:
    """Store an answer and show what it cost; an answer that is there already is shown instead."""
    ten = ten_of(visitor.services, form.last("day"))
    store, person = visitor.services.tables.store.decisions, visitor.person.id
    result = store.ten_result(person, ten.name)
    answered = 0 if result is None else result.answered
    number = _number(form.last("number"))
    if number == answered and answered < TEN:
        position = ten.positions[number].position
        try:
            answer_ten(visitor.services, person, ten, number, move_of(position, form))
        except VersionConflict:  # answered in another tab meanwhile
            pass
        except (Refusal, FivediceError) as refusal:
            return _decision(visitor, ten, result, number, notice=str(refusal), status=422)
    return see_other(f"/daily/ten?n={number + 1}&day={ten.name}")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def _decision(
    visitor: Visitor,
    ten: DayTen,
    result: TenResult | None,
    number: int,
    judged: Judgement | None = None,
    *,
    notice: str | None = None,
    status: int = 200,
) -> Page:
    position: Position = ten.positions[number].position
    context = decision_context(position, judged) | {
        "ten": ten,
        "number": number,
        "count": TEN,
        "squares": "" if result is None else result.squares,
        "notice": notice,
        "preview": preview_of(ten.name, ten.book),
        "answers": f"{visitor.services.settings.root}/daily/ten",
    }
    return page("train/ten.html", status, **context)


def _result(visitor: Visitor, ten: DayTen, result: TenResult) -> Page:
    field, own = visitor.services.tables.store.decisions.field(ten.name), None if result.late else tenths(result.lost)
    context: dict[str, Any] = {
        "ten": ten,
        "result": result,
        "field": field,
        "preview": preview_of(ten.name, ten.book),
        "grade": grade_of_loss,
        "rank": rank_of(field, own),
        "columns": columns_of(field, own, ENDS),
        "share": result_text(ten.name, message("home.daily-ten"), result.lost, result.squares),
        "link": visitor.link(f"/daily/{ten.name}"),
    }
    return page("train/ten_result.html", **context)


@get("/daily/ten/picture.svg", media_type=SVG)
def picture(services: AppServices, person: Person, day: str | None = None) -> Response[Any]:
    """Return the picture of one's own result to share."""
    ten = ten_of(services, day)
    result = services.tables.store.decisions.ten_result(person.id, ten.name)
    if result is None or not result.finished:
        raise NotFound("home.daily-no-result")
    name = f"{message('home.daily-ten')} · {name_of(ten.book)}"
    return picture_of(ten.name, name, result.lost, result.losses)


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
