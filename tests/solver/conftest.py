"""Solutions for the tests: solved once a run, in a cache folder of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from fivedice.rules import book
from fivedice.solver import Solution, solve


@pytest.fixture(scope="session", autouse=True)
def own_cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("FIVEDICE_CACHE")
    os.environ["FIVEDICE_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["FIVEDICE_CACHE"]
    else:
        os.environ["FIVEDICE_CACHE"] = before


@pytest.fixture(scope="session")
def solved(own_cache_folder: None) -> Callable[[str], Solution]:  # noqa: ARG001
    return cache(lambda key: solve(book(key)))
