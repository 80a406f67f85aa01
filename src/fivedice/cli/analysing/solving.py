"""`fivedice solve`, and the solution, progress bar and processes that other commands need."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from rich.console import Console

from fivedice.cli.analysing.prompt_end import end_promptly
from fivedice.cli.choices import BookName
from fivedice.cli.output import print_json, tell
from fivedice.core.game import Scorecard
from fivedice.core.rules import RuleBook, book as find_book
from fivedice.errors import IllegalError, MalformedError
from fivedice.text import word

if TYPE_CHECKING:
    from fivedice.reports.perfect import Perfect
    from fivedice.solver import Solution
    from fivedice.solver.runtime.worker_threads import Progress

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
    with end_promptly(), _bar(title) as progress:
        yield progress


@contextmanager
def _bar(title: str) -> Iterator[Progress | None]:
    console = Console(stderr=True)
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
