"""A proxy in front of a server that can be shut, answer late, refuse, or lose answers, as networks and servers do."""

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
SHUT = -1


class Gate:
    """Passes everything on to a port of the loopback, until it is shut: then every line is cut and none is taken."""

    def __init__(self, port: int) -> None:
        self._beyond = ("127.0.0.1", port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._lines: set[socket.socket] = set()
        self._status = 0  # with which requests are refused here; 0 passes them on
        self._most: int | None = None  # bytes of answers that come through on one line
        self.late = LATENCY
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
        self._become(SHUT)

    def refuse(self, status: int) -> None:
        """Answer every request with this status; the server hears of none."""
        self._become(status)

    def break_off(self, most: int = 0) -> None:
        """Accept requests, and cut each connection after that many bytes of answers."""
        self._become(0, most)

    def open(self) -> None:
        """Pass everything on; lines that pass everything on already stay."""
        with self._lock:
            if self._most is None and self._status in {0, SHUT}:
                self._status = 0
                return
        self._become(0)

    def _become(self, status: int, most: int | None = None) -> None:
        with self._lock:
            self._status, self._most = status, most
            for line in self._lines:
                _cut(line)
            self._lines.clear()

    def _take(self) -> None:
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:  # closed: the test is over
                return
            self._lead_on(line)

    def _lead_on(self, line: socket.socket) -> None:
        with self._lock:
            if self._status == SHUT:
                line.close()
                return
            if self._status:
                Thread(target=_refuse, args=(line, self._status), daemon=True).start()
                return
            try:
                onward = socket.create_connection(self._beyond)
            except OSError:  # the server is down
                line.close()
                return
            self._lines |= {line, onward}
        Thread(target=self._pass_on, args=(line, onward, self._most), daemon=True).start()

    def _pass_on(self, line: socket.socket, onward: socket.socket, most: int | None) -> None:
        """Pass bytes both ways until one side closes; what the server sends waits for its time."""
        late: deque[tuple[float, bytes]] = deque()
        with line, onward, suppress(OSError):
            while True:
                wait = max(0.0, late[0][0] - time.monotonic()) if late else None
                ready = select.select([line, onward], [], [], wait)[0]
                if line in ready:
                    onward.sendall(_read(line))
                if onward in ready:
                    late.append((time.monotonic() + self.late, _read(onward)))
                while late and late[0][0] <= time.monotonic():
                    most = _pass_some(line, late.popleft()[1], most)
        with self._lock:
            self._lines -= {line, onward}


def _pass_some(line: socket.socket, piece: bytes, most: int | None) -> int | None:
    """Send what may still come through and return how much may come after it; raise ConnectionError at the end."""
    line.sendall(piece if most is None else piece[:most])
    if most is not None and len(piece) >= most:
        raise ConnectionError
    return None if most is None else most - len(piece)


def _refuse(line: socket.socket, status: int) -> None:
    """Read one request to its end and answer it."""
    with line, suppress(OSError):
        line.settimeout(5)  # a browser opens lines that it may never use
        request = b""
        while b"\r\n\r\n" not in request:
            request += _read(line)
        head, _, body = request.partition(b"\r\n\r\n")
        lengths = [int(field[15:]) for field in head.lower().split(b"\r\n") if field.startswith(b"content-length:")]
        while len(body) < sum(lengths):
            body += _read(line)
        line.sendall(f"HTTP/1.1 {status} Unwell\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())


def _read(source: socket.socket) -> bytes:
    piece = source.recv(PIECE)
    if not piece:
        raise ConnectionError
    return piece


def _cut(line: socket.socket) -> None:
    """Close both directions, so that waiting peers wake up."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
