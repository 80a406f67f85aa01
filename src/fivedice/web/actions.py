"""The forms: each one a command, answered by a redirect or, for our script, by the changed part of the page."""

from __future__ import annotations

from typing import Any

from litestar import Request, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Response, Template

from fivedice.errors import IllegalError
from fivedice.table import commands as ask
from fivedice.table.decide import MOST_SEATS
from fivedice.table.refusals import BadRequest, Refusal, UnknownTable
from fivedice.table.service import new_key, player_id
from fivedice.table.state import TableState
from fivedice.web.desk import Desk, desk_of, in_thread
from fivedice.web.people import Person, person_of
from fivedice.web.requests import NAMES, from_form, whole
from fivedice.web.room import FRAGMENT, Extra, room

Req = Request[Any, Any, State]
Answer = Template | Redirect


def see_other(request: Req, person: Person, path: str) -> Redirect:
    cookies = [person.cookie(secure=request.url.scheme == "https")] if person.fresh else []
    return Redirect(path, status_code=303, cookies=cookies)


@post("/play", status_code=303)
async def play(request: Req) -> Redirect:
    """One click: a solo game in the book played last, and the first roll is the next thing to do."""
    desk, person = desk_of(request), person_of(request)
    choices = await in_thread(desk.tables.store.choices, person.id)
    table = await in_thread(desk.tables.open, person.id, choices.get("book", "yahtzee"))
    await desk.execute(table, ask.SitDown(person.id, choices.get("name", "You")))
    await desk.execute(table, ask.StartGame(person.id))
    return see_other(request, person, f"/t/{table}")


@post("/tables", status_code=303)
async def set_up(request: Req) -> Redirect:
    """The whole choice on one screen: book, people at this device, bots, coach; then start or invite."""
    desk, person, form = desk_of(request), person_of(request), await request.form()
    names = [name.strip() for name in form.getall("name", []) if isinstance(name, str) and name.strip()]
    levels = [level for level in form.getall("bot", []) if level]
    if len(names) + len(levels) > MOST_SEATS:
        raise BadRequest(f"A table has {MOST_SEATS} seats at most.")
    book, coach = str(form.get("book", "yahtzee")), form.get("coach") == "yes"
    table = await in_thread(lambda: desk.tables.open(person.id, book, coach=coach))
    for name in names or ["You"]:
        await desk.execute(table, ask.SitDown(person.id, name))
    for level in levels:
        await desk.execute(table, ask.SeatBot(person.id, str(level)))
    chosen = {"book": book, "name": (names or ["You"])[0], "others": names[1:], "bots": levels, "coach": coach}
    await in_thread(desk.tables.store.remember, person.id, chosen)
    if form.get("action") != "invite":
        await desk.execute(table, ask.StartGame(person.id))
    return see_other(request, person, f"/t/{table}")


@post("/t/{table:str}/{action:str}", status_code=200)
async def act(request: Req, table: str, action: str) -> Answer:
    """Every button of a table comes here."""
    desk, person, form = desk_of(request), person_of(request), await request.form()
    if action not in NAMES:
        raise NotFoundException(f"A table has no action {action!r}.")
    values = {name: str(form[name]) for name in form if name != "hold"}
    try:
        body = from_form(action, values, [str(slot) for slot in form.getall("hold", [])])
        command = body.command_of(person.id)
        if await _wasteful(desk, table, command, values):
            return await _ask_first(request, person, table, body.box)
        await desk.execute(table, command, body.version, body.key, body.join_code)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await room(request, person, table, Extra(notice=str(refusal), join=values.get("join")), refusal.status)
    if isinstance(command, ask.SitDown):
        await _remember_name(desk, person, command.name)
    return await _shown(request, person, table)


async def _shown(request: Req, person: Person, table: str) -> Answer:
    if request.headers.get(FRAGMENT):
        return await room(request, person, table, Extra())
    return see_other(request, person, f"/t/{table}")


async def _ask_first(request: Req, person: Person, table: str, box: str) -> Answer:
    """A zero that could be avoided asks once."""
    if request.headers.get(FRAGMENT):
        return await room(request, person, table, Extra(confirm=box))
    return see_other(request, person, f"/t/{table}?confirm={box}")


async def _wasteful(desk: Desk, table: str, command: ask.Command, values: dict[str, str]) -> bool:
    if not isinstance(command, ask.FillBox) or values.get("sure"):
        return False
    state = await in_thread(desk.tables.state, table)
    return _is_avoidable_zero(state, command.box)


def _is_avoidable_zero(state: TableState, box: str) -> bool:
    game = state.game
    if game is None or game.position.roll is None:
        return False
    legal = game.position.ruling().legal
    try:
        entry = legal.get(state.book.box(box).key)
    except IllegalError:
        return False
    return entry is not None and entry.points == 0 and any(other.points for other in legal.values())


async def _remember_name(desk: Desk, person: Person, name: str) -> None:
    choices = await in_thread(desk.tables.store.choices, person.id)
    await in_thread(desk.tables.store.remember, person.id, choices | {"name": name.strip()})


@post("/t/{table:str}/rematch", status_code=303)
async def rematch(request: Req, table: str) -> Answer:
    desk, person = desk_of(request), person_of(request)
    try:
        following = await in_thread(desk.tables.rematch, table, person.id)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await room(request, person, table, Extra(notice=str(refusal)), refusal.status)
    return see_other(request, person, f"/t/{following}")


@post("/t/{table:str}/handover", status_code=200)
async def hand_over(request: Req, table: str) -> Answer:
    """Make a link that gives a seat to whoever opens it first."""
    desk, person, form = desk_of(request), person_of(request), await request.form()
    seat = whole(str(form.get("seat", "")), "seat")
    state = await in_thread(desk.tables.state, table)
    if seat not in state.seats_of(person.id):
        return await room(request, person, table, Extra(notice="That is not your seat."), 403)
    code = new_key()
    await in_thread(desk.tables.store.offer_seat, player_id(code), table, seat)
    link = desk.link(request, f"/t/{table}/seat/{code}")
    notice = (
        f"Whoever opens this link first takes {state.seats[seat].name}\N{RIGHT SINGLE QUOTATION MARK}s seat: {link}"
    )
    return await room(request, person, table, Extra(notice=notice))


@post("/t/{table:str}/seat/{code:str}", status_code=303)
async def take_seat(request: Req, table: str, code: str) -> Response[Any] | Redirect:
    desk, person = desk_of(request), person_of(request)
    seat = await in_thread(desk.tables.store.offered_seat, player_id(code), table)
    if seat is None:
        raise NotFoundException("This link does not lead to a seat any more. Ask for a new one.")
    await desk.execute(table, ask.TakeOver(person.id, seat))
    await in_thread(desk.tables.store.withdraw_offer, player_id(code))
    return see_other(request, person, f"/t/{table}")


handlers = [play, set_up, act, rematch, hand_over, take_seat]
