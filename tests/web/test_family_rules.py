"""Family rules over HTTP: by a program and by forms without script."""

import re
from html import unescape
from typing import Any

import httpx
import pytest

import fivedice as fd
from fivedice.core.game import sheet_lines
from fivedice.core.notation import read_game
from long import takes_turns
from support.pad_pages import alert_text, pad_of, post, state_of
from table.families import FAMILIES, SAVING, THREE_DICE
from web.conftest import Caller
from web.pads import open_pad
from web.stage import Stage

pytestmark = takes_turns

NEW = [key for key in fd.SHIPPED if fd.book(key).dice != 5 or fd.book(key).save_rolls or fd.book(key).colours]


@pytest.mark.parametrize("rules", [*FAMILIES, *NEW])
def test_program_reaches_the_totals_of_the_engine(program: Caller, rules: str) -> None:
    client, text = program("Farah"), FAMILIES.get(rules)
    book = fd.load_book(text) if text else fd.book(rules)
    plan = {"rules": text} if text else {"book": rules}
    table = client.post("/tables", json=plan | {"seats": [{"name": "Farah"}], "start": True}).json()["id"]
    seen = client.get(f"/tables/{table}").json()
    while seen["phase"] == "playing":
        again = len(seen["dice"]) and seen["turn"] % 3 == 1 and seen["can_roll"]
        if not seen["dice"] or again:
            seen = _done(client, table, seen, command="roll", hold=[0] if again else [])
        else:
            seen = _done(client, table, seen, command="score", box=_best(seen))
    game = read_game(client.get(f"/tables/{table}/record").text, book)
    (card,) = game.position.cards
    assert [row["cells"][0]["points"] for row in seen["rows"]] == [line.value for line in sheet_lines(card)]
    assert seen["seats"][0]["total"] == card.total
    assert len(game.steps) > 2 * len(book.boxes)


def _done(client: httpx.Client, table: str, seen: dict[str, Any], **body: Any) -> dict[str, Any]:
    """Made, with what the answer says about the rolls held against the answer before."""
    done = client.post(f"/tables/{table}/commands", json=body | {"version": seen["version"]})
    assert done.status_code == 200, done.text
    now: dict[str, Any] = done.json()["table"]
    if body["command"] == "roll":
        assert (now["rolls"], now["rolls_left"]) == (seen["rolls"], seen["rolls_left"] - 1)
    else:
        kept = now["seats"][0]["saved"] if now["phase"] == "playing" else 0
        assert now["phase"] != "playing" or now["rolls_left"] == now["rolls"] == now["rolls_each"] + kept
    return now


def _best(seen: dict[str, Any]) -> str:
    cells = {row["box"]: row["cells"][0] for row in seen["rows"] if row["cells"][0]["preview"] is not None}
    return max(cells, key=lambda box: (cells[box]["preview"] + cells[box]["extra"], box))


def test_program_writes_and_corrects_saved_rolls(program: Caller) -> None:
    client = program("Farah")
    plan = {"rules": SAVING, "seats": [{"name": "Farah"}], "start": True, "real_dice": True}
    address = f"/tables/{client.post('/tables', json=plan).json()['id']}"
    turn = {"command": "write", "game": 0, "turn": 0, "dice": "12345", "box": "small_straight"}
    refused = client.post(f"{address}/commands", json=turn | {"saved": 3})
    assert (refused.status_code, refused.json()["kind"]) == (422, "game.bad-rolls-left-over")
    seen = client.post(f"{address}/commands", json=turn | {"saved": 2}).json()["table"]
    assert (seen["rolls"], seen["seats"][0]["saved"]) == (5, 2)
    body = {"command": "enter", "dice": "23456", "last": True, "saved": 4, "version": seen["version"]}
    seen = client.post(f"{address}/commands", json=body).json()["table"]
    assert (seen["can_enter"], seen["can_roll"], seen["can_score"]) == (False, False, True)
    changes = {"changes": [{"game": 0, "turn": 0, "saved": 1}]}
    body = {"command": "score", "box": "large_straight", "version": seen["version"]}
    seen = client.post(f"{address}/commands", json=body).json()["table"]
    (problem,) = client.post(f"{address}/consequences", json=changes).json()["problems"]
    assert problem["turn"] == 1
    changes["changes"].append({"game": 0, "turn": 1, "saved": 0})
    body = {"command": "correct", "version": seen["version"], **changes}
    assert client.post(f"{address}/commands", json=body).json()["table"]["rolls"] == 3


def test_roll_off_with_three_dice(program: Caller) -> None:
    plan = {"rules": THREE_DICE, "seats": [{"name": "Farah"}, {"name": "Sam"}], "start": True}
    client = program("Farah")
    seen = client.get(f"/tables/{client.post('/tables', json=plan).json()['id']}").json()
    thrown = [(name, [int(face) for face in dice], total) for name, dice, total in seen["roll_off"]]
    assert {name for name, _, _ in thrown} == {"Farah", "Sam"}
    assert all(len(dice) == 3 and sum(dice) == total for _, dice, total in thrown)
    assert seen["seats"][seen["on_turn"]]["name"] == max(thrown[-2:], key=lambda throw: throw[2])[0]


def test_pad_without_script_asks_for_saved_rolls(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "maxi-yatzy", ["Ann", "Bob"])
    client.post(f"{path}/entry", data={"entry": "quick"})
    page = client.get(path)
    assert 'name="saved" type="number" inputmode="numeric" min="0" max="2" value="0"' in page.text
    assert pad_of(page)["saves"]
    assert "can leave 0 to 2 rolls for later" in alert_text(
        post(client, path, "enter", dice="123456", last="yes", saved="7")
    )
    page = post(client, path, "enter", dice="123456", last="yes", saved="2")
    assert "1-2-3-4-5-6" in unescape(page.text)
    assert 'name="hold"' not in page.text, "final dice are not rolled on"
    page = post(client, path, "score", box="full_straight")
    assert "Ann has 2 saved rolls." in unescape(page.text)
    assert '<small class="saved">2 saved</small>' in page.text
    assert pad_of(page)["played"][0]["turns"][0][6] == 2
    assert 'name="saved"' not in client.get(open_pad(stage, "yahtzee", ["Ann"])).text


def test_pad_without_script_corrects_saved_rolls(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "maxi-yatzy", ["Ann"])
    client.post(f"{path}/entry", data={"entry": "quick"})
    for dice, box, saved in (("123456", "full_straight", "2"), ("445566", "three_pairs", "4")):
        post(client, path, "enter", dice=dice, last="yes", saved=saved)
        post(client, path, "score", box=box)
    address = f"{path}/correct?game=0&turn=0"
    assert 'value="2"' in _field(client.get(address), "saved-0-0")
    wanted = {"saved-0-0": "0", "action": "check"}
    page = client.post(address, data=wanted)
    assert "can leave 0 to 2 rolls for later. You entered 4." in alert_text(page)
    assert 'value="4"' in _field(page, "saved-0-1")
    wanted |= {"saved-0-1": "1"}
    page = client.post(address, data=wanted)
    assert "<bdi>Ann</bdi>: Saved rolls" in page.text
    checked = re.search(r'name="checked" value="(.*?)"', page.text)
    assert checked is not None
    version = pad_of(client.get(path))["version"]
    saving = wanted | {"action": "save", "checked": unescape(checked[1]), "version": version}
    assert client.post(address, data=saving).status_code == 303
    state = state_of(stage, path)
    assert state.running.position.card.saved == 1


def _field(page: httpx.Response, name: str) -> str:
    found = re.search(rf'<input [^>]*name="{name}"[^>]*>', page.text)
    assert found is not None, name
    return found[0]
