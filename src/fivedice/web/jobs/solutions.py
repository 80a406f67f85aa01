"""Long jobs in the background, above all solutions: a hint uses one that is ready or reports its progress.

No page waits for them. When too many are waiting, programs get an error status; pages show the message and ask again.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook
from fivedice.message import Message, message
from fivedice.solver.runtime import solve_limits as limits
from fivedice.solver.runtime.compile_watch import is_compiling
from fivedice.solver.runtime.solution_cache import SizedLRUCache
from fivedice.table.service import BoundedMap
from fivedice.text import Chance
from fivedice.web.http.client_limits import CONTEXT, SITE_SHARE
from fivedice.web.http.handling import CoachBusy
from fivedice.web.jobs.child_process import Job, store_bonus, store_odds, store_values

if TYPE_CHECKING:
    from fivedice.solver import Solution
    from fivedice.solver.runtime.worker_threads import Progress

log = logging.getLogger(__name__)

# Priorities: shutdown, requested now, probably needed next, possibly needed later, and last of all.
_END, ASKED, NEXT, SPARE, LAST = range(5)
SHARE = 5  # one client may use a fifth of the places
_PATIENCE = 0.5  # seconds that `close` waits for the current job: the process ends anyway


class Closing(Exception):  # noqa: N818 - not an error: it ends the current job
    """The server is shutting down."""


def _find_client() -> tuple[str, str]:
    """Return the client and the site of the current request; "" for the server itself, and for no site."""
    context = CONTEXT.get()
    return ("", "") if context is None else (context.client, context.site or "")


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


MOST_BOOKS = 4096  # whose state is stored: far more than may wait

Aside: TypeAlias = "Callable[[Job, RuleBook, Progress], None]"
State = Literal["ready", "running", "waiting", "failed", "too-large"]


@dataclass(frozen=True, slots=True)
class Readiness:
    """The progress of a solution, for programs and, as a sentence, for people."""

    state: State
    done: float  # from 0 to 1
    about: Message
    full: bool = False  # the queue is full, and this was not added to it

    @property
    def sentence(self) -> str:
        return str(self.about)


class Solutions:
    """Solves books, one at a time. Created once per server process; safe to use from any thread. No method waits.

    Processes share solutions through the cache on disk. A separate service that solves for all processes could replace
    `want` and `ready` without other changes.
    """

    def __init__(self, most_waiting: int = 0, aside: Aside | None = None) -> None:
        """Create the queue. `aside` runs a job in another process and stores its result, if possible."""
        self.jobs = JobQueue(most_waiting)
        self._aside = aside
        self._states: BoundedMap[str, State] = BoundedMap(MOST_BOOKS)
        self._places: BoundedMap[str, int] = BoundedMap(MOST_BOOKS)  # the priority with which a book waits
        self._shares: BoundedMap[str, float] = BoundedMap(MOST_BOOKS)
        self._prepared: BoundedMap[str, float | None] = BoundedMap(MOST_BOOKS)  # progress of the odds; None: failed
        self._found: SizedLRUCache[str, Solution] = SizedLRUCache(lambda solution: solution.table.nbytes)
        self._guard = Lock()

    def want(self, book: RuleBook) -> Readiness:
        """Request the solution of a book if it is missing, and return its progress."""
        found = self._put(book, ASKED)
        how_far = self.look(book)
        return how_far if found or how_far.state == "ready" else COACH_BUSY

    def look(self, book: RuleBook) -> Readiness:
        """Return the progress of a solution without requesting it."""
        name = book.fingerprint
        state = self._states.get(name, "waiting")
        if state in {"waiting", "running"} and self.ready(book) is not None:
            state = "ready"
        share = 1.0 if state == "ready" else self._shares.get(name, 0.0)
        kind = "compiling" if state == "running" and is_compiling() else state
        return Readiness(state, share, message(f"web.solution-{kind}", book=book, done=Chance(share)))

    def ready(self, book: RuleBook) -> Solution | None:
        """Return the solution if it is ready, or None. Only `want` reads a large one from disk."""
        found = self._found.get(book.fingerprint)
        if found is None and not limits.takes_long(book):
            from fivedice.solver.solution import known  # imports numpy, which pages without a coach do not need

            found = known(book)
        return found if found is None or found.book == book else _of(book, found)

    def prepare(self, books: Iterable[RuleBook]) -> None:
        """Solve these books when the queue is idle, so that the first hint need not wait.

        Skip large books, which need more memory than all others together: they are solved on request.
        """
        for book in books:
            if not limits.takes_long(book):
                self._put(book, SPARE)

    @property
    def running(self) -> int:
        """Return the number of books that are being solved now."""
        return list(self._states.values()).count("running")

    def close(self) -> None:
        self.jobs.close()

    def _put(self, book: RuleBook, priority: int) -> bool:
        """Queue a book unless that is unnecessary. Return False if the queue is full."""
        name = book.fingerprint
        with self._guard:
            state = self._states.get(name)
            if state == "ready" and self.ready(book) is None:
                state = None  # it was evicted, and is read from disk again
            if self.jobs.closing or state in {"ready", "running", "failed", "too-large"}:
                return True
            if limits.too_large(book) and not _is_stored(book):
                self._states[name] = "too-large"
            elif priority == ASKED and self.jobs.full:
                return state is not None
            elif state is None or priority < self._places.get(name, priority):  # a request raises its priority
                self._states[name], self._places[name] = "waiting", priority
                self.jobs.put(priority, partial(self._solve, book, priority))
            return True

    def _solve(self, book: RuleBook, priority: int) -> None:
        name = book.fingerprint
        if self._states.get(name) != "waiting":
            return
        self._states[name] = "running"
        state = self._states[name] = self._look_for(book)
        found = self._found.get(name)
        if found is not None and state == "ready" and not limits.takes_long(book) and limits.has_odds(book):
            self.jobs.put(NEXT if priority == ASKED else LAST, partial(self._follow, found))

    def _look_for(self, book: RuleBook) -> State:
        from fivedice.solver import solve
        from fivedice.solver.solution import known

        progress = self.jobs.watch(partial(self._note, book))
        try:
            if known(book) is None:
                self._have_stored(store_values, book, progress)
            self._found[book.fingerprint] = solve(book, progress=progress)
        except Closing:
            return "waiting"
        except Exception:
            log.exception("the solution of %s cannot be prepared", book.key)
            return "failed"
        return "ready"

    def _have_stored(self, job: Job, book: RuleBook, progress: Progress) -> None:
        if self._aside is not None:
            self._aside(job, book, progress)

    def _note(self, book: RuleBook, share: float) -> None:
        self._shares[book.fingerprint] = share

    def _follow(self, solution: Solution) -> None:
        """Compute the odds of the upper bonus with optimal play."""
        from fivedice.solver.bonus import bonus_chances, known

        progress = self.jobs.watch(lambda _: None)
        if known(solution) is None:
            self._have_stored(store_bonus, solution.book, progress)
        bonus_chances(solution, progress)

    def odds(self, solution: Solution) -> Readiness:
        """Return the progress of the data for odds early in a game, and request it unless it is in memory."""
        if solution.is_prepared(Scorecard.empty(solution.book), read=False):
            return self.look(solution.book)
        return self.want_odds(solution)

    def want_odds(self, solution: Solution) -> Readiness:
        """Request the data for odds early in a game, if it can be computed, and return its progress."""
        if not solution.is_preparable:
            return Readiness("too-large", 0.0, message("coach.odds-later", count=solution.quick_boxes))
        name = solution.book.fingerprint
        with self._guard:
            if name not in self._prepared:
                if self.jobs.full:
                    return COACH_BUSY
                self._prepared[name] = 0.0
                self.jobs.put(ASKED, partial(self._prepare, solution))
        share = self._prepared.get(name, 1.0)
        if share is None:
            return Readiness("failed", 0.0, message("web.odds-failed"))
        kind = "web.solution-compiling" if is_compiling() else "web.odds-running"
        return Readiness("running", share, message(kind, done=Chance(share)))

    def _prepare(self, solution: Solution) -> None:
        """Compute the data for odds. Afterwards forget the progress, so that evicted data can be requested again."""
        name = solution.book.fingerprint

        def note(share: float) -> None:
            self._prepared[name] = share

        progress = self.jobs.watch(note)
        try:
            if not solution.is_prepared(Scorecard.empty(solution.book)):
                self._have_stored(store_odds, solution.book, progress)
            solution.prepare(progress)
        except Closing:
            raise
        except Exception:
            log.exception("the odds of %s cannot be prepared", solution.book.key)
            self._prepared[name] = None
        else:
            self._prepared.pop(name, None)


def _is_stored(book: RuleBook) -> bool:
    """Return whether the solution is on disk: large books can be solved at the command line."""
    from fivedice.solver.solution import is_stored

    return is_stored(book)


def _of(book: RuleBook, found: Solution) -> Solution:
    """Return a solution for this book with the values of an equivalent book that has other names."""
    from fivedice.solver import Solution
    from fivedice.solver.model.book_arrays import compiled_book

    return Solution(book, compiled_book(book), found.table)


COACH_BUSY = Readiness("waiting", 0.0, message("web.coach-busy"), full=True)


PATIENCE = 60  # seconds after which the queue should have room again


def refuse_if_full(how_far: Readiness) -> None:
    """Raise CoachBusy if the queue was full, for callers without any other response."""
    if not how_far.full:
        return
    context = CONTEXT.get()
    if context is not None:
        context.limit, context.wait = "solves", PATIENCE
    raise CoachBusy(how_far.about)
