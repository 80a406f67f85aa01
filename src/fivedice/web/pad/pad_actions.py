"""The score pad at a table: answers for a phone that will be offline, the way of entry, and the pencil."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Response, Template

from fivedice.table.decide import handing_over
from fivedice.table.decide.rights import need_pencil
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.table.view.roll_values import options_table
from fivedice.web.home.pages import page, see_other
from fivedice.web.http.command_forms import fields_of
from fivedice.web.http.identity import person_of
from fivedice.web.pad.pad_choices import QUICK, ROLLS
from fivedice.web.pad.pad_page import card_id, pad_page
from fivedice.web.play.page_parts import FRAGMENT, Extra
from fivedice.web.runtime.services import in_thread, services_of

Req = Request[Any, Any, State]


@get("/t/{table:str}/options")
async def options(request: Req, table: str, seat: int) -> Response[dict[str, Any]]:
    """For the keeper's phone: what every roll may do on one player's card."""
    state = await in_thread(services_of(request).tables.state, table)
    need_pencil(state, person_of(request).id)
    answers = await in_thread(options_table, state, seat)
    card = "" if state.game is None else card_id(state.game.position.cards[seat])
    return Response({"card": card, **answers}, headers={"cache-control": "no-store"})


@post("/t/{table:str}/entry", status_code=200)
async def entry(request: Req, table: str) -> Template | Redirect:
    """Quick or roll by roll: remembered for the device, not for the table."""
    services, person, form = services_of(request), person_of(request), await fields_of(request)
    way = ROLLS if form.get("entry") == [ROLLS] else QUICK
    choices = await in_thread(services.tables.store.choices.of, person.id)
    kept = choices.get("pad") or {}
    await in_thread(services.tables.store.choices.remember, person.id, choices | {"pad": kept | {"entry": way}})
    if request.headers.get(FRAGMENT):
        return await pad_page(request, person, table, Extra())
    return see_other(request, person, f"/t/{table}")


@post("/t/{table:str}/pencil", status_code=200)
async def offer_pencil(request: Req, table: str) -> Template:
    """Make a link that hands the pencil on to whoever opens it first."""
    services, person = services_of(request), person_of(request)
    try:
        code = await in_thread(handing_over.offer_pencil, services.tables, table, person.id)
    except UnknownTable:
        raise
    except Refusal as refusal:
        return await pad_page(request, person, table, Extra(notice=str(refusal)), refusal.status)
    return await pad_page(request, person, table, Extra(pencil=services.link(request, f"/t/{table}/pencil/{code}")))


@get("/t/{table:str}/pencil/{code:str}")
async def pencil_page(request: Req, table: str, code: str) -> Template:
    """Taking it is a button of its own: looking at a link must not use it up."""
    state = await in_thread(services_of(request).tables.state, table)
    if not state.real_dice:
        raise NotFoundException("There is no pencil at this table: its dice are thrown by the table.")
    names = [seat.name for seat in state.seats]
    return page(
        request, person_of(request), "pad/pad_pencil.html", table=table, code=code, book=state.book, names=names
    )


@post("/t/{table:str}/pencil/{code:str}", status_code=303)
async def take_pencil(request: Req, table: str, code: str) -> Redirect:
    services, person = services_of(request), person_of(request)
    await in_thread(handing_over.take_pencil, services.tables, table, person.id, code)
    return see_other(request, person, f"/t/{table}")


handlers = [options, entry, offer_pencil, pencil_page, take_pencil]
