"""One process at a time: heavy work is done once on a machine, and those who waited find it stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING

from fivedice.folders import cache_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from fivedice.solver.runtime.progress_bar import Progress

_A_MOMENT = 0.1  # seconds between two looks at a lock


@contextmanager
def process_lock(fingerprint: str, progress: Progress | None = None) -> Iterator[None]:
    """Wait for another process that works on this book; look for what it stored before you begin yourself.

    The system lets go of the lock when a process dies. Where there are no such locks, both work, and both are right.
    """
    folder = cache_folder()
    if folder is None:
        yield
        return
    from filelock import FileLock  # only here: most find what they want stored

    lock = FileLock(folder / f"{fingerprint}.lock", fallback_to_soft=False)
    try:
        while not _acquired(lock):
            if progress is not None:
                progress(0, 1)  # who waits can be told to stop
            sleep(_A_MOMENT)
        yield
    finally:
        lock.release()


def _acquired(lock: BaseFileLock) -> bool:
    from filelock import Timeout

    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    except OSError:  # a folder that cannot be written, or a file system without locks: nothing is shared there
        return True
    return True
