"""Creating tables: the checks before one is opened, and its first events."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace

from fivedice.core.rules import RuleBook
from fivedice.errors import quote
from fivedice.players import bots
from fivedice.store.table_store import Header, TableDraft
from fivedice.table.action import Context, utc_now
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.rights import MOST_GAMES
from fivedice.table.actions.seating import bot_name
from fivedice.table.fairness.commitments import dice_of, promise_of
from fivedice.table.refusals import BadRequest, WrongPhase
from fivedice.table.state import Phase, Seat, TableState, fold_events


def check_games(games: int, *, real_dice: bool) -> None:
    if not 1 <= games <= MOST_GAMES:
        raise BadRequest("table.games-range", most=MOST_GAMES, games=quote(games))
    if games > 1 and not real_dice:
        raise BadRequest("table.games-real-dice")


def new_table(
    opened: ev.Opened, *further: ev.Event, secret: str | None = None, foreseeable: bool = False
) -> TableDraft:
    """Return a table that is not stored yet.

    Its id has 128 random bits, its invitation 144, and the secret of its dice 256 unless `secret` is given.
    """
    dice = secrets.token_hex(32) if secret is None else secret
    promise = promise_of(dice, real_dice=opened.real_dice, foreseeable=foreseeable)
    events = (replace(opened, promise=promise, at=utc_now()), *further)
    header = Header(secrets.token_urlsafe(16), secrets.token_urlsafe(18), dice, len(events))
    return TableDraft(header, fold_events(TableState(header.id), events), events, opened.word)


def run_commands(new: TableDraft, commands: Iterable[cmd.Command]) -> TableDraft:
    """Return the new table after these commands; raises the refusal of the first that is refused."""
    for command in commands:
        events = command.decide(new.state, Context(dice_of(new.state, new.header.secret)))
        state = fold_events(new.state, events)
        header = replace(new.header, version=state.version)
        new = replace(new, header=header, state=state, events=new.events + events)
    return new


def next_table(
    state: TableState, host: str, word: str | None, secret: str | None, players: frozenset[str] | None = None
) -> TableDraft:
    """Return the table of a rematch: the same people and rules, the next seat starts, the dice of `word`.

    Where not all people come along, `players` are those who do; bots always come. Raise WrongPhase before the end.
    """
    if state.phase is not Phase.FINISHED or state.game is None:
        raise WrongPhase("table.not-finished")
    seats = [
        number
        for number, seat in enumerate(state.seats)
        if not seat.out and (players is None or seat.player is None or seat.player in players)
    ]
    opened = ev.Opened(
        state.book.key,
        host,
        state.coach,
        seats.index(next((seat for seat in seats if seat >= state.game.next_first), seats[0])),
        state.id,
        state.rules,
        state.real_dice,
        state.games,
        state.match_total,
        state.book.fingerprint,
        word=word,
        pace=state.pace,
    )
    return new_table(opened, *_sit_again([state.seats[number] for number in seats], state.book), secret=secret)


def _sit_again(seats: list[Seat], book: RuleBook) -> list[ev.Sat]:
    """Seat everyone again. Replace a bot whose level is not available any more by the strongest that is."""
    names, again = {seat.given for seat in seats}, []
    for seat in seats:
        given, level = seat.given, seat.bot
        if level is not None and not _is_offered(level, book):
            level = bots.offered(book)[-1]
            given = bot_name(level, names)
            names.add(given)
        again.append(ev.Sat(given, seat.color, seat.token, seat.player, level, seat.text))
    return again


def _is_offered(level: str, book: RuleBook) -> bool:
    known = level in bots.NAMES or bots.is_registered(level)
    return known and bots.unavailable(level, book) is None
