"""Threads that wait for something to do: as many as are needed at once, up to a bound.

A pool of the standard library makes a future with a lock of its own for everything that it is given. Nobody would wait
for those here: what is done tells its caller by itself. A move is little more than a few such locks.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread


class LaneThreads:
    """What is given is done in the order in which it came, and must raise nothing."""

    def __init__(self, most: int, name: str) -> None:
        self._most, self._name = most, name
        self._work: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._idle: SimpleQueue[None] = SimpleQueue()  # a token of each thread that waits
        self._started = 0
        self._starting = Lock()

    def do(self, action: Callable[[], object]) -> None:
        """As soon as a thread is free."""
        self._work.put(action)
        try:
            self._idle.get_nowait()
        except Empty:
            self._start_one()

    def _start_one(self) -> None:
        with self._starting:
            if self._started == self._most:
                return
            self._started += 1
        Thread(target=self._serve, name=f"{self._name}_{self._started}", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._work.get()()
            self._idle.put(None)
