"""A class or a club night: rounds of games for those who are there, on one page for a projector, with the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fivedice.core.rules import DEFAULT, SHIPPED, shipped
from fivedice.table.refusals import Refusal
from fivedice.table.state import Phase, TableState
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form, parse_int
from fivedice.web.http.handling import NotFound, get, post
from fivedice.web.http.identity import Person
from fivedice.web.pages.home.pages import progress
from fivedice.web.services.app_services import AppServices
from fivedice.web.services.circle_games import MOST_GROUP

SIZES = range(2, MOST_GROUP + 1)
SHOWN = ("playing", "finished", "given up")  # phases: other games were put away


@dataclass(frozen=True, slots=True)
class RoundPlace:
    """A player at a table of a round."""

    name: str
    total: int
    leads: bool
    on_turn: bool
    table: int
    lost: float | None = None  # once all games are over and this one is judged


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A game of a round; its players by points once it is over, else by seat."""

    number: int
    id: str
    state: TableState
    over: bool
    round: Any  # a message
    places: tuple[RoundPlace, ...]
    yours: bool


@get("/circle/{name:str}/round")
def rounds_page(services: AppServices, person: Person, name: str) -> Page:
    return _rounds_page(services, person, name, {})


def _rounds_page(
    services: AppServices,
    person: Person,
    name: str,
    chosen: dict[str, Any],
    notice: str | None = None,
    status: int = 200,
) -> Page:
    circle, members = services.circles.require(name, person.id)
    return page(
        "circle/rounds.html",
        status,
        circle=circle,
        members=members,
        books=[shipped(key) for key in SHIPPED],
        sizes=SIZES,
        notice=notice,
        chosen={"size": "2", "how": "drawn", "book": DEFAULT, "here": set(members)} | chosen,
    )


@post("/circle/{name:str}/round", status_code=303)
def open_round(services: AppServices, person: Person, form: Form, name: str) -> Page | SeeOther:
    """Open a round for those who are ticked, as the owner; if it is refused, show the form again."""
    circle, members = services.circles.require_owner(name, person.id)
    here = [member for number, member in members.items() if str(number) in form.all("here")]
    chosen: dict[str, Any] = {each: form.last(each) for each in ("size", "how", "book")}
    try:
        size = parse_int(chosen["size"], "size")
        number = services.circles.open_round(circle, members, here, size, chosen["how"], chosen["book"])
    except Refusal as refusal:
        chosen |= {"here": {member.number for member in here}}
        return _rounds_page(services, person, name, chosen, str(refusal), refusal.status)
    return see_other(f"/circle/{name}/round/{number}")


@get("/circle/{name:str}/round/{number:int}")
def round_page(services: AppServices, person: Person, name: str, number: int) -> Page:
    """Return all tables of a round on one page, and the result once all games are over."""
    circle, _ = services.circles.require(name, person.id)
    games = [game for game in services.tables.store.circles.round(circle.id, number) if game.phase in SHOWN]
    lost = services.tables.store.circles.find_losses([game.table for game in games])
    tables = [
        _table(place, services.tables.state(game.table), person, lost)
        for place, game in enumerate(games if number else (), 1)
    ]
    if not tables:
        raise NotFound("circle.no-round", number=number, rounds=circle.rounds)
    over = all(table.over for table in tables)
    return page(
        "circle/round.html",
        circle=circle,
        number=number,
        tables=tables,
        book=tables[0].state.book,
        over=over,
        done=sum(table.over for table in tables),
        results=_results(tables),
        waits=services.circles.judge_soon(circle) or not over,
    )


def _table(number: int, state: TableState, person: Person, lost: dict[tuple[str, str], int]) -> RoundTable:
    over, totals = state.phase.is_over, state.match.totals
    cards = totals if state.phase is Phase.FINISHED else tuple(card.total for card in state.running.position.cards)
    places = tuple(
        RoundPlace(
            str(seat.name),
            cards[place],
            cards[place] == max(cards),
            place == state.on_turn,
            number,
            lost[key] / 10 if (key := (state.id, seat.player or "")) in lost else None,
        )
        for place, seat in enumerate(state.seats)
    )
    if over:
        places = tuple(sorted(places, key=lambda each: -each.total))
    return RoundTable(
        number, state.id, state, over, progress(state, person.id).round, places, bool(state.seats_of(person.id))
    )


def _results(tables: list[RoundTable]) -> list[tuple[int, RoundPlace]]:
    """Return everyone by points with their ranks: 1, 1, 3."""
    places = sorted((place for table in tables for place in table.places), key=lambda place: -place.total)
    totals = [place.total for place in places]
    return [(1 + totals.index(place.total), place) for place in places]
