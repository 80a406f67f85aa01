"""Tables of books: from memory, from disk, or worked out once for all threads and processes that want them.

Memory keeps the latest, up to so many bytes: anyone can bring a book of their own, and its table may be large; a server
would otherwise keep all of them for ever. Heavy work is done by one process at a time, and those who waited find it
stored.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from threading import Lock, RLock
from time import sleep
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from fivedice.folders import cache_folder
from fivedice.solver.runtime import solution_store as table_store

if TYPE_CHECKING:
    from filelock import BaseFileLock
    from numpy.typing import NDArray

    from fivedice.solver.runtime.worker_threads import Progress


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


GIBIBYTE = 1 << 30

Key = TypeVar("Key")
Thing = TypeVar("Thing")


class SizedLRUCache(MutableMapping[Key, Thing]):
    """A dictionary that drops what was not asked for longest, once it is too large; the newest thing always stays."""

    def __init__(self, size: Callable[[Thing], int] = lambda _: 1, most: int = GIBIBYTE) -> None:
        self._size = size
        self._most = most
        self._things: OrderedDict[Key, Thing] = OrderedDict()
        self._lock = RLock()

    def __getitem__(self, key: Key) -> Thing:
        with self._lock:
            thing = self._things[key]
            self._things.move_to_end(key)
            return thing

    def __setitem__(self, key: Key, thing: Thing) -> None:
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > 1 and sum(map(self._size, self._things.values())) > self._most:
                self._things.popitem(last=False)

    def __delitem__(self, key: Key) -> None:
        with self._lock:
            del self._things[key]

    def __iter__(self) -> Iterator[Key]:
        with self._lock:
            return iter(list(self._things))

    def __len__(self) -> int:
        return len(self._things)

    def setdefault(self, key: Key, default: Thing) -> Thing:
        """What is kept already, else this from now on; returned even if it is dropped at once."""
        with self._lock:
            if key in self._things:
                return self[key]
            self[key] = default
            return default


Tables: TypeAlias = "tuple[NDArray[np.float64], ...]"


class TableCache:
    """Tables that are worked out together, one of each kind, by the fingerprint of their book."""

    def __init__(self, *kinds: str) -> None:
        self.memory: MutableMapping[str, Tables] = SizedLRUCache(lambda tables: sum(table.nbytes for table in tables))
        self._kinds = kinds
        self._locks: dict[str, Lock] = {}

    def known(self, name: str, shape: tuple[int, int, int]) -> Tables | None:
        """What is at hand, in memory or on disk; never a reason to wait."""
        tables = self.memory.get(name)
        if tables is None:
            stored = self._load(name, shape)
            tables = None if stored is None else self.memory.setdefault(name, stored)
        return tables

    def get(
        self, name: str, shape: tuple[int, int, int], work: Callable[[], Tables], progress: Progress | None = None
    ) -> Tables:
        """What is at hand, or what `work` returns; threads and processes that want the same wait for the first."""
        with self._locks.setdefault(name, Lock()):
            tables = self.known(name, shape)
            if tables is None:
                with process_lock(name, progress):
                    tables = self._load(name, shape) or self._saved(name, work())
                tables = self.memory.setdefault(name, tables)
            return tables

    def _load(self, name: str, shape: tuple[int, int, int]) -> Tables | None:
        stored = [table_store.load(name, shape, kind) for kind in self._kinds]
        tables = tuple(table for table in stored if table is not None)
        return tables if len(tables) == len(stored) else None

    def _saved(self, name: str, tables: Tables) -> Tables:
        for kind, table in zip(self._kinds, tables, strict=True):
            table_store.save(name, table, kind)
        return tables
