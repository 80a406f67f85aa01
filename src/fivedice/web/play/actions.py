"""The forms of a table: each one a command, answered by a redirect or, for our script, by the changed part."""

from __future__ import annotations

from typing import Any

from litestar import Request, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Template

from fivedice.coaching.training import avoidable_zero
from fivedice.table import commands as ask
from fivedice.table.decide import handing_over
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.state import TableState
from fivedice.web.coach.coach_choices import coach_choices
from fivedice.web.home.pages import see_other
from fivedice.web.http.command_forms import NAMES, CommandBody, fields_of, from_form, whole
from fivedice.web.http.identity import Person, person_of
from fivedice.web.play.page_parts import FRAGMENT, Extra
from fivedice.web.play.table_page import room
from fivedice.web.runtime.services import Desk, desk_of, in_thread

Req = Request[Any, Any, State]
Answer = Template | Redirect


@post("/t/{table:str}/{action:str}", status_code=200)
async def act(request: Req, table: str, action: str) -> Answer:
    """Every button of a table comes here."""
    person, values = person_of(request), await fields_of(request)
    if action not in NAMES:
        raise NotFoundException(f"A table has no action {action[:40]!r}.")
    try:
        body = from_form(action, values)
        return await _done(request, person, table, body, sure=bool(values.get("sure")))
    except UnknownTable:
        raise
    except Refusal as refusal:
        join = values.get("join", [None])[-1]
        return await room(request, person, table, Extra(notice=str(refusal), join=join), refusal.status)


async def _done(request: Req, person: Person, table: str, body: CommandBody, *, sure: bool) -> Answer:
    desk, command = desk_of(request), body.command_of(person.id)
    if isinstance(command, ask.FillBox | ask.RollDice) and not sure:
        question = await _question(request, table, command, body.version)
        if question is not None:
            return await _ask_first(request, person, table, question)
    done = await desk.execute(table, command, body.version, body.key, body.join_code)
    if isinstance(command, ask.SitDown):
        await _remember_name(desk, person, command.name or "")
    return await _shown(request, person, done.state)


async def _shown(request: Req, person: Person, state: TableState) -> Answer:
    if request.headers.get(FRAGMENT):
        return await room(request, person, state.id, Extra(), state=state)
    return see_other(request, person, f"/t/{state.id}")


async def _ask_first(request: Req, person: Person, table: str, question: Extra) -> Answer:
    """Nothing has happened yet: the page asks once."""
    if request.headers.get(FRAGMENT) or question.caution is not None:
        return await room(request, person, table, question)
    return see_other(request, person, f"/t/{table}?confirm={question.confirm}")


async def _question(request: Req, table: str, command: ask.FillBox | ask.RollDice, version: int | None) -> Extra | None:
    """What to ask before a move; None where there is nothing to ask, or where it will be refused anyway."""
    desk, limit = desk_of(request), coach_choices(request).training
    if isinstance(command, ask.RollDice) and not limit:
        return None
    state = await in_thread(desk.tables.state, table)
    if version is None or not state.game_version <= version <= state.version:
        return None
    caution = await in_thread(desk.coaches.caution, state, command, limit)
    if caution is not None:
        return Extra(caution=caution)
    wasted = avoidable_zero(state, command.player, command.box) if isinstance(command, ask.FillBox) else None
    return None if wasted is None else Extra(confirm=wasted)


async def _remember_name(desk: Desk, person: Person, name: str) -> None:
    choices = await in_thread(desk.tables.store.choices.of, person.id)
    await in_thread(desk.tables.store.choices.remember, person.id, choices | {"name": name.strip()})


@post("/t/{table:str}/rematch", status_code=303)
async def rematch(request: Req, table: str) -> Answer:
    desk, person = desk_of(request), person_of(request)
    try:
        following = await in_thread(desk.tables.rematch, table, person.id)
        await _start_if_alone(desk, following, person)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await room(request, person, table, Extra(notice=str(refusal)), refusal.status)
    return see_other(request, person, f"/t/{following}")


async def _start_if_alone(desk: Desk, table: str, person: Person) -> None:
    """Where nobody else has to come along, the next game simply begins."""
    state = await in_thread(desk.tables.state, table)
    if state.game is None and state.host == person.id and state.people() == {person.id}:
        await desk.execute(table, ask.StartGame(person.id))


@post("/t/{table:str}/handover", status_code=200)
async def hand_over(request: Req, table: str) -> Answer:
    """Make a link that gives a seat to whoever opens it first."""
    desk, person, values = desk_of(request), person_of(request), await fields_of(request)
    try:
        seat = whole(values.get("seat", [""])[-1], "seat")
        code = await in_thread(handing_over.offer_seat, desk.tables, table, person.id, seat)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await room(request, person, table, Extra(notice=str(refusal)), refusal.status)
    link = desk.link(request, f"/t/{table}/seat/{code}")
    return await room(request, person, table, Extra(handover=link, handed=seat))


@post("/t/{table:str}/seat/{code:str}", status_code=303)
async def take_seat(request: Req, table: str, code: str) -> Redirect:
    desk, person = desk_of(request), person_of(request)
    await in_thread(handing_over.take_over, desk.tables, table, person.id, code)
    return see_other(request, person, f"/t/{table}")


handlers = [act, rematch, hand_over, take_seat]
