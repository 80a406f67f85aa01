"""Moves come first: other work of a client pauses while others play."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Thread

import pytest

from fivedice.web.http import handling
from fivedice.web.http.client_limits import CONTEXT, MOST_CLIENTS, RequestContext
from fivedice.web.http.handling import (
    BOTS,
    COACH,
    EXPECTED,
    HURRIED_BOTS,
    LONGEST,
    LOOKS,
    MOVES,
    PAGES,
    PAUSE,
    PLAYING,
    RENDER,
    FairQueue,
    InterpreterShare,
    Lane,
)

PATIENCE = 60


class Time:
    """A clock that advances only during work."""

    def __init__(self) -> None:
        self.now = 100.0
        self.share = InterpreterShare(lambda: self.now, lambda: self.now)

    def work(self, client: str, seconds: float) -> None:
        with self.share.work(client):
            self.now += seconds

    def wait(self, client: str) -> float:
        return max(0.0, self.share.when(client) - self.now)


@pytest.fixture
def time() -> Time:
    return Time()


def test_no_pause_where_no_one_else_plays(time: Time) -> None:
    time.work("ann", 0.01)
    assert time.wait("ann") == 0.0
    time.share.move("bob")
    assert time.wait("ann") > 0.0
    time.now += PLAYING + 0.001
    time.work("ann", 0.01)
    assert time.wait("ann") == 0.0
    # A single player has the whole share.
    for _ in range(2):
        time.share.move("ann")
        time.work("ann", 0.01)
    assert time.wait("ann") == 0.0
    time.share.move("bob")
    assert time.wait("ann") > 0.0
    time.share.move("ann")
    assert time.wait("ann") > 0.0, "bob still plays"
    time.now += PLAYING + 0.001
    time.share.move("ann")
    time.work("ann", 0.01)
    assert time.wait("ann") == 0.0, "bob has gone"


def test_pauses_follow_the_work_and_are_short(time: Time) -> None:
    time.share.move("bob")
    time.work("ann", 0.01)
    assert time.wait("ann") == pytest.approx(PAUSE * 0.01)
    assert time.wait("cai") == 0.0
    time.now += PAUSE * 0.01
    assert time.wait("ann") == pytest.approx(0.0)
    time.work("ann", 0.02)
    assert time.wait("ann") == pytest.approx(PAUSE * 0.02)
    # One-off work may take seconds, mostly without the interpreter.
    time.share.move("bob")
    time.work("ann", PLAYING / 2)
    assert time.wait("ann") <= PAUSE * LONGEST
    time.share.move("bob")
    with time.share.work("ann"):
        assert time.wait("ann") == pytest.approx((1 + PAUSE) * EXPECTED)
        with time.share.work("ann"):
            assert time.wait("ann") == pytest.approx(2 * (1 + PAUSE) * EXPECTED)


def test_failures_pause_and_made_up_clients_are_forgotten(time: Time) -> None:
    time.share.move("bob")
    with suppress(ZeroDivisionError), time.share.work("ann"):
        time.now += 0.01
        raise ZeroDivisionError
    assert time.wait("ann") == pytest.approx(PAUSE * 0.01)
    for number in range(MOST_CLIENTS + 10):
        time.work(f"192.0.2.{number}", 0.0)
    assert len(time.share._free) == MOST_CLIENTS


def test_clients_over_their_share_are_skipped(time: Time) -> None:
    """The others get the thread meanwhile, and it is not kept waiting for them."""
    queue, done = FairQueue[str](time.share), SimpleQueue[str]()
    time.share.move("bob")
    time.work("ann", 0.01)
    for name in ("ann-1", "bob-1", "ann-2", "bob-2"):
        queue.put(name[:3], name)
    assert [queue.get() for _ in range(2)] == ["bob-1", "bob-2"]
    waiting = Thread(target=lambda: [done.put(queue.get()) for _ in range(3)], daemon=True)
    waiting.start()
    assert done.empty()
    time.now += 1.0
    queue.put("cai", "cai-1")  # something happens
    assert {done.get(timeout=PATIENCE) for _ in range(3)} == {"ann-1", "ann-2", "cai-1"}
    waiting.join(PATIENCE)


def test_skipped_clients_resume_without_events() -> None:
    share = InterpreterShare()
    queue = FairQueue[str](share)
    share.move("bob")
    share._free["ann"] = share.clock() + 0.1
    queue.put("ann", "ann-1")
    assert queue.get() == "ann-1"


class Noted(InterpreterShare):
    """Says who came by."""

    def __init__(self) -> None:
        super().__init__()
        self.moves, self.works = list[str](), list[str]()

    def move(self, client: str) -> None:
        self.moves.append(client)

    @contextmanager
    def work(self, client: str) -> Iterator[None]:
        self.works.append(client)
        yield


FROM_OUTSIDE = RequestContext("192.0.2.1")
LANES = {"looks": LOOKS, "pages": PAGES, "coach": COACH, "render": RENDER, "hurried bots": HURRIED_BOTS}


def came_by(monkeypatch: pytest.MonkeyPatch, lane: Lane, context: RequestContext | None = FROM_OUTSIDE) -> Noted:
    share = Noted()
    monkeypatch.setattr(lane, "_share", share)
    CONTEXT.set(context)
    assert asyncio.run(lane.run(lambda: "done")) == "done"
    CONTEXT.set(None)
    return share


@pytest.mark.parametrize("lane", LANES)
def test_all_work_but_moves_is_shared(monkeypatch: pytest.MonkeyPatch, lane: str) -> None:
    share = came_by(monkeypatch, LANES[lane])
    assert (share.moves, share.works) == ([], ["192.0.2.1"])
    assert LANES[lane]._queue._share is handling.SHARE


def test_moves_bots_and_operator_programs_never_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    share = came_by(monkeypatch, MOVES)
    assert (share.moves, share.works) == (["192.0.2.1"], [])
    assert MOVES._queue._share is BOTS._queue._share is None
    # Their opponent counts as a single player.
    assert came_by(monkeypatch, MOVES, None).moves == []
    assert came_by(monkeypatch, PAGES, RequestContext("192.0.2.1", free=True)).works == []
