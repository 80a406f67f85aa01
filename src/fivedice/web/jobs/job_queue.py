"""A queue with one thread for long jobs, so that pages need not wait for them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread

from fivedice.web.http.client_limits import SITE_SHARE, VISIT

log = logging.getLogger(__name__)

# Priorities: shutdown, requested now, probably needed next, possibly needed later, and last of all.
_END, ASKED, NEXT, SPARE, LAST = range(5)
SHARE = 5  # one client may use a fifth of the places
_PATIENCE = 0.5  # seconds that `close` waits for the current job: the process ends anyway


class Closing(Exception):  # noqa: N818 - not an error: it ends the current job
    """The server is shutting down."""


def _find_client() -> tuple[str, str]:
    """Return the client and the site of the current request; "" for the server itself, and for no site."""
    visit = VISIT.get()
    return ("", "") if visit is None else (visit.client, visit.site or "")


class JobQueue:
    """Runs one job at a time in a daemon thread, which does not keep the process alive.

    Clients take turns: the first job of one client comes before the second job of another.
    """

    def __init__(self, most: int = 0) -> None:
        self.closing = False
        self._most = most  # limit on waiting jobs with priority ASKED
        self._asked: Counter[tuple[str, str]] = Counter()  # their current number by client and site
        self._jobs: PriorityQueue[tuple[int, int, int, tuple[str, str], Callable[[], None]]] = PriorityQueue()
        self._order = count()
        self._guard = Lock()
        self._worker: Thread | None = None

    @property
    def full(self) -> bool:
        """Return whether the queue is full: for everyone, for this client, or for its site."""
        if not self._most:
            return False
        asking, share = _find_client(), max(1, self._most // SHARE)
        client, site = asking
        own = self._asked[asking] if client else 0
        with self._guard:
            around = sum(count for (_, of), count in self._asked.items() if of == site) if site else 0
        return self._asked.total() >= self._most or own >= share or around >= SITE_SHARE * share

    def put(self, priority: int, job: Callable[[], None]) -> None:
        client = _find_client() if priority == ASKED else ("", "")
        with self._guard:
            turn = self._asked[client] if priority == ASKED else 0
            self._asked[client] += priority == ASKED
            self._jobs.put((priority, turn, next(self._order), client, job))
            if self._worker is None:
                self._worker = Thread(target=self._work, name="solutions", daemon=True)
                self._worker.start()

    def close(self) -> None:
        """Stop the current job and discard the others."""
        self.closing = True
        self._jobs.put((_END, 0, next(self._order), ("", ""), lambda: None))
        if self._worker is not None:
            self._worker.join(_PATIENCE)

    def join(self) -> None:
        """Wait until all jobs are done."""
        self._jobs.join()

    def watch(self, note: Callable[[float], None]) -> Callable[[int, int], None]:
        """Return a progress callback that reports the share done, and raises Closing at shutdown."""

        def progress(done: int, total: int) -> None:
            if self.closing:
                raise Closing
            note(done / total)

        return progress

    def _work(self) -> None:
        while not self.closing:
            priority, _, _, client, job = self._jobs.get()
            with self._guard:
                self._asked[client] -= priority == ASKED
                self._asked += Counter()  # remove clients without waiting jobs
            try:
                job()
            except Closing:
                pass
            except Exception:
                log.exception("a long job has failed")
            self._jobs.task_done()
