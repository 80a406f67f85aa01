"""Many tables over HTTP: moves a second, latency and processor time, beside the bare commit rate of the same disk.

The server is a process of its own on the loopback; this process drives it. Both stop by themselves.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from pathlib import Path
from time import perf_counter

from bench._drive import Log, Player
from bench._servers import Meter, serving
from bench._words import moves
from web.serving import Serving

TABLES = 40
SECONDS = 8.0
COMMITS = 300


def bare_commits(folder: Path) -> float:
    """Commits a second of one row each, with the pragmas that the store uses and nothing else around them."""
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE log (n INTEGER PRIMARY KEY, text TEXT)")
    began = perf_counter()
    for _ in range(COMMITS):
        connection.execute("INSERT INTO log (text) VALUES ('24466')")
    seconds = perf_counter() - began
    connection.close()
    return COMMITS / seconds


async def load(server: Serving) -> str:
    """Every table as fast as the answers come: roll, score, roll, score. Nobody watches."""
    log = Log()
    players = [Player(server.port, number, log) for number in range(TABLES)]
    await asyncio.gather(*(player.come() for player in players))
    meter, until = Meter([server]), perf_counter() + SECONDS
    await asyncio.gather(*(player.play(until) for player in players))
    told = moves(log, SECONDS, meter.read())
    await asyncio.gather(*(player.go() for player in players))
    return told


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        commits = bare_commits(Path(name))
    with serving("sqlite", 1) as (server,):
        told = asyncio.run(load(server))
    print(f"{TABLES} tables, {SECONDS:.0f} s, each move acknowledged after its commit: {told}")
    print(f"bare commits of this disk: {commits:.0f}/s")
