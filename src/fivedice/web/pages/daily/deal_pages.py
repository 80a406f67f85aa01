"""Deals: the same dice for someone else, or new dice for a group until a date; both games side by side afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from fivedice.core.dice import commitment
from fivedice.core.game import Game
from fivedice.core.rules import DEFAULT, SHIPPED, RuleBook, shipped
from fivedice.message import Who, message
from fivedice.store.deals import Deal
from fivedice.table.refusals import Refusal, UnknownTable
from fivedice.text import player as player_name
from fivedice.text.squares import grade_of_loss
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import Form
from fivedice.web.http.handling import RENDER, get, post
from fivedice.web.http.identity import Person
from fivedice.web.http.page_files import static_address
from fivedice.web.pages.daily.daily_pages import GameCard, game_card, result_facts
from fivedice.web.pages.page_parts import PICTURE, Preview
from fivedice.web.services.app_services import AppServices, Visitor
from fivedice.web.services.daily_games import Standing

if TYPE_CHECKING:
    from fivedice.reports.game_report import PlayerReport, TurnReport

USUAL_DAYS = 7  # until a deal for a group closes, unless another day is chosen


@dataclass(frozen=True, slots=True)
class DealLine:
    """One person in the standings; the rank is None for the game that the dice are from."""

    rank: int | None
    name: str
    total: int
    lost: float | None
    yours: bool
    table: str
    seat: int = 0


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """What one player did in a turn."""

    moves: tuple[Any, ...]  # in words, as messages
    points: int
    lost: float


@dataclass(frozen=True, slots=True)
class TurnPair:
    """The same turn of two players; `parted` if they decided differently while all before was the same."""

    number: int
    mine: PlayedTurn | None
    theirs: PlayedTurn | None
    parted: bool


@get("/deal")
def new_deal(services: AppServices) -> Page:
    return _form(services, {})


def _form(services: AppServices, chosen: dict[str, str], notice: str | None = None, status: int = 200) -> Page:
    today = services.daily.days.today()
    closes = chosen.get("closes") or (today + timedelta(days=USUAL_DAYS)).isoformat()
    return page(
        "daily/new_deal.html",
        status,
        books=[shipped(key) for key in SHIPPED],
        book=chosen.get("book", DEFAULT),
        name=chosen.get("title", ""),
        closes=closes,
        today=today.isoformat(),
        notice=notice,
    )


@post("/deal", status_code=303)
def make_deal(services: AppServices, person: Person, form: Form) -> SeeOther | Page:
    """Make new dice for a group. If that is refused, show the form again."""
    chosen = {name: form.last(name) for name in ("book", "title", "closes")}
    book = services.book(chosen["book"] or DEFAULT)
    try:
        with services.tables.store.quota.open_table():
            deal = services.daily.deal_new(person.id, chosen["book"] or book.key, chosen["title"], chosen["closes"])
    except Refusal as refusal:
        return _form(services, chosen, str(refusal), refusal.status)
    return see_other(f"/deal/{deal.name}")


@post("/t/{table:str}/deal", status_code=303)
def deal_again(services: AppServices, person: Person, table: str) -> SeeOther:
    """Make the dice of a finished game playable for someone else."""
    return see_other(f"/deal/{services.daily.deal_again(table, person.id, None).name}")


@post("/deal/{name:str}", status_code=303)
def play_deal(services: AppServices, person: Person, form: Form, name: str) -> SeeOther:
    """Begin, go on, or practise once one's own game is finished."""
    deal = services.daily.find(name)
    return see_other(f"/t/{services.daily.begin(deal, person.id, form.last('name'))}")


@get("/deal/{name:str}", lane=RENDER)
def deal_page(visitor: Visitor, name: str, other: str | None = None) -> Page:
    """Return the page of a deal. Results of others are shown once one's own game is finished, or the deal is over."""
    services, person = visitor.services, visitor.person
    deal = services.daily.find(name)
    card, book = game_card(services, person, deal), services.book(deal.book)
    lines = standings_of(services, person, deal) if may_see_others(services, deal, card, person) else None
    days = services.daily.days
    return page(
        "daily/deal.html",
        deal=deal,
        book=book,
        card=card,
        facts=None if card.standing is None or not card.standing.is_known else result_facts(card.standing, book),
        lines=lines,
        compared=None if lines is None else _compare(services, lines, other),
        knows=services.daily.knows(deal, person.id),
        made=deal.player == person.id,
        lock=commitment(deal.secret),
        secret=deal.secret if deal.table_id is None and days.is_over(deal.name) else None,
        zone=days.zone,
        link=visitor.link(f"/deal/{deal.name}"),
        your_name=services.tables.store.choices.of(person.id).get("name", ""),
        grade=grade_of_loss,
        preview=Preview(
            deal.title or str(message("home.daily-deal-preview", book=book)),
            str(message("home.daily-preview-about")),
            static_address(PICTURE),
        ),
    )


def may_see_others(services: AppServices, deal: Deal, card: GameCard, person: Person) -> bool:
    """Return whether a person may see the results of others: their own game is over, or the deal is closed."""
    return card.is_over or not card.open or services.daily.knows(deal, person.id)


def standings_of(services: AppServices, person: Person, deal: Deal) -> list[DealLine]:
    """Return everyone with a result, by points lost; first the game that the dice are from."""
    lines = [_line(rank, each, person) for rank, each in services.daily.standings(deal)]
    state = services.daily.source(deal)
    if state is None or state.game is None or deal.seat is None:
        return lines
    report = _report(services, state.game, deal.seat)
    seat, total = state.seats[deal.seat], state.game.position.cards[deal.seat].total
    name = player_name(Who(seat.number, seat.given, former=seat.former))
    lost = None if report is None else report.lost
    yours = deal.seat in state.seats_of(person.id)
    return [DealLine(None, name, total, lost, yours, state.id, deal.seat), *lines]


def _line(rank: int, standing: Standing, person: Person) -> DealLine:
    attempt = standing.attempt
    name = player_name(Who(rank, attempt.name or None))
    yours = attempt.player == person.id
    return DealLine(rank, name, attempt.total or 0, attempt.points_lost, yours, attempt.table_id)


def _report(services: AppServices, game: Game, seat: int) -> PlayerReport | None:
    """Return one player's report of a finished game, once its rules are solved."""
    if not services.daily.can_judge(game):
        return None
    found = services.reports.report(game, win=False).report
    return None if found is None else found.players[seat]


def _compare(services: AppServices, lines: list[DealLine], wanted: str | None) -> dict[str, Any] | None:
    """Return one's own game and another one turn by turn; None without both, or while they are not judged."""
    mine = next((line for line in lines if line.yours), None)
    others = [line for line in lines if line is not mine]
    theirs = next((line for line in others if line.table == wanted), others[0] if others else None)
    if mine is None or theirs is None:
        return None
    found = [_turns(services, line) for line in (mine, theirs)]
    if None in found:
        return None
    return {"mine": mine, "theirs": theirs, "turns": pair_turns(found[0] or (), found[1] or (), _book(services, mine))}


def _book(services: AppServices, line: DealLine) -> RuleBook:
    return services.tables.state(line.table).book


def _turns(services: AppServices, line: DealLine) -> tuple[TurnReport, ...] | None:
    try:
        state = services.tables.state(line.table)
    except UnknownTable:  # deleted since
        return None
    report = None if state.game is None else _report(services, state.game, line.seat)
    return None if report is None else report.turns


def pair_turns(mine: tuple[TurnReport, ...], theirs: tuple[TurnReport, ...], book: RuleBook) -> list[TurnPair]:
    """Return both games turn by turn, and mark the turn in which they first decided differently."""
    pairs, together = [], True
    for number, (one, other) in enumerate(zip_longest(mine, theirs), 1):
        same = one is not None and other is not None and _moves(one) == _moves(other)
        pairs.append(TurnPair(number, _side(one, book), _side(other, book), together and not same))
        together = together and same
    return pairs


def _moves(turn: TurnReport) -> list[object]:
    return [decision.move for decision in turn.decisions]


def _side(turn: TurnReport | None, book: RuleBook) -> PlayedTurn | None:
    from fivedice.reports.report_lines import describe_move

    if turn is None:
        return None
    moves = tuple((decision.roll, describe_move(decision.move, book)) for decision in turn.decisions)
    return PlayedTurn(moves, (turn.points or 0) + turn.extra, turn.lost)
