"""How a handler is declared: a plain function that runs in a thread, because the store waits for the disk.

Which threads, its `lane` says: those of pages, if it says nothing. Its page is made there too, so that the loop, which
serves the streams, never does. One that neither asks the store nor works for a millisecond says `lane=None`, and runs
at once.

Moves have threads of their own, which nothing else can occupy. So have looks at tables, pages, and bots that think.
What takes more than a few milliseconds goes through one of two narrow lanes: the coach's, who is asked in the middle of
a turn, and the press, which mostly waits for a process beside the server (`runtime/work_process.py`). In each lane
clients take turns, and none gets so much of the interpreter that the moves of others wait (`interpreter_share.py`).

The few that wait for something else are asynchronous, by the framework's own `get` and `post`; their one way to the
table is `in_thread`. What a handler needs it names as parameters: see `visitors`. What it can refuse, beside what a
table refuses, is below.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from functools import partial, wraps
from threading import Lock
from time import thread_time
from typing import Any, TypeAlias, TypeVar

import litestar
from litestar import Request
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.response import Template

from fivedice.table.refusals import BadRequest, Refusal
from fivedice.web.http.client_limits import VISIT, Budget, Visit
from fivedice.web.http.fair_queue import FairQueue
from fivedice.web.http.interpreter_share import InterpreterShare

Result = TypeVar("Result")

WAITING_CALLERS = 48  # callers that wait for the disk share its next commit: the more may wait, the more it serves
LOOK_THREADS = 2  # the more there are, the longer moves wait for the interpreter
PAGE_THREADS = 2
BOT_THREADS = 2  # a strong one may think for half a second
HURRIED_BOT_THREADS = 1
COACH_THREADS = 2
PRESS_THREADS = 2  # one fetches what a process has made while the other hands it the next
MOST_PAGES = 400  # that wait, of all clients together; and so on
MOST_QUESTIONS = 64
MOST_PRINTS = 32
EACH_PAGES = 100  # of them from one client: the others stay free for everybody else
EACH_QUESTIONS = 16
EACH_PRINTS = 6
SVG = "image/svg+xml; charset=utf-8"  # the framework adds the letters to text alone  # no sentence
SOON = 5  # seconds, after which a full lane has moved on


class Busy(Refusal):
    """Too much waits to be done, whoever asked for it."""

    code = "busy"
    status = 503


class Lane:
    """A pool of threads and the queue before it. `budget` says which processor time a client needs to be let in.

    One with a `share` passes over clients who had theirs of the interpreter. Moves go `first`, and are noted in it.
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
        self._inside: Counter[str] = Counter()  # by client; as many entries as there are requests, at most
        self._guard = Lock()

    @property
    def inside(self) -> int:
        """How many wait or are being served."""
        return self._inside.total()

    async def run(self, action: Callable[..., Result], /, *arguments: Any, **named: Any) -> Result:
        """Do it in one of the threads, or refuse at once."""
        visit = VISIT.get()
        client = self._let_in(visit)
        if self._first and self._share is not None and visit is not None:  # the moves of bots can wait a little
            self._share.move(client)
        answer: Future[Result] = Future()
        answer.set_running_or_notify_cancel()  # it cannot be cancelled: the work goes on if the caller hangs up
        work = partial(copy_context().run, self._work, visit, client, partial(action, *arguments, **named))
        self._queue.put(client, (answer, work))
        self._pool.submit(self._serve_next)
        return await asyncio.wrap_future(answer)

    def _serve_next(self) -> None:
        """Do the next job of the queue, in a thread: mostly, but not always, the one that was just put there."""
        answer, work = self._queue.get()
        try:
            answer.set_result(work())
        except BaseException as error:
            answer.set_exception(error)

    def _work(self, visit: Visit | None, client: str, action: Callable[[], Result]) -> Result:
        try:
            with self._shared(visit, client):
                return self._counted(visit, action)
        finally:
            self._let_out(client)

    def _let_in(self, visit: Visit | None) -> str:
        if visit is None:  # nobody from outside
            visit = Visit("")
        elif self._budget is not None and visit.limits is not None:
            visit.limits.afford(visit, self._budget)
        client = visit.client
        if not (self._most or self._each):
            return client
        with self._guard:
            if (self._most and self.inside >= self._most) or (self._each and self._inside[client] >= self._each):
                visit.limit, visit.wait = "busy", SOON
                raise Busy("web.busy")
            self._inside[client] += 1
        return client

    def _let_out(self, client: str) -> None:
        if not (self._most or self._each):
            return
        with self._guard:
            self._inside[client] -= 1
            if not self._inside[client]:
                del self._inside[client]

    def _shared(self, visit: Visit | None, client: str) -> AbstractContextManager[None]:
        is_free = visit is not None and visit.free
        return nullcontext() if self._first or self._share is None or is_free else self._share.work(client)

    def _counted(self, visit: Visit | None, action: Callable[[], Result]) -> Result:
        if self._budget is None or visit is None or visit.limits is None:
            return action()
        began = thread_time()
        try:
            return action()
        finally:
            visit.limits.charge(visit, self._budget, thread_time() - began)


SHARE = InterpreterShare()
MOVES = Lane("move", WAITING_CALLERS, SHARE, first=True)
LOOKS = Lane("look", LOOK_THREADS, SHARE, most=MOST_PAGES, each=EACH_PAGES, budget="looks")
PAGES = Lane("page", PAGE_THREADS, SHARE, most=MOST_PAGES, each=EACH_PAGES, budget="work")
COACH = Lane("coach", COACH_THREADS, SHARE, most=MOST_QUESTIONS, each=EACH_QUESTIONS, budget="work")
PRESS = Lane("press", PRESS_THREADS, SHARE, most=MOST_PRINTS, each=EACH_PRINTS, budget="work")
BOTS = Lane("bot", BOT_THREADS)
HURRIED_BOTS = Lane("hurried-bot", HURRIED_BOT_THREADS, SHARE)  # as many as there are, they are one client


class BoundedRequest(Request[Any, Any, State]):
    """A request whose body is nobody's mistake but the caller's."""

    async def json(self) -> Any:
        try:
            return await super().json()
        except RecursionError:  # thousands of brackets
            raise BadRequest("web.nested") from None


Req: TypeAlias = Request[Any, Any, State]
Declared: TypeAlias = Callable[[Callable[..., Any]], HTTPRouteHandler]


def _declare(
    method: Callable[..., Declared], path: str | list[str], *, lane: Lane | None = PAGES, **options: Any
) -> Declared:
    def declared(function: Callable[..., Any]) -> HTTPRouteHandler:
        if lane is None:
            return method(path, sync_to_thread=False, **options)(function)

        @wraps(function)
        async def handler(*arguments: Any, **named: Any) -> Any:
            return await lane.run(_answered, function, *arguments, **named)

        return method(path, **options)(handler)

    return declared


get = partial(_declare, litestar.get)
post = partial(_declare, litestar.post)


def _answered(function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
    """What a handler answers; a page is made here and now."""
    answer, visit = function(*arguments, **named), VISIT.get()
    if isinstance(answer, Template) and visit is not None and visit.scope is not None:
        answer.to_asgi_response(None, Request(visit.scope))
    return answer


async def in_thread(action: Callable[..., Result], *arguments: Any) -> Result:
    """Never on the loop that serves the streams."""
    return await MOVES.run(action, *arguments)


class NotFound(Refusal):
    """There is nothing at this address, or nothing yet."""

    code = "not-found"
    status = 404


class NoKey(Refusal):
    """A program that has not said who it is."""

    code = "no-key"
    status = 401


class NotReady(Refusal):
    """It will be there in a moment."""

    code = "error"
    status = 503


class HandsFull(Refusal):
    """Too much waits to be worked out, whoever asked for it."""

    code = "coach-busy"
    status = 503
