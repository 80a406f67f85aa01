"""One thread for long jobs beside the pages, which go on meanwhile."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread

from fivedice.web.http.client_limits import SITE_SHARE, VISIT

log = logging.getLogger(__name__)

# What is taken up first: the end, what somebody waits for, what they will want next, and what may be wanted one day.
_END, ASKED, NEXT, SPARE, LAST = range(5)
SHARE = 5  # one client may take a fifth of the places
_PATIENCE = 0.5  # seconds that closing waits for the work at hand to stop: the process ends anyway


class Closing(Exception):  # noqa: N818 - not an error: it ends the work at hand
    """The server is going down."""


def _find_client() -> tuple[str, str]:
    """Return who is asking and from which larger network; "" for the server itself, and where there is none."""
    visit = VISIT.get()
    return ("", "") if visit is None else (visit.client, visit.site or "")


class JobQueue:
    """One thread that does one long job after the other; the process never lives on for it.

    Clients take turns: the first job of one comes before the second of another.
    """

    def __init__(self, most: int = 0) -> None:
        self.closing = False
        self._most = most  # jobs that people wait for
        self._asked: Counter[tuple[str, str]] = Counter()  # and now, by client and site
        self._jobs: PriorityQueue[tuple[int, int, int, tuple[str, str], Callable[[], None]]] = PriorityQueue()
        self._order = count()
        self._guard = Lock()
        self._worker: Thread | None = None

    @property
    def full(self) -> bool:
        """Return whether all places for waiting jobs are taken, or this client's share, or that of its site."""
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
        """Stop the work at hand and forget the rest."""
        self.closing = True
        self._jobs.put((_END, 0, next(self._order), ("", ""), lambda: None))
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
            priority, _, _, client, job = self._jobs.get()
            with self._guard:
                self._asked[client] -= priority == ASKED
                self._asked += Counter()  # forget clients that wait for nothing
            try:
                job()
            except Closing:
                pass
            except Exception:
                log.exception("a long job has failed")
            self._jobs.task_done()
