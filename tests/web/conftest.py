"""One real server for the tests of this folder, and people who call it.

They wait for an answer as long as a test may take: a page may wait for a job of a minute, and for others before it.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import httpx
import pytest

from time_limit import SECONDS
from web.served import folder, server, stage
from web.serving import NO_CERTIFICATES, Serving
from web.stage import key_of

__all__ = ["Caller", "caller", "folder", "program", "server", "stage"]

Caller = Callable[[str], httpx.Client]


@pytest.fixture
def caller(server: Serving) -> Iterator[Caller]:
    """Return browsers: `caller("")` is new here, `caller("Ann")` is the Ann of the staged tables."""
    with ExitStack() as clients:

        def come(name: str) -> httpx.Client:
            cookies = {"fivedice_player": key_of(name)} if name else {}
            client = httpx.Client(base_url=server.url, cookies=cookies, timeout=SECONDS, verify=NO_CERTIFICATES)
            return clients.enter_context(closing(client))

        yield come


@pytest.fixture
def program(server: Serving) -> Iterator[Caller]:
    """Return programs, which have a key and no browser."""
    with ExitStack() as clients:

        def come(name: str) -> httpx.Client:
            headers = {"authorization": f"Bearer {key_of(name)}"} if name else {}
            address = f"{server.url}/api"
            client = httpx.Client(base_url=address, headers=headers, timeout=SECONDS, verify=NO_CERTIFICATES)
            return clients.enter_context(closing(client))

        yield come
