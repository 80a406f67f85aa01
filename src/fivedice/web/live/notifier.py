"""Presence, intended holds, and notification of streams and bots about changes of a table.

None of this is stored in the event log.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from fivedice.table.service import BoundedMap
from fivedice.table.state import TableState

SEEN_LATELY = 40.0  # seconds; a little more than two heartbeats: a page that misses both is closed
MOST_SEEN, MOST_PEOPLE = 20_000, 64  # tables, and people per table: only players and the host
TIDY = 512  # tables; beyond that old entries are removed, next at twice the number left


class Presence:
    """Who is present at which table. Kept in memory: after a restart it is unknown for a while.

    Safe to use from any thread. Processes that share a database exchange their observations with `take_news` and
    `heard`.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._seen: BoundedMap[str, BoundedMap[str, float]] = BoundedMap(MOST_SEEN)
        self._tidy_at = TIDY
        self._news: dict[str, set[str]] | None = None  # None until `take_news` is first called
        self._guard = Lock()

    def mark_present(self, table: str, player: str) -> None:
        """Record that the host or a player of a table has sent a request."""
        with self._guard:
            self._note(table, player)
            if self._news is not None:
                self._news.setdefault(table, set()).add(player)

    def still(self, table: str, player: str) -> None:
        """Record that a stream is still open. Ignore spectators, who are not tracked."""
        if player in self._seen.get(table, ()):
            self.mark_present(table, player)

    def carry(self, table: str, following: str) -> None:
        """Record the players of a table at the next game too: their pages are on the way there."""
        for player in self.at(table) or ():
            self.mark_present(following, player)

    def heard(self, seen: Iterable[tuple[str, str]]) -> None:
        """Record tables and players that another process has seen."""
        with self._guard:
            for table, player in seen:
                self._note(table, player)

    def take_news(self) -> dict[str, set[str]]:
        """Return the players seen since the last call, by table."""
        with self._guard:
            news, self._news = self._news or {}, {}
        return news

    def forget(self, player: str) -> None:
        """Forget a player, whose key is no longer valid."""
        with self._guard:
            for seen in self._seen.values():
                seen.pop(player, None)

    def start_over(self) -> None:
        """Treat presence as unknown for a while, because reports of other processes may be missing."""
        self._since = self._clock()

    def _note(self, table: str, player: str) -> None:
        people = self._seen.get(table) or BoundedMap(MOST_PEOPLE)
        people[player] = self._clock()
        self._seen[table] = people
        if len(self._seen) > self._tidy_at:
            self._tidy()

    def at(self, table: str) -> frozenset[str] | None:
        """Return the players seen recently, or None if we have not listened long enough to know."""
        oldest = self._clock() - SEEN_LATELY
        if oldest < self._since:
            return None
        with self._guard:
            return frozenset(player for player, when in self._seen.get(table, {}).items() if when > oldest)

    def _tidy(self) -> None:
        oldest = self._clock() - SEEN_LATELY
        for table, seen in list(self._seen.items()):
            for player in [player for player, when in seen.items() if when <= oldest]:
                del seen[player]
            if not seen:
                del self._seen[table]
        self._tidy_at = max(TIDY, 2 * len(self._seen))


HEARTBEAT = 15.0
REACTION_PAUSE = 1.5  # seconds between two reactions of a player


class TableNotifier:
    """Wakes the live streams of a table and the bot runner. Safe to call from any thread.

    Streams receive version numbers and intended holds. The bot runner reads the tables that wait for a bot from
    `bot_tables`.
    """

    def __init__(self) -> None:
        self.holds = IntendedHolds()
        self._reactions: BoundedMap[str, dict[int, Reaction]] = BoundedMap(MOST_TABLES)  # the last one of each seat
        self.pass_on: Callable[[str, IntendedHold], None] = _no_neighbours  # to other processes, if there are any
        self.pass_hang_up: Callable[[str], None] = _no_neighbours
        self.pass_sign: Callable[[str, int, int | None], None] = _no_neighbours
        self.hurry_bot: Callable[[str], None] = _no_neighbours  # set by the bot runner
        self.bot_tables: asyncio.Queue[str] = asyncio.Queue()
        self._waiting: dict[str, set[_Listener]] = defaultdict(set)  # at most one listener per open stream
        self._versions: dict[str, int] = {}  # only of tables with listeners
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Store the event loop that the streams run on."""
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def notify(self, state: TableState) -> None:
        """Report the new state of a table. A listener that starts now reads the newest version itself."""
        bot_to_move = state.house_to_move
        if bot_to_move or state.id in self._waiting:  # usually neither, and the event loop is not woken
            self._on_loop(self._note_change, state.id, state.version, bot_to_move)

    def heard(self, table: str, version: int) -> None:
        """Report a change by another process, which also plays the bots of the table."""
        self._on_loop(self._note_change, table, version, False)

    def hold(self, table: str, held: IntendedHold) -> None:
        """Report an intended hold here and to the other processes."""
        self.heard_hold(table, held)
        self.pass_on(table, held)

    def heard_hold(self, table: str, held: IntendedHold) -> None:
        """Report an intended hold to the streams of this process."""
        if self.holds.note(table, held):
            self._on_loop(self._wake, table)

    def sign(self, table: str, seat: int, picture: int | None) -> None:
        """Report a picture of a player, or without one that a bot is to hurry, here and to the other processes."""
        if self.heard_sign(table, seat, picture):
            self.pass_sign(table, seat, picture)

    def heard_sign(self, table: str, seat: int, picture: int | None) -> bool:
        """Report it in this process. Return False for a second picture within `REACTION_PAUSE` seconds."""
        if picture is None:
            self.hurry_bot(table)
            return True
        now, seats = monotonic(), self._reactions.get(table) or {}
        if seat in seats and now - seats[seat].at < REACTION_PAUSE:
            return False
        self._reactions[table] = seats | {seat: Reaction(seat, picture, now)}
        self._on_loop(self._wake, table)
        return True

    def _next_reaction(self, table: str, after: float) -> Reaction | None:
        """Return the earliest reaction after this moment."""
        later = [each for each in self._reactions.get(table, {}).values() if each.at > after]
        return min(later, key=lambda each: each.at, default=None)

    def hang_up(self, player: str) -> None:
        """End the streams of a player whose key is no longer valid, here and in the other processes."""
        self.heard_hang_up(player)
        self.pass_hang_up(player)

    def heard_hang_up(self, player: str) -> None:
        """End the streams of a player in this process."""
        self._on_loop(self._hang_up, player)

    def _hang_up(self, player: str) -> None:
        for listener in (each for waiting in self._waiting.values() for each in waiting if each.player == player):
            listener.ended = True
            listener.woken.set()

    def _on_loop(self, action: Callable[..., None], *arguments: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action, *arguments)

    def waited_for(self) -> list[str]:
        """Return the tables that have listeners. Safe to call from any thread."""
        return list(self._waiting)

    def close(self) -> None:
        """End all streams, so that the server can stop at once."""
        self._closed = True
        for waiting in self._waiting.values():
            for listener in waiting:
                listener.woken.set()

    async def listen(
        self, table: str, after: int, newest: Callable[[], Awaitable[int]], player: str = ""
    ) -> AsyncGenerator[int | IntendedHold | Reaction | None, None]:
        """Yield each version later than `after`, each intended hold and reaction, and None as a heartbeat."""
        listener, sent, seen = _Listener(player), None, monotonic()
        self._waiting[table].add(listener)
        try:
            self._heard_of(table, await newest())  # read after registering, so that nothing is missed
            while not (self._closed or listener.ended):
                if self._versions[table] > after:
                    after = self._versions[table]
                    yield after
                elif (held := self.holds.last(table)) is not sent:  # of several, send only the last
                    sent = held
                    yield held
                elif (reaction := self._next_reaction(table, seen)) is not None:
                    seen = reaction.at
                    yield reaction
                elif not await _rung(listener.woken):
                    yield None
        finally:
            self._waiting[table].discard(listener)
            if not self._waiting[table]:
                del self._waiting[table]
                self._versions.pop(table, None)

    def _note_change(self, table: str, version: int, bot_to_move: bool) -> None:
        if bot_to_move:
            self.bot_tables.put_nowait(table)
        if table in self._waiting:
            self._heard_of(table, version)
            self._wake(table)

    def _wake(self, table: str) -> None:
        for listener in self._waiting.get(table, ()):
            listener.woken.set()

    def _heard_of(self, table: str, version: int) -> None:
        self._versions[table] = max(version, self._versions.get(table, 0))


class _Listener:
    """One open stream."""

    def __init__(self, player: str) -> None:
        self.player, self.woken, self.ended = player, asyncio.Event(), False


def _no_neighbours(*_: object) -> None:
    """Do nothing: there are no other processes."""


async def _rung(woken: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):  # `wait_for` would start a task per stream and version
            await woken.wait()
    rung = woken.is_set()
    woken.clear()
    return rung


@dataclass(frozen=True, slots=True)
class Reaction:
    """A picture that a player shows to the others."""

    seat: int
    picture: int
    at: float


MOST_TABLES = 4096  # beyond that the least recently changed one is forgotten


@dataclass(frozen=True, slots=True)
class IntendedHold:
    """An intended hold: the dice that the player on turn is about to keep."""

    moment: int  # the version that last changed the dice or the sheet
    slots: tuple[int, ...]
    page: str = ""  # that sent it, and need not show it again


class IntendedHolds:
    """The last intended hold of each table. It is shown to all, but it is not a move.

    Safe to use from any thread. A hold expires as soon as the dice or the score sheet change.
    """

    def __init__(self) -> None:
        self._held: BoundedMap[str, IntendedHold] = BoundedMap(MOST_TABLES)
        self._guard = Lock()

    def note(self, table: str, held: IntendedHold) -> bool:
        """Store a hold and return True; return False if a later one is known."""
        with self._guard:
            before = self._held.get(table)
            if before is not None and before.moment > held.moment:
                return False
            self._held[table] = held
            return True

    def last(self, table: str) -> IntendedHold | None:
        with self._guard:
            return self._held.get(table)

    def at(self, table: str, moment: int) -> tuple[int, ...] | None:
        """Return the slots that are to be kept, or None if no hold was sent since the roll."""
        held = self.last(table)
        return None if held is None or held.moment != moment else held.slots
