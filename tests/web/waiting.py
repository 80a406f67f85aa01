"""Wait for what a server works out in another process."""

from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

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


def ready(get: Any, *arguments: Any, **options: Any) -> httpx.Response:
    """Ask until all is worked out: at once as a rule, minutes where kernels are compiled first on a busy machine."""
    return ask_until(is_complete, partial(get, *arguments, **options))


def is_complete(answer: httpx.Response) -> bool:
    busy = ("One moment", "Working out", "being worked out", "analysed so far")
    return answer.status_code != 503 and not any(word in answer.text for word in busy)
