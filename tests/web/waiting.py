"""Wait for what a server works out in another process."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import httpx

PAUSE = 0.2  # seconds between two looks; a browser takes longer


def ask_until(done: Callable[[httpx.Response], bool], ask: Callable[[], httpx.Response]) -> httpx.Response:
    """Ask until the answer is there, and return it; what never comes is ended by the time limit of the test.

    The pause matters: the work is done by a process of lower priority, which would starve if the caller made none.
    """
    answer = ask()
    while not done(answer):
        Event().wait(PAUSE)
        answer = ask()
    return answer
