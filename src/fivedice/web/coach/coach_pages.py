"""The coach at a table: hints, chances, and what a person wants of both."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.response import Redirect, Template

from fivedice.coaching.asking import plays_alone
from fivedice.table.house_rules_text import shelf_key
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.state import TableState
from fivedice.web.coach.coach_choices import CoachChoices, chosen, coach_choices
from fivedice.web.coach.table_coach import Hint
from fivedice.web.home.pages import page, see_other
from fivedice.web.http.command_forms import fields_of
from fivedice.web.http.headers import served_securely
from fivedice.web.http.identity import Person, person_of
from fivedice.web.play.page_parts import FRAGMENT, Extra
from fivedice.web.play.table_page import room
from fivedice.web.runtime.services import Desk, desk_of, in_thread

Req = Request[Any, Any, State]


@get("/t/{table:str}/hint")
async def hint(request: Req, table: str, aim: str | None = None) -> Template:
    """The best few choices; for our script the panel alone."""
    desk, person, wants = desk_of(request), person_of(request), coach_choices(request)
    try:
        wants = chosen(wants, {} if aim is None else {"aim": [aim]})
        found = await in_thread(_hint, desk, table, person, wants)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await _refused(request, person, table, refusal)
    return _remembering(request, wants, await _panel(request, person, table, found))


def _hint(desk: Desk, table: str, person: Person, wants: CoachChoices) -> Hint:
    state = desk.tables.state(table)
    return desk.coaches.hint(state, person.id, wants.aim, to_beat(desk, state, person))


def to_beat(desk: Desk, state: TableState, person: Person) -> int | None:
    """One more than the own best, for somebody who plays alone."""
    if not plays_alone(state, person.id):
        return None
    best = desk.tables.store.results.best(person.id).get(shelf_key(state.book.key, state.rules))
    return None if best is None else best.total + 1


async def _panel(request: Req, person: Person, table: str, found: Hint) -> Template:
    if request.headers.get(FRAGMENT):
        return page(request, person, "coach/_coach.html", hint=found, id=table, live=True)
    return await room(request, person, table, Extra(hint=found))


async def _refused(request: Req, person: Person, table: str, refusal: Refusal) -> Template:
    if request.headers.get(FRAGMENT):
        return page(request, person, "coach/_coach.html", refusal.status, refused=str(refusal), id=table, live=True)
    return await room(request, person, table, Extra(notice=str(refusal)), refusal.status)


@get("/t/{table:str}/odds")
async def odds(request: Req, table: str) -> Template:
    """What everyone may expect; for our script the lines of the sheet alone."""
    desk, person = desk_of(request), person_of(request)
    try:
        found = await desk.odds_board.ask(*await in_thread(_asked, desk, table, person))
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await _refused(request, person, table, refusal)
    if request.headers.get(FRAGMENT):
        return page(request, person, "coach/_odds.html", odds=found, id=table, live=True)
    return await room(request, person, table, Extra(odds=found))


def _asked(desk: Desk, table: str, person: Person) -> tuple[TableState, int | None]:
    state = desk.tables.state(table)
    return state, to_beat(desk, state, person)


@post("/t/{table:str}/coach", status_code=200)
async def choose(request: Req, table: str) -> Template | Redirect:
    """Training and chances, as this person wants them from now on."""
    person = person_of(request)
    try:
        wants = chosen(coach_choices(request), await fields_of(request))
    except Refusal as refusal:
        return await room(request, person, table, Extra(notice=str(refusal)), refusal.status)
    if request.headers.get(FRAGMENT):
        return _remembering(request, wants, await room(request, person, table, Extra(wants=wants)))
    answer = see_other(request, person, f"/t/{table}")
    answer.cookies = [*answer.cookies, wants.cookie(secure=served_securely(request.scope))]
    return answer


def _remembering(request: Req, wants: CoachChoices, answer: Template) -> Template:
    if wants != coach_choices(request):
        answer.cookies = [*answer.cookies, wants.cookie(secure=served_securely(request.scope))]
    return answer


handlers = [hint, odds, choose]
