"""The server's own players: bots at their seats, and stand-ins for people who left."""

from __future__ import annotations

import asyncio
import logging

from fivedice.dice import Keep
from fivedice.game import Hold, Mark, Position
from fivedice.table import commands as ask
from fivedice.table.decide import HOUSE, house_plays
from fivedice.table.refusals import Refusal
from fivedice.table.service import Tables
from fivedice.table.state import TableState

log = logging.getLogger(__name__)

STAND_IN = "steady"  # the level that plays for somebody who left


class House:
    """Plays its seats one visible move at a time, as anybody would, through the same commands."""

    def __init__(self, tables: Tables, pause: float) -> None:
        self._tables = tables
        self._pause = pause
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._news: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self) -> None:
        """Start with the tables that were waiting for a bot when the server stopped."""
        self._loop = asyncio.get_running_loop()
        for table in self._tables.store.waiting_for_house():
            self._look(table)

    def wake(self, table: str) -> None:
        """A table has changed, perhaps it is our turn; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look, table)

    async def close(self) -> None:
        tasks = list(self._busy.values())
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

    async def _catch_up(self, table: str) -> None:
        try:
            while await self._one_move(table):
                pass
        except Refusal as refusal:  # somebody changed the table meanwhile, which is news
            log.info("the house was refused at a table: %s", refusal)
        except Exception:
            log.exception("the house cannot go on at a table")

    async def _one_move(self, table: str) -> bool:
        state = await asyncio.to_thread(self._tables.state, table)
        seat = state.on_turn
        if seat is None or not house_plays(state, seat):
            return False
        await asyncio.sleep(self._pause)
        command = await asyncio.to_thread(_choose, state, seat)
        key = f"house-{state.game_version}"
        await asyncio.to_thread(self._tables.execute, table, command, version=state.version, key=key)
        return True


def _choose(state: TableState, seat: int) -> ask.Command:
    game = state.game
    if game is None or game.position.chance_moves_next:
        return ask.RollDice(HOUSE)
    move = _bot_move(game.position, state.seats[seat].bot or STAND_IN)
    if isinstance(move, Mark):
        return ask.FillBox(HOUSE, move.box)
    return ask.RollDice(HOUSE, _slots(state, move.keep))


def _bot_move(position: Position, level: str) -> Hold | Mark:
    from fivedice import bots  # loads the solver, which a server without bots never needs

    move: Hold | Mark = bots.bot(level, position.book).choose(position)
    return move


def _slots(state: TableState, keep: Keep) -> tuple[int, ...]:
    """The slots that hold these faces; dice that lay still before stay where they are."""
    wanted, slots = keep.counts, []
    for slot in sorted(range(len(state.slots)), key=lambda slot: (slot not in state.held, slot)):
        face = state.slots[slot]
        if wanted[face] > 0:
            wanted[face] -= 1
            slots.append(slot)
    return tuple(slots)
