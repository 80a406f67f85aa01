"""The forms of a table: each one a command, answered by a redirect or, for our script, by the changed part."""

from __future__ import annotations

from typing import TypeAlias

from litestar.response import Response

from fivedice.coaching.training import avoidable_zero
from fivedice.errors import quote
from fivedice.table import commands as cmd
from fivedice.table.decide import handing_over
from fivedice.table.service import Done
from fivedice.web.http.answers import Page, SeeOther, see_other
from fivedice.web.http.forms import NAMES, CommandBody, Form, from_form, whole
from fivedice.web.http.handling import NotFound, post
from fivedice.web.http.identity import Person
from fivedice.web.http.lanes import MOVES
from fivedice.web.http.visitors import Visitor
from fivedice.web.play.page_parts import Extra
from fivedice.web.play.table_page import at_table, show_table
from fivedice.web.services import AppServices

Answer: TypeAlias = Page | SeeOther


@post("/t/{table:str}/{action:str}", lane=MOVES, status_code=200)
def act(visitor: Visitor, form: Form, table: str, action: str) -> Page | SeeOther:
    """Every button of a table comes here."""
    if action not in NAMES:
        raise NotFound("web.no-action", action=quote(action))
    join = form.last("join") if "join" in form.fields else None
    return at_table(visitor, table, lambda: _done(visitor, table, from_form(action, form), form), join)


def _done(visitor: Visitor, table: str, body: CommandBody, form: Form) -> Answer:
    services, person, command = visitor.services, visitor.person, body.command_of(visitor.person.id)
    if isinstance(command, cmd.FillBox | cmd.RollDice) and not form.last("sure"):
        question = _question(visitor, table, command, body.version)
        if question is not None:
            return _ask_first(visitor, table, question)
    done = services.execute(table, command, body.version, body.key, body.join_code)
    if isinstance(command, cmd.SitDown | cmd.Introduce) and len(done.state.seats_of(person.id)) == 1:
        _remember_name(services, person, command.name or "")
    return show_table(visitor, table, state=done.state) if visitor.fragment else see_other(_after(done))


def _ask_first(visitor: Visitor, table: str, question: Extra) -> Answer:
    """Nothing has happened yet: the page asks once."""
    if visitor.fragment or question.caution is not None:
        return show_table(visitor, table, question)
    return see_other(f"/t/{table}?confirm={question.confirm}")


def _question(visitor: Visitor, table: str, command: cmd.FillBox | cmd.RollDice, version: int | None) -> Extra | None:
    """What to ask before a move; None where there is nothing to ask, or where it will be refused anyway."""
    services, limit = visitor.services, visitor.wants.training
    if isinstance(command, cmd.RollDice) and not limit:
        return None
    state = services.tables.state(table)
    if version is None or not state.game_version <= version <= state.version:
        return None
    caution = services.coaches.caution(state, command, limit)
    if caution is not None:
        return Extra(caution=caution)
    wasted = avoidable_zero(state, command.player, command.box) if isinstance(command, cmd.FillBox) else None
    return None if wasted is None else Extra(confirm=wasted)


def _remember_name(services: AppServices, person: Person, name: str) -> None:
    choices = services.tables.store.choices
    choices.remember(person.id, choices.of(person.id) | {"name": name.strip()})


@post("/t/{table:str}/rematch", lane=MOVES, status_code=303)
def rematch(visitor: Visitor, table: str) -> Page | SeeOther:
    """A new score sheet; at other tables the same as `again`, which pages of old do not know."""
    return at_table(visitor, table, lambda: see_other(_way_on(visitor.services, visitor.person, table)))


def _way_on(services: AppServices, person: Person, table: str) -> str:
    if services.tables.state(table).real_dice:
        return f"/t/{_next_sheet(services, person, table)}"
    return _after(services.execute(table, cmd.PlayAgain(person.id)))


def _after(done: Done) -> str:
    """Where somebody goes on after a command: to the next game, once there is one."""
    return f"/t/{done.state.rematch or done.state.id}"


def _next_sheet(services: AppServices, person: Person, table: str) -> str:
    """Where nobody else has to come along, the next game simply begins."""
    following = services.tables.rematch(table, person.id)
    state = services.tables.state(following)
    if state.game is None and state.host == person.id and state.people() == {person.id}:
        services.execute(following, cmd.StartGame(person.id))
    return following


@post("/t/{table:str}/hold", lane=MOVES, status_code=204)
def hold(services: AppServices, person: Person, form: Form, table: str) -> Response[None]:
    """The dice that somebody is about to keep, for our script alone: a page without it sends them with the roll."""
    slots = tuple(whole(slot, "hold") for slot in form.all("hold"))
    services.hold(table, person, whole(form.last("moment"), "moment"), slots, form.last("page"))
    return Response(None, status_code=204)


@post("/t/{table:str}/handover", lane=MOVES, status_code=200)
def hand_over(visitor: Visitor, form: Form, table: str) -> Page:
    """Make a link that gives a seat to whoever opens it first."""

    def offered() -> Page:
        seat = whole(form.last("seat"), "seat")
        code = handing_over.offer_seat(visitor.services.tables, table, visitor.person.id, seat)
        return show_table(visitor, table, Extra(handover=visitor.link(f"/t/{table}/seat/{code}"), handed=seat))

    return at_table(visitor, table, offered)


@post("/t/{table:str}/seat/{code:str}", lane=MOVES, status_code=303)
def take_seat(services: AppServices, person: Person, table: str, code: str) -> SeeOther:
    handing_over.take_over(services.tables, table, person.id, code)
    return see_other(f"/t/{table}")
