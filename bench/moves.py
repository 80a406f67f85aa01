"""What a move costs: processor time of the server, moves a second and the wait for the answer, at 1, 8 and 32 clients.

Beside it, in the same run and by turns, a bare handler of the framework that commits one row; and, where
FIVEDICE_BESIDE names the folder of another checkout with its own .venv, the same moves there. Moves are answered with
the whole table, and once more with what changed alone. Then on PostgreSQL, with one process and with two. Every move is
acknowledged after its commit. Tables are opened before the clock starts. The driver, the servers and PostgreSQL share
the machine and its loopback; all of them stop by themselves.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from bench._servers import DURABLE, processor_seconds
from bench._wire import Line

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from postgres import NoServer, serving_postgres
from sharing.play import next_move
from web.serving import Serving

CLIENTS = {1: 20, 8: 6, 32: 2}  # how many there are, and how many games each of them plays in a turn
ROUNDS = 1
MOVES_A_GAME = 30  # of the bare handler: as many as a game has that is played with one roll a turn
PLAN = {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True}


@dataclass
class Taken:
    """What one side took with a number of clients, all rounds together."""

    waits: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)  # seconds per move, of each round
    rate: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        cuts = quantiles(self.waits, n=100, method="inclusive")
        shown = f"{1000 * min(self.processor):5.2f} ms of processor a move, {max(self.rate):5.0f} moves/s, "
        return shown + f"p50 {1000 * cuts[49]:6.1f} ms, p99 {1000 * cuts[98]:6.1f} ms"


class Side:
    """Servers that are asked for moves."""

    def __init__(self, name: str, ports: Sequence[int], pids: Sequence[int]) -> None:
        self.name, self._ports, self._pids = name, ports, pids
        self.taken = {clients: Taken() for clients in CLIENTS}

    async def measure(self, clients: int, games: int) -> None:
        lines = [
            await Line(self._ports[n % len(self._ports)], f"bench-player-number-{n:08d}").__aenter__()
            for n in range(clients)
        ]
        ready = [[await self._opened(line) for _ in range(games)] for line in lines]
        waits: list[float] = []
        before, began = self._processor(), perf_counter()
        await asyncio.gather(*(self._play(line, own, waits) for line, own in zip(lines, ready, strict=True)))
        seconds, used = perf_counter() - began, self._processor() - before
        for line in lines:
            await line.__aexit__()
        taken = self.taken[clients]
        taken.waits += waits
        taken.processor.append(used / len(waits))
        taken.rate.append(len(waits) / seconds)

    def told_briefly(self) -> Side:
        return BriefSide(f"{self.name}, changes", self._ports, self._pids)

    def _processor(self) -> float:
        return sum(map(processor_seconds, self._pids))

    async def _opened(self, line: Line) -> Any:
        table = (await line.ask("POST", "/api/tables", PLAN))["id"]
        return await line.ask("GET", f"/api/tables/{table}")

    async def _play(self, line: Line, tables: list[Any], waits: list[float]) -> None:
        for seen in tables:
            while seen["phase"] != "finished":
                seen = (await self._move(line, seen["id"], next_move(seen), waits))["table"]

    async def _move(self, line: Line, table: str, move: dict[str, Any], waits: list[float]) -> Any:
        began = perf_counter()
        answer = await line.ask("POST", f"/api/tables/{table}/commands", {**move, "key": f"k{move['version']}"})
        waits.append(perf_counter() - began)
        return answer


class BriefSide(Side):
    """The same server, asked by programs that follow the table and get only changes."""

    async def _play(self, line: Line, tables: list[Any], waits: list[float]) -> None:
        for seen in tables:
            version = seen["version"]
            for box in (row["box"] for row in seen["rows"] if row["box"]):
                for move in ({"command": "roll"}, {"command": "score", "box": box}):
                    sent = {**move, "version": version, "answer": "changes"}
                    version = (await self._move(line, seen["id"], sent, waits))["version"]


class BareSide(Side):
    """The same number of moves, without a game."""

    async def _opened(self, line: Line) -> Any:
        return await line.ask("POST", "/move", {"command": "roll", "version": 4, "key": "k4"})

    async def _play(self, line: Line, tables: list[Any], waits: list[float]) -> None:
        for number in range(len(tables) * MOVES_A_GAME):
            began = perf_counter()
            await line.ask("POST", "/move", {"command": "roll", "version": number, "key": f"k{number}"})
            waits.append(perf_counter() - began)


@contextmanager
def bare(folder: Path) -> Iterator[Side]:
    command = [sys.executable, "-m", "bench._bare", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this program
    try:
        found = re.search(r":(\d+)", server.stdout.readline() if server.stdout else "")
        if found is None:
            raise RuntimeError("the bare server did not start")
        yield BareSide("bare handler", [int(found[1])], [server.pid])
    finally:
        server.terminate()
        server.wait()


@contextmanager
def tables(name: str, python: str, folder: Path, database: str = "", processes: int = 1) -> Iterator[Side]:
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder))) for _ in range(processes)]
        servers = [stack.enter_context(Serving(own, database=database, python=python)) for own in folders]
        yield Side(name, [each.port for each in servers], [each.pid for each in servers])


def checkouts() -> dict[str, str]:
    """The Python of each side."""
    beside = os.environ.get("FIVEDICE_BESIDE")
    before = {"before": str(Path(beside) / ".venv/bin/python")} if beside else {}
    return {**before, "now": sys.executable}


def compare(title: str, sides: Sequence[Side]) -> None:
    sides = [*sides, sides[-1].told_briefly()]
    for _ in range(ROUNDS):
        for clients, games in CLIENTS.items():
            for side in sides:
                asyncio.run(side.measure(clients, games))
    print(title, flush=True)
    for clients in CLIENTS:
        for side in sides:
            print(f"  {clients:2} clients, {side.name:14}: {side.taken[clients]}", flush=True)


def on_postgresql(folder: Path, processes: int) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving_postgres(DURABLE))
        sides = [
            stack.enter_context(tables(name, python, folder, server.database(), processes))
            for name, python in checkouts().items()
        ]
        compare(f"PostgreSQL, processes: {processes}", sides)


def main() -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"FIVEDICE_CACHE": str(folder), "FIVEDICE_PREPARE": "no"}
        with ExitStack() as servers:
            sides = [servers.enter_context(bare(folder))]
            sides += [servers.enter_context(tables(name, python, folder)) for name, python in checkouts().items()]
            compare("SQLite, one process", sides)
        try:
            for processes in (1, 2):
                on_postgresql(folder, processes)
        except NoServer as problem:
            print(f"PostgreSQL cannot be started here, so it is not measured: {problem}")
