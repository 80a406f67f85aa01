"""One process at a time: heavy work is done once on a machine, and those who waited find it stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import IO, TYPE_CHECKING, Any

from fivedice.solver.runtime import table_store

if TYPE_CHECKING:
    from fivedice.solver.values.value_table import Progress

fcntl: Any
try:
    import fcntl
except ImportError:  # pragma: no cover - on Windows
    fcntl = None

_A_MOMENT = 0.1  # seconds between two looks at a lock


@contextmanager
def alone(fingerprint: str, progress: Progress | None = None) -> Iterator[None]:
    """Wait for whoever is working on this book; look for what they stored before you begin yourself.

    The system lets go of the lock when a process dies. Where there are no such locks, both work, and both are right.
    """
    with _lock_file(fingerprint) as file:
        while file is not None and not _locked(file):
            if progress is not None:
                progress(0, 1)  # who waits can be told to stop
            sleep(_A_MOMENT)
        yield


@contextmanager
def _lock_file(fingerprint: str) -> Iterator[IO[bytes] | None]:
    """The file, or None where the cache cannot be written: then nothing could be shared anyway."""
    folder = table_store.folder()
    if folder is None or fcntl is None:
        yield None
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / f"{fingerprint}.lock").open("ab")
    except OSError:
        yield None
        return
    with file:
        yield file


def _locked(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
