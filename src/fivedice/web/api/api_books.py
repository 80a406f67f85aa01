"""The part of the JSON API without a table: rule books and levels of bots.

House rules are saved as a text, and their exact strategy can be asked for.
"""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType
from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body
from msgspec import Struct

from fivedice.core.rules import SHIPPED, shipped
from fivedice.core.rules.book_facts import book_data, book_head, differences
from fivedice.table.house_rules_text import house_book, tidy
from fivedice.web.api import api_shapes as shapes
from fivedice.web.http.handling import NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.jobs.solutions import refuse_if_full
from fivedice.web.pages.home.pages import bot_choices
from fivedice.web.pages.house_rules.house_rules_pages import solution_state
from fivedice.web.services.app_services import AppServices


@get("/books", summary="The rule books", responses=shapes.ANYWHERE)
def books() -> list[dict[str, Any]]:
    return [book_head(shipped(key)) for key in SHIPPED]


@get("/books/{key:str}", summary="One rule book in full", responses=shapes.UNKNOWN)
def book(services: AppServices, key: str) -> dict[str, Any]:
    """Return a book by the key of a shipped one or the id of house rules."""
    return book_data(services.book(key))


@get("/books/{key:str}/differences", summary="What differs from another book", responses=shapes.UNKNOWN)
def book_differences(services: AppServices, key: str, against: str) -> list[dict[str, Any]]:
    rows = differences(services.book(key), services.book(against))
    return [{"topic": str(row.topic), "ours": str(row.ours), "theirs": str(row.theirs)} for row in rows]


@get("/bots", summary="The levels of bots, with what they score on average in each book", responses=shapes.ANYWHERE)
def bots() -> list[dict[str, Any]]:
    return bot_choices()


class NewBook(Struct, frozen=True):
    """The text of house rules, as a .toml file would have it."""

    text: str


class BadRules(Struct, frozen=True):
    """Why a text cannot be used, and where: `line` and `column` count from 1, `text` is the line itself."""

    error: str
    message: str
    reason: str
    kind: str | None = None
    args: dict[str, str] | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    text: str | None = None


_BROKEN = {
    "error": "bad-book",
    "message": "The rules, line 4: 'boxes.chance.points' must be from 1 to 1000. It is 0.",
    "reason": "'boxes.chance.points' must be from 1 to 1000. It is 0.",
    "line": 4,
    "column": None,
    "path": "boxes.chance.points",
    "text": "points = 0",
}
_REFUSED = ResponseSpec(
    BadRules,
    generate_examples=False,
    description="The text makes no playable book.",
    examples=[Example("bad-book", value=_BROKEN)],
)
_SOLVING = {**shapes.UNKNOWN, **shapes.BUSY}
_OURS = 'extends = "yahtzee"\nname = "Our Yahtzee"\n\n[boxes.full_house]\npoints = 30\n'


@post("/books", summary="Save house rules", responses={**shapes.WRITING, 422: _REFUSED}, security=shapes.SECURITY)
def new_book(
    services: AppServices,
    player: Person,
    data: Annotated[NewBook, Body(examples=[Example("a change to a shipped book", value={"text": _OURS})])],
) -> dict[str, Any]:
    """Save house rules. Their `id` is made from the text; open tables with it as `book`."""
    key = services.tables.store.shelf.save(data.text, player.id)
    return {"id": key} | book_head(house_book(tidy(data.text)))


@get("/books/{key:str}/text", summary="The file of a house book", media_type=MediaType.TEXT, responses=shapes.UNKNOWN)
def book_text(services: AppServices, key: str) -> str:
    text = services.tables.store.shelf.text(key)
    if text is None:
        raise NotFound("web.no-house-rules")
    return text


@get("/books/{key:str}/solution", summary="How far the exact strategy of a book is", responses=_SOLVING)
def book_solution(services: AppServices, key: str) -> dict[str, Any]:
    """Return the progress of the exact strategy; asking starts its computation.

    `state` is ready, running, waiting, failed or too-large; `mean` is the average score of perfect play.
    """
    book = services.book(key)
    refuse_if_full(services.solutions.want(book))
    return solution_state(services, book)
