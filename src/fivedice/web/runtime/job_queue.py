"""One thread for long jobs beside the pages, which go on meanwhile."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread

log = logging.getLogger(__name__)

# What is taken up first: the end, what somebody waits for, what they will want next, and what may be wanted one day.
_END, ASKED, NEXT, SPARE, LAST = range(5)
_PATIENCE = 0.5  # seconds that closing waits for the work at hand to stop: the process ends anyway


class Closing(Exception):  # noqa: N818 - not an error: it ends the work at hand
    """The server is going down."""


class JobQueue:
    """One thread that does one long job after the other; the process never lives on for it."""

    def __init__(self, most: int = 0) -> None:
        self.closing = False
        self._most, self._asked = most, 0  # jobs that somebody waits for: at most, and now
        self._jobs: PriorityQueue[tuple[int, int, Callable[[], None]]] = PriorityQueue()
        self._order = count()
        self._guard = Lock()
        self._worker: Thread | None = None

    @property
    def full(self) -> bool:
        """Whether as much is asked for as may wait, by all people together; 0 is no limit."""
        return 0 < self._most <= self._asked

    def put(self, priority: int, job: Callable[[], None]) -> None:
        with self._guard:
            self._asked += priority == ASKED
            self._jobs.put((priority, next(self._order), job))
            if self._worker is None:
                self._worker = Thread(target=self._work, name="solutions", daemon=True)
                self._worker.start()

    def close(self) -> None:
        """Stop the work at hand and forget the rest."""
        self.closing = True
        self._jobs.put((_END, next(self._order), lambda: None))
        if self._worker is not None:
            self._worker.join(_PATIENCE)

    def join(self) -> None:
        """Wait until there is nothing left to do."""
        self._jobs.join()

    def watch(self, note: Callable[[float], None]) -> Callable[[int, int], None]:
        """A progress that notes the share done, and stops the work when the server goes down."""

        def progress(done: int, total: int) -> None:
            if self.closing:
                raise Closing
            note(done / total)

        return progress

    def _work(self) -> None:
        while not self.closing:
            priority, _, job = self._jobs.get()
            with self._guard:
                self._asked -= priority == ASKED
            try:
                job()
            except Closing:
                pass
            except Exception:
                log.exception("a long job has failed")
            self._jobs.task_done()
