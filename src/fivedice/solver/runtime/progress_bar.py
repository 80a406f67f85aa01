"""How far a job is: what it calls, and a bar that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console

Progress: TypeAlias = Callable[[int, int], None]  # what is done, of how much; an exception from it stops the job


@contextmanager
def bar(title: str, console: Console | None = None) -> Iterator[Progress]:
    """Hand what this yields to `solve` as its `progress`; the bar vanishes when the work is done."""
    from rich.progress import BarColumn, Progress as Bar, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as shown:
        task = shown.add_task(title)
        yield lambda done, total: shown.update(task, completed=done, total=total)
