"""The server players: bots in their seats, and stand-ins for absent players."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from fivedice.players.bots.levels import FIRST_PLAY
from fivedice.store.access import CannotWrite, DatabaseAway
from fivedice.table.actions import commands as cmd, events as ev
from fivedice.table.actions.playing import STAND_IN, house_command
from fivedice.table.actions.seating import PACES
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import TableState
from fivedice.web.http.handling import BOTS, HURRIED_BOTS, MOVES, Lane
from fivedice.web.jobs.solutions import Solutions
from fivedice.web.live.notifier import IntendedHold

log = logging.getLogger(__name__)

LOOK_AGAIN = 0.5  # seconds between two checks whether the book of a bot is solved
AT_ONCE = "at-once"
HURRIED = 2  # tables with the pace "at once" whose bots may move at the same time
# Pauses of a bot, in parts of the setting: with 0.9 seconds a roll is looked at for 0.7 seconds once the dice have come
# to rest, the kept dice are shown for 0.6 seconds, and the box that a bot scored for 1.2 seconds.
LOOKING, KEEPING, SCORED = 1.45, 0.67, 1.33
PATIENCE = 5.0  # seconds, in addition to the pause of a bot, after which another process takes over its table


class BotRunner:
    """Plays the seats of the server with the same commands that people use, one visible move at a time."""

    def __init__(
        self,
        tables: Tables,
        solutions: Solutions,
        news: asyncio.Queue[str],
        pause: float,
        show_hold: Callable[[str, IntendedHold], None] | None = None,
    ) -> None:
        self._tables = tables
        self._solutions = solutions  # for bots that play by exact values
        self._queue = news  # tables where a bot may have to move
        self._pause = pause
        self._show_hold = show_hold  # to everyone at a table
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pauses: dict[str, asyncio.Event] = {}  # that people may cut short
        self._reading: asyncio.Task[None] | None = None
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._news: set[str] = set()
        self._hurried = asyncio.Semaphore(HURRIED)
        self._noticed: dict[tuple[str, int], float] = {}

    def attach(self) -> None:
        """Start reading the queue, and resume the tables that waited for a bot when the server stopped."""
        self._loop = asyncio.get_running_loop()
        self._reading = self._loop.create_task(self._read_news())
        for table in self._tables.store.waiting_for_house():
            self._look(table)

    async def _read_news(self) -> None:
        while True:
            self._look(await self._queue.get())

    def stand_in(self, waiting: Mapping[str, int]) -> None:
        """Take over tables whose own process has not moved for a while. If both processes move, one move counts."""
        now = asyncio.get_running_loop().time()
        self._noticed = {entry: self._noticed.get(entry, now) for entry in waiting.items()}
        for (table, _), since in self._noticed.items():
            if now - since >= self._pause + PATIENCE:
                self._look(table)

    def hurry(self, table: str) -> None:
        """End the pause of a bot at this table. Safe to call from any thread."""
        pause = self._pauses.get(table)
        if pause is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(pause.set)

    async def close(self) -> None:
        tasks = [*self._busy.values(), *([] if self._reading is None else [self._reading])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _look(self, table: str) -> None:
        self._news.add(table)
        if table not in self._busy:
            self._busy[table] = asyncio.get_running_loop().create_task(self._play(table))

    async def _play(self, table: str) -> None:
        """Play at a table until it has no news left, including news that arrives meanwhile."""
        try:
            while table in self._news:
                self._news.discard(table)
                await self._catch_up(table)
        finally:
            self._busy.pop(table, None)

    def works_out(self, state: TableState, seat: int) -> bool:
        """Return whether a bot must wait for the solution of its book, and request the solution."""
        from fivedice.players import bots

        level, play = state.seats[seat].bot or STAND_IN, state.bots or FIRST_PLAY
        if not bots.waits(level, state.book, play):
            return False
        how_far = self._solutions.want(state.book)
        solution = self._solutions.ready(state.book)
        if how_far.state == "ready" and solution is not None and bots.wants_odds(level, play):
            how_far = self._solutions.odds(solution)
        return how_far.state in {"running", "waiting"}

    async def _catch_up(self, table: str) -> None:
        try:
            while await self._one_move(table):
                pass
        except (CannotWrite, DatabaseAway) as trouble:  # temporary, and nothing else would retry
            log.warning("the house waits at a table: %s", trouble)
            await asyncio.sleep(PATIENCE)
            self._news.add(table)
        except Refusal as refusal:  # the table has changed meanwhile, which is news
            log.info("the house was refused at a table: %s", refusal)
        except Exception:
            log.exception("the house cannot go on at a table")

    async def _one_move(self, table: str) -> bool:
        state = await BOTS.run(self._tables.state, table)
        seat = state.on_turn
        if seat is None or not state.house_plays(seat):
            return False
        await self._wait(table, state, _pause_before(state))
        if state.pace == AT_ONCE:  # limit how many of these play at the same time, so that other tables can move
            async with self._hurried:
                return await self._make_move(HURRIED_BOTS, table, state, seat)
        return await self._make_move(BOTS, table, state, seat)

    async def _make_move(self, lane: Lane, table: str, state: TableState, seat: int) -> bool:
        if await lane.run(self.works_out, state, seat):
            await asyncio.sleep(LOOK_AGAIN)
            return True
        command = await lane.run(house_command, state, seat)
        if isinstance(command, cmd.RollDice) and command.hold and self._show_hold is not None and PACES[state.pace]:
            self._show_hold(table, IntendedHold(state.game_version, command.hold))
            await self._wait(table, state, KEEPING)
        key = f"house-{state.game_version}"
        await MOVES.run(self._tables.execute, table, command, version=state.version, key=key)
        return True

    async def _wait(self, table: str, state: TableState, parts: float) -> None:
        """Wait so that people can follow; a tap of theirs ends it."""
        hurried = self._pauses[table] = asyncio.Event()
        waits = [asyncio.ensure_future(asyncio.sleep(self._pause * PACES[state.pace] * parts))]
        waits.append(asyncio.ensure_future(hurried.wait()))  # type: ignore[arg-type]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._pauses.pop(table, None)
            for each in waits:
                each.cancel()


def _pause_before(state: TableState) -> float:
    """Return how long to wait before a move, in parts of the usual pause."""
    if state.slots:
        return LOOKING
    if not isinstance(state.last, ev.Scored):
        return 1.0
    return SCORED if state.seats[state.last.seat].bot else KEEPING  # people know what they scored themselves
