"""Announced keeps: seen by all, kept over a reload, and not a move."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from fivedice.table.actions.rights import player_id
from fivedice.web.live.notifier import MOST_TABLES, IntendedHold, IntendedHolds, TableNotifier
from table.table_harness import summary
from web.conftest import Caller
from web.serving import Serving
from web.stage import Scene, Stage


def _events(lines: Iterator[str], name: str, count: int = 1) -> list[Any]:
    """The data of the next events of this name."""
    found, kind = [], ""
    for line in lines:
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        if line.startswith("data: ") and kind == name:
            found.append(json.loads(line.removeprefix("data: ")))
        if len(found) == count:
            return found
    raise AssertionError(f"the stream ended before {count} x {name}")


def _roll_once(stage: Stage) -> tuple[Scene, str]:
    scene = stage.scene("yahtzee", "Ann", "Bob").start().roll("24466", held=())
    return scene, stage.put(scene)


def _ticked_dice(page: str) -> list[int]:
    return [int(slot) for slot in re.findall(r'name="hold" value="(\d)"[^>]* checked', page)]


def _hold(client: httpx.Client, path: str, moment: int, *slots: int, page: str = "") -> httpx.Response:
    form = {"moment": str(moment), "hold": [str(slot) for slot in slots], "page": page}
    return client.post(f"{path}/hold", data=form)


def test_holds_survive_reloads_and_are_no_move(stage: Stage, caller: Caller) -> None:
    scene, path = _roll_once(stage)
    ann = caller("Ann")
    assert _ticked_dice(ann.get(path).text) == []
    assert _hold(ann, path, scene.state.game_version, 1, 2).status_code == 204
    assert _ticked_dice(ann.get(path).text) == [1, 2]
    assert _ticked_dice(caller("Ann").get(path, headers={"fivedice-fragment": "1"}).text) == [1, 2]
    assert _hold(ann, path, scene.state.game_version).status_code == 204
    assert _ticked_dice(ann.get(path).text) == [], "none is a choice too"
    scene, path = _roll_once(stage)
    table, before = scene.state.id, summary(scene.state)
    for slots in [(0,), (0, 1), (1,), (0, 1, 2, 3, 4)]:
        assert _hold(caller("Ann"), path, scene.state.game_version, *slots).status_code == 204
    assert summary(stage.tables.state(table)) == before
    assert len(stage.store.events_after(table, 0)) == len(scene.log)
    form = {"version": str(scene.state.version), "hold": ["3"]}
    caller("Ann").post(f"{path}/roll", data=form)
    assert stage.tables.state(table).held == (3,), "what the roll says counts, whatever was shown before"
    scene, path = _roll_once(stage)
    ann, moment = caller("Ann"), scene.state.game_version
    _hold(ann, path, moment, 1, 2)
    ann.post(f"{path}/roll", data={"version": str(scene.state.version), "hold": ["3", "4"]})
    assert _ticked_dice(ann.get(path).text) == [3, 4], "the dice that were kept"
    late = _hold(ann, path, moment, 0)
    assert late.status_code == 409
    assert _ticked_dice(ann.get(path).text) == [3, 4]


def test_holds_reach_other_screens(stage: Stage, caller: Caller) -> None:
    scene, path = _roll_once(stage)
    moment = scene.state.game_version
    with caller("Dora").stream("GET", f"{path}/live", params={"after": scene.state.version}) as dora:
        lines = dora.iter_lines()
        _hold(caller("Ann"), path, moment, 2, 1, page="mine")
        assert _events(lines, "holds") == [{"moment": moment, "slots": [1, 2], "page": "mine"}]
        with caller("Bob").stream("GET", f"{path}/live", params={"after": scene.state.version}) as late:
            answer = _events(late.iter_lines(), "holds")
        assert answer[0]["slots"] == [1, 2], "a late spectator gets the present keeps"
        _hold(caller("Ann"), path, moment, 4)
        assert _events(lines, "holds")[0]["slots"] == [4]
    page = caller("Bob").get(path).text
    assert [int(slot) for slot in re.findall(r'die-slot[^"]* held" id="die-(\d)"', page)] == [4]


def test_versions_precede_their_holds() -> None:
    async def play() -> list[object]:
        notifier = TableNotifier()
        notifier.attach()

        async def newest() -> int:
            notifier.hold("t", IntendedHold(8, (1,)))
            return 8

        stream = notifier.listen("t", 7, newest)
        heard = [await anext(stream), await anext(stream)]
        notifier.hold("t", IntendedHold(8, (1, 2)))
        notifier.hold("t", IntendedHold(8, (2,)))
        heard.append(await anext(stream))
        await stream.aclose()  # type: ignore[attr-defined]
        return heard

    assert asyncio.run(play()) == [8, IntendedHold(8, (1,)), IntendedHold(8, (2,))], (
        "of several since, the last one counts"
    )


def test_invalid_holds_are_refused(stage: Stage, caller: Caller) -> None:
    scene, path = _roll_once(stage)
    moment = scene.state.game_version
    assert _hold(caller("Ann"), path, moment, 5).status_code == 400
    assert caller("Ann").post(f"{path}/hold", data={"hold": "0"}).status_code == 400
    assert caller("Ann").post(f"{path}/hold", data={"moment": "x", "hold": "0"}).status_code == 400
    assert caller("Ann").post("/t/nowhere/hold", data={"moment": "1"}).status_code == 404


def test_programs_can_announce_holds(stage: Stage, program: Caller) -> None:
    scene, path = _roll_once(stage)
    address = f"/tables/{scene.state.id}"
    body = {"moment": program("Ann").get(address).json()["moment"], "hold": [1, 2]}
    seen = program("Ann").post(f"{address}/hold", json=body).json()
    assert [die["kept"] for die in seen["dice"]] == [False, True, True, False, False]
    assert [die["held"] for die in seen["dice"]] == [False] * 5
    assert seen["version"] == scene.state.version
    assert program("Bob").post(f"{address}/hold", json=body).json()["error"] == "not-your-turn"
    assert path


def test_holds_are_rate_limited(tmp_path: Path) -> None:
    settings = {"FIVEDICE_WRITE_RATE": "0.01"}
    with Serving(tmp_path, settings=settings) as server, closing(Stage(tmp_path)) as stage:
        scene, path = _roll_once(stage)
        cookies = {"fivedice_player": "Ann-" + "k" * 24}
        with httpx.Client(base_url=server.url, cookies=cookies, timeout=30) as ann:
            answers = [_hold(ann, path, scene.state.game_version, 1).status_code for _ in range(3)]
    assert answers == [204, 429, 429]


def test_stored_holds_are_bounded_and_monotonic() -> None:
    holds = IntendedHolds()
    assert holds.note("t", IntendedHold(5, (1,)))
    assert not holds.note("t", IntendedHold(4, (0,))), "from a slower process, and older"
    assert holds.at("t", 5) == (1,)
    assert holds.at("t", 6) is None
    for number in range(MOST_TABLES):
        holds.note(str(number), IntendedHold(1, ()))
    assert holds.last("t") is None


def test_player_ids_are_not_revealed(stage: Stage, caller: Caller) -> None:
    scene, path = _roll_once(stage)
    _hold(caller("Ann"), path, scene.state.game_version, 1, page="x" * 500)
    with caller("Dora").stream("GET", f"{path}/live", params={"after": scene.state.version}) as stream:
        answer = _events(stream.iter_lines(), "holds")[0]
    assert player_id("Ann-" + "k" * 24) not in json.dumps(answer)
    assert len(answer["page"]) < 40
