"""Threads that share the work of a layer, each with a workspace of its own; and how far a job is, with a bar for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar

import numpy as np

from fivedice.solver.runtime.compile_watch import is_compiling, watching

if TYPE_CHECKING:
    from rich.console import Console

Progress: TypeAlias = Callable[[int, int], None]  # what is done, of how much; an exception from it stops the job


@contextmanager
def bar(title: str, console: Console | None = None, *, compiling: str | None = None) -> Iterator[Progress]:
    """Hand what this yields to `solve` as its `progress`; the bar vanishes when the work is done.

    It has another title while kernels are compiled, if there is one.
    """
    from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as shown:
        task = shown.add_task(title, total=None)

        def tell(compiles: bool) -> None:
            shown.update(task, description=(compiling or title) if compiles else title)

        with watching(tell):
            yield lambda done, total: shown.update(task, completed=done, total=total)


MOST_BYTES = 1 << 32  # that one job may take; a larger one is refused

Workspace = TypeVar("Workspace")


class WorkerPool(Generic[Workspace]):
    """Use as a context: at its end, or when an exception leaves it, all work stops.

    Jobs are compiled kernels, so they watch `stop` themselves.
    """

    def __init__(self, new_workspace: Callable[[], Workspace], threads: int | None = None) -> None:
        self.threads = threads or cores()
        self.stop = np.zeros(1, dtype=np.uint8)
        self._workspaces: SimpleQueue[Workspace] = SimpleQueue()
        for _ in range(self.threads):
            self._workspaces.put(new_workspace())
        self._pool = ThreadPoolExecutor(self.threads, "fivedice-solver")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        self.stop[0] = 1
        # A kernel ends at once, a compiler does not: who presses Ctrl-C does not wait for it.
        hurried = kind is KeyboardInterrupt and is_compiling()
        self._pool.shutdown(wait=not hurried, cancel_futures=True)

    def work(self, job: Callable[[Workspace, Any], int], parts: Iterable[Any]) -> Iterator[int]:
        """Do the job on every part; yields what each returns, as they end."""
        futures = [self._pool.submit(self._in_a_workspace, job, part) for part in parts]
        return (future.result() for future in as_completed(futures))

    def _in_a_workspace(self, job: Callable[[Workspace, Any], int], part: Any) -> int:
        workspace = self._workspaces.get()
        try:
            return job(workspace, part)
        finally:
            self._workspaces.put(workspace)


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
