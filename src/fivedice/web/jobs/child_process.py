"""How a process beside the server begins: on a line to the server, behind it in everything that is scarce."""

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

_GIVEN_UP_FIRST = "1000"  # where memory runs out the system ends this one, and not the server
_OWN = Path("/proc/self")  # on Linux
_START = "from fivedice.web.jobs import child_process; child_process.serve()"  # no sentence

can_start = os.name != "nt"  # no file can be handed on by its number there


def started(task: Callable[[Connection], None], polite: int) -> tuple[Connection, subprocess.Popen[bytes]]:
    """Have this done, with the other end of the line, in a new process: a function that can be imported there.

    It stands back by so many steps of priority.
    """
    ours, theirs = Pipe()
    command = [sys.executable, "-c", _START, str(theirs.fileno())]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])  # noqa: S603 - ourselves
    theirs.close()  # theirs alone from now on, so that either side hears when the other is gone
    ours.send((task, polite, current()))
    return ours, process


def serve() -> None:
    """The process itself: it ends when its task does, or when nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the server decides
    with suppress(OSError):
        (_OWN / "oom_score_adj").write_text(_GIVEN_UP_FIRST)
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as line:
        task, polite, language = line.recv()
        with suppress(OSError):
            os.nice(polite)
        with using(language):
            task(line)


def bound_memory(most: int) -> None:
    """Let this process have so many bytes and no more, where the system can see to it; 0 is no limit."""
    if most:
        resource = import_module("resource")  # there is none on Windows
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def held() -> int:
    """Bytes of memory that this process has for itself; 0 where the system does not say."""
    with suppress(OSError):
        _, resident, shared, *_ = map(int, (_OWN / "statm").read_text().split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    return 0
