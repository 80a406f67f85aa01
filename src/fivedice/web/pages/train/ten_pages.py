"""The ten decisions of a day. An answer is stored before the page shows anything about the best move."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fivedice.coaching.hint_messages import points
from fivedice.core.game import Hold, Mark, Position
from fivedice.core.rules import RuleBook, shipped
from fivedice.errors import FivediceError
from fivedice.message import Message, message
from fivedice.positions.bank import BankPosition
from fivedice.positions.choosing import TEN, choose_ten
from fivedice.positions.judging import Judgement, check_answer, judge_answer, read_move, write_move
from fivedice.store.access import VersionConflict
from fivedice.store.deals import Field
from fivedice.store.decision_store import TenResult, tenths
from fivedice.table.daily import read_day
from fivedice.table.refusals import AgainstTheRules, Refusal
from fivedice.text import points as shown_points
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import COACH, NotReady, get, post
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.pages.train.decision_view import decision_context, move_of
from fivedice.web.services.app_services import AppServices, Visitor

if TYPE_CHECKING:
    from fivedice.solver import Solution

BANDS = (0.5, 2.5, 5.0, 10.0, 20.0)  # points given away, where the columns of the field end


@dataclass(frozen=True, slots=True)
class DayTen:
    """The ten of a day, and whether the day is over."""

    day: date
    book: RuleBook
    positions: tuple[BankPosition, ...]
    late: bool

    @property
    def name(self) -> str:
        return self.day.isoformat()


def ten_of(services: AppServices, text: str | None) -> DayTen:
    """Return the ten of a day such as 2026-11-17, or of today. Raise NotFound for another text or day."""
    days, deal = services.daily.days, services.daily.of_day(text or None)
    day, book = read_day(deal.name), shipped(deal.book)
    return DayTen(day, book, _ten(book, day, days.secret(day)), day < days.today())


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
    return services.tables.store.decisions.answer_ten(person, ten.name, number, answer, lost, late=ten.late)


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
    query = f"?n={number + 1}" + (f"&day={ten.name}" if ten.late else "")
    return see_other(f"/daily/ten{query}")


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
        "answers": f"{visitor.services.settings.root}/daily/ten",
    }
    return page("train/ten.html", status, **context)


def _result(visitor: Visitor, ten: DayTen, result: TenResult) -> Page:
    field = visitor.services.tables.store.decisions.field(ten.name)
    context: dict[str, Any] = {
        "ten": ten,
        "result": result,
        "lost": given_away(result.lost),
        "rank": None if ten.late or result.late else rank_of(field, result.lost),
        "columns": columns_of(field, None if result.late else result.lost),
        "answers": [(number + 1, lost) for number, (_, lost) in enumerate(result.answers)],
        "share": share_text(ten, result),
        "link": visitor.link("/daily/ten"),
    }
    return page("train/ten_result.html", **context)


def given_away(lost: float) -> Message:
    """Return a sentence with the points that were given away."""
    return message("coach.train-given-away", points=points(lost))


def rank_of(field: Field, lost: float) -> Message | None:
    """Return the rank of a result as a sentence; None before anyone else has one."""
    if field.players < 2:
        return None
    return message("coach.train-rank", rank=field.rank(tenths(lost)), count=field.players)


def share_text(ten: DayTen, result: TenResult) -> str:
    """Return a text to share that gives no decision away."""
    head = message("coach.train-ten-share", day=ten.name, lost=given_away(result.lost))
    return f"{head}\n{result.squares}"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the field: up to how many points, how many people, and whether this person is in it."""

    label: str
    count: int
    height: int  # from 0 to 10
    yours: bool


def columns_of(field: Field, own: float | None) -> list[Column]:
    """Return the field in a few columns, the best first."""
    ends = [*map(tenths, BANDS), None]
    counts = [0] * len(ends)
    mine = -1 if own is None else _band(ends, tenths(own))
    for lost, count in field.counts.items():
        counts[_band(ends, lost)] += count
    highest = max(1, *counts)
    labels = [f"≤ {shown_points(each)}" for each in BANDS] + [f"> {shown_points(BANDS[-1])}"]
    return [
        Column(label, count, -(-10 * count // highest), place == mine)
        for place, (label, count) in enumerate(zip(labels, counts, strict=True))
    ]


def _band(ends: list[int | None], lost: int) -> int:
    return next(place for place, end in enumerate(ends) if end is None or lost <= end)
