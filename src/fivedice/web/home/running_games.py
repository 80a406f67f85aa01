"""Games that go on: what tells one from the other, for whoever left them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from fivedice.message import Message, message
from fivedice.table.state import Phase, TableState
from fivedice.table.store.results import TableEntry
from fivedice.table.view.announcements import headline
from fivedice.web.services import AppServices

IN_DETAIL = 20  # games that are looked at closely; whoever has more finds the others by their names
MOST_NAMED = 2  # opponents in a headline
_MINUTE, _HOUR, _DAY, _LONG_AGO = 60, 3600, 86_400, 30 * 86_400


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a game is, as one of its players sees it."""

    says: Message  # whose turn it is
    yours: bool  # whether they are waited for
    round: Message
    totals: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of a list of games."""

    entry: TableEntry
    when: Message | None  # None: long ago, and the date says more
    progress: Progress | None  # None: over, not begun, or one of very many


def game_lines(services: AppServices, player: str, entries: list[TableEntry]) -> list[GameLine]:
    """The games of a list; those that go on with how far they are."""
    now = datetime.now(UTC)
    playing = [entry.id for entry in entries if entry.phase == Phase.PLAYING][:IN_DETAIL]
    states = {table: services.tables.state(table) for table in playing}
    return [
        GameLine(entry, ago(entry.updated, now), progress(states[entry.id], player) if entry.id in states else None)
        for entry in entries
    ]


def progress(state: TableState, player: str) -> Progress:
    mine, seat = state.seats_of(player), state.on_turn
    return Progress(
        says=_says(state, player),
        yours=seat is not None and seat in mine,
        round=message("home.round", round=_round(state), rounds=len(state.book.boxes)),
        totals=_totals(state, mine),
    )


def _round(state: TableState) -> int:
    return min(1 + state.turn // len(state.seats), len(state.book.boxes))


def _says(state: TableState, player: str) -> Message:
    mine = state.seats_of(player)
    if state.on_turn not in mine or len(mine) > 1 or state.real_dice:
        return headline(state, player)
    others = tuple(state.who(seat) for seat in range(len(state.seats)) if seat not in mine)
    if not others:
        return message("home.alone")
    if len(others) > MOST_NAMED:
        return message("home.against-many", count=len(others))
    return message("home.against", others=others)


def _totals(state: TableState, mine: tuple[int, ...]) -> tuple[Message, ...]:
    """Own points first where that says it all; else everybody's by name."""
    totals = [card.total for card in state.running.position.cards]
    if len(totals) == 1:
        return (message("home.points", count=totals[0]),)
    if len(totals) == 2 and len(mine) == 1:
        return (message("home.two-totals", mine=totals[mine[0]], theirs=totals[1 - mine[0]]),)
    return tuple(message("home.total-of", name=state.who(seat), total=total) for seat, total in enumerate(totals))


def ago(updated: str, now: datetime) -> Message | None:
    """How long since then. Nobody knows which time the clock of the reader shows, but this everybody can read."""
    seconds = int((now - datetime.fromisoformat(updated)).total_seconds())
    if seconds < _MINUTE:
        return message("home.just-now")
    if seconds < _HOUR:
        return message("home.minutes-ago", count=seconds // _MINUTE)
    if seconds < _DAY:
        return message("home.hours-ago", count=seconds // _HOUR)
    return message("home.days-ago", count=seconds // _DAY) if seconds < _LONG_AGO else None
