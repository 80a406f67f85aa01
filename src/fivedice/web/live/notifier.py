"""Who is at a table, what they are about to keep, and telling screens and bots that it has changed.

Nothing of it is in the log.
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

SEEN_LATELY = 40.0  # seconds; a little more than two heartbeats: a screen that misses both has gone
MOST_SEEN, MOST_PEOPLE = 20_000, 64  # tables, and people at each: only those who sit there or opened it are noted
TIDY = 512  # tables; whoever was last seen long ago is forgotten when there are more, then twice as many, and so on


class Presence:
    """Lives in memory only: after a restart everybody counts as present until they had time to come back.

    Asked and told from any thread. Processes that share a database tell each other whom they saw: `take_news` and
    `heard`.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._seen: BoundedMap[str, BoundedMap[str, float]] = BoundedMap(MOST_SEEN)
        self._tidy_at = TIDY
        self._news: dict[str, set[str]] | None = None  # kept only for those who ask for them
        self._guard = Lock()

    def saw(self, table: str, player: str) -> None:
        """The screen, or the program, of somebody who belongs to a table asked for something."""
        with self._guard:
            self._note(table, player)
            if self._news is not None:
                self._news.setdefault(table, set()).add(player)

    def still(self, table: str, player: str) -> None:
        """A stream is still open: whoever watches without a seat was never noted, and is not now."""
        if player in self._seen.get(table, ()):
            self.saw(table, player)

    def heard(self, seen: Iterable[tuple[str, str]]) -> None:
        """Another process saw these people, each at a table."""
        with self._guard:
            for table, player in seen:
                self._note(table, player)

    def take_news(self) -> dict[str, set[str]]:
        """Whom we saw since we were asked last."""
        with self._guard:
            news, self._news = self._news or {}, {}
        return news

    def forget(self, player: str) -> None:
        """Their key is void."""
        with self._guard:
            for seen in self._seen.values():
                seen.pop(player, None)

    def start_over(self) -> None:
        """We may have missed what others saw: nobody can be called absent for a while."""
        self._since = self._clock()

    def _note(self, table: str, player: str) -> None:
        people = self._seen.get(table) or BoundedMap(MOST_PEOPLE)
        people[player] = self._clock()
        self._seen[table] = people
        if len(self._seen) > self._tidy_at:
            self._tidy()

    def at(self, table: str) -> frozenset[str] | None:
        """Everyone who was heard of lately; None while we have not listened long enough to tell."""
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


class TableNotifier:
    """Wakes the live streams of a table and whoever plays for its bots. It may be told from any thread.

    Streams are told version numbers, and which dice somebody is about to keep. Bots are told which table waits for
    them: they read `bot_tables`.
    """

    def __init__(self) -> None:
        self.holds = IntendedHolds()
        self.pass_on: Callable[[str, Held], None] = _no_neighbours  # other processes, where there are any
        self.pass_hang_up: Callable[[str], None] = _no_neighbours
        self.bot_tables: asyncio.Queue[str] = asyncio.Queue()
        self._waiting: dict[str, set[_Listener]] = defaultdict(set)  # as many as there are open streams, at most
        self._versions: dict[str, int] = {}  # only of tables where somebody waits
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def attach(self) -> None:
        """Remember the loop that the streams run on."""
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def notify(self, state: TableState) -> None:
        """A table stands like this now. Whoever begins to listen in this moment asks how it stands only afterwards."""
        bot_to_move = state.house_to_move
        if bot_to_move or state.id in self._waiting:  # mostly neither, and the loop need not wake up for it
            self._on_loop(self._changed, state.id, state.version, bot_to_move)

    def heard(self, table: str, version: int) -> None:
        """Another process has changed a table; its bots are the business of that process."""
        self._on_loop(self._changed, table, version, False)

    def hold(self, table: str, held: Held) -> None:
        """Somebody chose the dice that they are going to keep."""
        self.heard_hold(table, held)
        self.pass_on(table, held)

    def heard_hold(self, table: str, held: Held) -> None:
        """The same, said at another process."""
        if self.holds.note(table, held):
            self._on_loop(self._wake, table)

    def hang_up(self, player: str) -> None:
        """The key of this person is void: their streams end."""
        self.heard_hang_up(player)
        self.pass_hang_up(player)

    def heard_hang_up(self, player: str) -> None:
        """The same, said at another process."""
        self._on_loop(self._hang_up, player)

    def _hang_up(self, player: str) -> None:
        for listener in (each for waiting in self._waiting.values() for each in waiting if each.player == player):
            listener.ended = True
            listener.woken.set()

    def _on_loop(self, action: Callable[..., None], *arguments: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action, *arguments)

    def waited_for(self) -> list[str]:
        """The tables that somebody listens to; may be asked from any thread."""
        return list(self._waiting)

    def close(self) -> None:
        """Let every stream end, so that the server can stop at once."""
        self._closed = True
        for waiting in self._waiting.values():
            for listener in waiting:
                listener.woken.set()

    async def listen(
        self, table: str, after: int, newest: Callable[[], Awaitable[int]], player: str = ""
    ) -> AsyncGenerator[int | Held | None, None]:
        """Versions as they come, beginning with any after `after`, and dice that are chosen; None is a heartbeat."""
        listener, told = _Listener(player), None
        self._waiting[table].add(listener)
        try:
            self._heard_of(table, await newest())  # asked once we listen, so that nothing falls in between
            while not (self._closed or listener.ended):
                if self._versions[table] > after:
                    after = self._versions[table]
                    yield after
                elif (held := self.holds.last(table)) is not told:  # of several since, the last one counts
                    told = held
                    yield held
                elif not await _rung(listener.woken):
                    yield None
        finally:
            self._waiting[table].discard(listener)
            if not self._waiting[table]:
                del self._waiting[table]
                self._versions.pop(table, None)

    def _changed(self, table: str, version: int, bot_to_move: bool) -> None:
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
    """For a process that is alone with its database."""


async def _rung(woken: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARTBEAT):  # `wait_for` would start a task for every stream and every version
            await woken.wait()
    rung = woken.is_set()
    woken.clear()
    return rung


MOST_TABLES = 4096  # remembered; beyond that the one where nobody chose for longest is forgotten


@dataclass(frozen=True, slots=True)
class Held:
    """What was said last at a table."""

    moment: int  # the version that last changed the dice or the sheet
    slots: tuple[int, ...]
    page: str = ""  # that said it: it knows already


class IntendedHolds:
    """The dice that somebody is about to keep: seen by everybody at once, and no move yet.

    Of all tables of a process; asked and told from any thread. It is worth nothing as soon as the dice or the sheet
    have changed.
    """

    def __init__(self) -> None:
        self._held: BoundedMap[str, Held] = BoundedMap(MOST_TABLES)
        self._guard = Lock()

    def note(self, table: str, held: Held) -> bool:
        """Remember it, unless it is about a moment that has passed."""
        with self._guard:
            before = self._held.get(table)
            if before is not None and before.moment > held.moment:
                return False
            self._held[table] = held
            return True

    def last(self, table: str) -> Held | None:
        with self._guard:
            return self._held.get(table)

    def at(self, table: str, moment: int) -> tuple[int, ...] | None:
        """The slots that are to be kept; None where nothing was said since the dice fell."""
        held = self.last(table)
        return None if held is None or held.moment != moment else held.slots
