"""The daily game and deals for programs: the list of the day, beginning an attempt, and its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from litestar.openapi.spec import Example
from litestar.params import Body

from fivedice.core.dice import commitment
from fivedice.core.rules import DEFAULT
from fivedice.store.deals import Deal
from fivedice.table.refusals import BadRequest
from fivedice.web.api import api_shapes as shapes
from fivedice.web.api.api_tables import describe_created
from fivedice.web.http.handling import RENDER, get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.daily.daily_pages import game_card
from fivedice.web.pages.daily.deal_pages import may_see_others, standings_of
from fivedice.web.services.app_services import AppServices


@dataclass(frozen=True, slots=True)
class AttemptView:
    """Your attempt that counts. What it lost is known some seconds after the end, the dearest decision from /report."""

    table: str
    finished: bool
    counts: bool
    total: int | None
    points_lost: float | None
    luck: float | None
    turns: list[float]  # points lost in each turn
    squares: str


@dataclass(frozen=True, slots=True)
class DayView:
    """A daily game: its rules, the lock of its dice, and the secret once the day is over.

    `field` counts results by tenths of a point lost. `rank` is yours among them; equal results share one.
    """

    day: str
    book: str
    lock: str
    secret: str | None
    open: bool
    yours: AttemptView | None
    rank: int | None
    players: int
    field: dict[str, int]


@dataclass(frozen=True, slots=True)
class StandingView:
    """A result at a deal; the rank is null for the finished game that the dice are from."""

    rank: int | None
    name: str
    total: int
    points_lost: float | None
    yours: bool


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal: its name is the last part of its link /deal/NAME. `standings` are null until you have finished."""

    name: str
    book: str
    title: str
    closes: str | None
    open: bool
    yours: AttemptView | None
    standings: list[StandingView] | None


@dataclass(frozen=True, slots=True)
class NewDeal:
    """Either `table`, a finished game, and perhaps a `seat` of it; or new dice for a group until the day `closes`."""

    table: str | None = None
    seat: int | None = None
    book: str = DEFAULT
    title: str = ""
    closes: str | None = None


@dataclass(frozen=True, slots=True)
class PlayDeal:
    """The name to show in the standings, if any."""

    name: str = ""


NewDealData = Annotated[
    NewDeal,
    Body(
        examples=[
            Example("the dice of a finished game", value={"table": "hZx…"}),
            Example("new dice for a class", value={"book": DEFAULT, "title": "Class 4b", "closes": "2026-12-01"}),
        ]
    ),
]
PlayDealData = Annotated[PlayDeal, Body(examples=[Example("with a name", value={"name": "Ann"})])]


@get("/daily", summary="Today's game, your result and the field", responses=shapes.NO_KEY)
def daily(services: AppServices, person: Person) -> DayView:
    return _describe_day(services, person, services.daily.of_day())


@get("/daily/{day:str}", summary="The game of any day since the first", responses=shapes.UNKNOWN)
def daily_of(services: AppServices, person: Person, day: str) -> DayView:
    return _describe_day(services, person, services.daily.of_day(day))


@post("/daily", summary="Begin today's game", responses=shapes.WRITING, security=shapes.SECURITY)
def begin(services: AppServices, player: Person) -> shapes.TableCreated:
    """Return the game that counts, however often you ask; once it is finished, a game to practise."""
    return describe_created(services, player, services.daily.begin(services.daily.of_day(), player.id))


@post("/daily/{day:str}", summary="Practise the game of a day", responses=shapes.WRITING, security=shapes.SECURITY)
def begin_day(services: AppServices, player: Person, day: str) -> shapes.TableCreated:
    return describe_created(services, player, services.daily.begin(services.daily.of_day(day), player.id))


@post("/deals", summary="Make a deal", responses=shapes.WRITING, security=shapes.SECURITY)
def make(services: AppServices, player: Person, data: NewDealData) -> DealView:
    """Let others play the dice of a finished game, or new dice until a date."""
    if data.table is not None:
        return _describe_deal(services, player, services.daily.deal_again(data.table, player.id, data.seat))
    if data.closes is None:
        raise BadRequest("home.daily-table-or-date")
    services.book(data.book)
    with services.tables.store.quota.open_table():
        return _describe_deal(services, player, services.daily.deal_new(player.id, data.book, data.title, data.closes))


@get("/deals/{name:str}", lane=RENDER, summary="A deal, and its results", responses=shapes.UNKNOWN)
def deal(services: AppServices, person: Person, name: str) -> DealView:
    return _describe_deal(services, person, services.daily.find(name))


@post("/deals/{name:str}", summary="Play a deal", responses=shapes.WRITING, security=shapes.SECURITY)
def play(services: AppServices, player: Person, name: str, data: PlayDealData) -> shapes.TableCreated:
    """Return the game that counts, however often you ask; once it is finished, a game to practise."""
    found = services.daily.find(name)
    return describe_created(services, player, services.daily.begin(found, player.id, data.name))


def _describe_day(services: AppServices, person: Person, deal: Deal) -> DayView:
    yours, field = _describe_attempt(services, person, deal), services.tables.store.deals.field(deal.name)
    lost = None if yours is None or yours.points_lost is None else round(10 * yours.points_lost)
    days = services.daily.days
    return DayView(
        deal.name,
        deal.book,
        commitment(deal.secret),
        deal.secret if days.is_over(deal.name) else None,
        days.is_open(deal),
        yours,
        None if lost is None else field.rank(lost),
        field.players,
        {str(tenths): count for tenths, count in field.counts.items()},
    )


def _describe_attempt(services: AppServices, person: Person, deal: Deal) -> AttemptView | None:
    found = services.daily.standing(deal, person.id)
    if found is None:
        return None
    attempt, known = found.attempt, found.is_known
    return AttemptView(
        attempt.table_id,
        attempt.finished is not None,
        found.counts,
        attempt.total,
        attempt.points_lost if known else None,
        found.luck if known else None,
        found.turns,
        found.squares,
    )


def _describe_deal(services: AppServices, person: Person, deal: Deal) -> DealView:
    card = game_card(services, person, deal)
    lines = standings_of(services, person, deal) if may_see_others(services, deal, card, person) else None
    return DealView(
        deal.name,
        deal.book,
        deal.title,
        deal.closes,
        card.open,
        _describe_attempt(services, person, deal),
        None
        if lines is None
        else [StandingView(line.rank, line.name, line.total, line.lost, line.yours) for line in lines],
    )
