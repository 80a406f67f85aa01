"""Choose which of many like cases `make test` takes; the campaign `exhaustive` takes all of them."""

import os
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import TypeVar
from zlib import crc32

import pytest

Case = TypeVar("Case")

LONG = os.environ.get("FIVEDICE_EXHAUSTIVE") == "1"
long_only = pytest.mark.skipif(not LONG, reason="takes long: make campaign NAME=exhaustive")
# Another sample every day, the same in all processes of a run; the header of a run prints it.
SEED = os.environ.setdefault("FIVEDICE_TEST_SEED", datetime.now(UTC).date().isoformat())
# `make test` sets it to 2: tests that take turns run on every second day. With 1, and without `make`, all of them run.
DAYS = 1 if LONG else int(os.environ.get("FIVEDICE_TURNS", "1"))
FOLDERS_IN_TURN = {
    *("analysis", "bots", "browser", "cli", "documentation", "fairness", "installs", "learning", "matches"),
    *("paper", "solver", "tools", "tui"),
}
every_run, takes_turns = pytest.mark.every_run, pytest.mark.takes_turns


def is_left_for_another_day(item: pytest.Item) -> bool:
    """Return whether a test takes turns and has its turn on another day than that of the seed."""
    if DAYS == 1 or item.get_closest_marker("every_run") or item.get_closest_marker("traced"):
        return False
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    on_postgresql = folder == "table" and "[postgresql" in item.name
    if folder not in FOLDERS_IN_TURN and not on_postgresql and not item.get_closest_marker("takes_turns"):
        return False
    return (crc32(item.nodeid.encode()) + date.fromisoformat(SEED).toordinal()) % DAYS != 0


def examples(count: int) -> int:
    """Return a fifth of that number of invented cases, or all in the long version."""
    return count if LONG else count // 5


def few(cases: Iterable[Case], count: int) -> list[Case]:
    """Return `count` cases drawn by the seed of the run, in their order, or all in the long version."""
    every = list(cases)
    if LONG or count >= len(every):
        return every
    chosen = Random(f"{SEED} {len(every)}").sample(range(len(every)), count)
    return [every[place] for place in sorted(chosen)]
