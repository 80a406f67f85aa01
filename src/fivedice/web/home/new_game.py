"""The ways to a new table: one click, alone or for a friend, or the whole choice on one screen."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from fivedice.rules import DEFAULT
from fivedice.table import commands as cmd
from fivedice.table.refusals import PromiseServed, Refusal
from fivedice.web.home.pages import home_page, set_up_page
from fivedice.web.http.answers import Page, SeeOther, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import post
from fivedice.web.http.identity import Person
from fivedice.web.services import AppServices


@post("/play", status_code=303)
def play(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """One click: a solo game in the book played last, and the first roll is the next thing to do."""
    return _open_at_once(services, person, form, cmd.StartGame(person.id))


@post("/friend", status_code=303)
def play_a_friend(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """One click: a game in the book played last that begins when a friend sits down; its page has the link."""
    return _open_at_once(services, person, form, cmd.StartWith(person.id, 2))


def _open_at_once(services: AppServices, person: Person, form: Form, then: cmd.Command) -> SeeOther | Page:
    choices = services.tables.store.choices.of(person.id)
    sit = cmd.SitDown(person.id, choices.get("name") or None, text=form.last("text"))
    try:
        table = services.tables.open(person.id, choices.get("book", DEFAULT), word=_word(form), then=[sit, then])
    except PromiseServed as served:  # a page from before, perhaps by the back button: the new one has a new promise
        return home_page(services, person, str(served), served.status)
    return see_other(f"/t/{table}")


def _word(form: Form) -> str | None:
    return form.last("word") if "word" in form.fields else None


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person chose on the set-up screen, as it is remembered for the next time."""

    book: str
    name: str
    others: list[str]
    bots: list[str]
    coach: bool

    def commands(self, player: str, text: str) -> list[cmd.Command]:
        """Everyone to their seats, what they add to the dice first; nobody needs a name."""
        people = [cmd.SitDown(player, self.name or None, text=text)]
        people += [cmd.SitDown(player, name) for name in self.others]
        return [*people, *(cmd.SeatBot(player, level) for level in self.bots)]


def choices_from(form: Form) -> Choices:
    name, *others = [name.strip() for name in form.all("name")] or [""]
    bots = [level for level in form.all("bot") if level]
    return Choices(form.last("book", DEFAULT), name, [other for other in others if other], bots, form.ticked("coach"))


@post("/tables", status_code=303)
def set_up(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Book, people at this device, bots, coach; then start or invite. Refused, the screen keeps what was chosen."""
    chosen, store = choices_from(form), services.tables.store
    then = chosen.commands(person.id, form.last("text"))
    if form.last("action") != "invite":
        then.append(cmd.StartGame(person.id))
    remembered = store.choices.of(person.id) | asdict(chosen)
    try:
        table = services.tables.open(person.id, chosen.book, coach=chosen.coach, word=_word(form), then=then)
    except Refusal as refusal:
        return set_up_page(services, person, remembered, str(refusal), refusal.status)
    store.choices.remember(person.id, remembered)
    return see_other(f"/t/{table}")
