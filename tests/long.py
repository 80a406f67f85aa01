"""What only `make exhaustive` has the time for."""

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")

LONG = os.environ.get("FIVEDICE_EXHAUSTIVE") == "1"
long_only = pytest.mark.skipif(not LONG, reason="takes long: make exhaustive")


def examples(count: int) -> int:
    """Of that many invented cases a third; `make exhaustive` has all."""
    return count if LONG else count // 3


def few(cases: Iterable[Case], count: int) -> list[Case]:
    """So many of them, spread over all; `make exhaustive` has all."""
    every = list(cases)
    step = max(1.0, len(every) / count)
    return every if LONG else [every[int(place * step)] for place in range(min(count, len(every)))]
