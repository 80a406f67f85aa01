"""Measure work by counting calls, and stop work that would not end."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

PATIENCE = 8.0  # seconds of processor time for what takes hundredths: not a measurement, but a hang that fails


def calls(run: Callable[[], object]) -> int:
    """How many functions are called, in Python and from it. The same on every machine and on every run."""
    counted = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return counted


class HangError(AssertionError):
    """It would not have come to an end."""


@contextmanager
def no_hang(what: str, seconds: float = PATIENCE) -> Iterator[None]:
    """Stop after that much processor time of this process."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise HangError(f"{what} was still busy after {seconds} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
