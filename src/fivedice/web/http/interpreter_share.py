"""Moves come first: while others play, one client has a fifth of the interpreter's time for everything but moves.

Python runs one thread at a time. A move needs that a dozen times, for a moment each, on the loop and in a thread, and
each time it waits for all who are at work: dozens of milliseconds in all where the pages of one client follow each
other without a pause. With a pause after each there is mostly nobody to wait for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic, thread_time

from fivedice.table.service import BoundedMap
from fivedice.web.http.client_limits import MOST_CLIENTS

PLAYING = 1.0  # seconds after a move in which another is expected
PAUSE = 4.0  # seconds of pause for each second at work
EXPECTED = 0.004  # seconds that work takes, until it is known
LONGEST = 0.05  # seconds at work that are paid for by a pause: what takes longer is done once, mostly in compiled code
_NEVER = float("-inf")


class InterpreterShare:
    """Of all lanes of a process together. `clock` and `worked` stand for the time, for tests."""

    def __init__(self, clock: Callable[[], float] = monotonic, worked: Callable[[], float] = thread_time) -> None:
        self.clock, self._worked = clock, worked
        self._moved: tuple[str, float] = "", _NEVER  # who moved last, and when
        self._moved_before: tuple[str, float] = "", _NEVER  # the last one of all others
        self._free: BoundedMap[str, float] = BoundedMap(MOST_CLIENTS)  # when a client may go on
        self._guard = Lock()

    def move(self, client: str) -> None:
        """Somebody moves."""
        if client != self._moved[0]:
            self._moved_before = self._moved
        self._moved = client, self.clock()

    def when(self, client: str) -> float:
        """The time from which on something may be done for a client."""
        mover, moved = self._moved
        if mover == client:
            moved = self._moved_before[1]
        return _NEVER if self.clock() - moved > PLAYING else self._free.get(client, _NEVER)

    @contextmanager
    def work(self, client: str) -> Iterator[None]:
        """Around everything that is done for a client beside their moves."""
        began = self._worked()
        with self._guard:
            self._free[client] = max(self._free.get(client, _NEVER), self.clock()) + (1 + PAUSE) * EXPECTED
        try:
            yield
        finally:
            worked = min(self._worked() - began, LONGEST)
            with self._guard:
                self._free[client] = self._free.get(client, self.clock()) + (1 + PAUSE) * (worked - EXPECTED)
