"""Whether kernels are being compiled now, for progress displays. `kernel_cache` reports it; numba is not loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from threading import RLock
from typing import TypeAlias

from fivedice.errors import MissingExtra

Watcher: TypeAlias = "Callable[[bool], None]"  # called when compiling begins, and when it ends

_lock = RLock()
_watchers: list[Watcher] = []
_depth = 0  # compiling is nested: a kernel is compiled during its callers


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Call `watcher` when any thread begins or ends compiling."""
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
    """Raise `MissingExtra` if numba is not installed: then only shipped and stored results are available."""
    if not has_compiler():
        raise MissingExtra("solver.needs-extra")


def has_compiler() -> bool:
    """Return whether numba is installed, without loading it."""
    return find_spec("numba") is not None
