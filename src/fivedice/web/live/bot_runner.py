"""The server players: bots in their seats, and stand-ins for absent players."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from fivedice.players.bots.levels import FIRST_PLAY
from fivedice.store.access import CannotWrite, DatabaseAway
from fivedice.table.actions.autoplay import STAND_IN, house_command
from fivedice.table.actions.seating import PACES
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import TableState
from fivedice.web.http.handling import BOTS, HURRIED_BOTS, MOVES, Lane
from fivedice.web.jobs.solutions import Solutions

log = logging.getLogger(__name__)

LOOK_AGAIN = 0.5  # seconds between two checks whether the book of a bot is solved
AT_ONCE = "at-once"
HURRIED = 2  # tables with the pace "at once" whose bots may move at the same time
PATIENCE = 5.0  # seconds, in addition to the pause of a bot, after which another process takes over its table


class BotRunner:
    """Plays the seats of the server with the same commands that people use, one visible move at a time."""

    def __init__(self, tables: Tables, solutions: Solutions, news: asyncio.Queue[str], pause: float) -> None:
        self._tables = tables
        self._solutions = solutions  # for bots that play by exact values
        self._queue = news  # tables where a bot may have to move
        self._pause = pause
        self._reading: asyncio.Task[None] | None = None
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._news: set[str] = set()
        self._hurried = asyncio.Semaphore(HURRIED)
        self._noticed: dict[tuple[str, int], float] = {}

    def attach(self) -> None:
        """Start reading the queue, and resume the tables that waited for a bot when the server stopped."""
        self._reading = asyncio.get_running_loop().create_task(self._read_news())
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
        await asyncio.sleep(self._pause * PACES[state.pace])
        if state.pace == AT_ONCE:  # limit how many of these play at the same time, so that other tables can move
            async with self._hurried:
                return await self._make_move(HURRIED_BOTS, table, state, seat)
        return await self._make_move(BOTS, table, state, seat)

    async def _make_move(self, lane: Lane, table: str, state: TableState, seat: int) -> bool:
        if await lane.run(self.works_out, state, seat):
            await asyncio.sleep(LOOK_AGAIN)
            return True
        command = await lane.run(house_command, state, seat)
        key = f"house-{state.game_version}"
        await MOVES.run(self._tables.execute, table, command, version=state.version, key=key)
        return True
