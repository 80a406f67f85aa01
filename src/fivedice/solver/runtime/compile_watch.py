"""Whether kernels are being compiled just now, for those who show how far a job is. `kernel_cache` tells; nothing here
loads numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from threading import RLock
from typing import TypeAlias

from fivedice.errors import MissingExtra

Watcher: TypeAlias = "Callable[[bool], None]"  # told when compiling begins, and when it ends

_lock = RLock()
_watchers: list[Watcher] = []
_depth = 0  # a kernel is compiled while those that call it are


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Tell this one, whichever thread compiles."""
    with _lock:
        _watchers.append(watcher)
        if _depth:
            watcher(True)
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(watcher)


def is_compiling() -> bool:
    return _depth > 0


def begins() -> None:
    _count(1)


def ends() -> None:
    _count(-1)


def _count(step: int) -> None:
    global _depth
    with _lock:
        before, _depth = _depth, _depth + step
        if bool(before) != bool(_depth):
            for watcher in tuple(_watchers):
                watcher(bool(_depth))


def require_compiler() -> None:
    """Raise MissingExtra where numba is not installed: what is neither shipped nor stored cannot be worked out."""
    if not has_compiler():
        raise MissingExtra("solver.needs-extra")


def has_compiler() -> bool:
    """Return whether more can be worked out than what is shipped; numba is not loaded for it."""
    return find_spec("numba") is not None
