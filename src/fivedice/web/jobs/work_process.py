"""A child process for long work, so that the interpreter of the server stays free for moves.

The first job starts it. It runs one job at a time, at a lower priority than the server. It ends with the server, which
closes its pipe. A job is a function that can be imported there, with its arguments. A process that uses too much memory
ends after its job, and the next job starts another one: the typesetter caches the last 10 documents, up to 60 MB each.
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
from fivedice.web.http.client_limits import CONTEXT
from fivedice.web.http.handling import SOON, ServerBusy
from fivedice.web.jobs import child_process

log = logging.getLogger(__name__)

Result = TypeVar("Result")

POLITE = 10  # added to its nice value
LONGEST_JOB = 60.0  # seconds; after that the process is killed
MOST_HELD = 240 << 20  # bytes; about 150 MB are normal after some jobs of each kind


class WorkProcess:
    """Call `work(function, …)` from any thread; callers wait for each other."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._line: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, action: Callable[..., Result], *arguments: Any) -> Result:
        """Return or raise the result of the action. Charge its processor time to the client. Raise Busy on failure."""
        with self._guard:
            found, value, seconds = self._send_job((action, arguments, current()))
        context = CONTEXT.get()
        if context is not None and context.limits is not None:
            context.limits.charge(context, "work", seconds)
        if not found:
            raise value
        return value  # type: ignore[no-any-return]

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the process, if it runs."""
        if self._line is not None:
            self._line.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._line = self._process = None

    def _send_job(self, job: tuple[Any, ...]) -> tuple[bool, Any, float]:
        """Return success, result or exception, and seconds of a job. Restart a dead process once, then raise Busy."""
        if not child_process.can_start:
            return *_run_action(*job[:2]), 0.0
        for _ in range(2):
            with suppress(EOFError, OSError):
                line = self._line or self._start()
                line.send(job)
                if line.poll(LONGEST_JOB):
                    return line.recv()  # type: ignore[no-any-return]
                log.error("a job of %s takes too long and is ended", job[0].__name__)
                self.close()
                break
            self.close()
        context = CONTEXT.get()
        if context is not None:
            context.limit, context.wait = "busy", SOON
        raise ServerBusy("web.busy")

    def _start(self) -> Connection:
        self._line, self._process = child_process.start_child(serve, POLITE)
        return self._line


def serve(line: Connection) -> None:
    """Run jobs in the child process until it uses too much memory."""
    while child_process.private_memory() < MOST_HELD:
        action, arguments, language = line.recv()
        began = process_time()
        with using(language):
            answer = _run_action(action, arguments)
        line.send((*answer, process_time() - began))


def _run_action(action: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, action(*arguments)
    except Exception as error:  # raised again in the server
        return False, error


work = WorkProcess()
atexit.register(work.close)
