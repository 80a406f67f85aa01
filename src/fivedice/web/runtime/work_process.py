"""A process beside the server for long work: the interpreter of the server stays free for moves.

It is started by the first job, does one at a time, at a lower priority than the server, and ends when the server does,
however that happens: its line is closed then. A job is a function that can be imported there, with what it takes.
"""

from __future__ import annotations

import atexit
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from threading import Lock
from time import process_time
from typing import Any, TypeVar

from fivedice.web.http.client_limits import VISIT
from fivedice.web.http.handling import SOON, Busy
from fivedice.words import current, using

log = logging.getLogger(__name__)

Result = TypeVar("Result")

LONGEST_JOB = 60.0  # seconds; a job that takes longer is ended together with its process
POLITE = 10  # steps of priority that the process stands back
_START = "import sys; from fivedice.web.runtime.work_process import serve; serve(int(sys.argv[1]))"  # no sentence


class WorkProcess:
    """`work("f", …)` from any thread; those who come meanwhile wait."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._line: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, action: Callable[..., Result], *arguments: Any) -> Result:
        """What the action returns or raises there. Its processor time is charged to whoever asked."""
        with self._guard:
            found, value, seconds = self._told((action, arguments, current()))
        visit = VISIT.get()
        if visit is not None and visit.limits is not None:
            visit.limits.charge(visit, "work", seconds)
        if not found:
            raise value
        return value  # type: ignore[no-any-return]

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """Let the process end: it hears that nobody listens any more."""
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._line = self._process = None

    def _told(self, job: tuple[Any, ...]) -> tuple[bool, Any, float]:
        """A process that died since the last job, for whatever reason, is followed by another."""
        if os.name == "nt":  # no file can be handed on by its number there
            return *_done(*job[:2]), 0.0
        for _ in range(2):
            line = self._line or self._started()
            with suppress(EOFError, OSError):
                line.send(job)
                if line.poll(LONGEST_JOB):
                    return line.recv()  # type: ignore[no-any-return]
                log.error("a job of %s takes too long and is ended", job[0].__name__)
                self.close()
                break
            self.close()
        visit = VISIT.get()
        if visit is not None:
            visit.limit, visit.wait = "busy", SOON
        raise Busy("web.busy")

    def _started(self) -> Connection:
        self._line, theirs = Pipe()
        command = [sys.executable, "-c", _START, str(theirs.fileno())]
        self._process = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
        )
        theirs.close()  # theirs alone from now on, so that either side hears when the other is gone
        return self._line


def serve(number: int) -> None:
    """The process itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the server decides
    with suppress(OSError):
        os.nice(POLITE)
    line = Connection(number)
    with suppress(EOFError, OSError):
        while True:
            action, arguments, language = line.recv()
            began = process_time()
            with using(language):
                answer = _done(action, arguments)
            line.send((*answer, process_time() - began))


def _done(action: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, action(*arguments)
    except Exception as error:  # whoever asked is told
        return False, error


work = WorkProcess()
atexit.register(work.close)
