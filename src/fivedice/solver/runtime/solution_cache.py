"""Tables of books: from memory, from disk, or worked out once for all threads and processes that want them.

Memory holds the latest, up to a number of bytes: anyone can add a book, and its table may be large, so a server would
otherwise keep all of them forever.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.runtime.solution_files import layer_type, load, load_layer, process_lock, save

GIBIBYTE = 1 << 30

Key = TypeVar("Key")
Thing = TypeVar("Thing")


class SizedLRUCache(MutableMapping[Key, Thing]):
    """A dictionary that drops the least recently used entries once it is too large; the newest always stays."""

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
        """Return the stored entry, or store and return the default, even if that is dropped at once."""
        with self._lock:
            if key in self._things:
                return self[key]
            self[key] = default
            return default


if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

_MOST_MAPPED = 4 * GIBIBYTE  # of mapped files, whose memory the system can take back

Tables: TypeAlias = "tuple[NDArray[Any], ...]"
Shipped: TypeAlias = "Callable[[], Tables | None]"  # loads the tables that come with the package


class NamedLocks:
    """A lock for each name, while it is held or waited for: anyone can add books, so locks must not pile up."""

    def __init__(self) -> None:
        self._wanted: dict[str, tuple[Lock, int]] = {}  # with the number of holders and waiters
        self._guard = Lock()

    def __len__(self) -> int:
        return len(self._wanted)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        with self._guard:
            lock, others = self._wanted.get(name, (Lock(), 0))
            self._wanted[name] = lock, others + 1
        try:
            with lock:
                yield
        finally:
            with self._guard:
                _, wanted = self._wanted.pop(name)
                if wanted > 1:
                    self._wanted[name] = lock, wanted - 1


class SolvedTables:
    """Tables that are worked out together, one of each kind, by the fingerprint of their book."""

    def __init__(self, *kinds: str) -> None:
        self.memory: MutableMapping[str, Tables] = SizedLRUCache(lambda tables: sum(table.nbytes for table in tables))
        self._kinds = kinds
        self._locks, self._fetching = NamedLocks(), NamedLocks()

    def known(self, name: str, shape: tuple[int, ...], shipped: Shipped = lambda: None) -> Tables | None:
        """Return the tables if they are in memory, on disk or shipped, else None; nothing is solved."""
        tables = self.memory.get(name)
        if tables is not None:
            return tables
        with self._fetching.of(name):  # once for all threads: loading in parallel would be slower
            tables = self.memory.get(name)
            if tables is None:
                stored = self._load(name, shape)
                if stored is None and (unpacked := shipped()) is not None:
                    stored = self._save(name, shape, unpacked)  # reading from disk is faster than unpacking
                tables = None if stored is None else self.memory.setdefault(name, stored)
            return tables

    def get(
        self,
        name: str,
        shape: tuple[int, ...],
        work: Callable[[], Tables],
        progress: Progress | None = None,
        shipped: Shipped = lambda: None,
    ) -> Tables:
        """Return the stored tables, or those that `work` returns; others that want the same wait for the first."""
        with self._locks.of(name):
            tables = self.known(name, shape, shipped)
            if tables is None:
                with process_lock(name, progress):
                    tables = self._load(name, shape) or self._save(name, shape, work())
                tables = self.memory.setdefault(name, tables)
            return tables

    def _load(self, name: str, shape: tuple[int, ...]) -> Tables | None:
        return _all_or_none(load(name, shape, kind) for kind in self._kinds)

    def _save(self, name: str, shape: tuple[int, ...], tables: Tables) -> Tables:
        """Store the tables and return those on disk, or the same ones if they cannot be stored."""
        for kind, table in zip(self._kinds, tables, strict=True):
            save(name, table, kind)
        return self._load(name, shape) or tables


def _all_or_none(stored: Iterable[NDArray[Any] | None]) -> Tables | None:
    """Return all tables, or None at the first that is missing."""
    found = []
    for table in stored:
        if table is None:
            return None
        found.append(table)
    return tuple(found)


class LayerCache(SolvedTables):
    """The same for layers of values, which are stored as they are made; their "shape" has the length of each."""

    def _load(self, name: str, shape: tuple[int, ...]) -> Tables | None:
        # The first layer is made last, so it is the first to be missing.
        return _all_or_none(load_layer(name, number, size, layer_type(size)) for number, size in enumerate(shape))

    def _save(self, name: str, shape: tuple[int, ...], tables: Tables) -> Tables:  # noqa: ARG002
        return tables


class MappedCache(LayerCache):
    """The same for layers of another kind, of which some are stored; the "shape" has their numbers and sizes
    alternately.
    """

    def __init__(self, word: str) -> None:
        super().__init__()
        self.memory = SizedLRUCache(lambda tables: sum(table.nbytes for table in tables), _MOST_MAPPED)
        self._word = word

    def _load(self, name: str, shape: tuple[int, ...]) -> Tables | None:
        pairs, kind = zip(shape[::2], shape[1::2], strict=True), np.dtype(np.float64)
        return _all_or_none(load_layer(name, number, size, kind, self._word) for number, size in pairs)
