"""Connections: how many there may be, and how long each may take to ask and to read its answer.

Whoever is too slow is cut off without a word, and whoever has too many open is not let in: an answer would cost more
than it says. A reader that takes nothing holds memory for `write_seconds` at most.

The parser is written in C and has no bounds of its own: it keeps a line of a head, and every request that comes before
its turn, for as long as they go on. So it is fed small pieces, and what it has swallowed without a result is counted.
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
from fivedice.web.http.client_limits import LARGEST_HEAD, SITE_SHARE, Visit, count_down
from fivedice.web.settings import Settings, networks

log = logging.getLogger(__name__)

ACCEPTED_AT_ONCE = 32  # connections between two looks at everything else
# Files that connections leave to the rest: the database, and four batches that were accepted and not yet looked at.
SPARE_FILES = 128 + 4 * ACCEPTED_AT_ONCE
FULL_PAUSE = 60.0  # seconds between two lines in the log about connections that were refused
HEAD_SLACK = 4096  # bytes by which the parser reads on, so that the middleware can say that a head is too long
PIECE = 4096  # bytes that are parsed at once: so many requests may come before their turn as stand in them
MOST_AHEAD = 512 * 1024  # bytes of requests before their turn that are not parsed yet


def _last_answer(status: str, text: str = "") -> bytes:
    """Return a whole answer to what is not a request, guarded like all others; the connection ends with it."""
    headers = {"date": formatdate(usegmt=True), "content-type": "text/plain; charset=utf-8", "connection": "close"}
    headers |= {"content-length": str(len(text.encode())), "cache-control": "no-store"} | HEADERS
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", text]
    return "\r\n".join(lines).encode()


class Doorkeeper:
    """Counts the connections of a process, by client and in all."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        self._each, self._proxies = settings.connections_each, networks(settings.trusted_proxies)
        self._most = most_connections(settings.connections)
        self._open: Counter[str] = Counter()
        self._sites: Counter[str] = Counter()  # the same connections, by larger networks
        self._clock, self._refused, self._next_line = clock, 0, clock()

    def let_in(self, address: str) -> str | None:
        """By which name it is to be let out; None: it has to go."""
        visit = Visit(address)
        client, site = visit.client, visit.site or ""
        full = self._most and self._open.total() >= self._most
        too_many = self._open[client] >= self._each or (site and self._sites[site] >= SITE_SHARE * self._each)
        if full or (self._each and too_many and not self._is_proxy(address)):
            self._note_refused(client)
            return None
        self._open[client] += 1
        self._sites[site] += 1
        return client

    def _note_refused(self, client: str) -> None:
        """Log a line now and then: a flood must not fill the disk."""
        self._refused += 1
        if self._clock() >= self._next_line:
            self._next_line = self._clock() + FULL_PAUSE
            log.warning(
                "%d connections refused, the last one from %s; %d are open", self._refused, client, self._open.total()
            )
            self._refused = 0

    def let_out(self, client: str) -> None:
        count_down(self._open, client)
        count_down(self._sites, Visit(client).site or "")

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
    if soft != hard:
        with suppress(ValueError, OSError):  # some systems have a lower limit that they do not name
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
    if soft == resource.RLIM_INFINITY:
        return wanted
    room = max(int(soft) - SPARE_FILES, int(soft) // 4)
    return min(wanted, room) if wanted else room


class GuardedProtocol(HttpToolsProtocol):
    """HTTP with a time and a measure for everything. `guarded` says which."""

    settings: Settings
    door: Doorkeeper
    _client_name: str | None = None
    _asking: asyncio.TimerHandle | None = None  # until a request has come, whole
    _asks_for: str = ""  # what the clock is for
    _next: str = "head"  # what the parser waits for
    _reading: asyncio.TimerHandle | None = None  # until what was written has been taken
    _swallowed: int = 0  # bytes since the parser last had something to say
    _ahead: bytes = b""  # what has come while requests wait for their turn

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # so that we hear of every byte that is not taken
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
        """As long as nobody waits for an answer before theirs."""
        while self._ahead and not self.pipeline and not self.transport.is_closing():
            piece, self._ahead = self._ahead[:PIECE], self._ahead[PIECE:]
            self._take(piece)
        if len(self._ahead) > MOST_AHEAD:
            self.transport.abort()
        elif self._ahead:
            self.flow.pause_reading()
            self._expect("")  # what is missing may lie here

    def _take(self, piece: bytes) -> None:
        self._swallowed += len(piece)
        super().data_received(piece)
        if self._swallowed > LARGEST_HEAD + HEAD_SLACK and not self.transport.is_closing():
            self.transport.write(_last_answer("431 Request Header Fields Too Large"))  # no sentence
            self.transport.close()
        elif self._swallowed or self._next == "body":  # mostly a request comes whole, and needs no clock
            self._expect(self._next)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._next == "head":  # nobody needs what may come after a body
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._swallowed, self._next = 0, "body"
        if [name for name, _ in self.headers].count(b"host") != 1 and self.parser.get_http_version() == "1.1":
            raise ValueError("host")  # one is needed; the parser says that it is no request
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
