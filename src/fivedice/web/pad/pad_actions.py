"""The score pad at a table: answers for a phone that will be offline, the way of entry, and the pencil."""

from __future__ import annotations

import json

from litestar import MediaType
from litestar.response import Response

from fivedice.table.decide import handing_over
from fivedice.table.decide.rights import need_pencil
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import LOOKS, MOVES, PRESS, NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.http.visitors import Visitor
from fivedice.web.pad.new_pad import QUICK, ROLLS
from fivedice.web.pad.pad_page import card_id, pad_page
from fivedice.web.play.page_parts import Extra
from fivedice.web.play.table_page import at_table
from fivedice.web.runtime.option_tables import options_answer
from fivedice.web.services import AppServices


@get("/t/{table:str}/options", lane=PRESS)
def options(services: AppServices, person: Person, table: str, seat: int) -> Response[bytes]:
    """For the keeper's phone: what every roll may do on one player's card."""
    state = services.tables.state(table)
    need_pencil(state, person.id)
    answers = options_answer(state, seat)
    card = "" if state.game is None else card_id(state.game.position.cards[seat])
    told = b'{"card":' + json.dumps(card).encode() + b"," + answers[1:]
    return Response(told, media_type=MediaType.JSON, headers={"cache-control": "no-store"})


@post("/t/{table:str}/entry", lane=MOVES, status_code=200)
def entry(visitor: Visitor, form: Form, table: str) -> Page | SeeOther:
    """Quick or roll by roll: remembered for the device, not for the table."""
    way = ROLLS if form.last("entry") == ROLLS else QUICK
    choices, person = visitor.services.tables.store.choices, visitor.person.id
    kept = choices.of(person)
    choices.remember(person, kept | {"pad": (kept.get("pad") or {}) | {"entry": way}})
    return pad_page(visitor, table) if visitor.fragment else see_other(f"/t/{table}")


@post("/t/{table:str}/pencil", lane=MOVES, status_code=200)
def offer_pencil(visitor: Visitor, table: str) -> Page:
    """Make a link that hands the pencil on to whoever opens it first."""

    def offered() -> Page:
        code = handing_over.offer_pencil(visitor.services.tables, table, visitor.person.id)
        return pad_page(visitor, table, Extra(pencil=visitor.link(f"/t/{table}/pencil/{code}")))

    return at_table(visitor, table, offered)


@get("/t/{table:str}/pencil/{code:str}", lane=LOOKS)
def pencil_page(services: AppServices, table: str, code: str) -> Page:
    """Taking it is a button of its own: looking at a link must not use it up."""
    state = services.tables.state(table)
    if not state.real_dice:
        raise NotFound("web.no-scorekeeper")
    names = [seat.name for seat in state.seats]
    return page("pad/pad_pencil.html", table=table, code=code, book=state.book, names=names)


@post("/t/{table:str}/pencil/{code:str}", lane=MOVES, status_code=303)
def take_pencil(services: AppServices, person: Person, table: str, code: str) -> SeeOther:
    handing_over.take_pencil(services.tables, table, person.id, code)
    return see_other(f"/t/{table}")
