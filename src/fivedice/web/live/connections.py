"""Limits on connections: how many, and how long each may take to send a request and to read the response.

A slow connection, and one beyond the limit, is closed without a response: sending one would cost too much. A client
that reads nothing holds memory for at most `write_seconds`.

The parser is written in C and has no limits: it stores header lines and pipelined requests of any length. So it gets
small pieces, and we count the bytes that it has taken without a result.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from importlib import import_module
from ipaddress import ip_address
from time import monotonic
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fivedice.web.http.answers import HEADERS
from fivedice.web.http.client_limits import LARGEST_HEAD, SITE_SHARE, RequestContext, count_down
from fivedice.web.http.settings import Settings, networks

log = logging.getLogger(__name__)

ACCEPTED_AT_ONCE = 32  # connections per turn of the event loop
# Files reserved for other uses: the database, and four batches of accepted connections that are not counted yet.
SPARE_FILES = 128 + 4 * ACCEPTED_AT_ONCE
FULL_PAUSE = 60.0  # seconds between two log lines about refused connections
HEAD_SLACK = 4096  # extra bytes for the parser, so that the middleware can refuse a long head with a message
PIECE = 4096  # bytes parsed at once, which also limits how many pipelined requests are parsed
MOST_AHEAD = 512 * 1024  # bytes of pipelined requests that are not parsed yet


def _last_answer(status: str, text: str = "") -> bytes:
    """Return a complete response to an invalid request, with the security headers; it closes the connection."""
    headers = {"date": formatdate(usegmt=True), "content-type": "text/plain; charset=utf-8", "connection": "close"}
    headers |= {"content-length": str(len(text.encode())), "cache-control": "no-store"} | HEADERS
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", text]
    return "\r\n".join(lines).encode()


class ConnectionLimiter:
    """Counts the connections of a process, per client and in total."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._each, self._proxies = settings.connections_each, networks(settings.trusted_proxies)
        self._most = most_connections(settings.connections)
        self._open: Counter[str] = Counter()
        self._sites: Counter[str] = Counter()  # the same connections by site
        self._clock, self._refused, self._next_line = clock, 0, clock()

    def let_in(self, address: str) -> str | None:
        """Count a connection and return its client for `let_out`; None if it is refused."""
        context = RequestContext(address)
        client, site = context.client, context.site or ""
        full = self._most and self._open.total() >= self._most
        too_many = self._open[client] >= self._each or (site and self._sites[site] >= SITE_SHARE * self._each)
        if full or (self._each and too_many and not self._is_proxy(address)):
            self._note_refused(client)
            return None
        self._open[client] += 1
        self._sites[site] += 1
        return client

    def _note_refused(self, client: str) -> None:
        """Log refused connections at most once a minute, so that a flood cannot fill the disk."""
        self._refused += 1
        if self._clock() >= self._next_line:
            self._next_line = self._clock() + FULL_PAUSE
            log.warning(
                "%d connections refused, the last one from %s; %d are open", self._refused, client, self._open.total()
            )
            self._refused = 0

    def let_out(self, client: str) -> None:
        count_down(self._open, client)
        count_down(self._sites, RequestContext(client).site or "")

    def _is_proxy(self, address: str) -> bool:
        """Return whether this is a trusted proxy, which has to limit its own clients."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


def most_connections(wanted: int) -> int:
    """Return the limit on connections, at most the number of files that the system allows."""
    try:
        resource = import_module("resource")
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with suppress(ValueError, OSError):  # some systems have a lower, hidden limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    if soft == resource.RLIM_INFINITY:
        return wanted
    room = max(int(soft) - SPARE_FILES, int(soft) // 4)
    return min(wanted, room) if wanted else room


class GuardedProtocol(HttpToolsProtocol):
    """HTTP with limits on time and size. `guarded_protocol` sets the limits."""

    settings: Settings
    door: ConnectionLimiter
    _client_name: str | None = None
    _asking: asyncio.TimerHandle | None = None  # runs until a request is complete
    _asks_for: str = ""  # what `_asking` waits for
    _next: str = "head"  # what the parser expects
    _reading: asyncio.TimerHandle | None = None  # runs until the client has read what was written
    _swallowed: int = 0  # bytes since the last callback of the parser
    _ahead: bytes = b""  # received while earlier requests are being answered

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # pause_writing is called for every unread byte
        self._client_name = self.door.let_in(self.client[0] if self.client else "")
        if self._client_name is None:
            transport.abort()
        else:
            self._expect("head")

    def send_400_response(self, msg: str) -> None:
        self.transport.write(_last_answer("400 Bad Request", msg))  # no sentence
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._client_name is not None:
            self.door.let_out(self._client_name)
            self._client_name = None
        self._expect("")
        self._stop_reading_clock()
        self._ahead = b""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if len(data) > PIECE or self._ahead:
            self._ahead += data
            self._take_pieces()
        else:
            self._take(data)

    def _take_pieces(self) -> None:
        """Parse what was received until a request has to wait for an earlier one."""
        while self._ahead and not self.pipeline and not self.transport.is_closing():
            piece, self._ahead = self._ahead[:PIECE], self._ahead[PIECE:]
            self._take(piece)
        if len(self._ahead) > MOST_AHEAD:
            self.transport.abort()
        elif self._ahead:
            self.flow.pause_reading()
            self._expect("")  # the rest of the request may be in here

    def _take(self, piece: bytes) -> None:
        self._swallowed += len(piece)
        super().data_received(piece)
        if self._swallowed > LARGEST_HEAD + HEAD_SLACK and not self.transport.is_closing():
            self.transport.write(_last_answer("431 Request Header Fields Too Large"))  # no sentence
            self.transport.close()
        elif self._swallowed or self._next == "body":  # most requests arrive complete and need no timer
            self._expect(self._next)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._next == "head":  # ignore trailers after a body
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._swallowed, self._next = 0, "body"
        if [name for name, _ in self.headers].count(b"host") != 1 and self.parser.get_http_version() == "1.1":
            raise ValueError("host")  # exactly one is required; the parser reports an invalid request
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._swallowed = 0

    def on_body(self, body: bytes) -> None:
        self._swallowed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._swallowed, self._next = 0, "head"
        self._expect("")
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._ahead:
            self._take_pieces()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reading is None and self.settings.write_seconds:
            self._reading = self.loop.call_later(self.settings.write_seconds, self._cut)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_reading_clock()

    def _expect(self, what: str) -> None:
        """Start the timer for a head or a body unless it is running; "" stops it."""
        if what == self._asks_for:
            return
        if self._asking is not None:
            self._asking.cancel()
        seconds = {"head": self.settings.head_seconds, "body": self.settings.body_seconds}.get(what, 0.0)
        self._asks_for = what
        self._asking = self.loop.call_later(seconds, self.transport.abort) if seconds else None

    def _cut(self) -> None:
        """Close the connection at once and discard unsent data, which the system would keep for minutes."""
        found = self.transport.get_extra_info("socket")
        if found is not None:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _stop_reading_clock(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def guarded_protocol(settings: Settings) -> type[GuardedProtocol]:
    """Return the protocol class for a server with these settings."""
    own: dict[str, Any] = {"settings": settings, "door": ConnectionLimiter(settings)}
    return type("Guarded", (GuardedProtocol,), own)
