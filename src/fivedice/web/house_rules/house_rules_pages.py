"""House rules: bring them as text or as a file, build them in a form, read them, play them."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, get, post
from litestar.datastructures import State, UploadFile
from litestar.response import Redirect, Response, Template

from fivedice.game import Scorecard
from fivedice.rules import SHIPPED, RuleBook, shipped
from fivedice.rules.book_diff import differences, renamed
from fivedice.rules.book_facts import box_rule, facts
from fivedice.solver.runtime import solve_limits as limits
from fivedice.table import commands as ask
from fivedice.table.house_rules_text import LONGEST_TEXT, BadBook
from fivedice.web.home.pages import page, see_other
from fivedice.web.house_rules.book_lookup import any_book_or_404, nearest
from fivedice.web.house_rules.rules_problem import Problem, not_text, problem_of, readable
from fivedice.web.http.command_forms import fields_of
from fivedice.web.http.identity import Person, person_of
from fivedice.web.runtime.services import Desk, desk_of, in_thread

Req = Request[Any, Any, State]

LARGEST_FORM = 256 * 1024  # more than the rules may have, so that what is too long can be shown and shortened
_FILE_END = ".toml"


@get("/house")
async def house(request: Req) -> Template:
    """The three ways to rules of one's own."""
    return await _bring(request, person_of(request))


@post("/house", status_code=303, request_max_body_size=LARGEST_FORM)
async def save(request: Req) -> Redirect | Template:
    """Keep a text or a file; refused, it comes back with the place and the reason."""
    person, (text, problem) = person_of(request), await _sent(request)
    if problem is not None:
        return await _bring(request, person, text, problem)
    try:
        key = await in_thread(desk_of(request).tables.store.shelf.save, text, person.id)
    except BadBook as refused:
        return await _bring(request, person, text, problem_of(refused))
    return see_other(request, person, f"/house/{key}")


async def _sent(request: Req) -> tuple[str, Problem | None]:
    """What was brought: a file where one was chosen, else what is in the box."""
    form = await request.form()
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        data = await file.read()
        try:
            return data.decode("utf-8-sig"), None
        except UnicodeDecodeError as error:
            return readable(data), not_text(data, error)
    text = form.get("text", "")
    return (text if isinstance(text, str) else ""), None


async def _bring(request: Req, person: Person, text: str = "", problem: Problem | None = None) -> Template:
    mine = await in_thread(desk_of(request).tables.store.shelf.of, person.id)
    context = {"books": [shipped(key) for key in SHIPPED], "mine": mine, "text": text, "problem": problem}
    status = 200 if problem is None else 422
    return page(request, person, "house_rules/house.html", status, **context, longest=LONGEST_TEXT // 1024)


@get("/house/{key:str}", media_type=MediaType.HTML)
async def read(request: Req, key: str, against: str | None = None) -> Template | Response[str]:
    """A house book in words; with .toml behind its address, its file."""
    if key.endswith(_FILE_END):
        return await _file(request, key.removesuffix(_FILE_END))
    desk, person = desk_of(request), person_of(request)
    book = await any_book_or_404(request, key)
    base = nearest(book) if against is None else await any_book_or_404(request, against)
    return page(
        request,
        person,
        "house_rules/house_book.html",
        house=key,
        book=book,
        base=base,
        others=[shipped(other) for other in SHIPPED],
        differences=differences(book, base),
        renamed=renamed(book, base),
        facts=facts(book),
        box_rule=box_rule,
        text=await in_thread(desk.tables.store.shelf.text, key),
        solution=await in_thread(solution_state, desk, book),
        kept=key in await in_thread(desk.tables.store.shelf.of, person.id),
        link=desk.link(request, f"/house/{key}"),
    )


async def _file(request: Req, key: str) -> Response[str]:
    book = await any_book_or_404(request, key)
    text = await in_thread(desk_of(request).tables.store.shelf.text, key)
    name = f'attachment; filename="{book.key}.toml"'
    return Response(text or "", media_type="application/toml; charset=utf-8", headers={"content-disposition": name})


def solution_state(desk: Desk, book: RuleBook) -> dict[str, Any]:
    """How far the exact strategy is; asking has it worked out."""
    found = desk.solutions.want(book)
    state = {"state": found.state, "done": found.done, "mean": None, "sentence": found.sentence}
    solution = desk.solutions.ready(book) if found.state == "ready" else None
    if found.state == "too-large":
        return state | {"sentence": _too_large(book)}
    if found.full:
        return state
    if solution is None:
        return state | {"sentence": _PROGRESS.get(found.state, found.sentence).format(percent=int(100 * found.done))}
    mean = solution.value(Scorecard.empty(book))
    return state | {"mean": mean, "sentence": f"The exact strategy is ready: perfect play averages {mean:.1f} points."}


def _too_large(book: RuleBook) -> str:
    """In the numbers that the limit is about."""
    over = limits.states(book) > limits.MOST_STATES
    size, most = (limits.states(book), limits.MOST_STATES) if over else (limits.work(book), limits.MOST_WORK)
    what = "states" if over else "steps of work"
    return f"Too large for exact advice: {size:,} {what}; the limit is {most:,.0f}. It can be played like any other."


_PROGRESS = {
    "running": "The exact strategy is being worked out: {percent} %. You can play meanwhile.",
    "waiting": "The exact strategy will be worked out next. You can play meanwhile.",
}


@post("/house/{key:str}/open", status_code=303)
async def open_table(request: Req, key: str) -> Redirect:
    """Play it at once, or seat others first; the next game starts with the same book."""
    desk, person, form = desk_of(request), person_of(request), await fields_of(request)
    await any_book_or_404(request, key)
    store = desk.tables.store
    choices = await in_thread(store.choices.of, person.id)
    then: list[ask.Command] = [ask.SitDown(person.id, choices.get("name") or None)]
    if form.get("action") != ["invite"]:
        then.append(ask.StartGame(person.id))
    table = await in_thread(lambda: desk.tables.open(person.id, key, then=then))
    await in_thread(store.choices.remember, person.id, choices | {"book": key})
    return see_other(request, person, f"/t/{table}")


@post("/house/{key:str}/keep", status_code=303)
async def keep(request: Req, key: str) -> Redirect:
    """A book that somebody else brought becomes one of your own too."""
    store, person = desk_of(request).tables.store, person_of(request)
    await any_book_or_404(request, key)
    text = await in_thread(store.shelf.text, key)
    await in_thread(store.shelf.save, text or "", person.id)
    return see_other(request, person, f"/house/{key}")


@post("/house/{key:str}/forget", status_code=303)
async def forget(request: Req, key: str) -> Redirect:
    store, person = desk_of(request).tables.store, person_of(request)
    await in_thread(store.shelf.forget, person.id, key)
    return see_other(request, person, "/house")


handlers = [house, save, read, open_table, keep, forget]
