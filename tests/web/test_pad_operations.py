"""Operations of a score pad over HTTP, as a phone sends them: late, twice, without a version."""

from typing import Any

import httpx

from fivedice.core.notation import read_games
from web.conftest import Caller
from web.pads import fill, open_pad, turns
from web.stage import Stage


def send(client: httpx.Client, path: str, command: str, **fields: Any) -> httpx.Response:
    return client.post(f"/tables{path.removeprefix('/t')}/commands", json={"command": command} | fields)


def test_turn_by_points_and_correction_need_no_version(stage: Stage, program: Caller) -> None:
    ann, path = program("Ann"), open_pad(stage, "yatzy", ["Ann", "Bob"])
    written = send(ann, path, "write", game=0, turn=0, seat=0, dice=None, points=12, box="fours", key="k1")
    assert (written.status_code, written.json()["table"]["seats"][0]["total"]) == (200, 12)
    was = {"game": 0, "turn": 0, "dice": None, "points": 12, "box": "fours"}
    change = {"game": 0, "turn": 0, "points": 8}
    done = send(ann, path, "correct", changes=[change], was=[was], key="k2")
    assert done.json()["table"]["seats"][0]["total"] == 8
    other = send(ann, path, "correct", changes=[change | {"points": 4}], was=[was], key="k3")
    assert (other.status_code, other.json()["error"]) == (409, "conflict")
    assert [(turn["dice"], turn["points"]) for turn in other.json()["stands"]] == [(None, 8)]
    forbidden = send(ann, path, "write", game=0, turn=1, seat=1, dice=None, points=13, box="fours", key="k4")
    assert (forbidden.status_code, forbidden.json()["error"]) == (422, "illegal")
    assert "stands" not in forbidden.json()
    assert send(ann, path, "erase", game=0, turn=0, key="k5").json()["table"]["seats"][0]["total"] == 0
    assert send(ann, path, "correct", changes=[change]).json()["error"] == "malformed"


def test_late_undo_removes_only_the_seen_turn(stage: Stage, program: Caller) -> None:
    ann, path = program("Ann"), open_pad(stage, "yatzy", ["Ann"])
    turns(stage, path, ("66661", "sixes"))
    seen = {"game": 0, "turn": 0, "dice": "66661", "points": 24, "box": "sixes"}
    other = send(
        ann, path, "erase", game=0, turn=0, was=[seen | {"box": "fives", "points": 20, "dice": None}], key="k1"
    )
    assert (other.status_code, other.json()["error"]) == (409, "conflict")
    assert other.json()["stands"][0]["box"] == "sixes"
    assert send(ann, path, "erase", game=0, turn=0, was=[seen], key="k2").status_code == 200
    assert not stage.tables.state(path.removeprefix("/t/")).lain


def test_record_of_a_sheet_has_all_games_or_one(stage: Stage, program: Caller, caller: Caller) -> None:
    ann, path = program("Ann"), open_pad(stage, "yatzy", ["Ann"], games=3)
    address = f"/tables{path.removeprefix('/t')}/record"
    assert ann.get(address).status_code == 404
    fill(stage, path, leave=10)
    whole = ann.get(address).text
    assert len(read_games(whole)) == 2
    for number, game in enumerate(read_games(whole), start=1):
        one = ann.get(address, params={"game": number}).text
        assert [each.moves for each in read_games(one)] == [game.moves]
        assert caller("Ann").get(f"{path}/record.txt?game={number}").text == one
    assert ann.get(address, params={"game": 3}).status_code == 404
    assert ann.get(address, params={"game": 0}).status_code == 404


def test_ended_sheet_names_its_winner(stage: Stage, program: Caller, caller: Caller) -> None:
    ann, path = program("Ann"), open_pad(stage, "yatzy", ["Ann", "Bob"], games=3)
    fill(stage, path, leave=60)
    send(ann, path, "next", game=1)
    turns(stage, path, ("66666", "chance"))
    before = stage.tables.state(path.removeprefix("/t/"))
    totals = before.played[0].game.position.standing.totals
    assert totals[0] != totals[1]
    best = max(totals)
    table = send(ann, path, "end", key="end").json()["table"]
    assert (table["phase"], table["headline"].split(":")[0]) == ("finished", "After 1 game")
    assert str(best) in table["headline"]
    page = caller("Ann").get(path).text
    name = ("Ann", "Bob")[totals.index(best)]
    assert f"After 1 game: {name} wins with {best}" in page or f"{name} wins the match with {best}" in page
    assert len(read_games(ann.get(f"/tables{path.removeprefix('/t')}/record").text)) == 1
    again = caller("Ann").post(f"{path}/rematch")
    assert again.status_code in (200, 303)
