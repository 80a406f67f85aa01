"""Child processes, connected by a pipe and with lower CPU and memory priority than the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

from fivedice.text import current, using

_GIVEN_UP_FIRST = "1000"  # when memory runs out, the system kills this process instead of the server
_OWN = Path("/proc/self")  # on Linux
_START = "from fivedice.web.jobs import child_process; child_process.serve()"  # no sentence

can_start = os.name != "nt"  # Windows cannot pass file descriptors


def start_child(task: Callable[[Connection], None], polite: int) -> tuple[Connection, subprocess.Popen[bytes]]:
    """Start a process that calls `task` with its end of a pipe, and return our end and the process.

    `task` must be importable there. `polite` is added to the nice value of the process.
    """
    ours, theirs = Pipe()
    command = [sys.executable, "-c", _START, str(theirs.fileno())]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])  # noqa: S603 - ourselves
    theirs.close()  # so that each side notices when the other one ends
    ours.send((task, polite, current()))
    return ours, process


def serve() -> None:
    """Run the task in the child process. It ends with the task, or when the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore Ctrl-C: the server ends this process
    with suppress(OSError):
        (_OWN / "oom_score_adj").write_text(_GIVEN_UP_FIRST)
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as line:
        task, polite, language = line.recv()
        with suppress(OSError):
            os.nice(polite)
        with using(language):
            task(line)


def bound_memory(most: int) -> None:
    """Limit the memory of this process to `most` bytes; 0 means no limit."""
    if most:
        resource = import_module("resource")  # missing on Windows
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def private_memory() -> int:
    """Return the private memory of this process in bytes; 0 if unknown."""
    with suppress(OSError):
        _, resident, shared, *_ = map(int, (_OWN / "statm").read_text().split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    return 0
