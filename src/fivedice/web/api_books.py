"""The part of the JSON API that needs no table: rule books and levels of bots."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from litestar import get

from fivedice.rules import SHIPPED, shipped
from fivedice.rules.data import book_data, book_head
from fivedice.rules.diff import differences
from fivedice.web import api_shapes as shapes
from fivedice.web.pages import book_or_404, bot_choices


@get("/books", summary="The rule books")
async def books() -> list[dict[str, Any]]:
    return [book_head(shipped(key)) for key in SHIPPED]


@get("/books/{key:str}", summary="One rule book in full", responses=shapes.UNKNOWN)
async def book(key: str) -> dict[str, Any]:
    return book_data(book_or_404(key))


@get("/books/{key:str}/differences", summary="What differs from another book", responses=shapes.UNKNOWN)
async def book_differences(key: str, against: str) -> list[dict[str, Any]]:
    return [asdict(one) for one in differences(book_or_404(key), book_or_404(against))]


@get("/bots", summary="The levels of bots, with what they score on average in each book")
async def bots() -> list[dict[str, Any]]:
    return bot_choices()


handlers = [books, book, book_differences, bots]
