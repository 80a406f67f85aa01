"""A hostile client within its limits at one address, while somebody plays at another: `make siege`.

Prints how long moves take in quiet and under siege, side by side in one run. Only the loopback: the player calls from
127.0.0.1 and the attackers from 127.0.0.2. They stop by themselves.
"""

from __future__ import annotations

import asyncio
import http.client
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

from bench._drive import Log, Player
from bench._servers import resident
from bench._words import percentiles
from web.serving import Serving

ATTACKER = ("127.0.0.2", 0)
PACE = 0.1  # seconds between two moves: a quick player
RECORD = "record=" + "[" + "+" * 30_000
ATTACKS: dict[str, tuple[str, str, str]] = {
    "fairness": ("GET", "/fairness", ""),
    "sheets as PDF": ("GET", "/print/yahtzee.pdf?players=8&games=6", ""),
    "print view": ("GET", "/print/maxi-yatzy?players=8", ""),
    "long records": ("POST", "/verify", RECORD),
    "reports": ("POST", "/report", RECORD),
    "statistics": ("GET", "/statistics", ""),
    "rules compared": ("GET", "/rules/yahtzee?against=yatzy", ""),
    "house rules": ("POST", "/house/build", "base=yahtzee"),
    "the description of the API": ("GET", "/schema/openapi.json", ""),
}


def attack(port: int, method: str, path: str, body: str, stop: Event, answers: Counter[int]) -> None:
    """As fast as the answers come, over one line at a time."""
    headers = {"content-type": "application/x-www-form-urlencoded"} if body else {}
    while not stop.is_set():
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=ATTACKER)
        try:
            line.request(method, path, body or None, headers)
            answer = line.getresponse()
            answer.read()
            answers[answer.status] += 1
        except (OSError, http.client.HTTPException):
            answers[0] += 1
        finally:
            line.close()
        stop.wait(0.02)


def sit_idle(port: int, stop: Event, answers: Counter[int]) -> None:
    """Three hundred lines that never finish their head."""
    lines = []
    for _ in range(300):
        line = socket.create_connection(("127.0.0.1", port), 30, ATTACKER)
        line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n")
        lines.append(line)
        answers[0] += 1
    stop.wait()
    for line in lines:
        line.close()


async def play(port: int, seconds: float) -> list[float]:
    log = Log()
    player = Player(port, 1, log)
    await player.come()
    await player.play(perf_counter() + seconds, PACE)
    await player.go()
    return log.waits


def besieged(port: int, seconds: float) -> tuple[list[float], dict[str, Counter[int]]]:
    stop, answers = Event(), {name: Counter[int]() for name in (*ATTACKS, "idle lines")}
    works: list[Callable[[], None]] = [
        lambda name=name, how=how: attack(port, *how, stop, answers[name])  # type: ignore[misc]
        for name, how in ATTACKS.items()
    ]
    works.append(lambda: sit_idle(port, stop, answers["idle lines"]))
    threads = [Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    try:
        return asyncio.run(play(port, seconds)), answers
    finally:
        stop.set()
        for thread in threads:
            thread.join(40)


def main(seconds: float = 30.0) -> None:
    plain = {"FIVEDICE_LOG_FORMAT": "text", "FIVEDICE_PREPARE": "no"}  # every limit as it comes
    with tempfile.TemporaryDirectory() as folder, Serving(Path(folder), settings=plain) as server:
        quiet = asyncio.run(play(server.port, seconds))
        before = resident(server.pid)
        under, answers = besieged(server.port, seconds)
        print(f"quiet: {percentiles(quiet)}")
        print(f"under siege: {percentiles(under)}; memory {before} MB before, {resident(server.pid)} MB after")
        for name, found in answers.items():
            print(f"  {name}: {', '.join(f'{status}: {count}' for status, count in sorted(found.items()))}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
