"""A child process for one long solution, so that its memory and CPU time do not burden the server.

It writes the result to the cache on disk, from where the server maps it. Then it ends, which frees all its memory. If
it dies, for example for lack of memory, the server goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from fivedice.core.rules import RuleBook
from fivedice.solver.runtime import compile_watch
from fivedice.solver.runtime.solution_files import can_store
from fivedice.web.jobs import child_process

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

Job: TypeAlias = "Callable[[RuleBook, Progress], None]"
Report: TypeAlias = tuple[int, int, bool]  # steps done, total steps, and whether it is compiling

POLITE = 10  # added to its nice value: with 3, moves take three times as long under heavy load
_A_MOMENT = 0.1  # seconds between two checks whether the work is still needed


class LostProcessError(RuntimeError):
    """The process ended before its work was done."""


def store_values(book: RuleBook, progress: Progress) -> None:
    from fivedice.solver import solve

    solve(book, progress=progress)


def store_odds(book: RuleBook, progress: Progress) -> None:
    from fivedice.solver import solve

    solve(book).prepare(progress)


def store_bonus(book: RuleBook, progress: Progress) -> None:
    from fivedice.solver import solve
    from fivedice.solver.bonus import bonus_chances

    bonus_chances(solve(book), progress)


def solve_aside(job: Job, book: RuleBook, progress: Progress, memory: int = 0) -> None:
    """Run a job in a new process with at most `memory` bytes; 0 means no limit. `progress` may raise to end it.

    Do nothing if no process can start or no result can be stored: the caller then computes it. Raise LostProcessError
    if the process dies, or the exception of the job.
    """
    if not (child_process.can_start and can_store()):
        return
    line, process = child_process.start_child(_serve, POLITE)
    try:
        line.send((job, book, memory))
        _follow(line, progress)
    except (EOFError, ConnectionError) as error:
        problem = f"the process that solved {book.key} ended with {process.wait()}"  # no sentence
        raise LostProcessError(problem) from error
    finally:
        line.close()
        process.kill()
        process.wait()


def _follow(line: Connection, progress: Progress) -> None:
    done: Report = (0, 1, False)
    with _compiling_elsewhere() as tell:
        while True:
            report: Report | Exception | None = line.recv() if line.poll(_A_MOMENT) else done
            if isinstance(report, Exception):
                raise report
            if report is None:
                return
            done = report
            tell(done[2])
            progress(*done[:2])


@contextmanager
def _compiling_elsewhere() -> Iterator[Callable[[bool], None]]:
    """Yield a function that reports the compiler of the other process as if it ran in this one."""
    compiling = False

    def tell(*, now: bool) -> None:
        nonlocal compiling
        if now != compiling:
            (compile_watch.begins if now else compile_watch.ends)()
        compiling = now

    try:
        yield lambda now: tell(now=now)
    finally:
        tell(now=False)


def _serve(line: Connection) -> None:
    """Run the job in the child process, and send its progress and its end to the server."""
    job, book, memory = line.recv()
    child_process.bound_memory(memory)
    guard, steps = Lock(), (0, 1)  # progress is reported from several threads

    def send(report: Any) -> None:
        with guard:
            line.send(report)

    def progress(done: int, total: int) -> None:
        nonlocal steps
        steps = done, total
        send((*steps, compile_watch.is_compiling()))

    try:
        with compile_watch.watching(lambda compiling: send((*steps, compiling))):
            job(book, progress)
    except OSError:
        raise  # the server has closed the pipe
    except Exception as error:  # raised again in the server
        send(error)
    else:
        send(None)
