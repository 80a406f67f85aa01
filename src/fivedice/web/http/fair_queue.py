"""The queue of a thread pool: clients take turns, and a client that has used its share waits for a while.

Moves have priority: while others play, one client gets a fifth of the interpreter's time for other requests. Python
runs one thread at a time. A move needs the interpreter about 12 times, briefly, on the event loop and in a thread, and
waits each time for the threads at work. Without pauses between the pages of one client, that adds up to dozens of
milliseconds. With a pause after each page, a move rarely has to wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from time import monotonic, thread_time
from typing import Generic, TypeVar

from fivedice.table.service import BoundedMap
from fivedice.web.http.client_limits import MOST_CLIENTS

PLAYING = 1.0  # seconds after a move in which another one is expected
PAUSE = 4.0  # seconds of pause per second of work
EXPECTED = 0.004  # seconds assumed for work that has not ended
LONGEST = 0.05  # seconds of work that count at most: longer work is rare, and mostly compiled code
_NEVER = float("-inf")


class InterpreterShare:
    """Shared by all lanes of a process. Tests replace `clock` and `worked`."""

    def __init__(self, clock: Callable[[], float] = monotonic, worked: Callable[[], float] = thread_time) -> None:
        self.clock, self._worked = clock, worked
        self._moved: tuple[str, float] = "", _NEVER  # the last client that moved, and when
        self._moved_before: tuple[str, float] = "", _NEVER  # the last move of any other client
        self._free: BoundedMap[str, float] = BoundedMap(MOST_CLIENTS)  # when a client may proceed
        self._guard = Lock()

    def move(self, client: str) -> None:
        """Record a move of a client."""
        if client != self._moved[0]:
            self._moved_before = self._moved
        self._moved = client, self.clock()

    def when(self, client: str) -> float:
        """Return the time from which on a client may proceed; minus infinity if at once."""
        mover, moved = self._moved
        if mover == client:
            moved = self._moved_before[1]
        return _NEVER if self.clock() - moved > PLAYING else self._free.get(client, _NEVER)

    @contextmanager
    def work(self, client: str) -> Iterator[None]:
        """Measure the body as work for a client that is not a move."""
        began = self._worked()
        with self._guard:
            self._free[client] = max(self._free.get(client, _NEVER), self.clock()) + (1 + PAUSE) * EXPECTED
        try:
            yield
        finally:
            worked = min(self._worked() - began, LONGEST)
            with self._guard:
                self._free[client] = self._free.get(client, self.clock()) + (1 + PAUSE) * (worked - EXPECTED)


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
