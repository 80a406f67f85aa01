"""The pace of bots: chosen on the page or by a program, seen by everyone."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from fivedice.table.refusals import WrongPhase
from fivedice.web.live import bot_runner
from fivedice.web.live.bot_runner import HURRIED, KEEPING, SCORED, BotRunner
from web.conftest import Caller
from web.stage import Scene, Seat


def test_page_offers_a_pace_and_every_seat_sees_it(caller: Caller) -> None:
    client = caller("Pia")
    assert '<option value="calm" selected>' in client.get("/new").text
    chosen = {"name": "Pia", "bot": "casual", "book": "yatzy", "pace": "brisk", "action": "invite"}
    seating = client.post("/tables", data=chosen, follow_redirects=True)
    assert "Bots move briskly." in seating.text
    assert '<option value="brisk" selected>' in client.get("/new").text, "it is remembered"
    client.post(f"{seating.url.path}/start")
    for viewer in (client, caller("")):
        assert "Bots move briskly." in viewer.get(seating.url.path).text
    alone = client.post("/tables", data=chosen | {"bot": "", "action": "start"}, follow_redirects=True)
    assert "Bots move" not in alone.text
    refused = client.post("/tables", data=chosen | {"pace": "hasty"})
    assert (refused.status_code, "no pace &#39;hasty&#39;" in refused.text) == (400, True)


def test_program_chooses_a_pace(program: Caller) -> None:
    client = program("Pia")
    opened = client.post("/tables", json={"book": "yatzy", "pace": "at-once"}).json()
    assert opened["table"]["pace"] == client.get(f"/tables/{opened['id']}/position").json()["pace"] == "at-once"
    refused = client.post("/tables", json={"book": "yatzy", "pace": "hasty"})
    assert (refused.status_code, refused.json()["kind"]) == (400, "table.no-pace")


class Still:
    """Tables whose bots are on turn, and that refuse every move."""

    def __init__(self, pace: str) -> None:
        self.scene = Scene("paced", "yatzy", ["Ann", Seat("Bot", bot="steady")]).start(first=1)
        self.scene.state.pace = pace

    def state(self, _: str) -> Any:
        return self.scene.state

    def execute(self, *_: Any, **__: Any) -> None:
        raise WrongPhase("table.not-seating")


@pytest.mark.parametrize(("pace", "waits"), [("at-once", 0.0), ("brisk", 3.0), ("calm", 9.0)])
def test_bot_waits_for_the_pace_of_its_table(monkeypatch: pytest.MonkeyPatch, pace: str, waits: float) -> None:
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(bot_runner, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))
    runner = BotRunner(Still(pace), None, None, 9.0)  # type: ignore[arg-type] # it moves once
    with pytest.raises(WrongPhase):
        asyncio.run(runner._one_move("paced"))
    assert waited == [waits]


def test_fast_tables_leave_room_for_others() -> None:
    """However many bots move at once, a few do so at the same time."""
    runner = BotRunner(Still("at-once"), None, None, 9.0)  # type: ignore[arg-type] # it only moves
    at_work = most = 0

    async def moved(*_: Any) -> bool:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        for _ in range(5):
            await asyncio.sleep(0)
        at_work -= 1
        return False

    async def all_tables() -> None:
        runner._make_move = moved  # type: ignore[method-assign]
        await asyncio.gather(*(runner._one_move(str(table)) for table in range(20)))

    asyncio.run(all_tables())
    assert most == HURRIED


class Rolling(Still):
    """A table whose bot has rolled."""

    def __init__(self) -> None:
        super().__init__("calm")
        self.scene.roll("66123")


def test_bot_keeps_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, shown = [], []

    async def sleep(seconds: float) -> None:
        waited.append(round(seconds, 1))

    monkeypatch.setattr(bot_runner, "asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": sleep}))
    runner = BotRunner(Rolling(), None, None, 0.9, lambda _, held: shown.append(held))  # type: ignore[arg-type]
    monkeypatch.setattr(runner, "works_out", lambda *_: False)
    with pytest.raises(WrongPhase):
        asyncio.run(runner._one_move("paced"))
    assert waited == [1.3, 0.6], "0.6 seconds of the first the dice are in the air"
    assert [len(held.slots) for held in shown] == [2]


def test_a_score_of_a_bot_is_looked_at_longer_than_the_own() -> None:
    scene = Scene("paced", "yatzy", ["Ann", Seat("Bot", bot="steady"), Seat("Other bot", bot="steady")]).start()
    assert bot_runner._pause_before(scene.turn("55521", "fives").state) == KEEPING
    assert bot_runner._pause_before(scene.turn("55521", "fives").state) == SCORED


def test_tap_ends_the_pause_of_a_bot() -> None:
    runner = BotRunner(Still("calm"), None, None, 10_000.0)  # type: ignore[arg-type] # it would wait for hours

    async def play() -> None:
        runner._loop = asyncio.get_running_loop()
        waiting = asyncio.ensure_future(runner._wait("paced", Still("calm").scene.state, 1.0))
        while "paced" not in runner._pauses:
            await asyncio.sleep(0)
        runner.hurry("elsewhere")
        runner.hurry("paced")
        await waiting
        assert runner._pauses == {}

    asyncio.run(play())
