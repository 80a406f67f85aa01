"""The form in which a house book is built, without a line of its file being written by hand."""

from __future__ import annotations

from fivedice.rules import DEFAULT, SHIPPED, RuleBook
from fivedice.rules.book_diff import differences, renamed
from fivedice.rules.book_facts import box_rule
from fivedice.web.house_rules import form_fields as words
from fivedice.web.house_rules.book_lookup import any_book, nearest
from fivedice.web.house_rules.draft import Built, build
from fivedice.web.house_rules.form_fields import Draft, draft_of
from fivedice.web.house_rules.form_reading import draft_from
from fivedice.web.house_rules.house_rules_pages import LARGEST_FORM
from fivedice.web.http.answers import Page, page
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import get, post
from fivedice.web.services import AppServices
from fivedice.words import word


@get("/house/build")
def empty_form(services: AppServices, base: str = DEFAULT) -> Page:
    """The form, filled in with the book that is started from."""
    book = any_book(services, base)
    return _screen(book, draft_of(book, base, _name(book, base)), None)


@post("/house/build", status_code=200, request_max_body_size=LARGEST_FORM)
def preview(services: AppServices, form: Form) -> Page:
    """What was filled in, as a book with its differences in words, or with what is wrong beside each field."""
    base = form.last("base", DEFAULT)
    book = any_book(services, base)
    draft = draft_from(form, base, draft_of(book, base, "").values)
    return _screen(book, draft, build(draft, book), asked=True)


def _name(book: RuleBook, base: str) -> str:
    return word("web.our-rules", book=book) if base in SHIPPED else book.name


def _screen(start: RuleBook, draft: Draft, built: Built | None, *, asked: bool = False) -> Page:
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
    return page("house_rules/house_build.html", 422 if asked and built is None else 200, **context)
