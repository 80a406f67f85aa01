"""Costly work has its own lanes: moves overtake it, full lanes say so, and CPU time is limited."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from fivedice.web.http import handling
from fivedice.web.http.client_limits import CONTEXT, Limits, RequestContext, TooMany
from fivedice.web.http.handling import BOTS, COACH, LOOKS, PAGES, RENDER, Lane, ServerBusy
from fivedice.web.http.settings import Settings
from fivedice.web.jobs import work_process
from fivedice.web.jobs.work_process import WorkProcess
from fivedice.web.pages.pad import rule_data
from long import long_only
from support.clock import Clock
from web.access_matrix import SITUATIONS
from web.inside import Inside, shared_server
from web.stage import key_of

server = shared_server


@contextmanager
def occupy(*busy: Lane) -> Iterator[None]:
    """Every thread of these lanes waits until the test is done."""
    free, count = Event(), sum(lane._pool._max_workers for lane in busy)
    started, done = SimpleQueue[None](), SimpleQueue[bool]()

    def wait() -> None:
        started.put(None)
        done.put(free.wait(120))

    for lane in busy:
        for _ in range(lane._pool._max_workers):
            lane._pool.submit(wait)
    try:
        for _ in range(count):
            started.get(timeout=120)
        yield
        assert done.empty(), "what was asked for has waited for them"
    finally:
        free.set()
        assert all(done.get(timeout=120) for _ in range(count))


def test_moves_and_tables_overtake_other_work(server: Inside) -> None:
    """Nothing that waits in another lane holds up a move, a look at a table or its stream."""
    table = SITUATIONS["playing"](server)["table"]
    program = {"authorization": f"Bearer {key_of('Ann')}"}
    with occupy(PAGES, COACH, RENDER):
        seen = server.ask("GET", f"/api/tables/{table}", headers=program).json()
        move = {"command": "roll", "version": seen["version"], "hold": []}
        done = server.ask("POST", f"/api/tables/{table}/commands", headers=program, json=move)
        assert done.status_code == 200, done.text
        assert server.ask("GET", f"/t/{table}", "Ann").status_code == 200
        assert server.ask("GET", f"/t/{table}/live", "Ann").status_code == 200
        assert server.ask("GET", "/health").status_code == 200


def test_moves_overtake_readers(server: Inside) -> None:
    table = SITUATIONS["playing"](server)["table"]
    program = {"authorization": f"Bearer {key_of('Ann')}"}
    version = server.ask("GET", f"/api/tables/{table}", headers=program).json()["version"]
    with occupy(LOOKS, BOTS):
        move = {"command": "roll", "version": version, "hold": []}
        done = server.ask("POST", f"/api/tables/{table}/commands", headers=program, json=move)
        assert done.status_code == 200, done.text


def test_clients_take_turns_in_a_lane() -> None:
    lane, free, served = Lane("one", 1), Event(), list[str]()

    async def crowd() -> None:
        asked = [asyncio.create_task(lane.run(free.wait, 60))]
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"):
            await asyncio.sleep(0)
            CONTEXT.set(RequestContext(address))
            asked.append(asyncio.create_task(lane.run(served.append, address)))
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*asked)

    asyncio.run(crowd())
    assert served == ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"]


def test_full_lane_is_reported(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RENDER, "_most", 1)
    monkeypatch.setitem(RENDER._inside, "somebody", 1)
    page, program = server.ask("GET", "/print/yatzy.pdf"), server.ask("GET", "/api/tables/nothing/options/0")
    assert (page.status_code, page.headers["retry-after"]) == (503, str(handling.SOON))
    assert "Games go on. Try again in a few seconds." in page.text
    assert (program.status_code, program.json()["error"]) == (503, "busy")
    monkeypatch.delitem(RENDER._inside, "somebody")
    assert server.ask("GET", "/print/yatzy").status_code == 200
    assert RENDER.inside == 0, "served requests have left"


def test_one_client_cannot_fill_a_lane() -> None:
    """Its own line ends earlier, and the others still get in."""
    lane, free = Lane("one", 1, most=10, each=2), Event()

    async def crowd() -> list[Any]:
        CONTEXT.set(RequestContext("192.0.2.1"))
        asked = [asyncio.create_task(lane.run(free.wait, 60)) for _ in range(4)]
        await asyncio.sleep(0)
        CONTEXT.set(RequestContext("192.0.2.2"))
        asked.append(asyncio.create_task(lane.run(lambda: "served")))
        await asyncio.sleep(0)
        free.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = asyncio.run(crowd())
    assert [type(each) for each in answers] == [bool, bool, ServerBusy, ServerBusy, str]
    assert not lane._inside, "a client that has left is forgotten"


def test_processor_time_is_charged() -> None:
    clock, context = Clock(), RequestContext("192.0.2.7")
    limits = Limits(Settings(work_rate=100.0), clock)
    limits.charge(context, "work", 3.0)  # thirty seconds' worth
    with pytest.raises(TooMany, match=r"too much work\. Games go on\. Wait 1 second"):
        limits.afford(context, "work")
    assert (context.limit, context.wait) == ("work", 1)
    limits.afford(RequestContext("192.0.2.8"), "work")
    limits.afford(context, "looks")
    limits.charge(context, "looks", 3.0)  # ten seconds' worth
    with pytest.raises(TooMany):
        limits.afford(context, "looks")
    limits.charge(context, "work", 2.0)
    clock.now += 19.0
    with pytest.raises(TooMany):
        limits.afford(context, "work")
    clock.now += 1.1
    limits.afford(context, "work")


def test_client_without_budget_can_still_play(tmp_path: Path) -> None:
    with Inside(tmp_path, work_rate=0.001) as server:  # one request uses it up
        table = SITUATIONS["playing"](server)["table"]
        assert server.ask("GET", "/print/yatzy.pdf").status_code == 200
        for path in ("/print/yatzy.pdf", "/fairness", "/statistics", "/house", "/help"):
            answer = server.ask("GET", path)
            assert answer.status_code == 429, path
            assert int(answer.headers["retry-after"]) > 0
        assert server.ask("GET", f"/t/{table}", "Ann").status_code == 200
        assert server.ask("GET", "/help", address="192.0.2.9").status_code == 200


def test_views_of_a_table_are_limited(tmp_path: Path) -> None:
    with Inside(tmp_path, look_rate=0.001) as server:
        table = SITUATIONS["playing"](server)["table"]
        answers = [server.ask("GET", f"/t/{table}", "Ann").status_code for _ in range(3)]
        assert (answers[0], answers[-1]) == (200, 429)
        move = server.ask("POST", f"/t/{table}/roll", "Ann", data={"version": "0"})
        assert move.status_code != 429, "a move is never refused for what it costs"


def test_pages_render_in_their_handlers_thread(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    from jinja2 import Template

    made: list[str] = []
    render = Template.render

    def noted(self: Template, *arguments: Any, **context: Any) -> str:
        made.append(threading.current_thread().name)
        return render(self, *arguments, **context)

    monkeypatch.setattr(Template, "render", noted)
    assert server.ask("GET", "/help").status_code == 200
    assert [name.partition("_")[0] for name in made] == ["page"]


def test_dice_counts_are_computed_once(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    from fivedice.web.pages import fairness_pages

    monkeypatch.setattr(fairness_pages, "_made", {})
    made: list[int] = []
    set_once = fairness_pages._render_figures
    monkeypatch.setattr(fairness_pages, "_render_figures", lambda *found: made.append(1) or set_once(*found))
    pages = [server.ask("GET", "/fairness", address=f"192.0.2.{number}") for number in range(5)]
    assert {page.status_code for page in pages} == {200}
    assert made == [1]


def test_options_are_bounded_before_computing(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    table = SITUATIONS["pad"](server)["table"]
    assert server.ask("GET", f"/api/tables/{table}/options/0").status_code == 200
    monkeypatch.setattr(rule_data, "MOST_POINTS", 100)
    monkeypatch.setattr(rule_data, "work", lambda *_: pytest.fail("nothing is worked out"))
    answer = server.ask("GET", f"/api/tables/{table}/options/0")
    assert answer.status_code == 422
    assert "too many different rolls" in answer.json()["message"]


def test_log_is_paginated(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    from fivedice.web.api import api_tables

    table = SITUATIONS["playing"](server)["table"]
    whole = server.ask("GET", f"/api/tables/{table}/events").json()
    monkeypatch.setattr(api_tables, "MOST_EVENTS", 2)
    found, after = [], 0
    while page := (answer := server.ask("GET", f"/api/tables/{table}/events?after={after}").json())["events"]:
        assert len(page) <= 2
        found, after = found + page, answer["version"]
    assert (found, after) == (whole["events"], whole["version"])
    assert len(found) > 2


@pytest.fixture
def process() -> Iterator[WorkProcess]:
    process = WorkProcess()
    yield process
    process.close()


def test_work_in_a_process_is_charged(process: WorkProcess) -> None:
    limits = Limits(Settings(work_rate=0.0001))
    token = CONTEXT.set(context := RequestContext("192.0.2.7", limits=limits))
    try:
        assert process(os.getpid) == process.pid != os.getpid()
        with pytest.raises(TooMany):
            limits.afford(context, "work")
        with pytest.raises(ZeroDivisionError):
            process(divmod, 1, 0)
    finally:
        CONTEXT.reset(token)


def test_dead_process_is_replaced(process: WorkProcess) -> None:
    first = process(os.getpid)
    process._process.kill()  # type: ignore[union-attr]
    process._process.wait()  # type: ignore[union-attr]
    assert process(os.getpid) != first
    with pytest.raises(ServerBusy):
        process(os._exit, 3)  # each that is asked dies of it
    assert process(len, "fine") == 4


def test_endless_job_is_ended(process: WorkProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    process(len, "started")
    monkeypatch.setattr(work_process, "LONGEST_JOB", 0.0)
    with pytest.raises(ServerBusy):
        process(input_without_end)
    assert process.pid is None


def input_without_end() -> None:
    Event().wait()


def hold_much() -> None:
    """Allocate memory that is never freed."""
    _held.append(bytearray(work_process.MOST_HELD))


_held: list[bytearray] = []


@long_only
def test_large_process_is_replaced(process: WorkProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))  # the job is found there too
    first = process(os.getpid)
    assert process(os.getpid) == first
    process(hold_much)
    assert process(os.getpid) != first
