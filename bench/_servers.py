"""Servers for the benches, in processes of their own, and what they use of the machine."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from postgres import serving_postgres
from web.serving import Serving

DURABLE = "max_connections = 200\n"
TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(kind: str, processes: int) -> Iterator[list[Serving]]:
    """Start servers on one new database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(serving_postgres(DURABLE)).database() if kind == "postgresql" else ""
        os.environ |= {"FIVEDICE_CACHE": str(folder), "FIVEDICE_PREPARE": "no"}
        yield [stack.enter_context(Serving(_own(folder, number), database=url)) for number in range(processes)]


def _own(folder: Path, number: int) -> Path:
    (folder / str(number)).mkdir()
    return folder / str(number)


class Meter:
    """Processor time that servers have taken since the meter was made or read. PostgreSQL's own is not in it.

    It depends less than the clock on what else the machine has to do.
    """

    def __init__(self, servers: Sequence[Serving]) -> None:
        self._pids = [server.pid for server in servers]
        self._before = self._taken()

    def read(self) -> float:
        """Seconds since the last time."""
        before, self._before = self._before, self._taken()
        return self._before - before

    def memory(self) -> list[int]:
        """Megabytes that each of them holds."""
        return [resident(pid) for pid in self._pids]

    def _taken(self) -> float:
        return sum(processor_seconds(pid) for pid in self._pids)


def processor_seconds(pid: int) -> float:
    """In the program and in the system on its behalf; see proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid: int) -> int:
    """Megabytes of memory that a process holds."""
    return _megabytes(pid, "VmRSS")


def own(pid: int) -> int:
    """Megabytes that a process holds for itself: what it only maps can be taken back at any time."""
    return _megabytes(pid, "RssAnon")


def children(pid: int) -> list[int]:
    """The processes that one has started; see proc(5)."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _megabytes(pid: int, what: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith(what)), 0)
