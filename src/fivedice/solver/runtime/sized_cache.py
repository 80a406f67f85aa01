"""A cache in memory, limited in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from threading import RLock
from typing import TypeVar

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
