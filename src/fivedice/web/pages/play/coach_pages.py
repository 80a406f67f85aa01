"""The coach at a table: hints, odds, and the choices of a person for both."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from litestar.response import Response

from fivedice.coaching.training import limit_message, plays_alone
from fivedice.drawing.theme import pip_inks
from fivedice.message import Message, message
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.state import TableState
from fivedice.web.http.answers import Page, page
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import COACH, MOVES, get, post
from fivedice.web.http.identity import Person
from fivedice.web.jobs.table_coach import HintView
from fivedice.web.pages.page_parts import Extra
from fivedice.web.pages.play.table_page import at_table, show_table
from fivedice.web.services.app_services import AppServices, CoachChoices, Visitor, apply_form

Answer = TypeVar("Answer", bound=Response[object])


@get("/t/{table:str}/hint", lane=COACH)
def hint(visitor: Visitor, table: str, aim: str | None = None) -> Page:
    """Return the best few choices; for our script, only the panel."""
    try:
        wants = apply_form(visitor.wants, Form() if aim is None else Form({"aim": [aim]}), table)
        found = replace(hint_for(visitor.services, visitor.person, table, wants), unfolded=aim is not None)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return _refusal_page(visitor, table, refusal)
    if visitor.fragment:
        inks = pip_inks(visitor.services.tables.state(table).book)
        return _with_cookie(visitor, wants, page("coach/_coach.html", hint=found, id=table, live=True, inks=inks))
    return _with_cookie(visitor, wants, show_table(visitor, table, Extra(hint=found)))


def hint_for(services: AppServices, person: Person, table: str, wants: CoachChoices) -> HintView:
    state = services.tables.state(table)
    return services.coaches.hint(state, person.id, wants.aim_at(table), to_beat(services, state, person))


def to_beat(services: AppServices, state: TableState, person: Person) -> int | None:
    """Return one more than the person's best score, if they play alone."""
    if not plays_alone(state, person.id):
        return None
    best = services.tables.store.results.best(person.id).get(state.shelf_key)
    return None if best is None else best.total + 1


def _refusal_page(visitor: Visitor, table: str, refusal: Refusal) -> Page:
    if visitor.fragment:
        return page("coach/_coach.html", refusal.status, refused=str(refusal), id=table, live=True)
    return show_table(visitor, table, Extra(notice=str(refusal)), refusal.status)


@get("/t/{table:str}/odds", lane=COACH)
def odds(visitor: Visitor, table: str) -> Page:
    """Return everyone's expected totals and odds; for our script, only the line."""
    services = visitor.services
    try:
        state = services.tables.state(table)
        found = services.odds_board.odds(state, to_beat(services, state, visitor.person))
    except UnknownTable:
        raise
    except Refusal as refusal:
        return _refusal_page(visitor, table, refusal)
    if visitor.fragment:
        return page("coach/_odds.html", odds=found, id=table, names=_names(visitor, table))
    return show_table(visitor, table, Extra(odds=found))


def _names(visitor: Visitor, table: str) -> list[str]:
    return [seat.name for seat in visitor.services.view(table, visitor.person).seats]


@post("/t/{table:str}/coach", lane=MOVES, status_code=200)
def choose(visitor: Visitor, form: Form, table: str) -> Page:
    """Change this person's choices for training and odds."""

    def changed() -> Page:
        wants = apply_form(visitor.wants, form, table)
        said = str(limit_message(wants.training) if "training" in form.fields else odds_message(wants))
        # Without a script the form is closed again, so the confirmation is shown as a notice.
        extra = Extra(wants=wants, saved=said) if visitor.fragment else Extra(wants=wants, notice=said)
        return _with_cookie(visitor, wants, show_table(visitor, table, extra))

    return at_table(visitor, table, changed)


def odds_message(wants: CoachChoices) -> Message:
    return message("coach.odds-shown" if wants.odds else "coach.odds-hidden")


def _with_cookie(visitor: Visitor, wants: CoachChoices, answer: Answer) -> Answer:
    if wants != visitor.wants:
        answer.set_cookie(wants.cookie(visitor.request.scope))
    return answer
