"""Real servers on either kind of database: one process on a SQLite file, two on PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from long import LONG
from sharing.play import caller
from web.serving import Serving

Doors = Callable[..., list[httpx.Client]]


# `make test` kills and races servers on SQLite in tests/crash; the campaigns do so here too.
DATABASES = ["sqlite", "postgresql"] if LONG else ["postgresql"]


@pytest.fixture(scope="module", params=DATABASES)
def servers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Serving]]:
    """Every place where a player of one table may be connected."""
    folder = tmp_path_factory.mktemp("shared")
    urls = [""] if request.param == "sqlite" else [request.getfixturevalue("postgres").database()] * 2
    with ExitStack() as stack:
        yield [stack.enter_context(Serving(_own(folder, number), database=url)) for number, url in enumerate(urls)]


def _own(folder: Path, number: int) -> Path:
    (folder / str(number)).mkdir()
    return folder / str(number)


@pytest.fixture
def doors(servers: list[Serving]) -> Iterator[Doors]:
    """Open connections of one person, spread over the processes."""
    with ExitStack() as stack:

        def come(count: int, name: str = "Ann") -> list[httpx.Client]:
            urls = [servers[number % len(servers)].url for number in range(count)]
            return [stack.enter_context(caller(url, name)) for url in urls]

        yield come
