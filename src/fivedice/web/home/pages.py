"""The pages that are only looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from litestar import Request, get
from litestar.datastructures import Cookie, State
from litestar.exceptions import NotFoundException
from litestar.response import Redirect, Template

from fivedice.errors import UnknownBook
from fivedice.rules import SHIPPED, RuleBook, shipped
from fivedice.rules.book_diff import differences, renamed
from fivedice.rules.book_facts import box_rule, facts
from fivedice.web.house_rules.book_lookup import book_names
from fivedice.web.http.headers import served_securely
from fivedice.web.http.identity import Person, person_of
from fivedice.web.pad.pad_choices import remembered
from fivedice.web.runtime.services import desk_of, form_key, in_thread

Req = Request[Any, Any, State]


def page(request: Req, person: Person, template: str, status: int = 200, **context: Any) -> Template:
    """A rendered page; a browser that is new here is given its cookie, and one that comes home keeps it longer."""
    cookies = [cookie_for(request, person)] if person.fresh or request.url.path == "/" else []
    context |= {"path": request.url.path, "key": form_key()}
    # Not stored, so that the back button shows how things are and not how they were.
    return Template(
        template, context=context, cookies=cookies, status_code=status, headers={"cache-control": "no-store"}
    )


def see_other(request: Req, person: Person, path: str) -> Redirect:
    """After a form: the page where its effect can be seen."""
    cookies = [cookie_for(request, person)] if person.fresh else []
    return Redirect(path, status_code=303, cookies=cookies)


def cookie_for(request: Req, person: Person) -> Cookie:
    return person.cookie(secure=served_securely(request.scope))


@get("/")
async def home(request: Req) -> Template:
    person = person_of(request)
    choices = await in_thread(desk_of(request).tables.store.choices.of, person.id)
    return await home_page(request, person, choices)


async def home_page(
    request: Req, person: Person, choices: Mapping[str, Any], notice: str | None = None, status: int = 200
) -> Template:
    """Home, with what was chosen last time or is just being chosen."""
    store = desk_of(request).tables.store
    book, pad = choices.get("book"), remembered(choices)
    entries = await in_thread(store.own_tables.of, person.id, 6)
    best = await in_thread(store.results.best, person.id)
    names = await in_thread(book_names, store, [book, pad.book, *best, *(entry.book for entry in entries)])
    context = {
        "books": [shipped(key) for key in SHIPPED],
        "mine": await in_thread(store.shelf.of, person.id),
        "names": names,
        "choices": dict(choices) | {"book": book if book in names else "yahtzee"},
        "entries": entries,
        "best": best,
        "bots": bot_choices(),
        "pad": pad if pad.book in names else replace(pad, book="yahtzee"),
        "notice": notice,
        "promises": [await in_thread(store.promises.make) for _ in range(2)],  # one for each form
    }
    return page(request, person, "home/home.html", status, **context)


def bot_choices() -> list[dict[str, Any]]:
    """The levels of bots with what they are known to score."""
    from fivedice import bots

    return [{"level": level, "about": bots.about(level), "means": bots.means(level)} for level in bots.LEVELS]


@get("/tables")
async def my_tables(request: Req) -> Template:
    desk, person = desk_of(request), person_of(request)
    entries = await in_thread(desk.tables.store.own_tables.of, person.id)
    best = await in_thread(desk.tables.store.results.best, person.id)
    keys = [*best, *(entry.book for entry in entries)]
    names = await in_thread(book_names, desk.tables.store, keys)
    return page(request, person, "home/tables.html", entries=entries, best=best, names=names)


@get("/rules")
async def rules(request: Req) -> Template:
    return page(request, person_of(request), "house_rules/rules.html", books=[shipped(key) for key in SHIPPED])


@get("/rules/{key:str}")
async def rules_of(request: Req, key: str, against: str | None = None) -> Template:
    book = book_or_404(key)
    other = None if against is None else book_or_404(against)
    return page(
        request,
        person_of(request),
        "house_rules/book.html",
        book=book,
        facts=facts(book),
        box_rule=box_rule,
        others=[shipped(other_key) for other_key in SHIPPED if other_key != key],
        other=other,
        differences=() if other is None else differences(book, other),
        renamed=() if other is None else renamed(book, other),
    )


@get("/help")
async def help_page(request: Req) -> Template:
    return page(request, person_of(request), "home/help.html")


@get("/api")
async def api_page(request: Req) -> Template:
    return page(request, person_of(request), "api/api.html", base=desk_of(request).link(request, ""))


@get("/favicon.ico", status_code=204)
async def favicon() -> None:
    """The icon is named in every page; this is for browsers that ask anyway."""


def book_or_404(key: str) -> RuleBook:
    try:
        return shipped(key)
    except UnknownBook as error:
        raise NotFoundException(str(error)) from None


handlers = [home, my_tables, rules, rules_of, help_page, api_page, favicon]
