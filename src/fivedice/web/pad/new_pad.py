"""The ways to a score pad for real dice: one tap, or the whole choice on one screen."""

from __future__ import annotations

from dataclasses import asdict, replace

from fivedice.rules import DEFAULT, SHIPPED, shipped
from fivedice.table.decide.rights import MOST_GAMES, MOST_SEATS
from fivedice.table.refusals import BadRequest, Refusal
from fivedice.web.house_rules.book_lookup import book_at, no_book
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import get, post
from fivedice.web.http.identity import Person
from fivedice.web.pad.pad_choices import PadChoices, choices_from, games_of, remembered
from fivedice.web.services import AppServices
from fivedice.words import name_of


@get("/pad")
def pad_set_up(services: AppServices, person: Person, book: str | None = None) -> Page:
    choices = services.tables.store.choices.of(person.id)
    chosen, known = remembered(choices), "pad" in choices
    if book is not None:
        return _screen(services, person, replace(chosen, book=book))
    return _screen(services, person, chosen, again=known)


def _screen(
    services: AppServices,
    person: Person,
    chosen: PadChoices,
    notice: str | None = None,
    status: int = 200,
    *,
    again: bool = False,
) -> Page:
    """The whole choice; a house book that somebody else brought is offered too, if it is the chosen one.

    `again` offers the last pad by one tap.
    """
    store = services.tables.store
    mine, found = store.shelf.of(person.id), book_at(store, chosen.book)
    if found is not None and chosen.book not in SHIPPED:
        mine = {chosen.book: found} | mine
    return page(
        "pad/pad_set_up.html",
        status,
        books=[shipped(key) for key in SHIPPED],
        mine=mine,
        chosen=replace(chosen, book=DEFAULT) if found is None else chosen,
        most_seats=MOST_SEATS,
        most_games=MOST_GAMES,
        games_of=games_of,
        again=again and found is not None,
        chosen_name=None if found is None else name_of(found),
        notice=notice,
    )


@post("/pad", status_code=303)
def open_pad(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Begin as chosen. Refused, the screen keeps what was chosen."""
    chosen = PadChoices()
    try:
        chosen = choices_from(form)
        return _begin(services, person, chosen)
    except Refusal as refusal:
        return _screen(services, person, chosen, str(refusal), refusal.status)


@post("/pad/now", status_code=303)
def open_pad_now(services: AppServices, person: Person) -> SeeOther:
    """One tap: the same people and the same book as last time."""
    return _begin(services, person, remembered(services.tables.store.choices.of(person.id)))


def _begin(services: AppServices, person: Person, chosen: PadChoices) -> SeeOther:
    tables, choices = services.tables, services.tables.store.choices
    book = book_at(tables.store, chosen.book)
    if book is None:
        raise BadRequest(no_book(chosen.book))
    table = tables.open(
        person.id,
        chosen.book,
        real_dice=True,
        games=games_of(book) if chosen.games is None else chosen.games,
        match_total=chosen.match_total,
        then=chosen.commands(person.id),
    )
    choices.remember(person.id, choices.of(person.id) | {"pad": asdict(chosen)})
    return see_other(f"/t/{table}")
