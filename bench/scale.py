"""SQLite and PostgreSQL, one process and two, in one run; then many tables and live streams held open.

`python -m bench.scale --minutes 10` holds them for so long; see `--help`. The servers and PostgreSQL are processes of
their own on the loopback, this process drives them, and all of them share the cores of the machine. All stop by
themselves. PostgreSQL and SQLite wait for the disk at every commit, as in real use.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from bench._drive import Log, Player
from bench._hold import Crowd, hold
from bench._servers import Meter, serving
from bench._words import moves
from postgres import NoServer
from web.serving import Serving

SETUPS = (("sqlite", 1), ("postgresql", 1), ("postgresql", 2))


async def load(servers: Sequence[Serving], tables: int, seconds: float) -> str:
    """Every table as fast as the answers come, watched once, where possible at another process."""
    log, ports = Log(), [server.port for server in servers]
    players = [Player(ports[n % len(ports)], n, log, [ports[(n + 1) % len(ports)]]) for n in range(tables)]
    await asyncio.gather(*(player.come() for player in players))
    meter, until = Meter(servers), perf_counter() + seconds
    await asyncio.gather(*(player.play(until) for player in players))
    told = moves(log, seconds, meter.read())
    await asyncio.gather(*(player.go() for player in players))
    return told


def compare(arguments: Any) -> None:
    for kind, processes in SETUPS:
        with serving(kind, processes) as servers:
            told = asyncio.run(load(servers, arguments.players, arguments.seconds))
        print(f"{kind} x {processes}: {told}", flush=True)


def hold_many(arguments: Any) -> None:
    crowd = Crowd(arguments.tables, arguments.streams, arguments.opening, 60 * arguments.minutes, pause=arguments.pause)
    print(f"{crowd.tables} tables with {crowd.streams} live streams, then {arguments.minutes:g} minutes:", flush=True)
    for kind, processes in (SETUPS[0], SETUPS[2]):
        print(f"  {kind} x {processes}", flush=True)
        with serving(kind, processes) as servers:
            asyncio.run(hold(servers, crowd))


def read(words: list[str]) -> Any:
    parser = ArgumentParser("python -m bench.scale", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each comparison")
    parser.add_argument("--players", type=int, default=32, help="tables played at once in the comparison")
    parser.add_argument("--minutes", type=float, default=0.5, help="that the many are held")
    parser.add_argument("--tables", type=int, default=500, help="to hold")
    parser.add_argument("--streams", type=int, default=2000, help="to hold, spread over the tables")
    parser.add_argument("--opening", type=float, default=20.0, help="seconds over which the many come; 0: all at once")
    parser.add_argument("--pause", type=float, default=8.0, help="seconds between two moves of a held table")
    return parser.parse_args(words)


def main(words: Sequence[str] = ()) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 20_000)), hard))
    arguments = read(list(words))
    try:
        compare(arguments)
        hold_many(arguments)
    except NoServer as problem:
        print(f"PostgreSQL cannot be started here, so nothing more is measured: {problem}")


if __name__ == "__main__":
    main(sys.argv[1:])
