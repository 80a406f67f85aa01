"""Threads that wait for something to do: as many as are needed at once, up to a bound.

A pool of the standard library makes a future with a lock of its own for everything that it is given. Nobody would wait
for those here: what is done tells its caller by itself. A move is little more than a few such locks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Condition, Lock, Thread
from typing import Protocol, TypeAlias

from fivedice.web.http.interpreter_share import InterpreterShare

Action: TypeAlias = Callable[[], object]


class Turns:
    """Clients take turns, however much each of them wants; what one of them wants is done in order."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[Action]] = {}  # the client whose turn it is comes first; none is empty

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __bool__(self) -> bool:
        return bool(self._lines)

    def put(self, client: str, action: Action) -> None:
        self._lines.setdefault(client, deque()).append(action)

    def take(self, client: str) -> Action:
        line = self._lines.pop(client)
        action = line.popleft()
        if line:
            self._lines[client] = line  # behind all others
        return action


class Waiting(Protocol):
    """What is to be done."""

    def put(self, client: str, action: Action) -> None: ...

    def get(self) -> Action: ...


class TurnQueue:
    """Whatever there is, as soon as there is something."""

    def __init__(self) -> None:
        self.turns, self._guard = Turns(), Lock()
        self._tokens: SimpleQueue[None] = SimpleQueue()  # one of everything that waits

    def put(self, client: str, action: Action) -> None:
        with self._guard:
            self.turns.put(client, action)
        self._tokens.put(None)

    def get(self) -> Action:
        self._tokens.get()
        with self._guard:
            return self.turns.take(next(iter(self.turns)))


class PatientQueue:
    """A client who has had their share of the interpreter is passed over for a while."""

    def __init__(self, share: InterpreterShare) -> None:
        self.turns, self._share = Turns(), share
        self._news = Condition(Lock())

    def put(self, client: str, action: Action) -> None:
        with self._news:
            self.turns.put(client, action)
            self._news.notify()

    def get(self) -> Action:
        with self._news:
            while True:
                now, soonest = self._share.clock(), None
                for client in self.turns:
                    when = self._share.when(client)
                    if when <= now:
                        return self.turns.take(client)
                    soonest = when if soonest is None else min(soonest, when)
                self._news.wait(None if soonest is None else soonest - now)


class LaneThreads:
    """What is given must raise nothing."""

    def __init__(self, most: int, name: str, share: InterpreterShare | None = None) -> None:
        self._most, self._name = most, name
        self._work: Waiting = TurnQueue() if share is None else PatientQueue(share)
        self._idle: SimpleQueue[None] = SimpleQueue()  # a token of each thread that waits
        self._started = 0
        self._starting = Lock()

    def do(self, action: Action, client: str = "") -> None:
        """As soon as a thread is free and it is the client's turn."""
        self._work.put(client, action)
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
