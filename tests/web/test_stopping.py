"""Stopping the server ends it, whatever its solver is doing; also as process 1 of a container."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

# Process 1 has no signals that end it by themselves, and a thread that compiles cannot be interrupted.
START = """
import faulthandler, signal, threading
from concurrent.futures import ThreadPoolExecutor

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.default_int_handler)
ThreadPoolExecutor(1).submit(threading.Event().wait)
faulthandler.dump_traceback_later(90, exit=True)  # whatever happens, nothing is left behind
from fivedice.cli import main

main()
"""
PATIENCE = 60.0


@pytest.mark.parametrize(("how", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_ends_at_once(tmp_path: Path, how: signal.Signals, status: int) -> None:
    flags = ["serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'tables.db'}"]
    (tmp_path / "settings.toml").write_text('log_format = "text"\nprepare = false\n')
    environment = os.environ | {"FIVEDICE_CONFIG": str(tmp_path / "settings.toml")}
    command = [sys.executable, "-c", START, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://localhost:\d+", process.stdout.readline())
            assert found is not None
            assert httpx.get(f"{found[0]}/health", timeout=PATIENCE).status_code == 200
            process.send_signal(how)
            assert process.wait(PATIENCE) == status
        finally:
            process.kill()
