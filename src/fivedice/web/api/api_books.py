"""The part of the JSON API that needs no table: rule books and levels of bots."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fivedice.rules import SHIPPED, shipped
from fivedice.rules.data import book_data, book_head
from fivedice.rules.diff import differences
from fivedice.web.api import api_shapes as shapes
from fivedice.web.home.pages import bot_choices
from fivedice.web.house_rules.book_lookup import any_book
from fivedice.web.http.handling import get
from fivedice.web.runtime.services import AppServices


@get("/books", summary="The rule books", responses=shapes.ANYWHERE)
def books() -> list[dict[str, Any]]:
    return [book_head(shipped(key)) for key in SHIPPED]


@get("/books/{key:str}", summary="One rule book in full", responses=shapes.UNKNOWN)
def book(services: AppServices, key: str) -> dict[str, Any]:
    """By the key of a shipped book or the id of a house book."""
    return book_data(any_book(services, key))


@get("/books/{key:str}/differences", summary="What differs from another book", responses=shapes.UNKNOWN)
def book_differences(services: AppServices, key: str, against: str) -> list[dict[str, Any]]:
    return [asdict(row) for row in differences(any_book(services, key), any_book(services, against))]


@get("/bots", summary="The levels of bots, with what they score on average in each book", responses=shapes.ANYWHERE)
def bots() -> list[dict[str, Any]]:
    return bot_choices()
