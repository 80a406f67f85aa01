"""House rules: add them as text or as a file, build them in a form, read them, play them.

A text that cannot be used is shown with the place, the reason and what to do. The form and its preview are one page.
Our script sends the form while it is filled in, and gets only the preview; without the script, a button does the same
with the whole page.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from litestar import MediaType
from litestar.response import Response

from fivedice.core.game import Scorecard
from fivedice.core.rules import DEFAULT, SHIPPED, RuleBook, loader, shipped
from fivedice.core.rules.book_facts import box_rule, differences, facts, find_renamed
from fivedice.core.rules.catalog import PRESETS, Preset, apply, preset, presets_for
from fivedice.errors import BookError
from fivedice.message import Message, message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.table.actions import commands as cmd
from fivedice.table.house_rules_text import LONGEST_TEXT, BadBook
from fivedice.text import translate_text, word
from fivedice.web.http.answers import Page, SeeOther, file, page, see_other
from fivedice.web.http.client_limits import duration
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.house_rules import form_fields as words
from fivedice.web.pages.house_rules.form_building import Built, build
from fivedice.web.pages.house_rules.form_fields import Draft, draft_of
from fivedice.web.pages.house_rules.form_reading import draft_from
from fivedice.web.pages.house_rules.rule_examples import box_dice, other_examples, roll_examples
from fivedice.web.services.app_services import AppServices, Visitor

_AROUND = 2  # lines that are shown before and after the error
_LONGEST_LINE = 160


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of the text around the error."""

    number: int
    text: str
    to_blame: bool


@dataclass(frozen=True, slots=True)
class TextProblem:
    """Everything that a person needs to fix the text."""

    reason: Message
    way_out: Message
    line: int | None
    caret: int | None  # the number of characters before the error, if known
    lines: tuple[TextLine, ...]


def problem_of(refused: BadBook) -> TextProblem:
    error = refused.error
    if error.line is None:
        return _problem(error, refused.text, message("web.rules-shorten"))
    kind = "web.rules-not-toml" if error.message.kind == loader.NOT_TOML else "web.rules-change"
    return _problem(error, refused.text, message(kind))


def not_text(data: bytes, error: UnicodeDecodeError) -> TextProblem:
    """Return the problem of a file that is not UTF-8: a picture, a spreadsheet, or text from an old editor."""
    before = data[: error.start]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    found = BookError("rules.bad-byte", line=line, column=column, byte=f"{data[error.start]:#04x}")
    return _problem(found, readable(data), message("web.rules-not-text"))


def readable(data: bytes) -> str:
    """Return the readable part of a file, so that it need not be chosen again."""
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")


def _problem(error: BookError, text: str, way_out: Message) -> TextProblem:
    lines = text.replace("\r\n", "\n").split("\n")
    number = error.line
    if number is None or number > len(lines):
        return TextProblem(error.message, way_out, number, None, ())
    first, last = max(1, number - _AROUND), min(len(lines), number + _AROUND)
    shown = tuple(TextLine(each, lines[each - 1][:_LONGEST_LINE], each == number) for each in range(first, last + 1))
    caret = None if error.column is None or error.column > _LONGEST_LINE else error.column - 1
    return TextProblem(error.message, way_out, number, caret, shown)


LARGEST_FORM = 256 * 1024  # more than rules may have, so that a text that is too long can be shown and shortened
_FILE_END = ".toml"


@get("/house")
def house(services: AppServices, person: Person) -> Page:
    """Return the page with the three ways to get house rules."""
    return _house_page(services, person)


@post("/house", status_code=303, request_max_body_size=LARGEST_FORM)
def save(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Save a text or a file. If it is refused, show it with the place and the reason."""
    text, problem = _read_upload(form)
    if problem is not None:
        return _house_page(services, person, text, problem)
    try:
        key = services.tables.store.shelf.save(text, person.id)
    except BadBook as refused:
        return _house_page(services, person, text, problem_of(refused))
    return see_other(f"/house/{key}")


def _read_upload(form: Form) -> tuple[str, TextProblem | None]:
    """Return the text that was sent: the file if one was chosen, else the text box."""
    if form.file is None:
        return form.last("text"), None
    try:
        return form.file.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        return readable(form.file), not_text(form.file, error)


def _house_page(services: AppServices, person: Person, text: str = "", problem: TextProblem | None = None) -> Page:
    return page(
        "house_rules/house.html",
        200 if problem is None else 422,
        books=[shipped(key) for key in SHIPPED],
        preferred=DEFAULT,
        mine=services.tables.store.shelf.of(person.id),
        text=text,
        problem=problem,
        longest=LONGEST_TEXT // 1024,
    )


@get("/house/{key:str}", media_type=MediaType.HTML)
def read(visitor: Visitor, key: str, against: str | None = None) -> Page | Response[Any]:
    """Return house rules in words; with .toml after the address, their file."""
    services = visitor.services
    if key.endswith(_FILE_END):
        return _file(services, key.removesuffix(_FILE_END))
    book, shelf = services.book(key), services.tables.store.shelf
    base = nearest(book) if against is None else services.book(against)
    return page(
        "house_rules/house_book.html",
        house=key,
        book=book,
        base=base,
        others=[shipped(other) for other in SHIPPED],
        differences=differences(book, base),
        find_renamed=find_renamed(book, base),
        facts=facts(book),
        box_rule=box_rule,
        box_dice=box_dice(book),
        text=shelf.text(key),
        solution=solution_state(services, book),
        kept=key in shelf.of(visitor.person.id),
        link=visitor.link(f"/house/{key}"),
    )


def nearest(book: RuleBook) -> RuleBook:
    """Return the shipped book to compare house rules with: the one they extend, or the most similar one."""
    if book.extends is not None:
        return shipped(book.extends)
    return min(map(shipped, SHIPPED), key=lambda other: len(differences(book, other)))


def _file(services: AppServices, key: str) -> Response[Any]:
    text = services.tables.store.shelf.text(key) or ""
    return file(text, "application/toml; charset=utf-8", f"{services.book(key).key}.toml")


def solution_state(services: AppServices, book: RuleBook) -> dict[str, Any]:
    """Return the progress of the exact strategy; asking starts its computation."""
    found = services.solutions.want(book)
    state = {"state": found.state, "done": found.done, "mean": None, "sentence": found.sentence}
    solution = services.solutions.ready(book) if found.state == "ready" else None
    if solution is not None:
        mean = solution.value(Scorecard.empty(book))
        return state | {"mean": mean, "sentence": word("web.solution-mean", mean=mean)}
    return state | ({"sentence": _too_large(book)} if found.state == "too-large" else {})


def _too_large(book: RuleBook) -> str:
    """Return why the rules are too large to solve, with the numbers of the limit."""
    if limits.states(book) > limits.MOST_STATES:
        return word("web.too-many-states", size=f"{limits.states(book):,}", most=f"{limits.MOST_STATES:,}")
    return word("web.too-much-work", size=f"{limits.work(book):,}", most=f"{limits.MOST_WORK:,.0f}")


@post("/house/{key:str}/open", status_code=303)
def open_table(services: AppServices, person: Person, form: Form, key: str) -> SeeOther:
    """Start a game with these rules, or open a table and invite others. The next game uses the same rules."""
    services.book(key)
    choices = services.tables.store.choices
    kept = choices.of(person.id)
    then: list[cmd.Command] = [cmd.SitDown(person.id, kept.get("name") or None)]
    if form.last("action") != "invite":
        then.append(cmd.StartGame(person.id))
    table = services.tables.open(person.id, key, then=then)
    choices.remember(person.id, kept | {"book": key})
    return see_other(f"/t/{table}")


@post("/house/{key:str}/keep", status_code=303)
def keep(services: AppServices, person: Person, key: str) -> SeeOther:
    """Add house rules of someone else to one's own."""
    services.book(key)
    shelf = services.tables.store.shelf
    shelf.save(shelf.text(key) or "", person.id)
    return see_other(f"/house/{key}")


@post("/house/{key:str}/forget", status_code=303)
def forget(services: AppServices, person: Person, key: str) -> SeeOther:
    services.tables.store.shelf.forget(person.id, key)
    return see_other("/house")


_PACE = 2.5e9  # work per second, on two cores
_SOON, _ROUNDED = 5, 10  # seconds


@get("/house/build")
def empty_form(services: AppServices, base: str = DEFAULT) -> Page:
    """Return the form and its preview, filled in with the rules that it starts from."""
    book = services.book(base)
    draft = draft_of(book, base, _name(book, base))
    return _screen(book, draft, build(draft, book))


@post("/house/build", status_code=200, request_max_body_size=LARGEST_FORM)
def preview(visitor: Visitor, form: Form) -> Page:
    """Return the form with the differences of its rules in words, or with the errors of its fields."""
    base = form.last("base", DEFAULT)
    book = visitor.services.book(base)
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
