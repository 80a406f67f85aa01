"""The server's own players: bots at their seats, and stand-ins for people who left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from fivedice.players.bots.levels import FIRST_PLAY
from fivedice.store.access import CannotWrite, DatabaseAway
from fivedice.table.actions.seating import PACES
from fivedice.table.autoplay import STAND_IN, house_command
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import TableState
from fivedice.web.http.handling import BOTS, HURRIED_BOTS, MOVES, Lane
from fivedice.web.jobs.solutions import Solutions

log = logging.getLogger(__name__)

LOOK_AGAIN = 0.5  # seconds until a bot asks again whether its book is solved
AT_ONCE = "at-once"
HURRIED = 2  # tables whose bots move at once, moving at the same time
PATIENCE = 5.0  # seconds beyond the pause of a bot, after which a table is taken over from another process


class BotRunner:
    """Plays its seats one visible move at a time, as anybody would, through the same commands."""

    def __init__(self, tables: Tables, solutions: Solutions, news: asyncio.Queue[str], pause: float) -> None:
        self._tables = tables
        self._solutions = solutions  # where bots that play by exact values find them
        self._queue = news  # of tables where it may be our turn
        self._pause = pause
        self._reading: asyncio.Task[None] | None = None
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._news: set[str] = set()
        self._hurried = asyncio.Semaphore(HURRIED)
        self._noticed: dict[tuple[str, int], float] = {}

    def attach(self) -> None:
        """Start with the tables that were waiting for a bot when the server stopped."""
        self._reading = asyncio.get_running_loop().create_task(self._read_news())
        for table in self._tables.store.waiting_for_house():
            self._look(table)

    async def _read_news(self) -> None:
        while True:
            self._look(await self._queue.get())

    def stand_in(self, waiting: Mapping[str, int]) -> None:
        """Play on where nobody does: the process that should may be gone. If it is only slow, one move is made."""
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
        """Look as often as there is news: what happens while we look must not be missed."""
        try:
            while table in self._news:
                self._news.discard(table)
                await self._catch_up(table)
        finally:
            self._busy.pop(table, None)

    def works_out(self, state: TableState, seat: int) -> bool:
        """Whether a seat of the house waits until its book is solved; asking has it solved, beside the tables."""
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
        except (CannotWrite, DatabaseAway) as trouble:  # which passes, and nobody else would wake us then
            log.warning("the house waits at a table: %s", trouble)
            await asyncio.sleep(PATIENCE)
            self._news.add(table)
        except Refusal as refusal:  # somebody changed the table meanwhile, which is news
            log.info("the house was refused at a table: %s", refusal)
        except Exception:
            log.exception("the house cannot go on at a table")

    async def _one_move(self, table: str) -> bool:
        state = await BOTS.run(self._tables.state, table)
        seat = state.on_turn
        if seat is None or not state.house_plays(seat):
            return False
        await asyncio.sleep(self._pause * PACES[state.pace])
        if state.pace == AT_ONCE:  # as many as have nobody to wait for take turns: other tables come in between
            async with self._hurried:
                return await self._moved(HURRIED_BOTS, table, state, seat)
        return await self._moved(BOTS, table, state, seat)

    async def _moved(self, lane: Lane, table: str, state: TableState, seat: int) -> bool:
        if await lane.run(self.works_out, state, seat):
            await asyncio.sleep(LOOK_AGAIN)
            return True
        command = await lane.run(house_command, state, seat)
        key = f"house-{state.game_version}"
        await MOVES.run(self._tables.execute, table, command, version=state.version, key=key)
        return True
