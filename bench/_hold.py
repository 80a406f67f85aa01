"""Many tables and live streams at the pace of people: first all are opened, then they are held and played.

Both parts are measured, each by itself: people who come all at once wait for each other, and that says nothing about
the hours afterwards; nor may it be left out, because after a restart of the server they do come all at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from bench._drive import Log, Player
from bench._servers import Meter
from bench._words import moves, percentiles
from web.serving import Serving


@dataclass(frozen=True)
class Crowd:
    """How many come, within how many seconds, and for how long they stay."""

    tables: int
    streams: int
    opening: float
    seconds: float
    pause: float  # between two moves of a table, on average

    def players(self, ports: Sequence[int], log: Log) -> list[Player]:
        """Spread over the processes, and the screens of each table too."""
        each = self.streams // self.tables
        watch = [[ports[(n + k) % len(ports)] for k in range(each)] for n in range(self.tables)]
        return [Player(ports[n % len(ports)], n, log, watch[n]) for n in range(self.tables)]


async def hold(servers: Sequence[Serving], crowd: Crowd) -> None:
    log, meter = Log(), Meter(servers)
    players = crowd.players([server.port for server in servers], log)
    began = perf_counter()
    await asyncio.gather(*(player.come(crowd.opening * n / crowd.tables) for n, player in enumerate(players)))
    _tell_opening(log, perf_counter() - began, meter)
    log.opened.clear()
    memory = await _played(players, crowd, meter)
    print(f"    held:   {moves(log, crowd.seconds, meter.read())}")
    if log.opened:
        print(f"            {len(log.opened)} tables opened meanwhile, in {percentiles(log.opened)}")
    print(f"            memory in MB, from {memory[0]} over {memory[len(memory) // 2]} to {memory[-1]}", flush=True)
    await asyncio.gather(*(player.go() for player in players))


def _tell_opening(log: Log, seconds: float, meter: Meter) -> None:
    each = 1000 * meter.read() / max(1, len(log.opened))
    print(f"    opened: {len(log.opened)} tables and {len(log.joined)} streams in {seconds:.1f} s;", end=" ")
    print(f"{each:.1f} ms of processor for a table with its streams")
    print(f"            a table in {percentiles(log.opened)}; a stream in {percentiles(log.joined)}", flush=True)


async def _played(players: Sequence[Player], crowd: Crowd, meter: Meter) -> list[list[int]]:
    """What the servers held of memory, at the start, ten times meanwhile, and at the end."""
    until, memory = perf_counter() + crowd.seconds, [meter.memory()]
    playing = asyncio.gather(*(player.play(until, crowd.pause) for player in players))
    while perf_counter() < until and not playing.done():
        await asyncio.wait([playing], timeout=min(crowd.seconds / 10, max(0.0, until - perf_counter())))
        memory.append(meter.memory())
    await playing
    return memory
