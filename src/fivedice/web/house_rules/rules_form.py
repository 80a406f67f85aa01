"""The form in which a house book is built, without a line of its file being written by hand."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.response import Template

from fivedice.rules import SHIPPED, RuleBook
from fivedice.rules.book_diff import differences, renamed
from fivedice.rules.book_facts import box_rule
from fivedice.web.home.pages import page
from fivedice.web.house_rules import form_fields as words
from fivedice.web.house_rules.book_lookup import any_book_or_404, nearest
from fivedice.web.house_rules.draft import Built, build
from fivedice.web.house_rules.form_fields import Draft, draft_of
from fivedice.web.house_rules.form_reading import draft_from
from fivedice.web.house_rules.house_rules_pages import LARGEST_FORM
from fivedice.web.http.command_forms import fields_of
from fivedice.web.http.identity import person_of

Req = Request[Any, Any, State]


@get("/house/build")
async def form(request: Req, base: str = "yahtzee") -> Template:
    """The form, filled in with the book that is started from."""
    book = await any_book_or_404(request, base)
    return _screen(request, book, draft_of(book, base, _name(book, base)), None)


@post("/house/build", status_code=200, request_max_body_size=LARGEST_FORM)
async def preview(request: Req) -> Template:
    """What was filled in, as a book with its differences in words, or with what is wrong beside each field."""
    sent = await fields_of(request)
    base = sent.get("base", ["yahtzee"])[-1]
    book = await any_book_or_404(request, base)
    draft = draft_from(sent, base, draft_of(book, base, "").values)
    return _screen(request, book, draft, build(draft, book), asked=True)


def _name(book: RuleBook, base: str) -> str:
    return f"Our {book.name}" if base in SHIPPED else book.name


def _screen(request: Req, start: RuleBook, draft: Draft, built: Built | None, *, asked: bool = False) -> Template:
    base = start if draft.origin in SHIPPED else nearest(start)
    shown = built.book if built else start
    context = {
        "start": start,
        "base": base,
        "draft": draft,
        "built": built,
        "words": words,
        "rules": {box.key: box_rule(box, shown) for box in shown.boxes},
        "differences": differences(built.book, base) if built else (),
        "renamed": renamed(built.book, base) if built else (),
    }
    return page(
        request, person_of(request), "house_rules/house_build.html", 422 if asked and built is None else 200, **context
    )


handlers = [form, preview]
