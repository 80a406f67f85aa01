"""A command on a real pseudo-terminal of its own: what it writes, and keys and clicks for it."""

import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from fivedice.cli.command_list import run

FIVEDICE = [sys.executable, "-c", "from fivedice.cli import main; main()"]
PATIENCE = 120


def hears_ctrl_c() -> None:
    """As in a terminal, also where the tests run in the background of a shell, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_here(*arguments: str, script: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run a command on these lines as in a pipe, in this process: starting Python takes longer than the game."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    typed = mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(script), "utf-8"))
    with typed, redirect_stdout(out), redirect_stderr(err):
        status = run(list(arguments))
    return subprocess.CompletedProcess(arguments, status, out.buffer.getvalue(), err.buffer.getvalue())


class Terminal:
    """A command on a terminal of its own: what it writes, and keys for it."""

    def __init__(self, *arguments: str, environment: dict[str, str], size: tuple[int, int] = (80, 24)) -> None:
        self._master, slave = pty.openpty()
        import fcntl
        import struct
        import termios

        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = termios.tcgetattr(slave)
        self._slave = slave
        self.process = subprocess.Popen(
            [*FIVEDICE, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=hears_ctrl_c,
        )
        self.written = ""

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def click(self, x: int, y: int) -> None:
        """At a column and a row, counted from 1."""
        self.press(f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m")

    def read_until(self, text: str) -> None:
        self.wait_for(lambda: text in self.written, text)

    def wait_for(self, come: Callable[[], bool], what: str = "it") -> None:
        """Until it has come; what is written meanwhile is read, because a full line would stop the command."""
        deadline = time.monotonic() + PATIENCE
        while not come():
            assert time.monotonic() < deadline, f"{what!r} never came: {self.written[-500:]!r}"
            if select.select([self._master], [], [], 0.1)[0]:
                self.written += os.read(self._master, 65536).decode(errors="replace")

    def settings(self) -> object:
        import termios

        return termios.tcgetattr(self._slave)

    def end(self) -> int | None:
        """How it ended by itself. Nothing that it still writes may hold it up, so no `process.wait`."""
        self.wait_for(lambda: self.process.poll() is not None, "the end")
        self.drain()
        return self.process.returncode

    def drain(self) -> None:
        while select.select([self._master], [], [], 0)[0]:
            self.written += os.read(self._master, 65536).decode(errors="replace")

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)
