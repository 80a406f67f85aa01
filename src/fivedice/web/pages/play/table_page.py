"""The page of a table, its QR code and its record, and its forms.

Each form is a command. The answer is a redirect or, for our script, the changed part of the page.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations_with_replacement
from typing import Any, TypeAlias, TypeVar

import segno
from litestar import MediaType
from litestar.response import Response

from fivedice.coaching.training import avoidable_zero
from fivedice.core.rules import Box
from fivedice.core.rules.book_facts import box_rule
from fivedice.drawing.theme import WHITE, pip_inks
from fivedice.errors import FivediceError, quote
from fivedice.message import Message
from fivedice.store.results import Best
from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import MOST_SEATS, player_id
from fivedice.table.daily import is_day
from fivedice.table.fairness import commitments
from fivedice.table.refusals import KeyUsed, NotAllowed, Refusal, UnknownTable
from fivedice.table.seat_names import COLORS, TOKENS
from fivedice.table.service import Done, handing_over
from fivedice.table.state import Phase, TableState
from fivedice.table.view.announcements import Celebration, series
from fivedice.table.view.view_shapes import TableView
from fivedice.text import word
from fivedice.web.http.answers import Page, SeeOther, page, see_other
from fivedice.web.http.forms import NAMES, Form, from_form, parse_int
from fivedice.web.http.handling import COACH, LOOKS, MOVES, SVG, NotFound, Req, get, post
from fivedice.web.http.identity import Person, only_this_device
from fivedice.web.pages.home.pages import FIRST_LEVEL, bot_choices, not_offered
from fivedice.web.pages.pad.pad_page import pad_page
from fivedice.web.pages.page_parts import (
    NOTHING,
    Extra,
    best_turn_of,
    facts_of,
    invitation_preview,
    place_of,
    qr_code,
    table_preview,
)
from fivedice.web.services.app_services import AppServices, Visitor, same_code

Result = TypeVar("Result")


def show_table(
    visitor: Visitor, table: str, extra: Extra = NOTHING, status: int = 200, state: TableState | None = None
) -> Page:
    """Return the table's page, or only its changing part for our script; as it is now, unless `state` is given."""
    services, person = visitor.services, visitor.person
    seen = services.view(table, person) if state is None else services.shown(state, person)
    if seen.real_dice and seen.phase != Phase.SEATING:
        return pad_page(visitor, table, extra, status)
    place = None if seen.end is None else place_of(services, person, seen)
    if place is not None and place.is_new_best and seen.last_event == "Scored":
        seen = replace(seen, celebrate=Celebration.BEST)
    context = {
        "table": seen,
        "place": place,
        "facts": None,
        "best_turn": None if seen.end is None else best_turn_of(state or services.tables.state(table), seen.end),
        "extra": extra,
        "watch_link": visitor.link(f"/t/{table}"),
        "best": _score_to_beat(services, person, seen),
        "series": _series(services, seen),
        "inks": pip_inks(services.tables.state(seen.id).book),
        "example": None if extra.explain is None else _example(services, seen, extra.explain),
        "tip": _tip(services, person, seen),
        "works_out": _is_solving(services, seen),
        "wants": extra.wants or visitor.wants,
        "daily": seen.deal is not None and is_day(seen.deal),
        "preview": None if visitor.fragment else table_preview(state or services.tables.state(table)),
    }
    if seen.phase == Phase.SEATING:
        context |= _seating_context(visitor, seen, extra)
    return page("play/_table.html" if visitor.fragment else "play/table.html", status, **context)


def at_table(visitor: Visitor, table: str, action: Callable[[], Result], join: str | None = None) -> Result | Page:
    """Run the action; if it is refused, return the table's page with the reason."""
    try:
        return action()
    except UnknownTable:
        raise
    except Refusal as refusal:
        return show_table(visitor, table, Extra(notice=notice_of(refusal), join=join), refusal.status)


def notice_of(refusal: Refusal) -> str:
    """Return the text for a page. Its forms share a key, so a used key means that the page is old."""
    return word("table.stale") if isinstance(refusal, KeyUsed) else str(refusal)


def _is_solving(services: AppServices, seen: TableView) -> bool:
    """Return whether the bot on turn waits until its rules are solved, as for new house rules."""
    if seen.on_turn is None or seen.seats[seen.on_turn].bot is None:
        return False
    return services.bots.works_out(services.tables.state(seen.id), seen.on_turn)


LONGEST_SERIES = 24  # games that are counted


def _series(services: AppServices, seen: TableView) -> Message | None:
    """Return the wins in a row of rematches: before the first roll, and at the end."""
    if len(seen.seats) < 2 or (seen.phase != Phase.FINISHED and seen.last_event != "Started"):
        return None
    games, table = [services.tables.state(seen.id)], services.tables.state(seen.id).rematch_of
    while table is not None and len(games) < LONGEST_SERIES:
        try:
            games.append(services.tables.state(table))
        except UnknownTable:  # deleted
            break
        table = games[-1].rematch_of
    return series(games)


def _example(services: AppServices, seen: TableView, key: str) -> tuple[Box, Message, tuple[int, ...]]:
    """Return a box, its rule and dice that score in it: about three different numbers, and as high as possible."""
    book = services.tables.state(seen.id).book
    try:
        box = book.box(key)
    except FivediceError:
        raise NotFound("web.no-action", action=quote(key)) from None
    rolls = combinations_with_replacement(range(1, book.faces + 1), book.dice)
    dice = max(rolls, key=lambda roll: (bool(box.plain(roll)), -abs(len(set(roll)) - 3), box.plain(roll), sum(roll)))
    return box, box_rule(box, book), dice[::-1]


def _tip(services: AppServices, person: Person, seen: TableView) -> str | None:
    """Return what to say in the first two turns of someone's first game: keep, score, bonus or None."""
    if not seen.your_turn or seen.turn > 2 * len(seen.seats) or (seen.bonus_at is None and not seen.dice):
        return None
    store = services.tables.store
    if len(store.own_tables.of(person.id, 2)) > 1 or store.results.best(person.id):
        return None
    if not seen.dice:
        return "bonus" if seen.turn >= len(seen.seats) and any(row.par for row in seen.rows) else None
    return {2: "keep", 1: "score"}.get(seen.rolls_left) if seen.turn < len(seen.seats) else None


def _score_to_beat(services: AppServices, person: Person, seen: TableView) -> Best | None:
    """Return the player's own best score, for a solo game."""
    if len(seen.seats) != 1 or seen.phase != Phase.PLAYING:
        return None
    return services.tables.store.results.best(person.id).get(seen.house or seen.book)


def _seating_context(visitor: Visitor, seen: TableView, extra: Extra) -> dict[str, Any]:
    """Return the context for the seats; with the invitation only for people who may see it."""
    tables = visitor.services.tables
    code, choices = tables.join_code(seen.id), tables.store.choices.of(visitor.person.id)
    state = tables.state(seen.id)
    context = {
        "colors": COLORS,
        "tokens": TOKENS,
        "your_name": choices.get("name", ""),
        "full": len(seen.seats) >= MOST_SEATS,
        "bots": bot_choices(state.book) if seen.you_host else None,
        "first_level": FIRST_LEVEL,
        "not_offered": not_offered([state.book]),
        "starts_with": state.starts_with,
        "own_name": next((seat.given or "" for seat in state.seats if seat.player == visitor.person.id), ""),
        "inviter": next((seat.name for seat in state.seats if seat.player == state.host and seat.given), None),
    }
    invited = extra.join is not None and same_code(extra.join, code)
    if invited:
        context |= {"preview": invitation_preview(state)}
    if _may_invite(seen) or invited:
        link = visitor.link(f"/t/{seen.id}/join/{code}")
        context |= {"join_code": code, "join_link": link, "only_here": only_this_device(visitor.services.settings)}
        context |= {"qr": qr_code}
    return context


def _may_invite(seen: TableView) -> bool:
    return seen.you_host or any(seat.yours for seat in seen.seats)


def invitation_to(services: AppServices, person: Person, table: str) -> str:
    """Return the code with which others can join. Raise NotAllowed unless this person may show it."""
    if not _may_invite(services.view(table, person)):
        raise NotAllowed("web.players-invite")
    return services.tables.join_code(table)


def record_of(services: AppServices, table: str, game: int | None = None) -> str:
    """Return a finished game in notation, counted from 1; without a number, all finished games of the sheet."""
    state = services.tables.state(table)
    over = state.games_over
    if not over:
        raise NotFound("web.no-record")
    if game is not None and not 1 <= game <= len(over):
        raise NotFound("web.no-such-game", game=game, count=len(over))
    wanted = over if game is None else [over[game - 1]]
    return "\n".join(commitments.record_of(state, one, services.tables.store.receipts) for one in wanted)


@get("/t/{table:str}", lane=LOOKS)
def table_page(visitor: Visitor, table: str, confirm: str | None = None, see: int | None = None) -> Page:
    return show_table(visitor, table, Extra(confirm=confirm, see=see))


@get("/t/{table:str}/box/{box:str}", lane=LOOKS)
def explain_box(visitor: Visitor, table: str, box: str) -> Page:
    """Return the table with the rule of a box and example dice."""
    return show_table(visitor, table, Extra(explain=box))


@get("/t/{table:str}/join/{code:str}", lane=LOOKS)
def join_page(visitor: Visitor, table: str, code: str) -> Page:
    return show_table(visitor, table, Extra(join=code))


@get("/t/{table:str}/seat/{code:str}", lane=LOOKS)
def seat_page(services: AppServices, table: str, code: str) -> Page:
    """Return the page behind a link that hands over a seat."""
    state = services.tables.state(table)
    seat = services.tables.store.handovers.seat(player_id(code), table)
    if seat is None or seat >= len(state.seats):
        raise NotFound("web.link-used")
    return page("play/seat.html", table=table, code=code, seat=state.seats[seat], book=state.book)


@get("/t/{table:str}/qr.svg", media_type=SVG)
def qr(visitor: Visitor, table: str) -> Response[bytes]:
    """Return the QR code of the link to a free seat, for phones around the table."""
    try:
        code = invitation_to(visitor.services, visitor.person, table)
    except NotAllowed as refusal:
        raise NotFound(refusal.message) from None
    drawing = io.BytesIO()
    link = visitor.link(f"/t/{table}/join/{code}")
    segno.make(link, error="m").save(drawing, kind="svg", scale=4, border=2, light=WHITE, xmldecl=False)
    return Response(drawing.getvalue(), media_type=SVG, headers={"cache-control": "no-store"})


@get("/t/{table:str}/record.txt", lane=LOOKS, media_type=MediaType.TEXT)
def record(services: AppServices, person: Person, table: str, game: int | None = None) -> str:
    services.view(table, person)  # viewing counts as being present
    return record_of(services, table, game)


Answer: TypeAlias = Page | SeeOther


@post("/t/{table:str}/{action:str}", lane=MOVES, status_code=200)
def act(visitor: Visitor, form: Form, table: str, action: str) -> Page | SeeOther:
    """Carry out the command of any button on a table's page."""
    if action not in NAMES:
        raise NotFound("web.no-action", action=quote(action))
    join = form.last("join") if "join" in form.fields else None
    return at_table(visitor, table, partial(_execute, visitor, table, action, form), join)


@post([f"/t/{{table:str}}/{action}" for action in ("join", "end")], lane=MOVES, status_code=200)
def act_at_shared_address(request: Req, visitor: Visitor, form: Form, table: str) -> Page | SeeOther:
    """Carry out commands whose addresses a page of the same name shares."""
    action = request.url.path.rpartition("/")[2]
    return at_table(visitor, table, partial(_execute, visitor, table, action, form))


def _execute(visitor: Visitor, table: str, action: str, form: Form) -> Answer:
    """Carry out the command of a button and show the table after it; ask first where it may be a mistake."""
    services, person, body = visitor.services, visitor.person, from_form(action, form)
    command = body.command_of(person.id)
    if isinstance(command, cmd.FillBox | cmd.RollDice) and not form.last("sure"):
        question = _question(visitor, table, command, body.version)
        if question is not None:
            return _ask_first(visitor, table, question)
    done = services.execute(table, command, body.version, body.key, body.join_code)
    if isinstance(command, cmd.SitDown | cmd.Introduce) and len(done.state.seats_of(person.id)) == 1:
        _remember_name(services, person, command.name or "")
    return show_table(visitor, table, state=done.state) if visitor.fragment else see_other(_redirect_url(done))


def _ask_first(visitor: Visitor, table: str, question: Extra) -> Answer:
    """Return the page that asks before the move is made."""
    if visitor.fragment or question.caution is not None:
        return show_table(visitor, table, question)
    return see_other(f"/t/{table}?confirm={question.confirm}")


def _question(visitor: Visitor, table: str, command: cmd.FillBox | cmd.RollDice, version: int | None) -> Extra | None:
    """Return what to ask before a move; None if there is nothing to ask, or if it will be refused anyway."""
    services, limit = visitor.services, visitor.wants.training
    if isinstance(command, cmd.RollDice) and not limit:
        return None
    state = services.tables.state(table)
    if version is None or not state.game_version <= version <= state.version:
        return None
    caution = services.coaches.caution(state, command, limit)
    if caution is not None:
        return Extra(caution=caution)
    wasted = avoidable_zero(state, command.player, command.box) if isinstance(command, cmd.FillBox) else None
    return None if wasted is None else Extra(confirm=wasted)


def _remember_name(services: AppServices, person: Person, name: str) -> None:
    choices = services.tables.store.choices
    choices.remember(person.id, choices.of(person.id) | {"name": name.strip()})


@post("/t/{table:str}/rematch", lane=MOVES, status_code=303)
def rematch(visitor: Visitor, table: str) -> Page | SeeOther:
    """Start a new score sheet; at other tables the same as `again`, which older pages do not know."""
    return at_table(visitor, table, lambda: see_other(_next_game_url(visitor.services, visitor.person, table)))


def _next_game_url(services: AppServices, person: Person, table: str) -> str:
    """Open the next sheet, or say yes to another game, and return where to go."""
    if services.tables.state(table).real_dice:
        return f"/t/{_next_sheet(services, person, table)}"
    return _redirect_url(services.execute(table, cmd.PlayAgain(person.id)))


def _redirect_url(done: Done) -> str:
    """Return the address to go on at after a command: the next game, if there is one."""
    return f"/t/{done.state.rematch or done.state.id}"


def _next_sheet(services: AppServices, person: Person, table: str) -> str:
    """Open the next score sheet and return its table; start it if no one else has to join."""
    following = services.tables.rematch(table, person.id)
    state = services.tables.state(following)
    if state.game is None and state.host == person.id and state.people() == {person.id}:
        services.execute(following, cmd.StartGame(person.id))
    return following


@post("/t/{table:str}/hold", lane=MOVES, status_code=204)
def hold(services: AppServices, person: Person, form: Form, table: str) -> Response[None]:
    """Show the others which dice are marked to be kept.

    Only our script sends this; other pages send them with the roll.
    """
    slots = tuple(parse_int(slot, "hold") for slot in form.all("hold"))
    services.hold(table, person, parse_int(form.last("moment"), "moment"), slots, form.last("page"))
    return Response(None, status_code=204)


@post("/t/{table:str}/hurry", lane=MOVES, status_code=204)
def hurry(services: AppServices, person: Person, table: str) -> Response[None]:
    """Let the bot on turn move at once."""
    services.hurry_bots(table, person)
    return Response(None, status_code=204)


@post("/t/{table:str}/react", lane=MOVES, status_code=204)
def react(services: AppServices, person: Person, form: Form, table: str) -> Response[None]:
    """Show the others a picture."""
    services.react(table, person, parse_int(form.last("picture"), "picture"))
    return Response(None, status_code=204)


@post("/t/{table:str}/handover", lane=MOVES, status_code=200)
def hand_over(visitor: Visitor, form: Form, table: str) -> Page:
    """Create a link that gives a seat to the first person who opens it."""

    def offered() -> Page:
        seat = parse_int(form.last("seat"), "seat")
        code = handing_over.offer_seat(visitor.services.tables, table, visitor.person.id, seat)
        return show_table(visitor, table, Extra(handover=visitor.link(f"/t/{table}/seat/{code}"), handed=seat))

    return at_table(visitor, table, offered)


@post("/t/{table:str}/seat/{code:str}", lane=MOVES, status_code=303)
def take_seat(services: AppServices, person: Person, table: str, code: str) -> SeeOther:
    handing_over.take_over(services.tables, table, person.id, code)
    return see_other(f"/t/{table}")


@get("/t/{table:str}/end", lane=COACH)
def end_facts(visitor: Visitor, table: str) -> Page:
    """Return the part of a finished game's page that our script fetches; without it the report is a click away."""
    services, seen = visitor.services, visitor.services.view(table, visitor.person)
    if seen.end is None or seen.phase != Phase.FINISHED:
        raise NotFound("web.no-report")
    state = services.tables.state(table)
    facts = facts_of(services, state, seen.end.seat)
    return page("play/_end_facts.html", table=seen, facts=facts, inks=pip_inks(state.book))
