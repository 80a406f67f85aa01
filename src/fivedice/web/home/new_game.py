"""The two ways to a new table: one click, or the whole choice on one screen."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from litestar import Request, post
from litestar.datastructures import State
from litestar.response import Redirect, Template

from fivedice.table import commands as ask
from fivedice.table.refusals import PromiseServed, Refusal
from fivedice.web.home.pages import home_page, see_other
from fivedice.web.http.command_forms import Fields, fields_of
from fivedice.web.http.identity import person_of
from fivedice.web.runtime.services import desk_of, in_thread

Req = Request[Any, Any, State]


@post("/play", status_code=303)
async def play(request: Req) -> Redirect | Template:
    """One click: a solo game in the book played last, and the first roll is the next thing to do."""
    desk, person = desk_of(request), person_of(request)
    choices = await in_thread(desk.tables.store.choices.of, person.id)
    form = await fields_of(request)
    word, text = form.get("word", [None])[-1], form.get("text", [""])[-1]
    sit = ask.SitDown(person.id, choices.get("name") or None, text=text)
    book = choices.get("book", "yahtzee")
    then: list[ask.Command] = [sit, ask.StartGame(person.id)]
    try:
        table = await in_thread(lambda: desk.tables.open(person.id, book, word=word, then=then))
    except PromiseServed as served:  # a page from before, perhaps by the back button: the new one has a new promise
        return await home_page(request, person, choices, str(served), served.status)
    return see_other(request, person, f"/t/{table}")


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person chose on the set-up screen, as it is remembered for the next time."""

    book: str
    name: str
    others: list[str]
    bots: list[str]
    coach: bool

    def commands(self, player: str, text: str) -> list[ask.Command]:
        """Everyone to their seats, what they add to the dice first; nobody needs a name."""
        people = [ask.SitDown(player, self.name or None, text=text)]
        people += [ask.SitDown(player, name) for name in self.others]
        return [*people, *(ask.SeatBot(player, level) for level in self.bots)]


def choices_from(form: Fields) -> Choices:
    name, *others = [name.strip() for name in form.get("name", [])] or [""]
    bots = [level for level in form.get("bot", []) if level]
    book = form.get("book", ["yahtzee"])[-1]
    return Choices(book, name, [other for other in others if other], bots, form.get("coach") == ["yes"])


@post("/tables", status_code=303)
async def set_up(request: Req) -> Redirect | Template:
    """Book, people at this device, bots, coach; then start or invite. Refused, the screen keeps what was chosen."""
    desk, person, form = desk_of(request), person_of(request), await fields_of(request)
    chosen = choices_from(form)
    word, text = form.get("word", [None])[-1], form.get("text", [""])[-1]
    then = chosen.commands(person.id, text)
    if form.get("action") != ["invite"]:
        then.append(ask.StartGame(person.id))
    try:
        coach = chosen.coach
        table = await in_thread(lambda: desk.tables.open(person.id, chosen.book, coach=coach, word=word, then=then))
    except Refusal as refusal:
        remembered = await in_thread(desk.tables.store.choices.of, person.id)
        return await home_page(request, person, remembered | asdict(chosen), str(refusal), refusal.status)
    remembered = await in_thread(desk.tables.store.choices.of, person.id)
    await in_thread(desk.tables.store.choices.remember, person.id, remembered | asdict(chosen))
    return see_other(request, person, f"/t/{table}")


handlers = [play, set_up]
