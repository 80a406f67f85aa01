"""What events do to a table and the people at it: who sits where, who is away, and whom the house plays for."""

from __future__ import annotations

from dataclasses import replace

from fivedice.errors import quote
from fivedice.rules import RuleBook, shipped
from fivedice.table import events as ev
from fivedice.table.house_rules_text import house_book
from fivedice.table.refusals import OtherBook
from fivedice.table.seat_names import YOU
from fivedice.table.state import Seat, TableState


def opened(state: TableState, event: ev.Opened) -> None:
    state.book = shipped(event.book) if event.rules is None else house_book(event.rules)
    _check_book(state.book, event)
    state.host, state.coach = event.host, event.coach
    state.rules, state.real_dice, state.promise = event.rules, event.real_dice, event.promise
    state.planned_first, state.games, state.match_total = event.first, event.games, event.match_total
    state.word = event.word


def _check_book(book: RuleBook, event: ev.Opened) -> None:
    """A game is never scored anew by rules that it was not played by."""
    if event.fingerprint not in (None, book.fingerprint):
        theirs = quote(event.fingerprint)
        raise OtherBook("table.other-rules", book=book, theirs=theirs, ours=book.fingerprint)


def sat(state: TableState, event: ev.Sat) -> None:
    given = None if event.name in (YOU, "") else event.name
    seat = Seat(given, event.color, event.token, event.player, event.bot, text=event.text)
    state.seats.append(replace(seat, number=len(state.seats) + 1, logged=event.name))


def stood(state: TableState, event: ev.Stood) -> None:
    del state.seats[event.seat]
    for number in range(event.seat, len(state.seats)):
        _change(state, number, number=number + 1)
    if state.planned_first is not None and state.planned_first > event.seat:
        state.planned_first -= 1  # the one who was to start has moved up


def left(state: TableState, event: ev.Left) -> None:
    _change(state, event.seat, away=True)


def returned(state: TableState, event: ev.Returned) -> None:
    _change(state, event.seat, away=False, stand_in=False)
    forget_house_turn(state, event.seat)


def handed_over(state: TableState, event: ev.HandedOver) -> None:
    _change(state, event.seat, player=event.player, away=False, stand_in=False)
    forget_house_turn(state, event.seat)


def pencil_passed(state: TableState, event: ev.PencilPassed) -> None:
    for seat in state.seats_of(state.host):
        _change(state, seat, player=event.player, away=False, stand_in=False)
    state.host = event.player


def stood_in(state: TableState, event: ev.StoodIn) -> None:
    if event.rest:
        _change(state, event.seat, away=True, stand_in=True)
    else:
        state.house_turn = event.seat


def told(state: TableState, event: ev.Told) -> None:
    state.secret = event.secret


def rematched(state: TableState, event: ev.Rematched) -> None:
    state.rematch = event.table


def note_help(state: TableState, seat: int) -> None:
    """A move of the house in a person's place: the result is no longer theirs alone."""
    if state.seats[seat].bot is None and state.house_plays(seat):
        _change(state, seat, helped=True)


def _change(state: TableState, seat: int, **changes: object) -> None:
    state.seats[seat] = replace(state.seats[seat], **changes)  # type: ignore[arg-type]


def forget_house_turn(state: TableState, seat: int) -> None:
    if state.house_turn == seat:
        state.house_turn = None
