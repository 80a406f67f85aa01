"""The pages that are only looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fivedice.rules import DEFAULT, SHIPPED, shipped
from fivedice.rules.book_diff import differences, renamed
from fivedice.rules.book_facts import box_rule, facts
from fivedice.web.house_rules.book_lookup import book_names
from fivedice.web.http.answers import Page, page
from fivedice.web.http.handling import Req, get
from fivedice.web.http.identity import Person
from fivedice.web.pad.pad_choices import remembered
from fivedice.web.services import AppServices


@get("/")
def home(services: AppServices, person: Person) -> Page:
    return home_page(services, person, services.tables.store.choices.of(person.id))


def home_page(
    services: AppServices, person: Person, choices: Mapping[str, Any], notice: str | None = None, status: int = 200
) -> Page:
    """Home, with what was chosen last time or is just being chosen."""
    store = services.tables.store
    book, pad = choices.get("book"), remembered(choices)
    entries, best = store.own_tables.of(person.id, 6), store.results.best(person.id)
    names = book_names(store, [book, pad.book, *best, *(entry.book for entry in entries)])
    return page(
        "home/home.html",
        status,
        books=[shipped(key) for key in SHIPPED],
        mine=store.shelf.of(person.id),
        names=names,
        choices=dict(choices) | {"book": book if book in names else DEFAULT},
        entries=entries,
        best=best,
        bots=bot_choices(),
        pad=pad if pad.book in names else replace(pad, book=DEFAULT),
        notice=notice,
        promises=[store.promises.make() for _ in range(2)],  # one for each form
    )


def bot_choices() -> list[dict[str, Any]]:
    """The levels of bots with what they are known to score."""
    from fivedice import bots

    return [{"level": level, "about": bots.about(level), "means": bots.means(level)} for level in bots.LEVELS]


@get("/tables")
def my_tables(services: AppServices, person: Person) -> Page:
    store = services.tables.store
    entries, best = store.own_tables.of(person.id), store.results.best(person.id)
    names = book_names(store, [*best, *(entry.book for entry in entries)])
    return page("home/tables.html", entries=entries, best=best, names=names)


@get("/rules", sync_to_thread=False)
def rules() -> Page:
    return page("house_rules/rules.html", books=[shipped(key) for key in SHIPPED])


@get("/rules/{key:str}", sync_to_thread=False)
def rules_of(key: str, against: str | None = None) -> Page:
    book, other = shipped(key), None if against is None else shipped(against)
    return page(
        "house_rules/book.html",
        book=book,
        facts=facts(book),
        box_rule=box_rule,
        others=[shipped(other_key) for other_key in SHIPPED if other_key != key],
        other=other,
        differences=() if other is None else differences(book, other),
        renamed=() if other is None else renamed(book, other),
    )


@get("/help", sync_to_thread=False)
def help_page() -> Page:
    return page("home/help.html")


@get("/api", sync_to_thread=False)
def api_page(request: Req, services: AppServices) -> Page:
    return page("api/api.html", base=services.link(request, ""))


@get("/favicon.ico", status_code=204, sync_to_thread=False)
def favicon() -> None:
    """The icon is named in every page; this is for browsers that ask anyway."""
