"""Child processes, connected by a pipe and with lower CPU and memory priority than the server.

One for each long solution keeps its memory and CPU time away from the server. It writes the result to the cache on
disk, from where the server maps it. Then it ends, which frees all its memory. If it dies, for example for lack of
memory, the server goes on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from fivedice.core.rules import RuleBook
from fivedice.solver.runtime import compile_watch
from fivedice.solver.runtime.solution_files import can_store
from fivedice.text import current, using

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress


_GIVEN_UP_FIRST = "1000"  # when memory runs out, the system kills this process instead of the server
_OWN = Path("/proc/self")  # on Linux
_START = "from fivedice.web.jobs import child_process; child_process.serve()"  # no sentence

can_start = os.name != "nt"  # Windows cannot pass file descriptors


def start_child(task: Callable[[Connection], None], polite: int) -> tuple[Connection, subprocess.Popen[bytes]]:
    """Start a process that calls `task` with its end of a pipe, and return our end and the process.

    `task` must be importable there. `polite` is added to the nice value of the process.
    """
    ours, theirs = Pipe()
    command = [sys.executable, "-c", _START, str(theirs.fileno())]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])  # noqa: S603 - ourselves
    theirs.close()  # so that each side notices when the other one ends
    ours.send((task, polite, current()))
    return ours, process


def serve() -> None:
    """Run the task in the child process. It ends with the task, or when the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore Ctrl-C: the server ends this process
    with suppress(OSError):
        (_OWN / "oom_score_adj").write_text(_GIVEN_UP_FIRST)
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as line:
        task, polite, language = line.recv()
        with suppress(OSError):
            os.nice(polite)
        with using(language):
            task(line)


def bound_memory(most: int) -> None:
    """Limit the memory of this process to `most` bytes; 0 means no limit."""
    if most:
        resource = import_module("resource")  # missing on Windows
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def private_memory() -> int:
    """Return the private memory of this process in bytes; 0 if unknown."""
    with suppress(OSError):
        _, resident, shared, *_ = map(int, (_OWN / "statm").read_text().split())
        return (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    return 0


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
    if not (can_start and can_store()):
        return
    line, process = start_child(_serve, POLITE)
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
    bound_memory(memory)
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
