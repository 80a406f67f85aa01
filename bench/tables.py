"""Many tables over HTTP: moves a second and latency, beside the bare commit rate of the same disk in the same run.

The server is a process of its own on the loopback; this process drives it. Both stop by themselves.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
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


async def drive(client: httpx.AsyncClient, number: int, until: float, latencies: list[float]) -> None:
    """One table, played as fast as the answers come: roll, score, roll, score."""
    opened = {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True}
    headers = {"authorization": f"Bearer bench-player-number-{number:08d}"}
    table = (await client.post("/api/tables", json=opened, headers=headers)).json()["id"]
    seen = (await client.get(f"/api/tables/{table}", headers=headers)).json()
    while perf_counter() < until:
        if seen["phase"] == "finished":
            table = (await client.post("/api/tables", json=opened, headers=headers)).json()["id"]
            seen = (await client.get(f"/api/tables/{table}", headers=headers)).json()
        body = {**_next_move(seen), "version": seen["version"], "key": f"k{seen['version']}"}
        began = perf_counter()
        answer = await client.post(f"/api/tables/{table}/commands", json=body, headers=headers)
        latencies.append(perf_counter() - began)
        answer.raise_for_status()
        seen = answer.json()["table"]


def _next_move(seen: dict[str, Any]) -> dict[str, Any]:
    if not seen["dice"]:
        return {"command": "roll"}
    open_boxes = [row["box"] for row in seen["rows"] if row["box"] and row["cells"][0]["preview"] is not None]
    return {"command": "score", "box": open_boxes[0]}


async def load(url: str) -> list[float]:
    latencies: list[float] = []
    limits = httpx.Limits(max_connections=TABLES)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=30) as client:
        until = perf_counter() + SECONDS
        await asyncio.gather(*(drive(client, number, until, latencies) for number in range(TABLES)))
    return latencies


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commits = bare_commits(folder)
        with Serving(folder) as server:
            latencies = asyncio.run(load(server.url))
    rate, cuts = len(latencies) / SECONDS, quantiles(latencies, n=100)
    print(f"{TABLES} tables, {SECONDS:.0f} s: {rate:.0f} moves/s acknowledged after their commit")
    print(f"latency 50th percentile {1000 * cuts[49]:.1f} ms, 99th {1000 * cuts[98]:.1f} ms")
    print(f"bare commits of this disk: {commits:.0f}/s; moves/commits = {rate / commits:.2f}")
