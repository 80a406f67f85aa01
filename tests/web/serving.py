"""A real server in a process of its own, on a free port of the loopback, for tests that need the whole thing."""

import atexit
import os
import re
import signal
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shutil import copyfile, rmtree
from typing import Self

from web.gate import LATENCY, Gate

START = "from fivedice.cli import main; main()"
# For `verify` of clients of the loopback: by default each reads all certificates first, which takes 35 ms.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
# Tests and benches hammer from one address, so they say that they want no limits; nothing is spared silently.
NO_LIMITS = {
    "FIVEDICE_READ_RATE": "0",
    "FIVEDICE_WRITE_RATE": "0",
    "FIVEDICE_WORK_RATE": "0",
    "FIVEDICE_LOOK_RATE": "0",
    "FIVEDICE_TABLES_PER_HOUR": "0",
    "FIVEDICE_BOOKS_PER_HOUR": "0",
    "FIVEDICE_MEGABYTES_PER_DAY": "0",
    "FIVEDICE_STREAMS_AT_ONCE": "0",
    "FIVEDICE_CONNECTIONS_EACH": "0",
    "FIVEDICE_LOG_FORMAT": "text",
}


@cache
def empty_database() -> Path:
    """Create a SQLite database with the newest schema once per process: loading the migrations takes half a second."""
    from fivedice.store.database import open_database

    path = Path(tempfile.mkdtemp(prefix="fivedice-empty-")) / "tables.db"
    atexit.register(rmtree, path.parent, ignore_errors=True)
    open_database(f"sqlite:///{path}").dispose()
    return path


class Serving:
    """`with Serving(folder) as server:` starts it; `kill()` and `start()` again show that nothing is lost."""

    def __init__(
        self,
        folder: Path,
        *,
        bot_pause: float = 0.0,
        settings: Mapping[str, str] = NO_LIMITS,
        database: str = "",
        python: str = sys.executable,
    ) -> None:
        self._folder, self._python = folder, python
        self._database = database or f"sqlite:///{folder / 'tables.db'}"
        self._settings = dict(settings)  # as environment variables
        self._pause = bot_pause
        self._process: subprocess.Popen[str] | None = None
        self.port = 0  # chosen by the system at the first start and kept afterwards
        self.url = ""
        self._slow: Gate | None = None  # where the network is slow

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._slow is not None:
            self._slow.__exit__()

    def start(self) -> None:
        flags = ["--port", str(self.port), "--bot-pause", str(self._pause)]
        flags += ["--database", self._database]
        own = self._folder / "tables.db"
        if self._database == f"sqlite:///{own}" and not own.exists():
            copyfile(empty_database(), own)
        empty = self._folder / "settings.toml"
        empty.touch()
        environment = os.environ | {"PYTHONUNBUFFERED": "1", "FIVEDICE_CONFIG": str(empty)} | self._settings
        command = [self._python, "-c", START, "serve", *flags]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        line = self._process.stdout.readline() if self._process.stdout else ""
        found = re.search(r"http://localhost:(\d+)", line)
        if found is None:
            raise RuntimeError(f"the server did not start: {line!r}")
        self.port = int(found[1])
        self.url = f"http://localhost:{self.port}"
        if LATENCY:
            self._slow = self._slow or Gate(self.port).__enter__()
            self.url = self._slow.url

    @property
    def pid(self) -> int:
        return 0 if self._process is None else self._process.pid

    def kill(self) -> None:
        """As abrupt as it gets."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(timeout=20)
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()
