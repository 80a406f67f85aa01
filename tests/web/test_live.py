"""The live stream: every version in order, resumable, and a server that can stop."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, closing
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from fivedice.table.actions import commands as cmd
from fivedice.table.actions.rights import player_id
from fivedice.table.refusals import BadRequest
from fivedice.table.view.table_view import view
from fivedice.web.http.identity import Person
from fivedice.web.http.settings import Settings
from fivedice.web.live.notifier import SEEN_LATELY, TIDY, Presence, TableNotifier
from fivedice.web.pages.play.stream import _events
from fivedice.web.services.app_services import create_services
from long import long_only
from web.conftest import Caller
from web.serving import Serving
from web.stage import Stage, key_of


def _versions(lines: Iterator[str], count: int) -> list[int]:
    found: list[int] = []
    for line in lines:
        if line.startswith("data: ") and line[6:].isdecimal():  # the others are dice that a bot keeps
            found.append(int(line.removeprefix("data: ")))
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("address", ["/t/{}/live", "/api/tables/{}/live"])
def test_every_move_is_streamed(stage: Stage, caller: Caller, address: str) -> None:
    scene = stage.scene("yahtzee", "Ann").start()
    table, version = stage.put(scene).removeprefix("/t/"), scene.state.version
    with caller("Dora").stream("GET", address.format(table), params={"after": version}) as stream:
        lines = stream.iter_lines()
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in stream.headers
        caller("Ann").post(f"/t/{table}/roll", data={"version": str(version)})
        assert _versions(lines, 1) == [version + 1]
        caller("Ann").post(f"/t/{table}/score", data={"version": str(version + 1), "box": "chance"})
        assert _versions(lines, 1) == [version + 2]


def test_stream_resumes_where_it_broke_off(stage: Stage, caller: Caller) -> None:
    scene = stage.scene("yahtzee", "Ann").start()
    path, version = stage.put(scene), scene.state.version
    headers = {"last-event-id": str(version - 1)}
    with caller("Ann").stream("GET", f"{path}/live?after=999", headers=headers) as stream:
        assert _versions(stream.iter_lines(), 1) == [version], "the browser's own memory wins over the address"
    with caller("Ann").stream("GET", f"{path}/live", headers={"last-event-id": "x" * 50}) as stream:
        assert _versions(stream.iter_lines(), 1) == [version], "nonsense is as good as nothing"


def test_unknown_table_has_no_stream(caller: Caller) -> None:
    assert caller("Ann").get("/t/nowhere/live").status_code == 404
    assert caller("Ann").get("/t/nowhere/live", params={"after": "x"}).status_code == 400
    assert caller("Ann").get("/api/tables/nowhere/live").json()["error"] == "unknown-table"


def test_server_stops_with_open_streams(tmp_path: Path) -> None:
    """`stop` waits for the end of the process, and fails if that takes too long."""
    with Serving(tmp_path) as server, closing(Stage(tmp_path)) as stage:
        path = stage.put(stage.scene("yahtzee", "Ann").start())
        with httpx.Client(base_url=server.url, timeout=30) as client, client.stream("GET", f"{path}/live") as stream:
            assert _versions(stream.iter_lines(), 1)
            server.stop()


@long_only
def test_bots_move_visibly_and_resume_after_restart(tmp_path: Path) -> None:
    with Serving(tmp_path, bot_pause=60.0) as server, closing(Stage(tmp_path)) as stage:
        with httpx.Client(base_url=server.url, timeout=30) as client:
            client.headers["authorization"] = f"Bearer {key_of('Ann')}"
            seats = [{"bot": "greedy"}, {"bot": "random"}]
            table = client.post("/api/tables", json={"book": "crag", "seats": seats, "start": True}).json()["id"]
            before = client.get(f"/api/tables/{table}").json()
        assert before["phase"] == "playing", "a long pause: the bot has not moved"
        server.kill()
        server._pause = 0.0
        server.start()
        with httpx.Client(base_url=server.url, timeout=60) as client:
            with client.stream("GET", f"/api/tables/{table}/live", params={"after": before["version"]}) as stream:
                lines = stream.iter_lines()
                while client.get(f"/api/tables/{table}").json()["phase"] != "finished":
                    _versions(lines, 1)
            events = client.get(f"/api/tables/{table}/events").json()["events"]
        moves = [event["kind"] for event in events if event["kind"] in {"Rolled", "Scored"}]
        assert moves.count("Scored") == 26
        assert moves[0] == "Rolled", "each roll is an event of its own"
        assert all(one != "Scored" or two == "Rolled" for one, two in pairwise(moves))
        assert stage.tables.state(table).phase == "finished"


def test_server_takes_over_a_turn_while_looking(stage: Stage, caller: Caller) -> None:
    """Leaving, dismissing and scoring in quick succession: the house never sleeps through its turn."""
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    table = path.removeprefix("/t/")
    caller("Bob").post(f"{path}/leave", data={"seat": "1"})
    caller("Ann").post(f"{path}/dismiss", data={"seat": "1"})
    for box in ("chance", "sixes", "fives"):
        version = stage.tables.state(table).version
        caller("Ann").post(f"{path}/roll", data={"version": str(version)})
        with caller("Ann").stream("GET", f"{path}/live", params={"after": version + 1}) as stream:
            form = {"version": str(version + 1), "box": box, "sure": "yes"}
            assert caller("Ann").post(f"{path}/score", data=form).status_code == 303
            lines = stream.iter_lines()
            while stage.tables.state(table).on_turn != 0:
                _versions(lines, 1)


def test_no_notice_is_lost_before_listening() -> None:
    """Between looking at a table and listening to it, nothing is lost, and afterwards nothing is kept."""

    async def play() -> list[int | None]:
        notifier = TableNotifier()
        notifier.attach()

        async def newest() -> int:
            notifier.heard("t", 8)  # from now on; but 7 is what the store said
            return 7

        heard = []
        async with aclosing(notifier.listen("t", 3, newest)) as versions:
            async for version in versions:
                heard.append(version)
                if version == 8:
                    break
        notifier.heard("t", 9)
        await asyncio.sleep(0)
        assert (notifier._versions, dict(notifier._waiting)) == ({}, {})
        return heard

    assert asyncio.run(play()) == [7, 8]


def test_silent_screen_is_shown_to_others(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise those who wait would never be offered to go on without them."""
    monkeypatch.setattr("fivedice.web.live.notifier.HEARTBEAT", 0.001)
    scene = stage.scene("yahtzee", "Ann", "Bob").start()
    table = stage.put(scene).removeprefix("/t/")
    now = [0.0]
    presence = Presence(lambda: now[0])
    now[0] = 2 * SEEN_LATELY
    services = create_services(Settings(database=str(stage.store._engine.url)), presence=presence)
    ann = Person(player_id(key_of("Ann")), key_of("Ann"), fresh=False)
    presence.mark_present(table, player_id(key_of("Bob")))

    async def hear() -> list[bytes]:
        stream = _events(services, ann, table, scene.state.version)
        heard = [await anext(stream), await anext(stream)]
        assert view(scene.state, ann.id, presence.at(table)).seats[1].away is False
        now[0] += SEEN_LATELY + 1
        heard.append(await anext(stream))
        await stream.aclose()  # type: ignore[attr-defined]
        return heard

    assert asyncio.run(hear()) == [b"retry: 2000\n\n", b": still here\n\n", b"event: people\ndata: changed\n\n"]
    assert view(scene.state, ann.id, presence.at(table)).seats[1].away is True


def test_presence_expires() -> None:
    now = [0.0]
    presence = Presence(lambda: now[0])
    presence.mark_present("t", "ann")
    assert presence.at("t") is None, "just started: presence is not known yet"
    now[0] = SEEN_LATELY + 1
    presence.mark_present("t", "bob")
    assert presence.at("t") == {"bob"}
    for number in range(3 * TIDY):
        now[0] += 1
        presence.mark_present(f"table {number}", "visitor")
    assert len(presence._seen) <= 2 * TIDY, "tables without viewers are forgotten"
    assert "t" not in presence._seen


def test_moving_counts_as_present(stage: Stage) -> None:
    """A program that only sends commands is never called absent by its own command."""
    path = stage.put(stage.scene("yahtzee", "Ann", "Bob").start())
    version = stage.tables.state(path.removeprefix("/t/")).version
    ann = player_id(key_of("Ann"))
    done = stage.tables.execute(path.removeprefix("/t/"), cmd.RollDice(ann), version=version, present=frozenset())
    assert done.version == version + 1


def test_players_are_present_in_their_rematch(stage: Stage) -> None:
    """Their pages are still loading, so no one is shown as away."""
    now = [0.0]
    presence = Presence(lambda: now[0])
    services = create_services(Settings(database=str(stage.store._engine.url)), presence=presence)
    table = stage.put(stage.scene("yahtzee", "Ann", "Bob").start().play_until(0)).removeprefix("/t/")
    ann, bob = (player_id(key_of(name)) for name in ("Ann", "Bob"))
    now[0] = 100.0
    for player in (ann, bob):
        presence.mark_present(table, player)
        done = services.execute(table, cmd.PlayAgain(player))
    assert done.state.rematch is not None
    assert presence.at(done.state.rematch) == {ann, bob}


def test_reactions_arrive_once_and_are_limited(stage: Stage) -> None:
    services = create_services(Settings(database=str(stage.store._engine.url)))
    scene = stage.scene("yahtzee", "Ann", "Bob").start()
    table = stage.put(scene).removeprefix("/t/")
    ann, bob = (Person(player_id(key_of(name)), key_of(name), fresh=False) for name in ("Ann", "Bob"))

    async def hear() -> list[bytes]:
        services.notifier.attach()
        stream = _events(services, ann, table, scene.state.version)
        heard = [await anext(stream)]
        coming = asyncio.ensure_future(anext(stream))
        while table not in services.notifier._waiting:
            await asyncio.sleep(0)
        for picture in (3, 4, 5):
            services.react(table, bob, picture)
        services.react(table, ann, 1)
        heard += [await coming, await anext(stream)]
        await stream.aclose()  # type: ignore[attr-defined]
        return heard

    assert asyncio.run(hear())[1:] == [b"event: reaction\ndata: [1,3]\n\n", b"event: reaction\ndata: [0,1]\n\n"]
    with pytest.raises(BadRequest):
        services.react(table, bob, 6)
