"""Connections: how many there may be, and how long each may take to ask and to read its answer.

Whoever is too slow is cut off without a word, and whoever has too many open is not let in: an answer would cost more
than it says. A reader that takes nothing holds memory for `write_seconds` at most.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from importlib import import_module
from ipaddress import ip_address
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fivedice.web.http.client_limits import Visit
from fivedice.web.settings import Settings, networks

SPARE_FILES = 64  # for the database and everything else that a process has open


class Doorkeeper:
    """Counts the connections of a process, by client and in all."""

    def __init__(self, settings: Settings) -> None:
        self._each, self._proxies = settings.connections_each, networks(settings.trusted_proxies)
        self._most = most_connections(settings.connections)
        self._open: Counter[str] = Counter()

    def let_in(self, address: str) -> str | None:
        """By which name it is to be let out; None: it has to go."""
        client = Visit(address).client
        if self._most and self._open.total() >= self._most:
            return None
        if self._each and self._open[client] >= self._each and not self._is_proxy(address):
            return None
        self._open[client] += 1
        return client

    def let_out(self, client: str) -> None:
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]

    def _is_proxy(self, address: str) -> bool:
        """A proxy brings everybody; it has to count them itself."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


def most_connections(wanted: int) -> int:
    """Never more than there are files: where none is left, accepting fails again and again and fills the log."""
    try:
        resource = import_module("resource")
    except ImportError:  # Windows knows no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard and hard != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    room = int(soft) - SPARE_FILES
    return min(wanted, room) if wanted else room


class GuardedProtocol(H11Protocol):
    """HTTP with a time for everything. `guarded` says which."""

    settings: Settings
    door: Doorkeeper
    _client_name: str | None = None
    _asking: asyncio.TimerHandle | None = None  # until a request has come, whole
    _asks_for: str = ""
    _reading: asyncio.TimerHandle | None = None  # until what was written has been taken

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that we hear of every byte that is not taken
        self._client_name = self.door.let_in(self.client[0] if self.client else "")
        if self._client_name is None:
            transport.abort()
        else:
            self._expect("head")

    def connection_lost(self, exc: Exception | None) -> None:
        if self._client_name is not None:
            self.door.let_out(self._client_name)
            self._client_name = None
        self._expect("")
        self._stop_reading_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._asks_for and self._is_idle():
            self._expect("head")  # the first bytes of the next request on a line that was kept open
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._expect("body")
        elif not self._is_idle():
            self._expect("")

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._asks_for == "body" and self._is_idle():
            self._expect("")

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reading is None and self.settings.write_seconds:
            self._reading = self.loop.call_later(self.settings.write_seconds, self._cut)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_reading_clock()

    def _is_idle(self) -> bool:
        """Whether the head of a request is what comes next."""
        return self.conn.their_state is h11.IDLE

    def _expect(self, what: str) -> None:
        """Start the clock for a head or a body, once; nothing stops it."""
        if what == self._asks_for:
            return
        if self._asking is not None:
            self._asking.cancel()
        seconds = {"head": self.settings.head_seconds, "body": self.settings.body_seconds}.get(what, 0.0)
        self._asks_for = what
        self._asking = self.loop.call_later(seconds, self.transport.abort) if seconds else None

    def _cut(self) -> None:
        """At once, with what the system has still to send: it would keep that for minutes."""
        found = self.transport.get_extra_info("socket")
        if found is not None:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _stop_reading_clock(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def guarded(settings: Settings) -> type[GuardedProtocol]:
    """The protocol for a server with these settings."""
    own: dict[str, Any] = {"settings": settings, "door": Doorkeeper(settings)}
    return type("Guarded", (GuardedProtocol,), own)
