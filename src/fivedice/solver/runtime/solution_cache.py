"""Tables of books: from memory, from disk, or worked out once for all threads and processes that want them."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from fivedice.solver.runtime import solution_store as table_store
from fivedice.solver.runtime.process_lock import process_lock
from fivedice.solver.runtime.sized_cache import SizedLRUCache

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fivedice.solver.runtime.progress_bar import Progress

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
