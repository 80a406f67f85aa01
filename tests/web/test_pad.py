"""The score pad without a browser: every form, and every refusal with its sentence."""

import json
import re
from html import unescape
from typing import Any

import httpx
import pytest

from support.pad_pages import alert_text, pad_of, post, state_of
from web.conftest import Caller
from web.pads import fill, open_pad, turns, who
from web.stage import Stage

SET_UP = {"book": "yardzee", "name": ["", "Ann", "", "Bob"], "first": "3", "games": "", "match": "yes"}


# --- setting up ---


def test_phone_gets_the_whole_sheet(stage: Stage, caller: Caller) -> None:
    """All that it needs to go on without a connection: how it was set up, and every turn."""
    client, path = caller("Ann"), open_pad(stage, "maxi-yatzy", ["Ann", "Bob"], games=2, first=1)
    turns(stage, path, ("123456", "full_straight"), ("111234", "aces"))
    pad = pad_of(client.get(path))
    assert (pad["names"], pad["first"], pad["games"], pad["matchTotal"], pad["out"]) == (["Ann", "Bob"], 1, 2, True, [])
    (game,) = pad["played"]
    assert game["first"] == 1
    assert game["turns"] == [[1, "123456", 14, 21], [0, "111234", 0, 3]], "whose, dice, box and points"
    assert client.get(pad["links"]["rules"]).json()["rules"]["dice"] == 6
    assert client.get(pad["links"]["book"]).status_code == 200
    assert pad_of(caller("Dora").get(path))["links"]["rules"], "the script paints the sheet for who watches too"


def test_one_tap_opens_a_pad(caller: Caller) -> None:
    page = caller("").post("/pad/now", follow_redirects=True)
    assert pad_of(page)["keeper"]
    assert pad_of(page)["names"] == ["Player 1", "Player 2"]
    assert 'id="thrown"' in page.text
    assert page.headers["fivedice-pad"] == "keeper"


def test_set_up_is_remembered(stage: Stage, caller: Caller) -> None:
    client = caller("Petra")
    page = client.post("/pad", data=SET_UP | {"entry": "rolls"}, follow_redirects=True)
    pad = pad_of(page)
    assert (pad["names"], pad["first"], pad["mode"]) == (["Ann", "Bob"], 1, "rolls")
    assert state_of(stage, page.url.path).games == 6, "as the sheet of the book shows"
    client.post("/tables", data={"name": "Petra", "book": "yatzy"})
    assert "Opens Yardzee for <bdi>Ann and Bob</bdi>." in client.get("/pad").text
    screen = client.get("/pad").text
    assert 'value="yardzee" checked' in screen
    assert 'value="1" checked> begins' in screen
    again = client.post("/pad/now", follow_redirects=True)
    assert pad_of(again)["first"] == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"book": "ludo"}, "There are no rules called 'ludo'"),
        ({"games": "99"}, "A score sheet has 1 to"),
        ({"games": "six"}, "games must be a whole number, not 'six'"),
        ({"name": ["x" * 300]}, "Choose another name"),
    ],
)
def test_invalid_set_up_is_refused(caller: Caller, wrong: dict[str, Any], says: str) -> None:
    page = caller("Petra").post("/pad", data=SET_UP | wrong)
    assert page.status_code == 400
    assert says in alert_text(page)


# --- writing without script ---


def test_quick_entry_by_form(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = post(client, path, "enter", dice="2 4-4,6 6", last="yes")
    assert 'id="box-two_pairs"' in page.text
    assert "Enter dice" not in page.text, "they are the final ones"
    page = post(client, path, "score", box="two_pairs")
    assert ">20</a>" in page.text
    assert "Bob\N{RIGHT SINGLE QUOTATION MARK}s turn" in page.text
    assert ">20</a>" not in post(client, path, "undo").text


def test_roll_by_roll_by_form(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann"])
    post(client, path, "entry", entry="rolls")
    post(client, path, "enter", dice="22561")
    page = post(client, path, "enter", dice="244", hold=["0", "1"])
    assert _dice(page) == [2, 2, 2, 4, 4]
    assert "Or score now:" in page.text
    page = post(client, path, "withdraw")
    assert _dice(page) == [2, 2, 5, 6, 1]
    assert 'name="entry"' not in page.text, "the way of entry changes between turns"
    page = post(client, path, "score", box="ones")
    assert ">1</a>" in page.text


def _dice(page: httpx.Response) -> list[int]:
    return [int(face) for face in re.findall(r'aria-label="(?:Keep d|D)ie \d: (\d)', page.text)]


def test_zeros_are_confirmed_and_closed_boxes_hidden(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann"])
    post(client, path, "enter", dice="13466", last="yes")
    page = post(client, path, "score", box="two_pairs")
    assert "Score 0 in <strong>" in page.text
    assert state_of(stage, path).turn == 0
    page = post(client, path, "score", box="two_pairs", sure="yes")
    assert state_of(stage, path).turn == 1
    client, path = caller("Ann"), open_pad(stage, "yardzee", ["Ann"])
    turns(stage, path, ("44444", "five_of_a_kind"))
    page = post(client, path, "enter", dice="44444", last="yes")
    assert re.findall(r'id="box-(\w+)"', page.text) == ["fours"]
    assert "4-4-4-4-4 must go in Fours, which is open" in page.text
    refused = post(client, path, "score", box="chance")
    assert refused.status_code == 422
    assert "4-4-4-4-4 must go in Fours, which is open" in alert_text(refused)


@pytest.mark.parametrize(
    ("dice", "says"),
    [
        ("2446", "Enter 5 dice, each 1 to 6. You entered '2446'."),
        ("24467", "You entered '24467'"),
        ("2446x", "You entered '2446x'"),
        ("", "5"),
    ],
)
def test_impossible_dice_are_refused(stage: Stage, caller: Caller, dice: str, says: str) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann"])
    page = post(client, path, "enter", dice=dice, last="yes")
    assert page.status_code == 400
    assert says in alert_text(page)
    assert not state_of(stage, path).slots


# --- several games ---


def test_games_add_up_to_a_match(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann", "Bob"], games=2)
    fill(stage, path, leave=30)
    page = client.get(path)
    assert "Start game 2 of 2" in page.text
    assert "the match with" in page.text
    assert 'id="thrown"' not in page.text
    page = post(client, path, "next", game="1")
    assert "Round 1 of 15" in page.text
    assert "Game 1 has begun already" not in page.text
    assert alert_text(post(client, path, "next", game="1")) == "", "it has begun, so all is well"
    fill(stage, path)
    page = client.get(path)
    assert re.search(r"(wins|share) the match with \d+", page.text)
    assert "New score sheet" in page.text
    assert page.text.count("/correct?game=0") == page.text.count("/correct?game=1") == 30
    assert "/correct?" not in client.get(path, headers={"Fivedice-Fragment": "1"}).text, "the script paints it"
    following = client.post(f"{path}/rematch", follow_redirects=True)
    assert state_of(stage, following.url.path).games == 2
    assert pad_of(following)["playing"], "the scorekeeper continues"


def test_sheet_can_be_ended_and_printed(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann", "Bob"], games=2)
    turns(stage, path, ("66666", "sixes"))
    assert client.get(f"{path}/print").status_code == 200
    page = post(client, path, "give-up")
    assert "Ann wins with 30" in page.text, "as it stands"
    assert 'id="thrown"' not in page.text
    assert not pad_of(page)["playing"]


# --- correcting ---


def _correct(client: httpx.Client, path: str, turn: int, action: str = "check", **fields: str) -> httpx.Response:
    address = f"{path}/correct?game=0&turn={turn}"
    page = client.get(address)
    hidden = dict(re.findall(r'name="(version|key|checked)" value="(.*?)"', page.text))
    data = hidden | {name.replace("_at_", "-0-"): value for name, value in fields.items()}
    page = client.post(address, data=data | {"action": "check"}, follow_redirects=True)
    if action == "check":
        return page
    data["checked"] = unescape(re.findall(r'name="checked" value="(.*?)"', page.text)[0])
    return client.post(address, data=data | {"action": "save"}, follow_redirects=True)


def _changes(page: httpx.Response) -> dict[str, tuple[str, str]]:
    lines = re.findall(r'<th scope="row">(.*?)</th><td class="num">(.*?)</td><td class="num"><strong>(.*?)<', page.text)
    return {re.sub("<.*?>", "", label): (before, after) for label, before, after in lines}


def test_correction_is_shown_before_it_is_saved(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann"])
    turns(stage, path, ("66666", "sixes"), ("55555", "fives"), ("44411", "fours"))
    page = _correct(client, path, 0, dice_at_0="66661")
    assert _changes(page) == {
        "Ann: Sixes": ("30", "24"),
        "Ann: Sum": ("67", "61"),
        "Ann: Bonus": ("50", "0"),
        "Ann: Sum with bonus": ("117", "61"),
        "Ann: Total": ("117", "61"),
    }
    assert "Save correction" in page.text
    page = _correct(client, path, 0, "save", dice_at_0="66661")
    assert page.url.path == path
    assert len(pad_of(page)["played"][0]["turns"]) == 3
    assert ">24</a>" in page.text


def test_only_checked_corrections_are_saved(stage: Stage, caller: Caller) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann"])
    turns(stage, path, ("66666", "sixes"))
    data = {"dice-0-0": "66611", "action": "save", "checked": "", "version": str(state_of(stage, path).version)}
    page = client.post(f"{path}/correct?game=0&turn=0", data=data)
    assert "What will change" in page.text
    assert state_of(stage, path).game_version == state_of(stage, path).version, "nothing happened"
    assert ">30</a>" in client.get(path).text


def test_correction_includes_broken_later_entries(stage: Stage, caller: Caller) -> None:
    """A second Yardzee was forced into Fours; without the first one it would have been free, with other dice not."""
    client, path = caller("Ann"), open_pad(stage, "yardzee", ["Ann"])
    turns(stage, path, ("44446", "chance"), ("44444", "three_of_a_kind"))
    page = _correct(client, path, 0, dice_at_0="44444", box_at_0="five_of_a_kind")
    assert "This makes a later score invalid." in page.text
    assert "4-4-4-4-4 must go in Fours, which is open" in alert_text(page)
    assert "Save correction" not in page.text
    assert 'name="box-0-1" value="fours"' in page.text
    refused = client.post(
        f"/api/tables{path.removeprefix('/t')}/commands",
        json={
            "command": "correct",
            "version": state_of(stage, path).version,
            "changes": [{"game": 0, "turn": 0, "dice": "44444", "box": "five_of_a_kind"}],
        },
    )
    assert refused.status_code == 422
    assert "4-4-4-4-4 must go in Fours" in refused.json()["message"]
    page = _correct(client, path, 0, "save", dice_at_0="44444", box_at_0="five_of_a_kind", box_at_1="fours")
    game = state_of(stage, path).game
    assert game is not None
    assert game.position.cards[0].total == 50 + 20 + 100


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"dice_at_0": "6666"}, 400, "You entered '6666'"),
        ({"dice_at_0": "six"}, 400, "You entered 'six'"),
        ({"box_at_0": "yacht"}, 422, "yacht"),
        ({"box_at_0": "fives", "box_at_1": "yacht"}, 422, "yacht"),
        ({}, 400, "Say which turn"),
    ],
)
def test_invalid_corrections_are_refused(
    stage: Stage, caller: Caller, fields: dict[str, str], status: int, says: str
) -> None:
    client, path = caller("Ann"), open_pad(stage, "yatzy", ["Ann"])
    turns(stage, path, ("66666", "sixes"), ("12345", "chance"))
    page = _correct(client, path, 0, **fields)
    assert (page.status_code, says in alert_text(page)) == (status, True), alert_text(page)


def test_unwritten_turns_cannot_be_corrected(stage: Stage, caller: Caller) -> None:
    path = open_pad(stage, "yatzy", ["Ann"])
    for place in ("game=0&turn=0", "game=5&turn=0", "game=-1&turn=0"):
        assert caller("Ann").get(f"{path}/correct?{place}").status_code == 404


# --- who may write ---


def test_watchers_see_everything_and_write_nothing(stage: Stage, caller: Caller) -> None:
    dora, path = caller("Dora"), open_pad(stage, "yatzy", ["Ann", "Bob"])
    turns(stage, path, ("66666", "sixes"))
    page = dora.get(path)
    assert not pad_of(page)["keeper"]
    assert page.headers["fivedice-pad"] == "follower"
    assert ">30" in page.text
    assert "/correct?" not in page.text
    assert 'id="keypad"' not in page.text
    version = state_of(stage, path).version
    written: dict[str, Any] = {"game": "0", "turn": "1", "dice": "11111", "box": "ones", "version": str(version)}
    for action in ("enter", "write", "score", "undo", "withdraw", "next", "pencil"):
        assert dora.post(f"{path}/{action}", data=written).status_code in {403, 409}, action
    assert dora.get(f"{path}/correct?game=0&turn=0", follow_redirects=True).url.path == path, "there is nothing to do"
    assert dora.post(f"{path}/correct?game=0&turn=0", data={"dice-0-0": "11111"}).status_code == 403
    assert state_of(stage, path).version == version


def test_scorekeeper_link_works_once(stage: Stage, caller: Caller) -> None:
    ann, bob, path = caller("Ann"), caller("Bob"), open_pad(stage, "yatzy", ["Ann", "Bob"])
    page = ann.post(f"{path}/pencil")
    link = re.findall(r'id="pencil-link" readonly value="(.*?)"', page.text)[0]
    code = link.split("/")[-1]
    assert "Keep score" in bob.get(f"{path}/pencil/{code}").text
    assert state_of(stage, path).host == who("Ann"), "looking takes nothing"
    taken = bob.post(f"{path}/pencil/{code}", follow_redirects=True)
    assert pad_of(taken)["keeper"]
    assert not pad_of(ann.get(path))["keeper"]
    again = caller("Dora").post(f"{path}/pencil/{code}")
    assert again.status_code == 403
    assert "This link was used or replaced" in alert_text(again)


def test_digital_table_has_no_pad(stage: Stage, caller: Caller) -> None:
    ann, path = caller("Ann"), stage.put(stage.scene("yatzy", "Ann").start())
    assert "data-pad" not in ann.get(path).text
    assert "fivedice-pad" not in ann.get(path).headers
    assert ann.get(f"{path}/correct?game=0&turn=0").status_code == 422
    assert ann.get(f"{path}/pencil/x").status_code == 404


# --- a phone without a connection ---


def test_turn_sent_twice_is_written_once(stage: Stage, program: Caller) -> None:
    ann, path = program("Ann"), open_pad(stage, "yatzy", ["Ann"])
    body = {"command": "write", "game": 0, "turn": 0, "dice": "66666", "box": "sixes", "key": "mine"}
    address = f"/tables{path.removeprefix('/t')}/commands"
    first, second = ann.post(address, json=body).json(), ann.post(address, json=body).json()
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert first["version"] == second["version"]
    other = ann.post(address, json=body | {"key": "other", "box": "chance"})
    assert (other.status_code, other.json()["error"]) == (409, "conflict")
    early = ann.post(address, json=body | {"key": "early", "turn": 7})
    assert (early.status_code, early.json()["error"]) == (409, "turn-missing")


def test_service_worker_is_small_versioned_and_uncached(stage: Stage, caller: Caller) -> None:
    answer = caller("").get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert re.match(r'const VERSION = "[0-9a-f]{12}";\nconst FILES = \["/static/[0-9a-f]{12}/core/', answer.text)
    kept = json.loads(re.findall(r"const FILES = (.*?);", answer.text)[0])
    assert {"core/style.css", "pad/pad.css", "pad/pad.js"} < {path.split("/", 3)[3] for path in kept}
    pages = json.loads(re.findall(r"const PAGES = (.*?);", answer.text)[0])
    assert {"/pad", "/pad/sheet", "/rules/yardzee", "/pad/rules/yardzee"} < set(pages)
    for path in pages:
        assert caller("").get(path).status_code == 200, path
    page = caller("Ann").get(open_pad(stage, "yatzy", ["Ann"])).text
    for text in (page, caller("").get("/pad").text, caller("").get("/pad/sheet").text):
        loads = set(re.findall(r'"(/static/[^"]+\.(?:js|css))"', text))
        assert loads < set(kept), "what the page asks for is what the worker has"
    for path in kept:
        assert caller("").get(path).status_code == 200, path


def test_frame_for_local_sheets(caller: Caller) -> None:
    """It is small and the same for all, since phones store it."""
    one, other = caller("Ann").get("/pad/sheet").text, caller("Bob").get("/pad/sheet").text
    assert one == other
    assert len(one) < 40_000
    links = json.loads(unescape(re.findall(r"data-links='(.*?)'", one)[0]))
    assert set(links) == {"setUp", "open", "table"}
    assert "No connection" in caller("").get("/pad/offline").text


@pytest.mark.parametrize(
    ("rolls", "says"),
    [
        ([{"dice": "33521"}, {"dice": "33311", "held": [0, 1]}, {"dice": "33311"}, {"dice": "33311"}], "rolls"),
        ([{"dice": "33521"}, {"dice": "31311", "held": [0, 1]}], "Kept dice stay as they are"),
        ([{"dice": "33521", "held": [0]}], "Kept dice stay as they are"),
        ([{"dice": "33521"}, {"dice": "33521", "held": [0, 1, 2, 3, 4]}], "Kept dice stay as they are"),
        ([{"dice": "33521"}, {"dice": "33521", "held": [7]}], "Kept dice stay as they are"),
        ([{"dice": "3352"}], "Enter 5 dice"),
    ],
)
def test_impossible_rolls_are_refused(stage: Stage, program: Caller, rolls: list[dict[str, Any]], says: str) -> None:
    ann, path = program("Ann"), open_pad(stage, "yatzy", ["Ann"])
    body = {"command": "write", "game": 0, "turn": 0, "dice": rolls[-1]["dice"], "box": "chance", "rolls": rolls}
    answer = ann.post(f"/tables{path.removeprefix('/t')}/commands", json=body)
    assert answer.status_code in {400, 422}
    assert says in answer.json()["message"]
    assert not state_of(stage, path).lain


def test_rolls_are_recorded_with_their_turn(stage: Stage, program: Caller) -> None:
    ann, path = program("Ann"), open_pad(stage, "maxi-yatzy", ["Ann"])
    rolls: list[dict[str, Any]] = [{"dice": "335211"}, {"dice": "333311", "held": [0, 1, 4, 5]}]
    body = {"command": "write", "game": 0, "turn": 0, "dice": "113333", "box": "threes", "rolls": rolls}
    assert ann.post(f"/tables{path.removeprefix('/t')}/commands", json=body).status_code == 200
    state = state_of(stage, path)
    assert [(roll.dice, roll.held) for roll in state.lain[0]] == [
        ((3, 3, 5, 2, 1, 1), ()),
        ((3, 3, 3, 3, 1, 1), (0, 1, 4, 5)),
    ]
    assert state.running.position.cards[0].saved == 1, "of three rolls"
