"""A road to a server that can be closed: what a dead spot does to a phone, whatever its browser tries."""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from threading import Lock, Thread
from typing import Self

PIECE = 65536  # bytes passed on at a time


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
        """Both ways, until one side has no more to say."""
        sink = {line: onward, onward: line}
        with line, onward, suppress(OSError):
            while True:
                for source in select.select([line, onward], [], [])[0]:
                    piece = source.recv(PIECE)
                    if not piece:
                        raise ConnectionError
                    sink[source].sendall(piece)
        with self._lock:
            self._lines -= {line, onward}


def _cut(line: socket.socket) -> None:
    """Both directions at once, so that whoever waits on it wakes up."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
