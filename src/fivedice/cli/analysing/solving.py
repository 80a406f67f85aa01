"""What the commands that need a solution share: the solution, with a progress bar while it is worked out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

from fivedice.words import word

if TYPE_CHECKING:
    from fivedice.rules import RuleBook
    from fivedice.solver import Solution
    from fivedice.solver.runtime.progress_bar import Progress


def solved(book: RuleBook, *, cache: bool = True) -> Solution:
    """From the cache if it can be; a stored solution needs no numba, and so no time to load it."""
    from fivedice.solver.solution import known, solve

    found = known(book) if cache else None
    if found is None:
        with shown_progress(word("cli.solving", rules=book)) as progress:
            found = solve(book, cache=cache, progress=progress)
    return found


@contextmanager
def shown_progress(title: str) -> Iterator[Progress | None]:
    """A bar on standard error, or nothing where no person is looking."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from fivedice.solver.runtime.progress_bar import bar

    with bar(title, console) as progress:
        yield progress
