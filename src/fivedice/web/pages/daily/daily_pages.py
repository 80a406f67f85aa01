"""The daily game: today's page and that of every day before, the way into the game, and the picture to share.

Whatever the number of players, a page reads one row of this person, the counts of the day and thirty days of the
calendar. What a decision cost is shown only once the whole game is finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from litestar.response import Response

from fivedice.core.dice import commitment
from fivedice.core.rules import RuleBook
from fivedice.message import Message, message
from fivedice.store.deals import Attempt, Deal, Field
from fivedice.store.decision_store import tenths
from fivedice.table.daily import read_day
from fivedice.table.house_rules_text import book_of
from fivedice.text import name_of, points
from fivedice.text.squares import grade_game, grade_of_loss, result_text
from fivedice.web.http.answers import Page, SeeOther, file, page, see_other
from fivedice.web.http.handling import SVG, NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.http.page_files import static_address
from fivedice.web.pages.home.pages import Progress, progress
from fivedice.web.pages.page_parts import PICTURE, Preview
from fivedice.web.services.app_services import AppServices, Visitor
from fivedice.web.services.daily_games import Standing

CALENDAR = 30  # days
ENDS = (5, 10, 20, 40, 80)  # points lost, where the columns of the field end
_HOUR, _MINUTE = 3600, 60


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of the calendar: its grade from 0 to 3, or None without a result."""

    day: date
    grade: int | None
    begun: bool
    exists: bool


@dataclass(frozen=True, slots=True)
class GameCard:
    """The state of a person's game at a deal: not begun, in progress, or finished."""

    standing: Standing | None
    running: str | None  # the table, while it is in progress
    progress: Progress | None
    open: bool  # a game that begins now counts

    @property
    def is_over(self) -> bool:
        return self.standing is not None and self.running is None

    @property
    def waits(self) -> bool:
        """Return whether the result is being worked out."""
        return self.standing is not None and self.standing.counts and self.standing.attempt.lost is None


def game_card(services: AppServices, person: Person, deal: Deal) -> GameCard:
    """Return how far a person is with a deal."""
    daily = services.daily
    standing = daily.standing(deal, person.id)
    opens = daily.days.is_open(deal)
    if standing is None or standing.attempt.finished is not None:
        return GameCard(standing, None, None, opens)
    state = services.tables.state(standing.attempt.table_id)
    return GameCard(standing, state.id, progress(state, person.id), opens)


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the field: up to how many points, how many people, and whether this person is in it."""

    label: str
    count: int
    height: int  # from 0 to 10
    yours: bool


def columns_of(field: Field, own: int | None, ends: Sequence[float]) -> list[Column]:
    """Return the field in a few columns that end at these points, the best first; `own` is in tenths of a point.

    Return none before two people have a result.
    """
    counts, mine = [0] * (len(ends) + 1), None if own is None else _place(ends, own)
    for lost, count in field.counts.items():
        counts[_place(ends, lost)] += count
    shown = [points(end, decimals=int(end % 1 > 0)) for end in ends]
    labels = [f"≤ {each}" for each in shown] + [f"> {shown[-1]}"]
    rows = enumerate(zip(labels, counts, strict=True)) if field.players > 1 else ()
    return [Column(label, count, -(-10 * count // max(counts)), place == mine) for place, (label, count) in rows]


def _place(ends: Sequence[float], lost: int) -> int:
    return next((place for place, end in enumerate(ends) if lost <= tenths(end)), len(ends))


def rank_of(field: Field, own: int | None) -> Message | None:
    """Return the rank of a result in tenths as a sentence; None before two people have a result."""
    if own is None or field.players < 2:
        return None
    return message("home.daily-rank", rank=field.rank(own), count=field.players)


def preview_of(day: str, book: RuleBook) -> Preview:
    """Return the preview of a link to a day, the same for all people."""
    title, about = message("home.daily-preview", day=day, book=book), message("home.daily-preview-about")
    return Preview(str(title), str(about), static_address(PICTURE))


def picture_of(day: str, name: str, lost: float, losses: Sequence[float]) -> Response[Any]:
    """Return the picture of a result to share, without dice and boxes."""
    from fivedice.reports.share_picture import result_svg

    said, grades = str(message("home.daily-lost", points=points(lost))), [grade_of_loss(each) for each in losses]
    return file(result_svg(day, name, said, grades), SVG, "fivedice.svg", how="inline")


@get("/daily")
def today_page(visitor: Visitor) -> Page:
    return day_page(visitor)


@get("/daily/{day:str}")
def other_day(visitor: Visitor, day: str) -> Page:
    """Return the page of any day since the server's first."""
    return day_page(visitor, day)


def day_page(visitor: Visitor, wanted: str | None = None) -> Page:
    services, person = visitor.services, visitor.person
    deal, days = services.daily.of_day(wanted), services.daily.days
    day, today = read_day(deal.name), days.today()
    card, field = game_card(services, person, deal), services.tables.store.deals.field(deal.name)
    book, first = book_of(deal.book, None), days.first()
    lost = card.standing.attempt.lost if card.standing is not None and card.standing.is_known else None
    return page(
        "daily/daily.html",
        deal=deal,
        day=day,
        is_today=day == today,
        book=book,
        card=card,
        facts=None if card.standing is None or not card.standing.is_known else result_facts(card.standing, book),
        field=field,
        rank=rank_of(field, lost),
        columns=columns_of(field, lost, ENDS) if card.is_over or day != today else [],
        calendar=_calendar(services, person, today, first),
        lock=commitment(deal.secret),
        secret=deal.secret if days.is_over(deal.name) else None,
        next_in=_time_until_next(services),
        zone=days.zone,
        before=day - timedelta(days=1) if day > first else None,
        after=day + timedelta(days=1) if day < today else None,
        ten=services.tables.store.decisions.ten_result(person.id, deal.name),
        share=None if card.standing is None else share_text(card.standing, deal, book),
        link=visitor.link(f"/daily/{deal.name}"),
        grade=grade_of_loss,
        preview=preview_of(deal.name, book),
    )


def result_facts(standing: Standing, book: RuleBook) -> dict[str, Any]:
    """Return what a finished game shows: points lost, luck, and the dearest decision in words."""
    from fivedice.reports.report_lines import describe_move

    worst = standing.dearest
    said = None
    if worst is not None:
        moves = {"did": describe_move(worst.did, book), "best": describe_move(worst.best, book)}
        dice, lost = "-".join(worst.dice), points(worst.lost)
        said = message("home.daily-dearest", turn=worst.turn, dice=dice, points=lost, **moves)
    return {"lost": standing.attempt.points_lost, "luck": standing.luck, "dearest": said}


def share_text(standing: Standing, deal: Deal, book: RuleBook) -> str | None:
    """Return the text to share; None before the result is known."""
    if not standing.is_known or standing.attempt.points_lost is None:
        return None
    return result_text(deal.name, name_of(book), standing.attempt.points_lost, standing.squares)


def _calendar(services: AppServices, person: Person, today: date, first: date) -> list[CalendarDay]:
    days = [today - timedelta(days=back) for back in reversed(range(CALENDAR))]
    found = services.tables.store.deals.attempts_of(person.id, [day.isoformat() for day in days])
    return [
        CalendarDay(day, _grade(found.get(day.isoformat())), day.isoformat() in found, day >= first) for day in days
    ]


def _grade(attempt: Attempt | None) -> int | None:
    lost = None if attempt is None else attempt.points_lost
    return None if lost is None else grade_game(lost)


def _time_until_next(services: AppServices) -> Message:
    days = services.daily.days
    ends = days.ends(Deal("", "", "", closes=days.today().isoformat()))
    left = 0 if ends is None else int((ends - days.clock()).total_seconds())
    if left >= _HOUR:
        return message("home.daily-next-hours", count=left // _HOUR)
    return message("home.daily-next-minutes", count=max(1, left // _MINUTE))


@get("/daily/game")
def game_page(services: AppServices, person: Person) -> SeeOther:
    """Go on with today's game, or to the page that begins it."""
    card = game_card(services, person, services.daily.of_day())
    return see_other("/daily" if card.running is None else f"/t/{card.running}")


@post("/daily/game", status_code=303)
def begin_today(services: AppServices, person: Person) -> SeeOther:
    """Begin today's game, go on with it, or practise once it is finished."""
    return see_other(f"/t/{services.daily.begin(services.daily.of_day(), person.id)}")


@post("/daily/{day:str}", status_code=303)
def begin_other_day(services: AppServices, person: Person, day: str) -> SeeOther:
    return see_other(f"/t/{services.daily.begin(services.daily.of_day(day), person.id)}")


@get("/daily/{day:str}/picture.svg", media_type=SVG)
def picture(services: AppServices, person: Person, day: str) -> Response[Any]:
    """Return the picture of one's own result to share."""
    deal = services.daily.of_day(day)
    standing = services.daily.standing(deal, person.id)
    if standing is None or not standing.is_known:
        raise NotFound("home.daily-no-result")
    name = name_of(book_of(deal.book, None))
    return picture_of(deal.name, name, standing.attempt.points_lost or 0.0, standing.turns)
