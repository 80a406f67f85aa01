"""Threads that share the work of a layer, each with its own workspace; and progress, with a bar to show it."""

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

Progress: TypeAlias = Callable[[int, int], None]  # called with (done, total); an exception from it stops the job


@contextmanager
def bar(title: str, console: Console | None = None, *, compiling: str | None = None) -> Iterator[Progress]:
    """Show a progress bar, and yield the function to pass as `progress`; the bar vanishes when the work is done.

    While kernels are compiled its title is `compiling`, if given.
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


MOST_BYTES = 1 << 32  # of memory for one job; a larger one is refused

Workspace = TypeVar("Workspace")


class WorkerPool(Generic[Workspace]):
    """Runs jobs in threads. Use it as a context: when it ends, also by an exception, all work stops.

    Jobs are compiled kernels, so they check `stop` themselves. `progress` is called with the sum of their results.
    """

    def __init__(
        self,
        new_workspace: Callable[[], Workspace],
        threads: int | None = None,
        progress: Progress | None = None,
        total: int = 0,
    ) -> None:
        self._progress, self._done, self._total = progress, 0, total
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
        # A kernel ends at once, but the compiler does not: Ctrl-C does not wait for it.
        hurried = kind is KeyboardInterrupt and is_compiling()
        self._pool.shutdown(wait=not hurried, cancel_futures=True)

    def run(self, job: Callable[[Workspace, Any], int], parts: Iterable[Any]) -> None:
        """Do the job on every part, and report progress as they finish; with a total of 0 there is none to report."""
        for future in as_completed([self._pool.submit(self._run_job, job, part) for part in parts]):
            self._done += future.result()
            if self._progress is not None and self._total:
                self._progress(self._done, self._total)

    def _run_job(self, job: Callable[[Workspace, Any], int], part: Any) -> int:
        workspace = self._workspaces.get()
        try:
            return job(workspace, part)
        finally:
            self._workspaces.put(workspace)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
