"""The threads behind a lane: no more than are needed, never more than there may be, and everything is done in order."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Barrier, Event, current_thread

from fivedice.web.http.lane_threads import LaneThreads, TurnQueue

PATIENCE = 60


def test_what_comes_together_is_done_at_the_same_time() -> None:
    threads, together, through = LaneThreads(3, "three"), Barrier(3, timeout=PATIENCE), SimpleQueue[int]()
    for _ in range(3):
        threads.do(lambda: through.put(together.wait()))
    assert {through.get(timeout=PATIENCE) for _ in range(3)} == {0, 1, 2}


def test_beyond_the_bound_it_waits_for_its_turn() -> None:
    threads, go, done = LaneThreads(1, "one"), Event(), SimpleQueue[tuple[int, str]]()
    threads.do(lambda: go.wait(PATIENCE))
    for number in range(20):
        threads.do(lambda number=number: done.put((number, current_thread().name)))
    assert done.empty()
    go.set()
    assert [done.get(timeout=PATIENCE) for _ in range(20)] == [(number, "one_1") for number in range(20)]


def test_a_thread_that_waits_is_used_again() -> None:
    threads, done = LaneThreads(5, "five"), SimpleQueue[str]()
    names = set()
    for _ in range(20):
        threads.do(lambda: done.put(current_thread().name))
        names.add(done.get(timeout=PATIENCE))
        threads._idle.put(threads._idle.get(timeout=PATIENCE))  # it has said what it did, and is about to wait
    assert names == {"five_1"}


def test_clients_take_turns() -> None:
    """However much one of them wants; what each wants is done in order."""
    threads, go, done = LaneThreads(1, "one"), Event(), SimpleQueue[str]()
    threads.do(lambda: go.wait(PATIENCE))
    for name in ("ann-1", "ann-2", "ann-3", "bob-1", "ann-4", "cai-1", "bob-2"):
        threads.do(lambda name=name: done.put(name), name[:3])
    go.set()
    found = [done.get(timeout=PATIENCE) for _ in range(7)]
    assert found == ["ann-1", "bob-1", "cai-1", "ann-2", "bob-2", "ann-3", "ann-4"]
    assert isinstance(threads._work, TurnQueue)
    assert not threads._work.turns, "nobody is remembered who wants nothing"
