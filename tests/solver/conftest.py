"""Solutions for the tests: solved once a run."""

from collections.abc import Callable
from functools import cache

import pytest

from fivedice.core.rules import book
from fivedice.solver import Solution, solve


@pytest.fixture(scope="session")
def solved() -> Callable[[str], Solution]:
    return cache(lambda key: solve(book(key)))
