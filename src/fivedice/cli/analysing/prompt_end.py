"""End a command at once on Ctrl-C and SIGTERM, even while code is compiled, and restore the terminal."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import NoReturn

from fivedice.solver.runtime.compile_watch import is_compiling

GRACE = 0.3  # seconds for Python to handle the signal; a compiler may block it for longer
_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"
_ENDING = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def end_promptly() -> Iterator[None]:
    """Let signals end the work inside at once, although it may compile. Only for the main thread."""
    before = signal.signal(signal.SIGTERM, _raise_interrupt)
    try:
        with _watch_signals():
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise_interrupt(*_: object) -> NoReturn:
    """End like Ctrl-C, so that a progress bar is removed and the cursor is shown again."""
    raise KeyboardInterrupt("SIGTERM")


@contextmanager
def _watch_signals() -> Iterator[None]:
    """Watch signals through a pipe, which gets them at once; Python handles them only in its main thread."""
    if sys.platform == "win32":  # it has no such pipes
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before, done = signal.set_wakeup_fd(writer, warn_on_full_buffer=False), Event()
    watch = Thread(target=_exit_on_signal, args=(reader, done), name="fivedice-signals", daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        os.close(writer)
        watch.join()
        os.close(reader)


def _exit_on_signal(reader: int, done: Event) -> None:
    while received := os.read(reader, 1):
        if received[0] in _ENDING and not done.wait(GRACE) and is_compiling():
            if sys.stderr.isatty():
                sys.stderr.write(_SHOW_CURSOR)
            sys.stderr.flush()
            sys.stdout.flush()
            os._exit(128 + received[0])
