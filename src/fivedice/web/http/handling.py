"""Handlers: plain functions that run in a thread, because the store waits for the disk.

The `lane` of a handler chooses the thread pool; the default is `PAGES`. The page is rendered in that thread too, so
that the event loop stays free for the live streams. A handler that uses no store and takes less than a millisecond has
`lane=None` and runs on the event loop.

Moves, views of tables, pages and bots each have their own threads. Work of more than a few milliseconds uses one of two
small lanes: `COACH`, for hints in the middle of a turn, and `RENDER`, which mostly waits for a child process
(`jobs/work_process.py`). In each lane clients take turns, and a client that has used its share waits for a while.

Moves have priority: while others play, one client gets a fifth of the interpreter's time for other requests. Python
runs one thread at a time. A move needs the interpreter about 12 times, briefly, on the event loop and in a thread, and
waits each time for the threads at work. Without pauses between the pages of one client, that adds up to dozens of
milliseconds. With a pause after each page, a move rarely has to wait.

A few handlers wait for something else. They are asynchronous, use the framework's own `get` and `post`, and reach the
tables with `in_thread` only. A handler names what it needs as parameters: see `app_services`. The refusals that
handlers add to those of a table are below.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from contextvars import copy_context
from functools import partial, wraps
from threading import Condition, Lock
from time import monotonic, thread_time
from typing import Any, Generic, TypeAlias, TypeVar

import litestar
from litestar import Request
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.response import Template

from fivedice.table.refusals import BadRequest, Refusal
from fivedice.table.service import BoundedMap
from fivedice.web.http.client_limits import CONTEXT, MOST_CLIENTS, Budget, RequestContext, count_down

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


Result = TypeVar("Result")

WAITING_CALLERS = 48  # waiting callers share the next commit: more threads mean more moves per commit
LOOK_THREADS = 2  # more of them make moves wait longer for the interpreter
PAGE_THREADS = 2
BOT_THREADS = 2  # a strong bot may take half a second per move
HURRIED_BOT_THREADS = 1
COACH_THREADS = 2
RENDER_THREADS = 2  # one collects a result while the other sends the next job
MOST_PAGES = 400  # waiting or being served, of all clients together; likewise below
MOST_QUESTIONS = 64
MOST_PRINTS = 32
EACH_PAGES = 100  # of them from one client
EACH_QUESTIONS = 16
EACH_PRINTS = 6
SVG = "image/svg+xml; charset=utf-8"  # the framework adds the charset only to text/*  # no sentence
SOON = 5  # seconds after which a full lane should have room again


class ServerBusy(Refusal, code="busy", status=503):
    """Too many requests are waiting."""


class Lane:
    """A thread pool with its queue. A client needs processor time left in `budget` to enter.

    With a `share`, clients that have used their part of the interpreter wait. A lane that goes `first` never waits:
    it is for moves, which it records in the share.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        share: InterpreterShare | None = None,
        *,
        first: bool = False,
        most: int = 0,
        each: int = 0,
        budget: Budget | None = None,
    ) -> None:
        self._share, self._first, self._most, self._each, self._budget = share, first, most, each, budget
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._queue: FairQueue[tuple[Future[Any], Callable[[], Any]]] = FairQueue(None if first else share)
        self._inside: Counter[str] = Counter()  # by client; at most one entry per request
        self._guard = Lock()

    @property
    def inside(self) -> int:
        """Return how many requests wait or are being served."""
        return self._inside.total()

    async def run(self, action: Callable[..., Result], /, *arguments: Any, **named: Any) -> Result:
        """Return the result of an action in one of the threads. Raise Busy or TooMany if it cannot be queued."""
        context = CONTEXT.get()
        client = self._let_in(context)
        if self._first and self._share is not None and context is not None:  # moves of bots do not count
            self._share.move(client)
        answer: Future[Result] = Future()
        answer.set_running_or_notify_cancel()  # not cancellable: the work goes on if the caller disconnects
        work = partial(copy_context().run, self._work, context, client, partial(action, *arguments, **named))
        self._queue.put(client, (answer, work))
        self._pool.submit(self._serve_next)
        return await asyncio.wrap_future(answer)

    def _serve_next(self) -> None:
        """Run the next job of the queue in this thread. It need not be the job that was queued last."""
        answer, work = self._queue.get()
        try:
            answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    def _work(self, context: RequestContext | None, client: str, action: Callable[[], Result]) -> Result:
        """Run the action in this thread, and charge its client for the processor time."""
        began, is_free = thread_time(), context is not None and context.free
        try:
            with nullcontext() if self._first or self._share is None or is_free else self._share.work(client):
                return action()
        finally:
            if self._budget is not None and context is not None and context.limits is not None:
                context.limits.charge(context, self._budget, thread_time() - began)
            if self._most or self._each:
                with self._guard:
                    count_down(self._inside, client)

    def _let_in(self, context: RequestContext | None) -> str:
        if context is None:  # the server itself
            context = RequestContext("")
        elif self._budget is not None and context.limits is not None:
            context.limits.afford(context, self._budget)
        client = context.client
        if not (self._most or self._each):
            return client
        with self._guard:
            if (self._most and self.inside >= self._most) or (self._each and self._inside[client] >= self._each):
                context.limit, context.wait = "busy", SOON
                raise ServerBusy("web.busy")
            self._inside[client] += 1
        return client


SHARE = InterpreterShare()
MOVES = Lane("move", WAITING_CALLERS, SHARE, first=True)
LOOKS = Lane("look", LOOK_THREADS, SHARE, most=MOST_PAGES, each=EACH_PAGES, budget="looks")
PAGES = Lane("page", PAGE_THREADS, SHARE, most=MOST_PAGES, each=EACH_PAGES, budget="work")
COACH = Lane("coach", COACH_THREADS, SHARE, most=MOST_QUESTIONS, each=EACH_QUESTIONS, budget="work")
RENDER = Lane("render", RENDER_THREADS, SHARE, most=MOST_PRINTS, each=EACH_PRINTS, budget="work")
BOTS = Lane("bot", BOT_THREADS)
HURRIED_BOTS = Lane("hurried-bot", HURRIED_BOT_THREADS, SHARE)  # all of them count as one client


class BoundedRequest(Request[Any, Any, State]):
    """A request that refuses JSON nested too deeply as a bad request."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except RecursionError:  # thousands of nested brackets
            raise BadRequest("web.nested") from None


Req: TypeAlias = Request[Any, Any, State]
Declared: TypeAlias = Callable[[Callable[..., Any]], HTTPRouteHandler]


def _declare(
    method: Callable[..., Declared], path: str | list[str], *, lane: Lane | None = PAGES, **options: Any
) -> Declared:
    def declare(function: Callable[..., Any]) -> HTTPRouteHandler:
        if lane is None:
            return method(path, sync_to_thread=False, **options)(function)

        @wraps(function)
        async def handler(*arguments: Any, **named: Any) -> Any:
            return await lane.run(_answer, function, *arguments, **named)

        return method(path, **options)(handler)

    return declare


get = partial(_declare, litestar.get)
post = partial(_declare, litestar.post)


def _answer(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
    """Return the response of a handler. Render a page here, in the thread of the handler."""
    answer, context = function(*arguments, **named), CONTEXT.get()
    if isinstance(answer, Template) and context is not None and context.scope is not None:
        answer.to_asgi_response(None, Request(context.scope))
    return answer


async def in_thread(action: Callable[..., Result], *arguments: Any) -> Result:
    """Return the result of an action that runs in the threads for moves, off the event loop."""
    return await MOVES.run(action, *arguments)


class NotFound(Refusal, code="not-found", status=404):
    """The address does not exist, or has no content yet."""


class NoKey(Refusal, code="no-key", status=401):
    """The request needs a key and has none, or an invalid one."""


class NotReady(Refusal, code="error", status=503):
    """The result is not ready yet; the caller can retry soon."""


class CoachBusy(Refusal, code="coach-busy", status=503):
    """Too many solutions are waiting to be computed."""
