"""The whole server in the process of the test, without a socket: requests from any address, by any person."""

import asyncio
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import httpx
import pytest
from litestar.exceptions import LitestarDeprecationWarning

from fivedice.store.database import open_database
from fivedice.web.app import WebApp
from fivedice.web.http.identity import COOKIE
from fivedice.web.http.settings import Settings
from fivedice.web.live.notifier import Presence
from fivedice.web.services.app_services import AppServices, create_services
from web.stage import Stage, key_of

NO_LIMITS = {
    "hosts": "*",
    "read_rate": 0.0,
    "write_rate": 0.0,
    "work_rate": 0.0,
    "look_rate": 0.0,
    "tables_per_hour": 0,
    "books_per_hour": 0,
    "streams_at_once": 0,
    "megabytes_per_day": 0,
}


class Inside:
    """`with Inside(folder) as server:` and then `server.ask("GET", "/", "Ann")`.

    Bots do not move here, nothing is solved, and a live stream ends as soon as it has begun.
    """

    def __init__(self, folder: Path, **settings: Any) -> None:
        file = folder / "tables.db"
        if not file.exists():
            file.write_bytes(_empty_database())
        chosen = Settings(**({"database": f"sqlite:///{file}", "prepare": False} | NO_LIMITS | settings))
        # Players stay present however long it takes.
        self._services = create_services(chosen, presence=Presence(lambda: 0.0))
        self.app = _app(self._services)
        self._services.notifier.close()
        self._services.solutions.close()
        self.folder = folder
        self.stage = Stage(folder)
        self._loop = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stage.close()
        self._services.tables.store.close()
        self._loop.close()

    def ask(
        self,
        method: str,
        path: str,
        who: str = "",
        *,
        address: str = "127.0.0.1",
        base: str = "http://dice.test",
        **request: Any,
    ) -> httpx.Response:
        """One request; `who` has a browser with a cookie, or is new here."""
        name = COOKIE + self._services.settings.root.replace("/", ".")
        cookies = {f"__Host-{name}" if base.startswith("https:") else name: key_of(who)} if who else {}
        return self._loop.run(self._ask(method, path, cookies, address, base, request))

    def run(self, scope: Any, receive: Any, send: Any) -> None:
        """Call the server as a connection does."""
        self._loop.run(self.app(scope, receive, send))  # type: ignore[arg-type]

    async def _ask(
        self, method: str, path: str, cookies: dict[str, str], address: str, base: str, request: dict[str, Any]
    ) -> httpx.Response:
        way = httpx.ASGITransport(self.app, client=(address, 50_000))
        async with httpx.AsyncClient(transport=way, base_url=base, cookies=cookies) as client:
            return await client.request(method, path, **request)


@cache
def _empty_database() -> bytes:
    """Migrate once per process: it takes a quarter of the time of setting up a server."""
    with TemporaryDirectory() as folder:
        open_database(f"sqlite:///{folder}/tables.db").dispose()
        return (Path(folder) / "tables.db").read_bytes()


def _app(services: AppServices) -> WebApp:
    """The framework would like parameters to be declared in a way that its older versions do not know."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        return WebApp(services)


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """Serve all tests of a module, which assigns it to `server`."""
    with Inside(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Inside]:
    """Serve one test of a module, which assigns it to `server`."""
    with Inside(tmp_path) as server:
        yield server
