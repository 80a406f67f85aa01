"""A process for one long solution: what it takes of memory and processor is not the server's.

What it finds goes to the cache on disk, and the server maps it from there. Then the process ends, and all its memory is
free again. One that dies, for want of memory perhaps, takes nothing with it.
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
Report: TypeAlias = tuple[int, int, bool]  # steps done, steps in all, and whether it is compiling

POLITE = 10  # steps of priority that it stands back: with 3 moves take three times as long under siege
_A_MOMENT = 0.1  # seconds between two looks whether the work is still wanted


class LostProcessError(RuntimeError):
    """The process ended before its work did."""


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
    """Have a job done elsewhere, with so many bytes at most; 0 is no limit. `progress` may end it by raising.

    Nothing is done where nothing could be stored: whoever asked has to work it out alone.
    """
    if not (child_process.can_start and can_store()):
        return
    line, process = child_process.started(_serve, POLITE)
    try:
        line.send((job, book, memory))
        _follow(line, progress)
    except (EOFError, ConnectionError) as error:
        told = f"the process that solved {book.key} ended with {process.wait()}"  # no sentence
        raise LostProcessError(told) from error
    finally:
        line.close()
        process.kill()
        process.wait()


def _follow(line: Connection, progress: Progress) -> None:
    done: Report = (0, 1, False)
    with _compiling_elsewhere() as tell:
        while True:
            told: Report | Exception | None = line.recv() if line.poll(_A_MOMENT) else done
            if isinstance(told, Exception):
                raise told
            if told is None:
                return
            done = told
            tell(done[2])
            progress(*done[:2])


@contextmanager
def _compiling_elsewhere() -> Iterator[Callable[[bool], None]]:
    """Those who show how far a job is are told of the compiler there as of the one here."""
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
    """The process itself."""
    job, book, memory = line.recv()
    child_process.bound_memory(memory)
    guard, steps = Lock(), (0, 1)  # threads report too

    def send(told: Any) -> None:
        with guard:
            line.send(told)

    def progress(done: int, total: int) -> None:
        nonlocal steps
        steps = done, total
        send((*steps, compile_watch.is_compiling()))

    try:
        with compile_watch.watching(lambda compiling: send((*steps, compiling))):
            job(book, progress)
    except OSError:
        raise  # nobody listens any more
    except Exception as error:  # whoever asked is told
        send(error)
    else:
        send(None)
