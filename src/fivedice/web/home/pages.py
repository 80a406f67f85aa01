"""The pages that are only looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fivedice.rules import DEFAULT, SHIPPED, shipped
from fivedice.rules.book_diff import differences, renamed
from fivedice.rules.book_facts import box_rule, facts
from fivedice.table.state import Phase
from fivedice.web.home.running_games import IN_DETAIL, game_lines
from fivedice.web.house_rules.book_lookup import book_at, book_names
from fivedice.web.http.answers import Page, page
from fivedice.web.http.handling import Req, get
from fivedice.web.http.identity import Person
from fivedice.web.services import AppServices

UNDER_WAY = (str(Phase.PLAYING), str(Phase.SEATING))
FIRST_LEVEL = "steady"  # of the bots: one that most people can beat now and then


@get("/")
def home(services: AppServices, person: Person) -> Page:
    return home_page(services, person)


def home_page(services: AppServices, person: Person, notice: str | None = None, status: int = 200) -> Page:
    """Four doors: the game that goes on, or else a new one; a friend; real dice; another game.

    With a notice the first door is a new game: something went wrong with that one.
    """
    store = services.tables.store
    entries = store.own_tables.of(person.id, IN_DETAIL, UNDER_WAY)
    going_on = next((entry for entry in entries if entry.phase == Phase.PLAYING), None) if notice is None else None
    others = [entry for entry in entries if entry is not going_on]
    book = store.choices.of(person.id).get("book")
    names = book_names(store, [book, *(entry.book for entry in entries[:1])])
    book = book if book in names else DEFAULT
    return page(
        "home/home.html",
        status,
        running=None if going_on is None else game_lines(services, person.id, [going_on])[0],
        others=len(others),
        other=f"/t/{others[0].id}" if len(others) == 1 else "/tables",
        names=names,
        book=book,
        best=store.results.best(person.id).get(book),
        notice=notice,
        promises=[store.promises.make() for _ in range(2)],  # one for each door to dice of ours
    )


@get("/new")
def new_page(services: AppServices, person: Person) -> Page:
    return set_up_page(services, person, services.tables.store.choices.of(person.id))


def set_up_page(
    services: AppServices, person: Person, choices: Mapping[str, Any], notice: str | None = None, status: int = 200
) -> Page:
    """Everything that can be chosen for a game, as it was chosen last time or is just being chosen."""
    store = services.tables.store
    book, mine = choices.get("book", DEFAULT), store.shelf.of(person.id)
    found = book_at(store, book)
    if found is not None and book not in SHIPPED:  # perhaps somebody else's, but the last that was played
        mine = {book: found} | mine
    return page(
        "home/new.html",
        status,
        books=[shipped(key) for key in SHIPPED],
        mine=mine,
        choices=dict(choices) | {"book": DEFAULT if found is None else book},
        best=store.results.best(person.id),
        bots=bot_choices(),
        notice=notice,
        promise=store.promises.make(),
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
    return page("home/tables.html", lines=game_lines(services, person.id, entries), best=best, names=names)


@get("/rules")
def rules() -> Page:
    return page("house_rules/rules.html", books=[shipped(key) for key in SHIPPED])


@get("/rules/{key:str}")
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


@get("/help")
def help_page() -> Page:
    return page("home/help.html")


@get("/api")
def api_page(request: Req, services: AppServices) -> Page:
    return page("api/api.html", base=services.link(request, ""))


@get("/favicon.ico", status_code=204, lane=None)
def favicon() -> None:
    """The icon is named in every page; this is for browsers that ask anyway."""
