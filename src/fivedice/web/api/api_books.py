"""The part of the JSON API that needs no table: rule books and levels of bots."""

from __future__ import annotations

from typing import Any

from fivedice.rules import SHIPPED, shipped
from fivedice.rules.book_diff import differences
from fivedice.rules.book_json import book_data, book_head
from fivedice.web.api import api_shapes as shapes
from fivedice.web.home.pages import bot_choices
from fivedice.web.house_rules.book_lookup import any_book
from fivedice.web.http.handling import get
from fivedice.web.services import AppServices


@get("/books", summary="The rule books", responses=shapes.ANYWHERE)
def books() -> list[dict[str, Any]]:
    return [book_head(shipped(key)) for key in SHIPPED]


@get("/books/{key:str}", summary="One rule book in full", responses=shapes.UNKNOWN)
def book(services: AppServices, key: str) -> dict[str, Any]:
    """By the key of a shipped book or the id of a house book."""
    return book_data(any_book(services, key))


@get("/books/{key:str}/differences", summary="What differs from another book", responses=shapes.UNKNOWN)
def book_differences(services: AppServices, key: str, against: str) -> list[dict[str, Any]]:
    rows = differences(any_book(services, key), any_book(services, against))
    return [{"topic": str(row.topic), "ours": str(row.ours), "theirs": str(row.theirs)} for row in rows]


@get(
    "/bots",
    summary="The levels of bots, with what they score on average in each book",
    responses=shapes.ANYWHERE,
)
def bots() -> list[dict[str, Any]]:
    return bot_choices()
