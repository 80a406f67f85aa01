"""The fair queue before a thread pool: clients take turns, and threads are bounded."""

import asyncio
import gc
from functools import partial
from threading import Barrier, Event, Thread, current_thread

import pytest

from fivedice.web.http.handling import FairQueue, Lane

PATIENCE = 60


def test_clients_take_turns_in_order() -> None:
    queue = FairQueue[str]()
    for name in ("ann-1", "ann-2", "ann-3", "bob-1", "ann-4", "cai-1", "bob-2"):
        queue.put(name[:3], name)
    found = [queue.get() for _ in range(7)]
    assert found == ["ann-1", "bob-1", "cai-1", "ann-2", "bob-2", "ann-3", "ann-4"]
    assert not queue._lines, "a client without requests is forgotten"


def test_empty_queue_waits_and_jobs_run_together() -> None:
    queue, found = FairQueue[str](), list[str]()
    waiting = Thread(target=lambda: found.append(queue.get()), daemon=True)
    waiting.start()
    queue.put("ann", "ann-1")
    waiting.join(PATIENCE)
    assert found == ["ann-1"]
    lane, together = Lane("three", 3), Barrier(3, timeout=PATIENCE)

    async def crowd() -> list[int]:
        return await asyncio.gather(*(lane.run(together.wait) for _ in range(3)))

    assert set(asyncio.run(crowd())) == {0, 1, 2}


def test_jobs_beyond_the_bound_wait() -> None:
    lane, go, done = Lane("one", 1), Event(), list[tuple[int, str]]()

    async def crowd() -> None:
        first = asyncio.create_task(lane.run(go.wait, PATIENCE))
        others = [
            asyncio.create_task(lane.run(lambda n=number: done.append((n, current_thread().name))))
            for number in range(20)
        ]
        await asyncio.sleep(0)
        assert not done
        go.set()
        await asyncio.gather(first, *others)

    asyncio.run(crowd())
    assert done == [(number, "one_0") for number in range(20)]


def test_work_continues_after_a_hang_up(caplog: pytest.LogCaptureFixture) -> None:
    """And nothing is logged where it fails: a message may hold the address of a table."""
    lane, go, done = Lane("one", 1), Event(), Event()

    def work() -> None:
        done.set()
        raise LookupError("for nobody")

    async def hang_up() -> None:
        asked = [asyncio.create_task(lane.run(each)) for each in (partial(go.wait, PATIENCE), work)]
        await asyncio.sleep(0)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        go.set()
        assert await lane.run(done.wait, PATIENCE), "what waited before has been done"

    asyncio.run(hang_up())
    gc.collect()
    assert not caplog.records
