"""The ways to a score pad for real dice: one tap, or the whole choice on one screen."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.response import Redirect, Template

from fivedice.rules import SHIPPED, shipped
from fivedice.table.decide.rights import MOST_GAMES, MOST_SEATS
from fivedice.table.refusals import BadRequest, Refusal
from fivedice.web.home.pages import page, see_other
from fivedice.web.house_rules.book_lookup import book_at
from fivedice.web.http.command_forms import fields_of
from fivedice.web.http.identity import Person, person_of
from fivedice.web.pad.pad_choices import PadChoices, choices_from, games_of, remembered
from fivedice.web.runtime.services import in_thread, services_of

Req = Request[Any, Any, State]


@get("/pad")
async def pad_set_up(request: Req, book: str | None = None) -> Template:
    person = person_of(request)
    chosen = remembered(await in_thread(services_of(request).tables.store.choices.of, person.id))
    return await _screen(request, person, chosen if book is None else replace(chosen, book=book))


async def _screen(
    request: Req, person: Person, chosen: PadChoices, notice: str | None = None, status: int = 200
) -> Template:
    """The whole choice; a house book that somebody else brought is offered too, if it is the chosen one."""
    store = services_of(request).tables.store
    mine = await in_thread(store.shelf.of, person.id)
    found = await in_thread(book_at, store, chosen.book)
    if found is not None and chosen.book not in SHIPPED:
        mine = {chosen.book: found} | mine
    chosen = replace(chosen, book="yahtzee") if found is None else chosen
    books = [shipped(key) for key in SHIPPED]
    return page(
        request,
        person,
        "pad/pad_set_up.html",
        status,
        books=books,
        mine=mine,
        chosen=chosen,
        most_seats=MOST_SEATS,
        most_games=MOST_GAMES,
        games_of=games_of,
        notice=notice,
    )


@post("/pad", status_code=303)
async def open_pad(request: Req) -> Redirect | Template:
    """Begin as chosen. Refused, the screen keeps what was chosen."""
    person, form = person_of(request), await fields_of(request)
    chosen = PadChoices()
    try:
        chosen = choices_from(form)
        return await _begin(request, person, chosen)
    except Refusal as refusal:
        return await _screen(request, person, chosen, str(refusal), refusal.status)


@post("/pad/now", status_code=303)
async def open_pad_now(request: Req) -> Redirect:
    """One tap: the same people and the same book as last time."""
    person = person_of(request)
    choices = await in_thread(services_of(request).tables.store.choices.of, person.id)
    return await _begin(request, person, remembered(choices))


async def _begin(request: Req, person: Person, chosen: PadChoices) -> Redirect:
    tables = services_of(request).tables
    book = await in_thread(book_at, tables.store, chosen.book)
    if book is None:
        raise BadRequest(f"There is no book {chosen.book!r}; choose one of {', '.join(SHIPPED)}.")
    games = games_of(book) if chosen.games is None else chosen.games
    table = await in_thread(
        lambda: tables.open(
            person.id,
            chosen.book,
            real_dice=True,
            games=games,
            match_total=chosen.match_total,
            then=chosen.commands(person.id),
        )
    )
    choices = await in_thread(tables.store.choices.of, person.id)
    await in_thread(tables.store.choices.remember, person.id, choices | {"pad": asdict(chosen)})
    return see_other(request, person, f"/t/{table}")


handlers = [pad_set_up, open_pad, open_pad_now]
