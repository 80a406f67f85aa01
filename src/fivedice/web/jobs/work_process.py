"""A process beside the server for long work: the interpreter of the server stays free for moves.

It is started by the first job, does one at a time, at a lower priority than the server, and ends when the server does,
however that happens: its line is closed then. A job is a function that can be imported there, with what it takes. A
process that has come to hold much memory ends too, and the next job finds another: what sets type keeps the last ten
documents, up to 60 MB each.
"""

from __future__ import annotations

import atexit
import logging
import subprocess
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Lock
from time import process_time
from typing import Any, TypeVar

from fivedice.text import current, using
from fivedice.web.http.client_limits import VISIT
from fivedice.web.http.handling import SOON, Busy
from fivedice.web.jobs import child_process

log = logging.getLogger(__name__)

Result = TypeVar("Result")

POLITE = 10  # steps of priority that it stands back
LONGEST_JOB = 60.0  # seconds; a job that takes longer is ended together with its process
MOST_HELD = 240 << 20  # bytes of memory; one that has done some jobs of each kind holds about 150 MB


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
        if not child_process.can_start:
            return *_done(*job[:2]), 0.0
        for _ in range(2):
            with suppress(EOFError, OSError):
                line = self._line or self._started()
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
        self._line, self._process = child_process.started(serve, POLITE)
        return self._line


def serve(line: Connection) -> None:
    """The process itself."""
    while child_process.held() < MOST_HELD:
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
