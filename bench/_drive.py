"""Playing a table over HTTP for the benches: one connection for its player, and one for each screen that watches it."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from bench._wire import Line
from sharing.play import next_move


@dataclass
class Log:
    """What was opened, sent, acknowledged and heard, and how long it took."""

    opened: list[float] = field(default_factory=list)  # tables: until the first look at one
    joined: list[float] = field(default_factory=list)  # live streams: until the head of the answer
    waits: list[float] = field(default_factory=list)  # moves: until the acknowledgement
    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    heard: list[tuple[str, int, float]] = field(default_factory=list)

    def fan_out(self) -> list[float]:
        """From the sending of a move to its being heard at another screen."""
        return [
            when - self.sent[table, version] for table, version, when in self.heard if (table, version) in self.sent
        ]


class Player:
    """Plays alone, one table after the other, and has each of them watched at these ports."""

    _line: Line
    _table: str
    _seen: dict[str, Any]

    def __init__(self, port: int, number: int, log: Log, watch: Sequence[int] = ()) -> None:
        self._port, self._key = port, f"bench-player-number-{number:08d}"
        self._log, self._watch = log, watch
        self._watchers: list[asyncio.Task[None]] = []

    async def come(self, delay: float = 0.0) -> None:
        """Open a table and its streams, after a while."""
        await asyncio.sleep(delay)
        self._line = await Line(self._port, self._key).__aenter__()
        await self._open()

    async def play(self, until: float, pause: float = 0.0) -> None:
        """Move as fast as the answers come, or after a pause of about `pause` seconds."""
        while perf_counter() + (thinking := random.uniform(0, 2 * pause)) < until:
            await asyncio.sleep(thinking)
            if self._seen["phase"] == "finished":
                await self._leave_table()
                await self._open()
            await self._move()

    async def go(self) -> None:
        await self._leave_table()
        await self._line.__aexit__()

    async def _open(self) -> None:
        began = perf_counter()
        plan = {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True}
        self._table = (await self._line.ask("POST", "/api/tables", plan))["id"]
        self._seen = await self._line.ask("GET", f"/api/tables/{self._table}")
        self._log.opened.append(perf_counter() - began)
        joining = [self._join(port) for port in self._watch]
        self._watchers = [asyncio.create_task(self._follow(line)) for line in await asyncio.gather(*joining)]

    async def _join(self, port: int) -> Line:
        began = perf_counter()
        line = await Line(port, "bench-watcher-" + "w" * 20).__aenter__()
        await line.listen(self._table, self._seen["version"])
        self._log.joined.append(perf_counter() - began)
        return line

    async def _follow(self, line: Line) -> None:
        table = self._table
        try:
            async for version in line.versions():
                self._log.heard.append((table, version, perf_counter()))
        finally:
            await line.__aexit__()

    async def _move(self) -> None:
        began = perf_counter()
        move = {**next_move(self._seen), "key": f"k{self._seen['version']}"}
        answer = await self._line.ask("POST", f"/api/tables/{self._table}/commands", move)
        self._log.waits.append(perf_counter() - began)
        self._log.sent[self._table, answer["version"]] = began
        self._seen = answer["table"]

    async def _leave_table(self) -> None:
        await asyncio.sleep(0.2 if self._watchers else 0)  # for the last words
        for task in self._watchers:
            if task.done():
                raise RuntimeError("a stream broke") from task.exception()
            task.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        self._watchers = []
