"""Servers that live shortly: start one, kill it, start the next."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from web.serving import NO_LIMITS

TESTS = Path(__file__).parent.parent


class Nursery:
    """The parent of all servers of one campaign, on one port."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database, self._folder = database, folder
        self._pid = 0

    def __enter__(self) -> Self:
        empty = self._folder / "settings.toml"
        empty.touch()
        environment = os.environ | {"PYTHONPATH": str(TESTS), "FIVEDICE_CONFIG": str(empty)} | NO_LIMITS
        command = [sys.executable, "-m", "crash.zygote", self.database]
        self._parent = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.url = f"http://127.0.0.1:{self._line()}"
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.stdout.close()
        self._parent.wait(timeout=20)

    def start(self, *, anew: bool = True) -> None:
        """The next one: put together anew, or ready and waiting, which is quicker."""
        assert self._parent.stdin is not None
        self._parent.stdin.write("anew\n" if anew else "the next\n")
        self._parent.stdin.flush()
        self._pid = int(self._line())

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)

    def _line(self) -> str:
        assert self._parent.stdout is not None
        line = self._parent.stdout.readline()
        if not line:
            raise RuntimeError("the parent of the servers has gone")
        return line.strip()
