"""Building house rules in a form, with a preview of what they change.

The form and its preview are one page. Our script sends the form while it is filled in, and gets only the preview;
without the script, a button does the same with the whole page.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from fivedice.core.rules import DEFAULT, SHIPPED, RuleBook
from fivedice.core.rules.book_facts import box_rule, differences, find_renamed
from fivedice.core.rules.presets import PRESETS, Preset, apply, preset, presets_for
from fivedice.errors import BookError
from fivedice.message import Message, message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.text import translate_text, word
from fivedice.web.http.answers import Page, page
from fivedice.web.http.client_limits import duration
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import get, post
from fivedice.web.pages.house_rules import form_fields as words
from fivedice.web.pages.house_rules.book_lookup import any_book, nearest
from fivedice.web.pages.house_rules.form_building import Built, build
from fivedice.web.pages.house_rules.form_fields import Draft, draft_of
from fivedice.web.pages.house_rules.form_reading import draft_from
from fivedice.web.pages.house_rules.house_rules_pages import LARGEST_FORM
from fivedice.web.pages.house_rules.rule_examples import other_examples, roll_examples
from fivedice.web.services.app_services import AppServices
from fivedice.web.services.visitors import Visitor

_PACE = 2.5e9  # work per second, on two cores
_SOON, _ROUNDED = 5, 10  # seconds


@get("/house/build")
def empty_form(services: AppServices, base: str = DEFAULT) -> Page:
    """Return the form, filled in with the rules that it starts from."""
    book = any_book(services, base)
    return _screen(book, draft_of(book, base, _name(book, base)), None)


@post("/house/build", status_code=200, request_max_body_size=LARGEST_FORM)
def preview(visitor: Visitor, form: Form) -> Page:
    """Return the form with the differences of its rules in words, or with the errors of its fields."""
    base = form.last("base", DEFAULT)
    book = any_book(visitor.services, base)
    draft = draft_from(form, base, draft_of(book, base, "").values)
    built, laid = build(draft, book), None
    if built is not None and form.last("preset") in PRESETS:
        laid = preset(form.last("preset"))
        built = _apply_preset(laid, draft, built, book)
    if visitor.fragment:
        return page("house_rules/_build_preview.html", live=True, **_preview_context(book, draft, built))
    return _screen(book, draft, built, laid, asked=True)


def _apply_preset(known: Preset, draft: Draft, built: Built, start: RuleBook) -> Built | None:
    """Return the draft with a well-known rule applied to it. Boxes that were unticked stay on the form."""
    try:
        wanted = draft_of(apply(known, built.book), draft.origin, draft.values["name"])
    except BookError:  # it needs a box that was removed
        draft.errors["presets"] = word("web.preset-does-not-fit", preset=translate_text(known.name))
        return None
    draft.values |= wanted.values
    draft.boxes = list(dict.fromkeys([*draft.boxes, *wanted.boxes]))
    draft.bonuses = list(dict.fromkeys([*draft.bonuses, *wanted.bonuses]))
    return build(draft, start)


def _name(book: RuleBook, base: str) -> str:
    return word("web.our-rules", book=book) if base in SHIPPED else book.name


def _screen(
    start: RuleBook, draft: Draft, built: Built | None, laid: Preset | None = None, *, asked: bool = False
) -> Page:
    context = _preview_context(start, draft, built) | {
        "words": words,
        "presets": presets_for(start),
        "laid": built and laid,
    }
    return page("house_rules/house_build.html", 422 if asked and built is None else 200, **context)


def _preview_context(start: RuleBook, draft: Draft, built: Built | None) -> dict[str, Any]:
    base = start if draft.origin in SHIPPED else nearest(start)
    shown = built.book if built else start
    rules = {box.key: box_rule(box, shown) for box in shown.boxes}
    context = {"start": start, "base": base, "draft": draft, "built": built, "rules": rules}
    if built is None:
        return context
    return context | {
        "differences": differences(built.book, base),
        "renamed": find_renamed(built.book, base),
        "rolls": roll_examples(built.book, base),
        "examples": other_examples(built.book, base),
        "solving": solving(built.book),
    }


def solving(book: RuleBook) -> Message:
    """Return whether the best moves can be computed, and about how long that takes."""
    if limits.too_large(book):
        return message("web.solving-never")
    seconds = limits.work(book) / _PACE
    if seconds < _SOON:
        return message("web.solving-soon")
    return message("web.solving-long", wait=duration(ceil(seconds / _ROUNDED) * _ROUNDED))
