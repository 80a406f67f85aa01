"""Tables of books: from memory, from disk, or worked out once for all threads and processes that want them.

Memory keeps the latest, up to so many bytes: anyone can bring a book of their own, and its table may be large; a server
would otherwise keep all of them for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fivedice.solver.runtime.sized_cache import GIBIBYTE, SizedLRUCache
from fivedice.solver.runtime.solution_files import layer_type, load, load_layer, process_lock, save

if TYPE_CHECKING:
    from fivedice.solver.runtime.worker_threads import Progress

_MOST_MAPPED = 4 * GIBIBYTE  # of files: what is mapped takes no memory that others miss

Tables: TypeAlias = "tuple[NDArray[Any], ...]"
Shipped: TypeAlias = "Callable[[], Tables | None]"  # what the package brings along


def _nothing() -> None:
    return None


class NamedLocks:
    """A lock for each name, as long as somebody has it or waits for it: anyone can bring books of their own."""

    def __init__(self) -> None:
        self._wanted: dict[str, tuple[Lock, int]] = {}  # and by how many
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


class TableCache:
    """Tables that are worked out together, one of each kind, by the fingerprint of their book."""

    def __init__(self, *kinds: str) -> None:
        self.memory: MutableMapping[str, Tables] = SizedLRUCache(lambda tables: sum(table.nbytes for table in tables))
        self._kinds = kinds
        self._locks, self._fetching = NamedLocks(), NamedLocks()

    def known(self, name: str, shape: tuple[int, ...], shipped: Shipped = _nothing) -> Tables | None:
        """What is at hand, in memory, on disk or shipped; nothing is solved for it."""
        tables = self.memory.get(name)
        if tables is not None:
            return tables
        with self._fetching.of(name):  # once for all threads: each for itself, they hold each other up
            tables = self.memory.get(name)
            if tables is None:
                stored = self._load(name, shape) or self._unpacked(name, shape, shipped)
                tables = None if stored is None else self.memory.setdefault(name, stored)
            return tables

    def get(
        self,
        name: str,
        shape: tuple[int, ...],
        work: Callable[[], Tables],
        progress: Progress | None = None,
        shipped: Shipped = _nothing,
    ) -> Tables:
        """What is at hand, or what `work` returns; threads and processes that want the same wait for the first."""
        with self._locks.of(name):
            tables = self.known(name, shape, shipped)
            if tables is None:
                with process_lock(name, progress):
                    tables = self._load(name, shape) or self._saved(name, shape, work())
                tables = self.memory.setdefault(name, tables)
            return tables

    def _load(self, name: str, shape: tuple[int, ...]) -> Tables | None:
        stored = [load(name, shape, kind) for kind in self._kinds]
        tables = tuple(table for table in stored if table is not None)
        return tables if len(tables) == len(stored) else None

    def _unpacked(self, name: str, shape: tuple[int, ...], shipped: Shipped) -> Tables | None:
        """On disk it is read faster than it is unpacked."""
        tables = shipped()
        return None if tables is None else self._saved(name, shape, tables)

    def _saved(self, name: str, shape: tuple[int, ...], tables: Tables) -> Tables:
        """Those on disk, or the same where nothing can be stored."""
        for kind, table in zip(self._kinds, tables, strict=True):
            save(name, table, kind)
        return self._load(name, shape) or tables


class LayerCache(TableCache):
    """The same for layers of values, which are stored as they are made; their "shape" says how long each of them is."""

    def _load(self, name: str, shape: tuple[int, ...]) -> Tables | None:
        found = []
        for number, size in enumerate(shape):  # that of the empty card was made last, and is missed first
            layer = load_layer(name, number, size, layer_type(size))
            if layer is None:
                return None
            found.append(layer)
        return tuple(found)

    def _saved(self, name: str, shape: tuple[int, ...], tables: Tables) -> Tables:  # noqa: ARG002
        return tables


class MappedCache(TableCache):
    """The same for layers of any other kind, some of them kept: the "shape" has their numbers and sizes in turn."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.memory = SizedLRUCache(lambda tables: sum(table.nbytes for table in tables), _MOST_MAPPED)
        self._word = word

    def _load(self, name: str, shape: tuple[int, ...]) -> Tables | None:
        found = []
        for number, size in zip(shape[::2], shape[1::2], strict=True):
            layer = load_layer(name, number, size, np.dtype(np.float64), self._word)
            if layer is None:
                return None
            found.append(layer)
        return tuple(found)

    def _saved(self, name: str, shape: tuple[int, ...], tables: Tables) -> Tables:  # noqa: ARG002
        return tables
