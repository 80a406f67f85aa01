"""A process that is ended in the middle of a turn, and the same dice afterwards. On a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fivedice.tui.session import Session, open_tables

FIVEDICE = [sys.executable, "-c", "from fivedice.cli import main; main()"]
PATIENCE = 60


class Terminal:
    """A command on a terminal of its own: what it writes, and keys for it."""

    def __init__(self, *arguments: str, environment: dict[str, str]) -> None:
        self._master, slave = pty.openpty()
        import fcntl
        import struct
        import termios

        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(slave)
        self._slave = slave
        self.process = subprocess.Popen(
            [*FIVEDICE, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        self.written = ""

    def press(self, key: str) -> None:
        os.write(self._master, key.encode())

    def read_until(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in self.written:
            assert time.monotonic() < deadline, f"{text!r} never came: {self.written[-500:]!r}"
            if select.select([self._master], [], [], 0.1)[0]:
                self.written += os.read(self._master, 65536).decode(errors="replace")

    def settings(self) -> object:
        import termios

        return termios.tcgetattr(self._slave)

    def drain(self) -> None:
        while select.select([self._master], [], [], 0)[0]:
            self.written += os.read(self._master, 65536).decode(errors="replace")

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def environment(data_folder: Path) -> dict[str, str]:
    return {**os.environ, "FIVEDICE_DATA": str(data_folder), "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}


def lying() -> tuple[int, ...]:
    tables = open_tables()
    try:
        return Session.resume(tables, None).state.slots
    finally:
        tables.store.close()


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM, "ctrl-c"])
def test_ended_in_the_middle_of_a_turn(environment, way):
    terminal = Terminal("play", "yahtzee", "Ann", "--seed", "1", environment=environment)
    terminal.read_until("Your turn")
    terminal.press("r")
    terminal.read_until("Roll 1 of 3")
    dice = lying()
    if way == "ctrl-c":
        terminal.press("\x03")
    else:
        terminal.process.send_signal(way)
    code = terminal.process.wait(PATIENCE)
    terminal.drain()
    assert len(dice) == 5
    assert lying() == dice
    assert "Traceback" not in terminal.written
    if way != signal.SIGKILL:
        assert code == 0
        assert "\x1b[?1049l" in terminal.written, "back from the other screen"
        assert "Continue with: fivedice play --resume" in terminal.written
        assert terminal.settings() == terminal.before
    terminal.close()
    again = Terminal("play", "--resume", environment=environment)
    again.read_until("Roll 1 of 3")
    again.press("q")
    assert again.process.wait(PATIENCE) == 0
    again.close()
