"""A test that hangs fails."""

import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from time_limit import Hung, seconds, time_limit

TESTS = Path(__file__).parent.parent
LEFT_WHEN_READ, _ = signal.getitimer(signal.ITIMER_REAL)


def test_endless_waiting_is_interrupted() -> None:
    with pytest.raises(Hung, match=r"more than 0\.01 seconds"), time_limit(0.01):
        Event().wait()


def test_deaf_test_ends_the_process() -> None:
    """Python code that swallows the alarm, as an expression in C that goes back and forth would not hear it at all."""
    code = (
        "import signal\nfrom time_limit import time_limit\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\n"
        "with time_limit(0.01, 0.01):\n"
        "    while True: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=TESTS, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Timeout" in done.stderr


def test_every_test_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < LEFT_WHEN_READ <= seconds(), "and reading them"
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < left <= seconds()
    monkeypatch.setenv("FIVEDICE_KILLS", "1000")
    assert seconds() == 3 * 3600
