"""A test that hangs fails: it is interrupted, and where even that is not heard, the whole run ends.

An alarm raises in the test itself, so that the others go on. Code that never comes back to the interpreter does not
hear it: a little later the process ends, with the stacks of all threads, and a run on several cores reports the test.
"""

import faulthandler
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

SECONDS = 300  # of a test in `make test`, on a busy machine: the longest takes a tenth of that
CAMPAIGN = 3 * 3600
GRACE = 30
CAMPAIGNS = ("EXHAUSTIVE", "ANALYSIS", "FAIRNESS", "FUZZ", "KILLS", "CUTS", "BREAKS")


class Hung(Exception):  # noqa: N818 - what the test did
    """A test did not come to its end."""


def seconds() -> int:
    """How long one test may take; the campaigns of the Makefile do in one test what fills minutes."""
    if any(f"FIVEDICE_{name}" in os.environ for name in CAMPAIGNS):
        return CAMPAIGN
    return int(os.environ.get("FIVEDICE_TEST_SECONDS", SECONDS))


@contextmanager
def time_limit(limit: float, grace: float = GRACE) -> Iterator[None]:
    """Let what is inside take so long and no longer."""

    def ring(*_: object) -> NoReturn:
        raise Hung(f"This took more than {limit} seconds.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit)
    faulthandler.dump_traceback_later(limit + grace, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
