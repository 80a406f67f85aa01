"""Slow and idle clients: time limits for head, body and reading, and bounded connections."""

import asyncio
import os
import re
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

from fivedice.web.http.answers import HEADERS
from fivedice.web.http.client_limits import LARGEST_HEAD
from fivedice.web.http.settings import Settings
from fivedice.web.live import connections
from fivedice.web.live.connections import ConnectionLimiter, guarded_protocol, most_connections
from for_each import for_each
from web.inside import Inside
from web.serving import NO_LIMITS, Serving

PATIENCE = 60.0  # before a test gives up
QUICK = {"FIVEDICE_HEAD_SECONDS": "0.5", "FIVEDICE_BODY_SECONDS": "0.5", "FIVEDICE_WRITE_SECONDS": "0.5"}
MOST = 5


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = NO_LIMITS | QUICK | {"FIVEDICE_CONNECTIONS_EACH": str(MOST)}
    with Serving(tmp_path_factory.mktemp("strict"), settings=settings) as server:
        yield server


@pytest.fixture
def line(strict: Serving) -> Iterator[socket.socket]:
    with closing(socket.create_connection(("127.0.0.1", strict.port), PATIENCE)) as line:
        yield line


def ended(line: socket.socket) -> bool:
    try:
        return line.recv(100) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nhost: x\r\n"], ids=["nothing", "half a head"])
def test_missing_head_times_out(line: socket.socket, said: bytes) -> None:
    line.sendall(said)
    assert ended(line)


def test_missing_next_head_or_body_times_out(line: socket.socket) -> None:
    """Also after an answer, when the line is kept open for more."""
    line.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
    while b'"version"' not in line.recv(10_000):
        pass
    line.sendall(b"GET /hea")
    assert ended(line)
    form = b"content-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n"
    line.sendall(b"POST /verify HTTP/1.1\r\nhost: localhost\r\n" + form + b"\r\nrecord=")
    assert ended(line)


FRAMED_TWICE = {
    "a length and pieces": b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "pieces and a length": b"transfer-encoding: chunked\r\ncontent-length: 40\r\n\r\n0\r\n\r\n",
    "two lengths": b"content-length: 0\r\ncontent-length: 40\r\n\r\n",
    "a length with a sign": b"content-length: +0\r\n\r\n",
    "an unknown coding": b"transfer-encoding: xchunked\r\ncontent-length: 40\r\n\r\n",
    "a space before the colon": b"transfer-encoding : chunked\r\ncontent-length: 40\r\n\r\n",
    "a line that goes on": b"transfer-encoding:\r\n chunked\r\ncontent-length: 40\r\n\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", FRAMED_TWICE)
def test_request_framing_is_unambiguous(line: socket.socket, name: str) -> None:
    """Chunks win over a length, or the request is refused and closed: nothing is smuggled."""
    line.sendall(b"POST /verify HTTP/1.1\r\nhost: localhost\r\n" + FRAMED_TWICE[name])
    line.sendall(b"GET /smuggled HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
    said = b""
    with suppress(ConnectionResetError):
        while more := line.recv(65536):
            said += more
    answers = re.findall(rb"HTTP/1\.1 (\d+)", said)
    read_as_pieces = answers == [b"422", b"404"] and b"chunked" in FRAMED_TWICE[name]
    assert answers == [b"400"] or read_as_pieces, answers


def test_unread_answer_is_dropped(strict: Serving) -> None:
    """The server lets go of it, and of its memory."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(PATIENCE)
        line.connect(("127.0.0.1", strict.port))
        line.sendall(b"GET /schema/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n" * 200)
        watch = select.poll()
        watch.register(line, select.POLLHUP | select.POLLERR)  # not for what there is to read
        assert watch.poll(1000 * PATIENCE), "cut off"


def test_connections_per_client_are_bounded(strict: Serving) -> None:
    with ExitStack() as stack:

        def another() -> socket.socket:
            line = socket.create_connection(("127.0.0.1", strict.port), PATIENCE)
            line.sendall(b"GET /api/tables/x/live HTTP/1.1\r\n")  # the head is not over
            return stack.enter_context(closing(line))

        lines = [another() for _ in range(MOST)]
        assert ended(another()), "one too many"
        for line in lines:
            line.close()
        assert httpx.get(f"{strict.url}/health", timeout=PATIENCE).status_code == 200


def test_connection_limits_count_addresses_and_networks() -> None:
    door = ConnectionLimiter(Settings(connections_each=2, connections=4, trusted_proxies="10.0.0.0/8"))
    names = [door.let_in("192.0.2.1") for _ in range(3)]
    assert names == ["192.0.2.1", "192.0.2.1", None]
    assert [door.let_in("10.0.0.1") for _ in range(3)] == ["10.0.0.1", "10.0.0.1", None], "four in all"
    for name in ("192.0.2.1", "192.0.2.1", "10.0.0.1"):
        door.let_out(name)
    assert [door.let_in("10.0.0.1") for _ in range(3)] == ["10.0.0.1"] * 3, "a proxy brings everybody"
    assert set(door._open) == {"10.0.0.1"}, "a client that has left is forgotten"
    door = ConnectionLimiter(Settings(connections_each=2))
    names = [door.let_in(f"2001:db8:1:{number:x}::1") for number in range(20)]
    assert [name for name in names if name] == [
        f"2001:db8:1:{number:x}::" if number else "2001:db8:1::" for number in range(8)
    ]
    assert door.let_in("2001:db8:2::1")
    door.let_out("2001:db8:1:3::")
    assert door.let_in("2001:db8:1:ff::1"), "one place is free again"


def test_file_limits_are_reserved_and_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (1024, 1024))
    assert most_connections(8000) == most_connections(0) == 1024 - connections.SPARE_FILES
    assert most_connections(100) == 100
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 4096))
    monkeypatch.setattr("resource.setrlimit", lambda _, limits: raised.append(limits))
    assert most_connections(0) == 4096 - connections.SPARE_FILES
    assert raised == [(4096, 4096)]

    def forbid(*_: object) -> None:
        raise ValueError("not allowed")

    monkeypatch.setattr("resource.setrlimit", forbid)
    assert most_connections(0) == 256 // 4


def test_refused_connections_are_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    door = ConnectionLimiter(Settings(connections_each=1), clock=lambda: now[0])
    door.let_in("192.0.2.1")
    for now[0] in (0.0, 1.0, 59.0, 60.0, 61.0):
        assert door.let_in("192.0.2.1") is None
    assert [line.getMessage().split(",")[0] for line in caplog.records] == [
        "1 connections refused",
        "3 connections refused",
    ]


def test_connection_flood_uses_up_no_files(tmp_path: Path) -> None:
    """All come at once, more than there are files: accepting failed, thousands of times in the log."""
    python, log = tmp_path / "python", tmp_path / "log"
    python.write_text(f'#!/bin/sh\nulimit -n 320\nexec {sys.executable} "$@" 2>{log}\n')
    python.chmod(0o700)
    settings = NO_LIMITS | {"FIVEDICE_CONNECTIONS_EACH": "20", "FIVEDICE_PREPARE": "no"}
    with Serving(tmp_path, settings=settings, python=str(python)) as server, ExitStack() as stack:
        os.kill(server.pid, signal.SIGSTOP)
        for _ in range(600):
            line = socket.create_connection(("127.0.0.1", server.port), PATIENCE, ("127.0.0.2", 0))
            stack.enter_context(closing(line))
        os.kill(server.pid, signal.SIGCONT)
        assert httpx.get(f"http://127.0.0.1:{server.port}/health", timeout=PATIENCE).status_code == 200
    assert "Traceback" not in log.read_text()
    assert log.read_text().count("connections refused") == 1


def test_header_limit_is_exact(tmp_path: Path) -> None:
    with Inside(tmp_path) as server:

        def ask(size: int) -> httpx.Response:
            return server.ask("GET", "/help", headers={"x-long": "x" * size})

        low, high = 0, LARGEST_HEAD
        while high - low > 1:  # what else a client sends is its own business
            middle = (low + high) // 2
            low, high = (middle, high) if ask(middle).status_code == 200 else (low, middle)
        sent = ask(low).request
        size = sum(len(name) + len(value) + 4 for name, value in sent.headers.raw) + len("/help")
        assert size == LARGEST_HEAD
        assert ask(high).status_code == 431
        assert "at most 16 KiB" in ask(high).text


class Wire(asyncio.Transport):
    """The other end of a connection, without a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.sent, self.ended = bytearray(), False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return {"peername": ("192.0.2.1", 50_000), "sockname": ("127.0.0.1", 80)}.get(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def is_closing(self) -> bool:
        return self.ended

    def close(self) -> None:
        self.ended = True

    abort = close

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing is buffered here."""

    def pause_reading(self) -> None:
        """The test goes on all the same."""

    resume_reading = pause_reading


class Talk:
    """A connection to an application that answers with the path, when it is let."""

    def __init__(self) -> None:
        self.free, self.wire = asyncio.Event(), Wire()
        self.free.set()
        config = uvicorn.Config(self._answer, interface="asgi3", lifespan="off", ws="none", log_config=None)
        self.line = guarded_protocol(Settings())(config=config, server_state=ServerState(), app_state={})
        self.line.connection_made(self.wire)

    async def _answer(self, scope: Any, _: Any, send: Any) -> None:
        await self.free.wait()
        body = scope["path"].encode() + b";"
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def settle(self, until: bytes) -> bytes:
        while until not in self.wire.sent:
            await asyncio.sleep(0)
        return bytes(self.wire.sent)


HEAD = b"POST /x HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"


def test_invalid_request_gets_a_guarded_answer() -> None:
    async def talk() -> bytes:
        talk = Talk()
        talk.line.data_received(b"\x00\x01 nonsense\r\n\r\n")
        assert talk.wire.is_closing()
        return bytes(talk.wire.sent)

    head, _, body = asyncio.run(talk()).partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert first == "HTTP/1.1 400 Bad Request"
    assert headers.items() >= HEADERS.items()
    assert (int(headers["content-length"]), headers["date"][-3:]) == (len(body), "GMT")


@for_each(
    "begun",
    [b"GET /", b"GET / HTTP/1.1\r\nx: ", b"\r\n", HEAD + b"0\r\nx: ", HEAD + b"1;x="],
    ids=["address", "header", "nothing", "trailer", "extension"],
)
def test_unfinished_input_is_bounded(begun: bytes) -> None:
    """The parser would otherwise keep or read unfinished input without end."""
    more = b"\r\n" * 500 if begun == b"\r\n" else b"a" * 1000

    async def talk() -> int:
        talk = Talk()
        talk.line.data_received(begun)
        sent = 0
        while not talk.wire.is_closing() and sent < 1_000_000:
            talk.line.data_received(more)
            sent += len(more)
        assert b"HTTP/1.1 431 " in talk.wire.sent
        assert b"\r\nx-content-type-options: nosniff\r\n" in talk.wire.sent
        return sent

    assert LARGEST_HEAD < asyncio.run(talk()) <= LARGEST_HEAD + connections.HEAD_SLACK + 1000


def test_pipelined_requests_are_answered_in_order() -> None:
    asked = [b"/%d" % number for number in range(2000)]

    async def talk() -> bytes:
        talk = Talk()
        talk.free.clear()
        talk.line.data_received(b"".join(b"GET %s HTTP/1.1\r\nhost: x\r\n\r\n" % path for path in asked))
        assert 0 < len(talk.line.pipeline) < 200
        talk.free.set()
        return await talk.settle(b"/1999;")

    answers = asyncio.run(talk())
    assert [part.rpartition(b"\n")[2] for part in answers.split(b";")[:-1]] == asked


def test_endless_pipelining_is_cut_off() -> None:
    async def talk() -> int:
        talk, sent = Talk(), 0
        talk.free.clear()
        while not talk.wire.is_closing():
            talk.line.data_received(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n" * 1000)
            sent += 29_000
        return sent

    assert asyncio.run(talk()) < connections.MOST_AHEAD + 100_000


@for_each("hosts", [b"", b"host: a\r\nhost: b\r\n"], ids=["none", "two"])
def test_request_names_its_host_once(hosts: bytes) -> None:
    async def talk() -> bytes:
        talk = Talk()
        talk.line.data_received(b"GET / HTTP/1.1\r\n" + hosts + b"\r\n")
        return bytes(talk.wire.sent)

    assert asyncio.run(talk()).startswith(b"HTTP/1.1 400 ")


def test_bytes_after_a_body_are_not_headers() -> None:
    async def talk() -> bytes:
        talk = Talk()
        talk.line.data_received(HEAD + b"1\r\nx\r\n0\r\nhost: elsewhere\r\n\r\n")
        assert (b"host", b"elsewhere") not in talk.line.headers
        return await talk.settle(b"/x;")

    assert asyncio.run(talk()).startswith(b"HTTP/1.1 200 ")


def test_connection_is_reused_after_an_answer() -> None:
    async def talk() -> None:
        talk = Talk()
        for path in (b"/one", b"/two"):
            talk.line.data_received(b"GET %b HTTP/1.1\r\nhost: x\r\n\r\n" % path)
            assert talk.line.timeout_keep_alive_task is None
            await talk.settle(path + b";")
            assert talk.line.timeout_keep_alive_task is not None
        assert bytes(talk.wire.sent).count(b"HTTP/1.1 200 OK") == 2
        assert not talk.wire.is_closing()

    asyncio.run(talk())


@for_each("why", ["the last one", "nobody there", "a full pipe"])
def test_answers_are_sent_at_most_once(why: str) -> None:
    """To a client that closes afterwards, one that has hung up, and one that reads slowly."""

    async def talk() -> None:
        talk = Talk()
        talk.free.clear()
        close = b"connection: close\r\n" if why == "the last one" else b""
        talk.line.data_received(b"GET /one HTTP/1.1\r\nhost: x\r\n%b\r\n" % close)
        await asyncio.sleep(0)
        if why == "nobody there":
            talk.line.connection_lost(None)
        elif why == "a full pipe":
            talk.line.pause_writing()
        talk.free.set()
        for _ in range(20):
            await asyncio.sleep(0)
        assert bool(talk.wire.sent) == (why == "the last one")
        if why == "nobody there":
            return
        talk.line.resume_writing()
        sent = await talk.settle(b"/one;")
        assert sent.count(b"HTTP/1.1") == 1
        assert talk.wire.is_closing() == (why == "the last one")

    asyncio.run(talk())
