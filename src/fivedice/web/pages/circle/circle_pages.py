"""Circles: one's own, the page of one, its members, the link into it, and two members compared.

A circle is found only by its members, and by people who have its link. Everyone else reads that there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from fivedice.core.rules import DEFAULT, SHIPPED, shipped
from fivedice.errors import quote
from fivedice.message import message
from fivedice.store.circles import ALL_TIME, MOST_CIRCLES, Circle, CircleGame, Member
from fivedice.table.actions import commands as cmd
from fivedice.table.house_rules_text import book_of
from fivedice.table.refusals import BadRequest, NotAllowed, Refusal, WrongPhase
from fivedice.table.state import Phase
from fivedice.text.squares import grade_of_loss
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form, parse_int
from fivedice.web.http.handling import NotFound, get, post
from fivedice.web.http.identity import Person, only_this_device
from fivedice.web.http.page_files import static_address
from fivedice.web.pages.home.pages import Progress, progress
from fivedice.web.pages.page_parts import PICTURE, Preview, qr_code
from fivedice.web.services.app_services import AppServices, Visitor
from fivedice.web.services.circle_games import member_name

MOST_LINES = 30  # of the standings, before one asks for everyone
MOST_GAMES = 6  # that are not over, on the page of a circle
USUAL_DAYS = 7  # until a deal closes, unless another day is chosen
Members: TypeAlias = dict[int, Member]


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game of the circle that is not over."""

    game: CircleGame
    names: tuple[str, ...]
    progress: Progress | None  # None while it waits for players
    yours: bool  # whether this member has a seat

    @property
    def can_join(self) -> bool:
        return self.progress is None and not self.yours


@get("/circles")
def own_circles(services: AppServices, person: Person) -> Page:
    return _own_circles(services, person)


def _own_circles(services: AppServices, person: Person, notice: str | None = None, status: int = 200) -> Page:
    store = services.tables.store
    own = store.circles.of(person.id)
    name = store.choices.of(person.id).get("name", "")
    return page("circle/circles.html", status, circles=own, most=MOST_CIRCLES, notice=notice, your_name=name)


@post("/circles", status_code=303)
def make_circle(services: AppServices, person: Person, form: Form) -> Page | SeeOther:
    """Make a circle in one step; if that is refused, show the form again."""
    try:
        name, own = member_name(form.last("circle")), member_name(form.last("name"))
        circle = services.tables.store.circles.make(person.id, name, own)
    except Refusal as refusal:
        return _own_circles(services, person, str(refusal), refusal.status)
    return see_other(f"/circle/{circle.id}/members")


@get("/circle/{name:str}/join/{code:str}")
def join_page(visitor: Visitor, name: str, code: str) -> Page | SeeOther:
    """Ask for a name; members go to their circle at once, with any link that it ever had."""
    if visitor.services.tables.store.circles.find(name, visitor.person.id) is not None:
        return see_other(f"/circle/{name}")
    return _join_page(visitor, visitor.services.circles.require_link(name, code))


def _join_page(visitor: Visitor, circle: Circle, notice: str | None = None, status: int = 200) -> Page:
    about = Preview(
        str(message("circle.preview", circle=circle.name)),
        str(message("circle.preview-about")),
        static_address(PICTURE),
    )
    own = visitor.services.tables.store.choices.of(visitor.person.id).get("name", "")
    return page("circle/join.html", status, circle=circle, notice=notice, your_name=own, preview=about)


@post("/circle/{name:str}/join/{code:str}", status_code=303)
def join(visitor: Visitor, form: Form, name: str, code: str) -> Page | SeeOther:
    services = visitor.services
    circle = services.circles.require_link(name, code)
    try:
        services.tables.store.circles.join(name, code, visitor.person.id, member_name(form.last("name")))
    except Refusal as refusal:
        return _join_page(visitor, circle, str(refusal), refusal.status)
    return see_other(f"/circle/{name}")


@get("/circle/{name:str}")
def circle_page(
    services: AppServices, person: Person, name: str, all_time: bool = False, everyone: bool = False
) -> Page:
    return _circle_page(services, person, name, all_time=all_time, everyone=everyone)


def _circle_page(
    services: AppServices,
    person: Person,
    name: str,
    notice: str | None = None,
    status: int = 200,
    *,
    all_time: bool = False,
    everyone: bool = False,
) -> Page:
    circles = services.circles
    circle, members = circles.require(name, person.id)
    today, last = services.daily.days.today(), services.tables.store.choices.of(person.id).get("book", DEFAULT)
    daily = services.daily.of_day()
    lines, games = circles.today(circle, members), _open_games(services, circle, person)
    standings = circles.standings(circle, members, ALL_TIME if all_time else circles.month())
    waits, deal = circles.judge_soon(circle), circles.open_deal(circle)
    return page(
        "circle/circle.html",
        status,
        circle=circle,
        members=members,
        me=members[circle.me],
        notice=notice,
        book=book_of(daily.book, None),
        today=lines,
        mine=next(line for line in lines if line.yours),
        games=games,
        game=services.tables.store.shelf.book_names([last]).get(last, shipped(DEFAULT)),
        standings=[line for line in standings if everyone or line.yours or line.place <= MOST_LINES],
        hidden=0 if everyone else max(0, len(standings) - MOST_LINES),
        all_time=all_time,
        month=circles.month(),
        waits=waits or bool(games) or any(line.finished and line.lost is None for line in lines),
        deal=deal,
        deal_book=None if deal is None else book_of(deal.book, None),
        last_deal=circle.deal,
        books=[shipped(key) for key in SHIPPED],
        closes=(today + timedelta(days=USUAL_DAYS)).isoformat(),
        from_day=today.isoformat(),
        grade=grade_of_loss,
    )


def _open_games(services: AppServices, circle: Circle, person: Person) -> list[GameEntry]:
    """Return the newest games that are not over, first those that this member can join."""
    found = services.tables.store.circles.open_games([circle.id], person.id)
    wanted = [game for game in found if game.phase != Phase.SEATING or game.asked in (None, circle.me)]
    entries = []
    for game in wanted[:MOST_GAMES]:
        state = services.tables.state(game.table)
        names = tuple(str(seat.name) for seat in state.seats)
        how = progress(state, person.id) if state.phase is Phase.PLAYING else None
        entries.append(GameEntry(game, names, how, bool(state.seats_of(person.id))))
    return sorted(entries, key=lambda entry: (not entry.can_join, not entry.yours))


@post("/circle/{name:str}/play", status_code=303)
def play(services: AppServices, person: Person, form: Form, name: str) -> Page | SeeOther:
    """Open a game with the rules that were played last, for all members or for one."""
    circle, members = services.circles.require(name, person.id)
    asked = parse_int(form.last("member"), "member") if form.last("member") else None
    book = services.tables.store.choices.of(person.id).get("book", DEFAULT)
    try:
        return see_other(f"/t/{services.circles.play(circle, members, book, asked)}")
    except Refusal as refusal:
        return _circle_page(services, person, name, str(refusal), refusal.status)


@post("/circle/{name:str}/sit/{table:str}", status_code=303)
def sit(services: AppServices, person: Person, name: str, table: str) -> SeeOther:
    """Join a game of the circle by one tap, under one's name there; someone who is late watches."""
    circle, members = services.circles.require(name, person.id)
    services.circles.require_game(circle, person.id, table)
    if not services.tables.state(table).seats_of(person.id):
        seat = cmd.SitDown(person.id, members[circle.me].name)
        with suppress(WrongPhase):
            services.execute(table, seat, join_code=services.tables.join_code(table))
    return see_other(f"/t/{table}")


@post("/circle/{name:str}/deal", status_code=303)
def deal(services: AppServices, person: Person, form: Form, name: str) -> Page | SeeOther:
    """Make new dice that all members can play until a date."""
    circle, members = services.circles.require(name, person.id)
    try:
        made = services.circles.deal(circle, members, form.last("book", DEFAULT), form.last("closes"))
    except Refusal as refusal:
        return _circle_page(services, person, name, str(refusal), refusal.status)
    return see_other(f"/deal/{made.name}")


@get("/circle/{name:str}/match/{one:int}/{two:int}")
def match_page(services: AppServices, person: Person, name: str, one: int, two: int) -> Page:
    """Compare two members: games, wins, points lost, luck and ratings."""
    circle, members = services.circles.require(name, person.id)
    if one == two or one not in members or two not in members:
        raise NotFound("circle.no-member", number=f"{one}/{two}")
    pair = services.circles.pair(members[one], members[two])
    asked = two if one == circle.me else one if two == circle.me else None
    waits = services.circles.judge_soon(circle)
    return page("circle/match.html", circle=circle, pair=pair, members=members, asked=asked, waits=waits)


@get("/circle/{name:str}/members")
def members_page(visitor: Visitor, name: str) -> Page:
    return _members_page(visitor, name)


def _members_page(visitor: Visitor, name: str, notice: str | None = None, status: int = 200) -> Page:
    circle, members = visitor.services.circles.require(name, visitor.person.id)
    notices = visitor.services.notices
    return page(
        "circle/members.html",
        status,
        circle=circle,
        members=members,
        link=invitation(visitor, circle),
        qr=qr_code,
        only_here=only_this_device(visitor.services.settings),
        webhook=notices.store.webhook(name) if circle.is_mine and notices.has_webhooks else None,
        notice=notice,
    )


def invitation(visitor: Visitor, circle: Circle) -> str:
    """Return the link with which people join."""
    return visitor.link(f"/circle/{circle.id}/join/{circle.code}")


@get("/circle/{name:str}/sheet")
def sheet(visitor: Visitor, name: str) -> Page:
    """Return the link as a sheet to print, with a large QR code."""
    circle, _ = visitor.services.circles.require(name, visitor.person.id)
    return page("circle/sheet.html", circle=circle, link=invitation(visitor, circle), qr=qr_code)


@post("/circle/{name:str}/{action:str}", status_code=303)
def change(visitor: Visitor, form: Form, name: str, action: str) -> Page | SeeOther:
    """Change the circle or one's part in it, and return to the page of its members."""
    services, person = visitor.services, visitor.person
    if action not in CHANGES | OWNER_CHANGES:
        raise NotFound("web.no-action", action=quote(action))
    require = services.circles.require_owner if action in OWNER_CHANGES else services.circles.require
    circle, members = require(name, person.id)
    try:
        (CHANGES | OWNER_CHANGES)[action](services, circle, members, form)
    except Refusal as refusal:
        return _members_page(visitor, name, str(refusal), refusal.status)
    return see_other("/circles" if action in ("leave", "delete") else f"/circle/{name}/members")


def _call(services: AppServices, circle: Circle, _: Members, form: Form) -> None:
    services.tables.store.circles.rename_member(circle.id, circle.me, member_name(form.last("name")))


def _leave(services: AppServices, circle: Circle, _: Members, __: Form) -> None:
    services.tables.store.circles.leave(circle.id, circle.me)


def _rename(services: AppServices, circle: Circle, _: Members, form: Form) -> None:
    services.tables.store.circles.change(circle.id, name=member_name(form.last("circle")))


def _renew(services: AppServices, circle: Circle, _: Members, __: Form) -> None:
    services.tables.store.circles.renew(circle.id)


def _other_member(circle: Circle, members: Members, form: Form) -> int:
    number = parse_int(form.last("member", "0"), "member")
    if number not in members or number == circle.me:
        raise BadRequest("circle.no-member", number=number)
    return number


def _remove(services: AppServices, circle: Circle, members: Members, form: Form) -> None:
    services.tables.store.circles.remove(circle.id, _other_member(circle, members, form))


def _hand_over(services: AppServices, circle: Circle, members: Members, form: Form) -> None:
    if not services.tables.store.circles.hand_over(circle.id, circle.owner, _other_member(circle, members, form)):
        raise NotAllowed("circle.no-member", number=form.last("member"))


def _set_webhook(services: AppServices, circle: Circle, _: Members, form: Form) -> None:
    services.notices.set_webhook(circle.id, form.last("address").strip())


def _delete(services: AppServices, circle: Circle, _: Members, form: Form) -> None:
    if not form.ticked("sure"):
        raise BadRequest("circle.not-sure")
    services.tables.store.circles.delete(circle.id)


Change: TypeAlias = Callable[[AppServices, Circle, Members, Form], None]
CHANGES: dict[str, Change] = {"name": _call, "leave": _leave}
OWNER_CHANGES: dict[str, Change] = {
    "rename": _rename,
    "renew": _renew,
    "remove": _remove,
    "hand-over": _hand_over,
    "webhook": _set_webhook,
    "delete": _delete,
}
