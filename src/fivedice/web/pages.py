"""The pages that are only looked at."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.response import Response, Template

from fivedice.errors import UnknownBook
from fivedice.rules import SHIPPED, shipped
from fivedice.rules.diff import differences, renamed
from fivedice.rules.words import box_rule, facts
from fivedice.web.desk import desk_of, form_key, in_thread
from fivedice.web.people import Person, person_of

Req = Request[Any, Any, State]


def page(request: Req, person: Person, name: str, status: int = 200, **context: Any) -> Template:
    """A rendered page; a browser that is new here is given its cookie."""
    cookies = [person.cookie(secure=request.url.scheme == "https")] if person.fresh else []
    context |= {"path": request.url.path, "key": form_key()}
    return Template(name, context=context, cookies=cookies, status_code=status)


@get("/")
async def home(request: Req) -> Template:
    desk, person = desk_of(request), person_of(request)
    choices = await in_thread(desk.tables.store.choices, person.id)
    entries = await in_thread(desk.tables.store.tables_of, person.id, 6)
    best = await in_thread(desk.tables.store.best_scores, person.id)
    books = [shipped(key) for key in SHIPPED]
    return page(
        request, person, "home.html", books=books, choices=choices, entries=entries, best=best, bots=bot_choices()
    )


def bot_choices() -> list[dict[str, Any]]:
    """The levels of bots with what they are known to score."""
    from fivedice import bots

    return [{"level": level, "about": bots.about(level), "means": bots.means(level)} for level in bots.LEVELS]


@get("/tables")
async def my_tables(request: Req) -> Template:
    desk, person = desk_of(request), person_of(request)
    entries = await in_thread(desk.tables.store.tables_of, person.id)
    best = await in_thread(desk.tables.store.best_scores, person.id)
    return page(request, person, "tables.html", entries=entries, best=best, names=_book_names())


@get("/rules")
async def rules(request: Req) -> Template:
    return page(request, person_of(request), "rules.html", books=[shipped(key) for key in SHIPPED])


@get("/rules/{key:str}")
async def rules_of(request: Req, key: str, against: str | None = None) -> Template:
    book = _book(key)
    other = None if against is None else _book(against)
    return page(
        request,
        person_of(request),
        "book.html",
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
    return page(request, person_of(request), "help.html")


@get("/api")
async def api_page(request: Req) -> Template:
    return page(request, person_of(request), "api.html", base=desk_of(request).link(request, ""))


@get("/health", media_type=MediaType.JSON)
async def health(request: Req) -> dict[str, str]:
    await in_thread(desk_of(request).tables.store.header, "-")
    return {"status": "ok"}


@get("/favicon.ico")
async def favicon() -> Response[None]:
    return Response(None, status_code=204)


def _book(key: str) -> Any:
    try:
        return shipped(key)
    except UnknownBook as error:
        raise NotFoundException(str(error)) from None


def _book_names() -> dict[str, str]:
    return {key: shipped(key).name for key in SHIPPED}


handlers = [home, my_tables, rules, rules_of, help_page, api_page, health, favicon]
