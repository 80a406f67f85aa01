"""A proxy in front of a server that can be shut, as in a dead spot, or answer late, as on a slow network."""

from __future__ import annotations

import os
import select
import socket
import time
from collections import deque
from contextlib import suppress
from threading import Lock, Thread
from typing import Self

PIECE = 65536  # bytes passed on at a time
LATENCY = float(os.environ.get("FIVEDICE_TEST_LATENCY", "0"))  # seconds by which every answer is late


class Gate:
    """Passes everything on to a port of the loopback, until it is shut: then every line is cut and none is taken."""

    def __init__(self, port: int) -> None:
        self._beyond = ("127.0.0.1", port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._lines: set[socket.socket] = set()
        self._shut = False
        self.url = f"http://localhost:{self._door.getsockname()[1]}"

    def __enter__(self) -> Self:
        Thread(target=self._take, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shut()
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def shut(self) -> None:
        with self._lock:
            self._shut = True
            for line in self._lines:
                _cut(line)
            self._lines.clear()

    def open(self) -> None:
        with self._lock:
            self._shut = False

    def _take(self) -> None:
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:  # closed: the test is over
                return
            self._lead_on(line)

    def _lead_on(self, line: socket.socket) -> None:
        with self._lock:
            if self._shut:
                line.close()
                return
            onward = socket.create_connection(self._beyond)
            self._lines |= {line, onward}
        Thread(target=self._pass_on, args=(line, onward), daemon=True).start()

    def _pass_on(self, line: socket.socket, onward: socket.socket) -> None:
        """Pass bytes both ways until one side closes; what the server sends waits for its time."""
        late: deque[tuple[float, bytes]] = deque()
        with line, onward, suppress(OSError):
            while True:
                wait = max(0.0, late[0][0] - time.monotonic()) if late else None
                ready = select.select([line, onward], [], [], wait)[0]
                if line in ready:
                    onward.sendall(_read(line))
                if onward in ready:
                    late.append((time.monotonic() + LATENCY, _read(onward)))
                while late and late[0][0] <= time.monotonic():
                    line.sendall(late.popleft()[1])
        with self._lock:
            self._lines -= {line, onward}


def _read(source: socket.socket) -> bytes:
    piece = source.recv(PIECE)
    if not piece:
        raise ConnectionError
    return piece


def _cut(line: socket.socket) -> None:
    """Both directions at once, so that whoever waits on it wakes up."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
