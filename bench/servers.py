"""Web servers side by side: the same application and moves by uvicorn and Granian, each with two event loops.

It needs `granian` and `uvloop`, which nothing else needs: `uv pip install --target FOLDER --no-deps granian uvloop`,
then `PYTHONPATH=FOLDER python -m bench servers`. By turns in one run on SQLite, each move acknowledged after its
commit: prints the processor time of a move, the moves a second, and the wait. Granian has a process more, whose time
counts. uvicorn reads requests by our guarded protocol, Granian by its own parser. Only the loopback; all stop by
themselves.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, sleep

from bench._servers import children
from bench.moves import Side
from web.serving import NO_LIMITS

SERVERS = (("uvicorn", "asyncio"), ("uvicorn", "uvloop"), ("granian", "asyncio"), ("granian", "uvloop"))
CLIENTS = {1: 3, 8: 1, 32: 1}  # how many there are, and how many games each of them plays in a turn
ROUNDS = 8  # short ones: what else the machine does changes meanwhile, and should be the same for all
PATIENCE = 60.0  # seconds until a server answers


@contextmanager
def served(name: str, loop: str, folder: Path) -> Iterator[Side]:
    """Start one of the servers on a new database."""
    own = folder / f"{name}-{loop}"
    own.mkdir()
    (own / "settings.toml").touch()
    port = _free_port()
    settings = {"CONFIG": str(own / "settings.toml"), "PORT": str(port), "DATABASE": f"sqlite:///{own / 'tables.db'}"}
    environment = os.environ | NO_LIMITS | {f"FIVEDICE_{key}": value for key, value in settings.items()}
    command = [sys.executable, "-m", "bench._served_by", name, loop]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - this program
    try:
        _wait_for(port)
        yield Side(f"{name}, {loop}", [port], [process.pid, *(children(process.pid) if name == "granian" else [])])
    finally:
        process.terminate()
        process.wait()


def _free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait_for(port: int) -> None:
    end = perf_counter() + PATIENCE
    while perf_counter() < end:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), 1)):
            return
        sleep(0.1)
    raise RuntimeError(f"nothing answers at {port}")


def main() -> None:
    if not (find_spec("granian") and find_spec("uvloop")):
        print("granian and uvloop are not installed, so only one server could be measured")
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"FIVEDICE_CACHE": str(folder), "FIVEDICE_PREPARE": "no"}
        sides = [stack.enter_context(served(name, loop, folder)) for name, loop in SERVERS]
        for _ in range(ROUNDS):
            for clients, games in CLIENTS.items():
                for side in sides:
                    asyncio.run(side.measure(clients, games))
        for clients in CLIENTS:
            for side in sides:
                print(f"  {clients:2} clients, {side.name:17}: {side.taken[clients]}", flush=True)


if __name__ == "__main__":
    main()
