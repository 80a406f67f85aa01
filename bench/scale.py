"""SQLite and PostgreSQL, one process and two, in one run; then many tables and live streams held open.

`python -m bench.scale --minutes 10` holds them for so long; see `--help`. The servers and PostgreSQL are processes of
their own on the loopback, this process drives them, and all of them share the cores of the machine. All stop by
themselves. PostgreSQL and SQLite wait for the disk at every commit, as in real use.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from bench._wire import Line
from postgres import NoServer, serving_postgres
from sharing.play import next_move
from web.serving import Serving

SETUPS = (("sqlite", 1), ("postgresql", 1), ("postgresql", 2))
DURABLE = "max_connections = 200\n"


@dataclass
class Log:
    """What was sent, acknowledged and heard, with the time of each."""

    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    heard: list[tuple[str, int, float]] = field(default_factory=list)

    def fan_out(self) -> list[float]:
        """From the sending of a move to its being heard at another screen."""
        return [
            when - self.sent[table, version] for table, version, when in self.heard if (table, version) in self.sent
        ]


async def drive(port: int, number: int, until: float, log: Log, watch: Sequence[int], pause: float = 0.0) -> None:
    """One table, played until the end of the bench and watched at these ports."""
    watchers: list[asyncio.Task[None]] = []
    async with Line(port, f"bench-player-number-{number:08d}") as line:
        await asyncio.sleep(random.uniform(0, pause))
        while perf_counter() < until:
            opened = await line.ask("POST", "/api/tables", {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True})
            table = opened["id"]
            seen = await line.ask("GET", f"/api/tables/{table}")
            watchers = [asyncio.create_task(follow(at, table, seen["version"], log)) for at in watch]
            while seen["phase"] != "finished" and perf_counter() < until:
                began = perf_counter()
                move = {**next_move(seen), "key": f"k{seen['version']}"}
                answer = await line.ask("POST", f"/api/tables/{table}/commands", move)
                log.waits.append(perf_counter() - began)
                log.sent[table, answer["version"]] = began
                seen = answer["table"]
                if pause:
                    await asyncio.sleep(random.uniform(0.5 * pause, 1.5 * pause))
            await asyncio.sleep(0.2)  # for the last words
            await ended(watchers)


async def ended(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done() and not task.cancelled() and task.exception() is not None:
            raise RuntimeError("a stream broke") from task.exception()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def follow(port: int, table: str, after: int, log: Log) -> None:
    async with Line(port, "bench-watcher-" + "w" * 20) as line:
        async for version in line.versions(table, after):
            log.heard.append((table, version, perf_counter()))


async def load(ports: list[int], tables: int, seconds: float) -> Log:
    """Every table as fast as the answers come, watched once, where possible at another process."""
    log, until = Log(), perf_counter() + seconds
    many = [drive(ports[n % len(ports)], n, until, log, [ports[(n + 1) % len(ports)]]) for n in range(tables)]
    await asyncio.gather(*many)
    return log


async def hold(ports: list[int], arguments: Any, pids: list[int]) -> tuple[Log, list[list[int]]]:
    """Many tables at the pace of people, each watched by several screens, spread over the processes."""
    log, memory = Log(), []
    until = perf_counter() + 60 * arguments.minutes
    each = arguments.streams // arguments.tables
    watch = [[ports[(n + k) % len(ports)] for k in range(each)] for n in range(arguments.tables)]
    many = [drive(ports[n % len(ports)], n, until, log, watch[n], arguments.pause) for n in range(arguments.tables)]
    playing = asyncio.gather(*many)
    step = max(5.0, 6.0 * arguments.minutes)
    while not playing.done():
        await asyncio.wait([playing], timeout=step)
        memory.append([resident(pid) for pid in pids])
    await playing
    return log, memory


def resident(pid: int) -> int:
    """Megabytes of memory that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


@contextmanager
def serving(kind: str, processes: int) -> Iterator[list[Serving]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(serving_postgres(DURABLE)).database() if kind == "postgresql" else ""
        os.environ |= {"FIVEDICE_CACHE": str(folder), "FIVEDICE_PREPARE": "no"}
        yield [stack.enter_context(Serving(_own(folder, number), database=url)) for number in range(processes)]


def _own(folder: Path, number: int) -> Path:
    (folder / str(number)).mkdir()
    return folder / str(number)


def line_of(log: Log, seconds: float) -> str:
    waits, fan_out = quantiles(log.waits, n=100), quantiles(log.fan_out(), n=100)
    acknowledged = f"acknowledged in {1000 * waits[49]:.0f} ms (99th {1000 * waits[98]:.0f})"
    heard = f"heard elsewhere in {1000 * fan_out[49]:.0f} ms (99th {1000 * fan_out[98]:.0f})"
    return f"{len(log.waits) / seconds:5.0f} moves/s; {acknowledged}; {heard}"


def compare(arguments: Any) -> None:
    for kind, processes in SETUPS:
        with serving(kind, processes) as servers:
            log = asyncio.run(load([server.port for server in servers], arguments.players, arguments.seconds))
        print(
            f"{kind:<10} {processes} process{'es'[: 2 * (processes - 1)]}: {line_of(log, arguments.seconds)}",
            flush=True,
        )


def hold_many(arguments: Any) -> None:
    print(f"{arguments.tables} tables, {arguments.streams} live streams, {arguments.minutes:g} minutes:", flush=True)
    for kind, processes in (SETUPS[0], SETUPS[2]):
        with serving(kind, processes) as servers:
            pids = [server.pid for server in servers]
            log, memory = asyncio.run(hold([server.port for server in servers], arguments, pids))
        print(f"{kind:<10} x {processes}: {line_of(log, 60 * arguments.minutes)}")
        print(
            f"               memory in MB, from {memory[0]} over {memory[len(memory) // 2]} to {memory[-1]}", flush=True
        )


def read(words: list[str]) -> Any:
    parser = ArgumentParser("python -m bench.scale", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each comparison")
    parser.add_argument("--players", type=int, default=32, help="tables played at once in the comparison")
    parser.add_argument("--minutes", type=float, default=0.5, help="that the many are held")
    parser.add_argument("--tables", type=int, default=500, help="to hold")
    parser.add_argument("--streams", type=int, default=2000, help="to hold, spread over the tables")
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
