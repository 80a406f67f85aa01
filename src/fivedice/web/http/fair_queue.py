"""The queue of a thread pool: clients take turns, and a client that has used its share waits for a while."""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import Generic, TypeVar

from fivedice.web.http.interpreter_share import InterpreterShare

Job = TypeVar("Job")


class FairQueue(Generic[Job]):
    """Jobs in order within a client, and round-robin between clients. Safe to use from many threads."""

    def __init__(self, share: InterpreterShare | None = None) -> None:
        self._share = share
        self._lines: dict[str, deque[Job]] = {}  # the next client comes first; no deque is empty
        self._news = Condition()

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def put(self, client: str, job: Job) -> None:
        """Add a job after the others of this client."""
        with self._news:
            self._lines.setdefault(client, deque()).append(job)
            self._news.notify()

    def get(self) -> Job:
        """Return the next job. Wait until there is one whose client may proceed."""
        with self._news:
            while True:
                client, pause = self._next_client()
                if client is not None:
                    return self._take(client)
                self._news.wait(pause)

    def _next_client(self) -> tuple[str | None, float | None]:
        """Return the first client that may proceed, or None and the seconds until one may."""
        if self._share is None:
            return next(iter(self._lines), None), None
        now, waits = self._share.clock(), []
        for client in self._lines:
            wait = self._share.when(client) - now
            if wait <= 0:
                return client, None
            waits.append(wait)
        return None, min(waits, default=None)

    def _take(self, client: str) -> Job:
        line = self._lines.pop(client)
        job = line.popleft()
        if line:
            self._lines[client] = line  # after all others
        return job
