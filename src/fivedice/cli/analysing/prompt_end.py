"""Ctrl-C and SIGTERM end a command at once, whatever is compiled, and leave the terminal as it was."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import NoReturn

from fivedice.solver.runtime.compile_watch import is_compiling

GRACE = 0.3  # seconds for the usual way; a compiler may keep Python from hearing of a signal for longer
_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"
_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def ends_promptly() -> Iterator[None]:
    """Around work that may compile; for the main thread."""
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        with _watched():
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(*_: object) -> NoReturn:
    """The way of Ctrl-C, so that a bar goes and the cursor comes back."""
    raise KeyboardInterrupt("SIGTERM")


@contextmanager
def _watched() -> Iterator[None]:
    """The system tells of a signal at once, through a pipe; Python only when its main thread comes back."""
    if sys.platform == "win32":  # which has no such pipes
        yield
        return
    told, tells = os.pipe()
    os.set_blocking(tells, False)
    before, done = signal.set_wakeup_fd(tells, warn_on_full_buffer=False), Event()
    watch = Thread(target=_watch, args=(told, done), name="fivedice-signals", daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(tells)
        watch.join()
        os.close(told)


def _watch(told: int, done: Event) -> None:
    while heard := os.read(told, 1):
        if heard[0] in _ENDING and not done.wait(GRACE) and is_compiling():
            if sys.stderr.isatty():
                sys.stderr.write(_SHOW_CURSOR)
            sys.stderr.flush()
            sys.stdout.flush()
            os._exit(128 + heard[0])
