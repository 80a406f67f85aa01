"""Fixtures of a real server, shared by the folders whose conftest imports them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from web.serving import NO_LIMITS, Serving
from web.stage import Stage


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Serving]:
    # It reads the shipped tables, as for every player; solving is tested in `test_solve_process`.
    with Serving(folder, settings=NO_LIMITS | {"FIVEDICE_TABLES": ""}) as serving:
        yield serving


@pytest.fixture(scope="session")
def stage(server: Serving, folder: Path) -> Iterator[Stage]:  # noqa: ARG001 - the server makes the database
    stage = Stage(folder)
    yield stage
    stage.close()
