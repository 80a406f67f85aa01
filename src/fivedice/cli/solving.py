"""`fivedice solve`, and what other commands need: a solution, a progress bar, processes, and a prompt end on Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from math import ceil
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn

from rich.console import Console

from fivedice.cli.output import BookName, print_json, tell
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, book as find_book
from fivedice.errors import IllegalError, MalformedError
from fivedice.solver.runtime.compile_watch import is_compiling
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.reports.perfect import Perfect
    from fivedice.solver import Solution
    from fivedice.solver.runtime.worker_threads import Progress


GRACE = 0.3  # seconds for Python to handle the signal; a compiler may block it for longer
_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"
_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def end_promptly() -> Iterator[None]:
    """Let signals end the work inside at once, although it may compile. Only for the main thread."""
    before = signal.signal(signal.SIGTERM, _raise_interrupt)
    try:
        with _watch_signals():
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise_interrupt(*_: object) -> NoReturn:
    """End like Ctrl-C, so that a progress bar is removed and the cursor is shown again."""
    raise KeyboardInterrupt("SIGTERM")


@contextmanager
def _watch_signals() -> Iterator[None]:
    """Watch signals through a pipe, which gets them at once; Python handles them only in its main thread."""
    if sys.platform == "win32":  # it has no such pipes
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before, done = signal.set_wakeup_fd(writer, warn_on_full_buffer=False), Event()
    watch = Thread(target=_exit_on_signal, args=(reader, done), name="fivedice-signals", daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(writer)
        watch.join()
        os.close(reader)


def _exit_on_signal(reader: int, done: Event) -> None:
    while received := os.read(reader, 1):
        if received[0] in _ENDING and not done.wait(GRACE) and is_compiling():
            if sys.stderr.isatty():
                sys.stderr.write(_SHOW_CURSOR)
            sys.stderr.flush()
            sys.stdout.flush()
            os._exit(128 + received[0])


MOST_WORKERS = 256


def load_solution(book: RuleBook, *, cache: bool = True, patient: bool = False) -> Solution:
    """Return the solution, from the cache if possible; a stored one needs no numba and no time to load it.

    Raises `IllegalError` for rules that cannot be solved, and unless `patient` for rules that take minutes.
    """
    from fivedice.solver.solution import known, solve

    found = known(book) if cache else None
    if found is None:
        _check_size(book, patient)
        with show_progress(word("cli.solving", rules=book)) as progress:
            found = solve(book, cache=cache, progress=progress)
    return found


def _check_size(book: RuleBook, patient: bool) -> None:
    from fivedice.solver.runtime.solve_limits import Answers, estimate

    size = estimate(book)
    if size.answers is Answers.NOTHING:
        raise IllegalError("cli.cannot-solve", rules=book, memory=f"{size.memory / 1e9:,.1f}")
    if size.takes_minutes and not patient:
        parts = {"minutes": ceil(size.seconds / 60), "memory": f"{size.memory / 1e9:.1f}"}
        raise IllegalError("cli.solving-takes-minutes", rules=book, stored=f"{size.stored / 1e9:.1f}", **parts)


def load_perfect(solution: Solution) -> Perfect | None:
    """Return perfect games of a book, to compare others with; None for rules without odds."""
    from fivedice.reports.perfect import known, perfect
    from fivedice.solver.runtime.solve_limits import has_odds

    if not has_odds(solution.book):
        return None
    found = known(solution)
    if found is None:
        with show_progress(word("cli.playing-perfectly", rules=solution.book)) as progress:
            found = perfect(solution, progress)
    return found


@contextmanager
def show_progress(title: str) -> Iterator[Progress | None]:
    """Show a bar on standard error, if that is a terminal. Ctrl-C ends the work at once."""
    console = Console(stderr=True)
    with end_promptly():
        if not console.is_terminal:
            yield None
            return
        from fivedice.solver.runtime.worker_threads import bar

        with bar(title, console, compiling=word("solver.compiling")) as progress:
            yield progress


@contextmanager
def pool(workers: int) -> Iterator[Executor | None]:
    """Start this many processes; yield None for one, since no other process is needed."""
    if not 1 <= workers <= MOST_WORKERS:
        raise MalformedError("cli.workers", most=MOST_WORKERS, workers=workers)
    if workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:  # numba's threads cannot be forked
        yield executor


def solve(book: BookName, /, *, no_cache: bool = False, patient: bool = False, json: bool = False) -> None:
    """Solve a book exactly: the mean score of perfect solo play, to the last digit.

    The solution is kept in your cache folder, so that `hint` and others answer at once afterwards.

    Examples: `fivedice solve yahtzee`, `fivedice solve my-house.toml`, `fivedice solve yatzy --no-cache --json`.

    Parameters
    ----------
    book
        A shipped book (see `fivedice rules`) or the path of a .toml file.
    no_cache
        Solve anew, and keep nothing.
    patient
        Solve rules that take minutes, too. Without this you are told what they would take.
    json
        Print JSON: `{"book", "value", "states", "seconds"}`.
    """
    rules = find_book(book)
    begin = perf_counter()
    solution = load_solution(rules, cache=not no_cache, patient=patient)
    seconds = perf_counter() - begin
    value = solution.value(Scorecard.empty(rules))
    if json:
        print_json({"book": rules.key, "value": value, "states": solution.states, "seconds": round(seconds, 3)})
    else:
        tell("cli.solved", rules=rules, value=f"{value:.8f}")
        tell("cli.solved-size", states=f"{solution.states:,}", seconds=f"{seconds:.2f}")
