"""Connections of a real server: streams end with their reader."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from web.serving import NO_LIMITS, Serving
from web.stage import Stage
from web.waiting import ask_until


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("streams")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    with Serving(folder, settings=NO_LIMITS | {"FIVEDICE_STREAMS_AT_ONCE": "2"}) as serving:
        yield serving


def test_stream_ends_when_its_reader_leaves(server: Serving, folder: Path) -> None:
    stage = Stage(folder)
    address = f"{server.url}{stage.put(stage.scene('yatzy', 'Ann').start())}/live"
    stage.close()
    with ExitStack() as open_pages, httpx.Client(timeout=20) as client:
        pages = [open_pages.enter_context(client.stream("GET", address)) for _ in range(2)]
        lines = [page.iter_lines() for page in pages]  # kept: a reader that is forgotten hangs up
        assert [next(begun) for begun in lines] == ["retry: 2000"] * 2
        with client.stream("GET", address) as third:
            assert (third.status_code, third.headers["retry-after"]) == (429, "30")
            assert "Close some" in third.read().decode()
        assert "fivedice_live_streams 2.0" in client.get(f"{server.url}/metrics").text
    # The server hears of it a moment later.
    ask_until(lambda answer: "fivedice_live_streams 0.0" in answer.text, lambda: httpx.get(f"{server.url}/metrics"))
    with httpx.stream("GET", address) as again:
        assert again.status_code == 200
    assert httpx.head(f"{server.url}/health").status_code == 200


def test_endless_headers_are_cut_off(server: Serving) -> None:
    """Any client can send them before a limit applies."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        line.sendall(b"X-Filler: " + b"a" * 150_000)  # and not yet the end of the line
        assert line.recv(100).startswith(b"HTTP/1.1 431 ")
