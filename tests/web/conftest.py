"""One real server for the tests of this folder, and people who call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from web.serving import Serving
from web.stage import Stage, key_of

Caller = Callable[[str], httpx.Client]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Serving]:
    with Serving(folder) as serving:
        yield serving


@pytest.fixture(scope="session")
def stage(server: Serving, folder: Path) -> Iterator[Stage]:  # noqa: ARG001 - the server makes the database
    stage = Stage(folder)
    yield stage
    stage.close()


@pytest.fixture
def caller(server: Serving) -> Iterator[Caller]:
    """Somebody with a browser: `caller("")` is new here, `caller("Ann")` is the Ann of the staged tables."""
    clients: list[httpx.Client] = []

    def come(name: str) -> httpx.Client:
        cookies = {"fivedice_player": key_of(name)} if name else {}
        clients.append(httpx.Client(base_url=server.url, cookies=cookies, timeout=30))
        return clients[-1]

    yield come
    for client in clients:
        client.close()


@pytest.fixture
def program(server: Serving) -> Iterator[Caller]:
    """Somebody with a key and no browser."""
    clients: list[httpx.Client] = []

    def come(name: str) -> httpx.Client:
        headers = {"authorization": f"Bearer {key_of(name)}"} if name else {}
        clients.append(httpx.Client(base_url=f"{server.url}/api", headers=headers, timeout=30))
        return clients[-1]

    yield come
    for client in clients:
        client.close()
