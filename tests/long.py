"""Choose which of many like cases `make test` takes; the campaign `exhaustive` takes all of them."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random
from typing import TypeVar

import pytest

Case = TypeVar("Case")

LONG = os.environ.get("FIVEDICE_EXHAUSTIVE") == "1"
long_only = pytest.mark.skipif(not LONG, reason="takes long: make campaign NAME=exhaustive")
# Another sample every day, the same in all processes of a run; the header of a run prints it.
SEED = os.environ.setdefault("FIVEDICE_TEST_SEED", datetime.now(UTC).date().isoformat())


def examples(count: int) -> int:
    """Return a third of that number of invented cases, or all in the long version."""
    return count if LONG else count // 3


def few(cases: Iterable[Case], count: int) -> list[Case]:
    """Return `count` cases drawn by the seed of the run, in their order, or all in the long version."""
    every = list(cases)
    if LONG or count >= len(every):
        return every
    chosen = Random(f"{SEED} {len(every)}").sample(range(len(every)), count)
    return [every[place] for place in sorted(chosen)]
