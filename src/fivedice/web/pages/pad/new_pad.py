"""New score pads for real dice: with one tap, or with all choices on one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from fivedice.core.rules import DEFAULT, SHIPPED, Layout, RuleBook, shipped
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import MOST_GAMES, MOST_SEATS
from fivedice.table.refusals import BadRequest, Refusal
from fivedice.text import Who, name_of, player
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form, parse_int
from fivedice.web.http.handling import get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.pad.rule_data import rules_link
from fivedice.web.services.app_services import AppServices, no_book

QUICK, ROLLS = "quick", "rolls"
# Modules that other modules import: preloaded, because a browser would find them last.
MODULES = ("core/live.js", "core/page.js", "pad/judge.js", "pad/state.js", "pad/sheet.js")
MOST_FACES = 9  # faces of house dice: the number of keys on a sheet without a server


@dataclass(frozen=True, slots=True)
class PadChoices:
    """The choices for a score pad, remembered for the next time."""

    book: str = DEFAULT
    names: list[str] = field(default_factory=lambda: [player(Who(1)), player(Who(2))])
    first: int = 0
    games: int | None = None  # None: the number of columns on the book's sheet
    match_total: bool = True
    entry: str = QUICK

    def commands(self, player: str) -> list[cmd.Command]:
        """Return the commands that seat everyone, with one scorekeeper, and start the game."""
        return [*(cmd.SitDown(player, name) for name in self.names), cmd.StartGame(player, first=self.first)]


def games_of(book: RuleBook) -> int:
    """Return how many games the book's own sheet has side by side."""
    return book.sheet.columns if book.sheet.layout is Layout.GAMES else 1


def last_choices(choices: Mapping[str, Any]) -> PadChoices:
    """Return the choices of this person's last score pad; before the first one, with the rules they play otherwise."""
    kept = choices.get("pad") or {}
    return PadChoices(**({"book": choices.get("book", DEFAULT)} | kept))


def choices_from(form: Form) -> PadChoices:
    """Return the choices in a form. Empty names are dropped, and the same person still starts."""
    written = [name.strip() for name in form.all("name")]
    begins = parse_int(form.last("first", "0"), "first")
    games = form.last("games")
    return PadChoices(
        book=form.last("book", DEFAULT),
        names=[name for name in written if name] or [player(Who(1))],
        first=_first(written, begins),
        games=parse_int(games, "games") if games else None,
        match_total=form.ticked("match"),
        entry=ROLLS if form.last("entry") == ROLLS else QUICK,
    )


def _first(written: list[str], begins: int) -> int:
    if begins < len(written) and written[begins]:
        return sum(1 for name in written[:begins] if name)
    return 0


@get("/pad")
def pad_set_up(services: AppServices, person: Person, book: str | None = None) -> Page:
    choices = services.tables.store.choices.of(person.id)
    chosen, known = last_choices(choices), "pad" in choices
    if book is not None:
        return _screen(services, person, replace(chosen, book=book))
    return _screen(services, person, chosen, again=known)


def _screen(
    services: AppServices,
    person: Person,
    chosen: PadChoices,
    notice: str | None = None,
    status: int = 200,
    *,
    again: bool = False,
) -> Page:
    """Return the page with all choices, also of house rules of someone else; `again` offers the last pad."""
    store = services.tables.store
    mine, found = store.shelf.of(person.id), store.shelf.book(chosen.book)
    if found is not None and chosen.book not in SHIPPED:
        mine = {chosen.book: found} | mine
    return page(
        "pad/pad_set_up.html",
        status,
        books=[shipped(key) for key in SHIPPED],
        mine=mine,
        chosen=replace(chosen, book=DEFAULT) if found is None else chosen,
        most_seats=MOST_SEATS,
        most_games=MOST_GAMES,
        games_of=games_of,
        rules_link=partial(rules_link, root=services.settings.root),
        again=again and found is not None,
        chosen_name=None if found is None else name_of(found),
        notice=notice,
    )


@get("/pad/sheet")
def pad_sheet(services: AppServices) -> Page:
    """Return an empty frame for sheets that are stored on a phone; the phone stores the frame too."""
    root = services.settings.root
    links = {"setUp": f"{root}/pad", "open": f"{root}/api/tables", "table": f"{root}/t/"}
    return page("pad/pad_sheet.html", pad=sheet_frame(links), modules=MODULES)


def sheet_frame(links: Mapping[str, str]) -> dict[str, Any]:
    """Return the data of the frame; everything else is in the browser."""
    return {"links": links, "dice": 5, "faces": MOST_FACES, "playing": True}


@get("/pad/offline")
def pad_offline() -> Page:
    """Return the page for a phone that has no connection and has not stored the wanted page."""
    return page("pad/pad_offline.html")


@post("/pad", status_code=303)
def open_pad(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Start a score pad as chosen. If it is refused, show the page with the same choices."""
    chosen = PadChoices()
    try:
        chosen = choices_from(form)
        return _start_pad(services, person, chosen)
    except Refusal as refusal:
        return _screen(services, person, chosen, str(refusal), refusal.status)


@post("/pad/now", status_code=303)
def open_pad_now(services: AppServices, person: Person) -> SeeOther:
    """Start a score pad with the people and rules of the last one."""
    return _start_pad(services, person, last_choices(services.tables.store.choices.of(person.id)))


def _start_pad(services: AppServices, person: Person, chosen: PadChoices) -> SeeOther:
    tables, choices = services.tables, services.tables.store.choices
    book = tables.store.shelf.book(chosen.book)
    if book is None:
        raise BadRequest(no_book(chosen.book))
    table = tables.open(
        person.id,
        chosen.book,
        real_dice=True,
        games=games_of(book) if chosen.games is None else chosen.games,
        match_total=chosen.match_total,
        then=chosen.commands(person.id),
    )
    choices.remember(person.id, choices.of(person.id) | {"pad": asdict(chosen)})
    return see_other(f"/t/{table}")
