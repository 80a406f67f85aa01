"""A hostile client within its limits at one address, while people play at another: campaign `siege`.

Prints how long moves take in quiet and under siege, side by side in one run, what the server came to hold in memory and
on disk, and how soon it stops while it is besieged; what is beyond its bound is said, and the exit status too. Nothing
is solved yet when it begins. Only the loopback: the players call from 127.0.0.1 and the attackers from 127.0.0.2. All
stop by themselves.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from time import perf_counter
from types import TracebackType
from typing import Self

from bench._drive import Log, Player
from bench._servers import children, own, resident
from bench._words import percentiles
from web.serving import Serving

PLAYERS = 4
PACE = 0.25  # seconds between two moves of each: quick players
A_MOMENT = 0.1  # seconds between two looks at memory
TESTS = Path(__file__).parent.parent / "tests"
PLAIN = {"FIVEDICE_LOG_FORMAT": "text", "FIVEDICE_PREPARE": "no"}  # every limit as it comes
MEMORY = 400  # megabytes that the server may come to hold of its own, at any time
BESIDE = 3000 + 400  # megabytes of the processes beside it: `solve_memory`, and the work process with a job in hand
CACHE = 8 << 10  # megabytes of what is solved, for all who come: what was not used for longest goes first
DISK = 64 + 16  # megabytes: what one client may add in a day, and room for what the players add
STOPPED = 2.0  # seconds
SLOWER, SLOWEST = 3.0, 0.25  # times the quiet median; seconds that 99 of 100 moves take at most


async def play(port: int, seconds: float) -> list[float]:
    log, until = Log(), perf_counter() + seconds

    async def one(number: int) -> None:
        player = Player(port, number, log)
        await player.come()
        await player.play(until, PACE)
        await player.go()

    await asyncio.gather(*map(one, range(PLAYERS)))
    return log.waits


class Held:
    """Looks again and again what the server and the processes beside it hold, and keeps the most that it saw."""

    def __init__(self, pid: int) -> None:
        self._pid, self._stop, self.server, self.beside = pid, Event(), 0, 0
        self._thread = Thread(target=self._look_on)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()

    def _look_on(self) -> None:
        while not self._stop.wait(A_MOMENT):
            self.server = max(self.server, own(self._pid))
            with suppress(OSError):  # one that has just ended
                self.beside = max(self.beside, sum(map(own, children(self._pid))))


def attackers(port: int, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "web.attacks", str(port), str(seconds)]
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - this program


def on_disk(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def print_line(text: str, *, fine: bool) -> bool:
    print(text + ("" if fine else "  BEYOND ITS BOUND"))
    return fine


def main(seconds: float = 60.0) -> None:
    with (
        tempfile.TemporaryDirectory() as name,
        tempfile.TemporaryDirectory() as solved,
        Serving(folder := Path(name), settings=PLAIN | {"FIVEDICE_CACHE": solved}) as server,
    ):
        quiet = asyncio.run(play(server.port, seconds / 2))
        memory, disk = own(server.pid), on_disk(folder)
        hostile = attackers(server.port, seconds + 10)  # still there when the server has to stop
        with Held(server.pid) as held:
            under = asyncio.run(play(server.port, seconds))
        mapped = resident(server.pid) - own(server.pid)
        kept, cached = on_disk(folder), on_disk(Path(solved))
        began = perf_counter()
        server.stop()
        stopped = perf_counter() - began
        answers = json.loads(hostile.communicate()[0])
    ratio, nearly_all = median(under) / median(quiet), quantiles(under, n=100)[98]
    print(f"quiet: {percentiles(quiet)}; at the end {mapped} MB of files were mapped, which the system can take back")
    fine = [
        print_line(
            f"under siege: {percentiles(under)}, {ratio:.2f} times", fine=ratio < SLOWER and nearly_all < SLOWEST
        ),
        print_line(
            f"memory: {memory} MB before, {held.server} MB at the peak, at most {MEMORY}", fine=held.server < MEMORY
        ),
        print_line(f"beside the server: {held.beside} MB at the peak, at most {BESIDE}", fine=held.beside < BESIDE),
        print_line(f"disk: {disk:.1f} MB before, {kept:.1f} MB after, at most {DISK}", fine=kept < DISK),
        print_line(f"solved for everybody: {cached:.0f} MB, at most {CACHE}", fine=cached < CACHE),
        print_line(f"stopped within {stopped:.2f} s of the signal", fine=stopped < STOPPED),
    ]
    for attack, found in sorted(answers.items()):
        print(f"  {attack}: {', '.join(f'{status}: {times}' for status, times in sorted(found.items()))}")
    sys.exit(not all(fine))


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
