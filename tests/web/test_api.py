"""The JSON API: completely described, and able to do everything a page can."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from sqlalchemy import update

from fivedice.core.rules import SHIPPED
from fivedice.store import schema
from fivedice.table.actions.events import to_data
from fivedice.table.service import Tables
from fivedice.web.http.forms import NAMES
from for_each import for_each
from web.conftest import Caller
from web.stage import Stage

TEMPLATES = Path(__file__).parents[2] / "src" / "fivedice" / "web" / "templates"


@pytest.fixture(scope="module")
def described(server: Any) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server.url}/schema/openapi.json").json()
    return found


def test_description_is_valid_and_complete(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    assert described["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    api = described["paths"]
    assert all(path.startswith("/api/") for path in api), "pages are for people"
    assert len(api) == 42, sorted(api)
    for path, methods in api.items():
        for method, operation in methods.items():
            assert operation["summary"], (path, method)
            codes = set(operation["responses"])
            assert "404" in codes or "{" not in path, path
            assert {"400", "401", "403", "409", "413", "422"} <= codes or "requestBody" not in operation, path


def test_errors_are_described_where_they_occur(described: dict[str, Any]) -> None:
    without = {("/api/books", "get"), ("/api/bots", "get"), ("/api/players", "post")}  # which ask no database
    calls = {
        (path, method): each["responses"] for path, of in described["paths"].items() for method, each in of.items()
    }
    assert {call for call, answers in calls.items() if "503" not in answers} == without
    keeps = {
        call for call in calls if call[1] == "post" and not call[0].endswith(("/players", "/consequences", "/hold"))
    }
    assert {call for call, answers in calls.items() if "507" in answers} == keeps


def test_examples_fit_their_schema(described: dict[str, Any]) -> None:
    seen = 0
    for methods in described["paths"].values():
        for operation in methods.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            schema = {"components": described["components"], **content["schema"]}
            assert content["schema"]["examples"], operation["summary"]
            for example in content["schema"]["examples"]:
                Draft202012Validator(schema).validate(example)
                seen += 1
    assert seen >= len(NAMES)


def test_every_command_has_an_example(described: dict[str, Any]) -> None:
    body = described["paths"]["/api/tables/{table}/commands"]["post"]["requestBody"]["content"]["application/json"]
    shown = {example["command"] for example in body["schema"]["examples"]}
    assert shown == set(NAMES)


def test_pages_and_api_have_the_same_commands() -> None:
    """Every form of a table posts to a command of the API, or to one of its few other calls."""
    text = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html"))
    posted = set(re.findall(r'action="\{\{ root \}\}/t/\{\{ (?:table|state).id \}\}/([a-z-]+)["?]', text))
    others = {"rematch", "handover", "pencil", "spare", "entry", "coach", "react", "deal"}
    by_script = {"write"}  # a phone sends whole turns late; without script they are entered and scored
    assert posted == {*NAMES, *others} - by_script


def test_program_plays_a_whole_game(program: Caller) -> None:
    client = program("")
    client.headers["authorization"] = f"Bearer {client.post('/players').json()['key']}"
    made = client.post("/tables", json={"book": "yatzy", "seats": [{"name": "Prog"}], "start": True})
    assert made.status_code == 201
    table = made.json()["id"]
    assert client.get(f"/tables/{table}/record").status_code == 404
    seen = client.get(f"/tables/{table}").json()
    for number in range(2 * 15):
        body = {"command": "roll"} if seen["rolls_left"] == 3 else {"command": "score", "box": _any_box(seen)}
        sent = body | {"version": seen["version"], "key": str(number)}
        done = client.post(f"/tables/{table}/commands", json=sent).json()
        again = client.post(f"/tables/{table}/commands", json=sent).json()
        assert (done["repeated"], again["repeated"]) == (False, True)
        assert again["table"] == done["table"]
        seen = done["table"]
    assert seen["phase"] == "finished"
    assert "Prog" in client.get(f"/tables/{table}/record").text
    mine = client.get("/tables").json()
    assert mine["best"]["yatzy"]["total"] == seen["seats"][0]["total"]
    assert client.post(f"/tables/{table}/rematch").json()["id"] != table


@for_each("kind", ["", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])
def test_body_with_a_cookie_must_be_json(caller: Caller, program: Caller, kind: str) -> None:
    """A page of any site can send the others without asking first, and an old browser does not say which site it is."""
    sent = {"content": b'{"book": "yatzy"}', "headers": {"content-type": kind} if kind else {}}
    refused = caller("Ann").post("/api/tables", **sent)
    assert (refused.status_code, refused.json()["error"]) == (403, "not-allowed")
    assert program("Ann").post("/tables", **sent).status_code == 201, "no browser sends a bearer key by itself"
    table = caller("Ann").post("/api/tables", json={"book": "yatzy"}).json()["id"]
    empty = caller("Ann").post(f"/api/tables/{table}/rematch")
    assert empty.json()["kind"].startswith("table."), "judged by the rules: no body is needed there"


def test_player_text_changes_the_dice(program: Caller) -> None:
    client = program("Ann")
    seats = [{"name": "Ann", "text": "rain"}, {"bot": "casual"}]
    table = client.post("/tables", json={"book": "yatzy", "seats": seats, "start": True}).json()["id"]
    events = client.get(f"/tables/{table}/events").text
    assert '"rain"' in events
    refused = client.post("/tables", json={"book": "yatzy", "seats": [{"bot": "casual", "text": "rain"}]})
    assert (refused.status_code, "'rain'" in refused.json()["message"]) == (400, True)


def _any_box(seen: dict[str, Any]) -> str:
    return next(row["box"] for row in seen["rows"] for cell in row["cells"] if cell["preview"] is not None)


def test_watching_program_hears_every_change(program: Caller) -> None:
    """The additions of all commands are the whole log, each event once, with the secret."""
    client = program("Ann")
    opened = {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True}
    table = client.post("/tables", json=opened).json()["id"]
    version = client.get(f"/tables/{table}").json()["version"]
    begun, heard = version, list[Any]()
    for box in client.get("/books/yatzy").json()["boxes"]:
        for move in ({"command": "roll"}, {"command": "score", "box": box["key"]}):
            sent = move | {"version": version, "key": f"k{version}", "answer": "changes"}
            done = client.post(f"/tables/{table}/commands", json=sent).json()
            assert set(done) == {"version", "repeated", "events"}
            again = client.post(f"/tables/{table}/commands", json=sent).json()
            assert again == {"version": done["version"], "repeated": True, "events": []}
            heard += done["events"]
            version = done["version"]
    assert heard == client.get(f"/tables/{table}/events?after={begun}").json()["events"]
    assert "secret" in heard[-1]
    assert not any({"player", "host", "word"} & set(event) for event in heard)


def test_every_command_works_through_the_api(stage: Stage, program: Caller) -> None:
    """A table from its opening to its undoing, by two programs."""
    ann, bob = program("Ann"), program("Bob")
    made = ann.post("/tables", json={"book": "yahtzee"}).json()
    address = f"/tables/{made['id']}/commands"
    used = set()

    def do(client: httpx.Client, command: str, **fields: Any) -> dict[str, Any]:
        version = client.get(f"/tables/{made['id']}").json()["version"]
        answer = client.post(address, json={"command": command, "version": version} | fields)
        assert answer.status_code == 200, (command, answer.text)
        used.add(command)
        table: dict[str, Any] = answer.json()["table"]
        return table

    do(ann, "sit", name="Ann", color="teal", token="♣")  # noqa: S106 - a token to play with
    do(bob, "sit", name="Bob", join_code=made["join_code"])
    do(ann, "bot", level="random")
    table = do(ann, "stand", seat=2)
    assert do(bob, "introduce", seat=1, name="Bobby", color="rose")["seats"][1]["name"] == "Bobby"
    do(bob, "introduce", seat=1, name="Bob", color="red")
    do(ann, "start-with", players=3)
    do(ann, "start-with")
    assert [(seat["name"], seat["color"]) for seat in table["seats"]] == [("Ann", "teal"), ("Bob", "red")]
    table = do(ann, "start")
    first, second = (ann, bob) if table["on_turn"] == 0 else (bob, ann)
    do(first, "roll")
    table = do(first, "roll", hold=[0, 1])
    assert [die["held"] for die in table["dice"]] == [True, True, False, False, False]
    do(first, "score", box="chance")
    do(second, "roll")
    assert do(first, "undo")["undo"] is None
    assert do(second, "answer", agree=True)["on_turn"] == table["on_turn"]
    do(first, "score", box="chance")
    seat = 1 - table["on_turn"]
    assert do(second, "leave", seat=seat)["seats"][seat]["away"]
    do(second, "return", seat=seat)
    do(second, "leave", seat=seat)
    do(first, "skip", seat=seat)
    do(first, "dismiss", seat=seat)
    if first is bob:  # else the game goes on without its host
        do(bob, "leave", seat=table["on_turn"])
    do(ann, "give-up")
    used.add("again")  # of a game that is finished: see `test_rematch_through_the_api`
    assert used == set(NAMES) - PAD_COMMANDS
    kinds = {event["kind"] for event in ann.get(f"/tables/{made['id']}/events").json()["events"]}
    assert kinds >= {"Opened", "Sat", "Stood", "Started", "Rolled", "Scored", "UndoAsked", "Undone", "Left", "StoodIn"}
    later = ann.get(f"/tables/{made['id']}/events", params={"after": 10**9}).json()
    assert later["events"] == []
    assert stage.store.header(made["id"]) is not None


def test_rematch_through_the_api(stage: Stage, program: Caller) -> None:
    path = stage.put(stage.scene("yatzy", "Ann", "Bob").start().play_until(0)).removeprefix("/t/")
    address = f"/tables/{path}/commands"
    program("Bob").get(f"/tables/{path}")  # who is not here is not waited for
    asked = program("Ann").post(address, json={"command": "again"}).json()["table"]
    assert (asked["again"]["yours"], asked["again"]["waiting"], asked["rematch"]) == (True, [1], None)
    assert program("Bob").get(f"/tables/{path}").json()["again"]["sentence"] == "Ann wants to play again."
    done = program("Bob").post(address, json={"command": "again", "key": "once"}).json()["table"]
    following = program("Bob").get(f"/tables/{done['rematch']}").json()
    assert (following["phase"], following["on_turn"]) == ("playing", 1)
    assert program("Bob").post(address, json={"command": "again", "key": "once"}).json()["repeated"]
    events = program("Ann").get(f"/tables/{path}/events").json()["events"]
    assert [event["kind"] for event in events[-3:]] == ["AgainSaid", "AgainSaid", "Rematched"]


def test_polling_misses_and_repeats_nothing(stage: Stage, program: Caller) -> None:
    scene = stage.scene("yatzy", "Ann", "Bob").start()
    path = stage.put(scene).removeprefix("/t/")
    heard, after = [], 0
    for _ in range(3):
        answer = program("Ann").get(f"/tables/{path}/events", params={"after": after}).json()
        heard += [event["kind"] for event in answer["events"]]
        assert answer["version"] == len(heard) > after
        after = answer["version"]
        on_turn = program("Ann").get(f"/tables/{path}").json()["on_turn"]
        roll = {"command": "roll", "version": after}
        assert program(("Ann", "Bob")[on_turn]).post(f"/tables/{path}/commands", json=roll).status_code == 200
    assert heard == [event.kind for event in stage.store.events_after(path, 0)][: len(heard)]
    last = program("Ann").get(f"/tables/{path}/events", params={"after": after + 1}).json()
    assert last == {"version": after + 1, "events": []}


def test_reservation_of_the_dice_is_never_shown(program: Caller, stage: Stage) -> None:
    """With the key it gives the secrets of all rematches: only the database needs it."""
    made = program("Ann").post("/tables", json={"book": "yatzy", "name": "Ann"}).json()
    word = Tables(stage.store).state(made["id"]).word
    assert word is not None
    events = program("Ann").get(f"/tables/{made['id']}/events").json()["events"]
    assert events[0]["kind"] == "Opened"
    assert all("word" not in event for event in events)
    shown = [program("Ann").get(f"/tables/{made['id']}{part}").text for part in ("", "/events")]
    assert word not in repr([made, shown])


PAD_COMMANDS = {
    "enter",
    "withdraw",
    "write",
    "correct",
    "next",
    "erase",
    "end",
    "pass",
    "join",
    "retire",
    "rejoin",
    "rename",
    "keep-score",
}


def test_score_pad_through_the_api(program: Caller) -> None:
    """A sheet of two games by a program, with everything that only real dice need."""
    ann, bob = program("Ann"), program("Bob")
    plan = {"book": "yardzee", "seats": [{"name": "Ann"}, {"name": "Bob"}], "start": True, "first": 1}
    made = ann.post("/tables", json=plan | {"real_dice": True, "games": 2, "match_total": True}).json()
    place = f"/tables/{made['id']}"
    used = set()

    def send(client: httpx.Client, command: str, **fields: Any) -> httpx.Response:
        used.add(command)
        version = client.get(place).json()["version"]
        return client.post(f"{place}/commands", json={"command": command, "version": version} | fields)

    def do(command: str, **fields: Any) -> dict[str, Any]:
        answer = send(ann, command, **fields)
        assert answer.status_code == 200, (command, answer.text)
        table: dict[str, Any] = answer.json()["table"]
        return table

    seen = do("enter", dice="2-4-4-6-6")
    shown = (seen["on_turn"], seen["can_withdraw"], seen["pencil"], seen["games"], seen["turn"])
    assert shown == (1, True, True, 2, 0)
    do("enter", dice="416", hold=[1, 2])
    do("withdraw")
    assert do("withdraw")["dice"] == []
    assert do("enter", dice="14444", last=True)["rolls_left"] == 0
    do("score", box="four_of_a_kind")
    sent = {"command": "write", "game": 0, "turn": 1, "dice": "66612", "box": "sixes"}
    assert ann.post(f"{place}/commands", json=sent).status_code == 200, "it needs no version"
    assert ann.post(f"{place}/commands", json=sent).status_code == 200, "it stands as it is sent"
    refused = ann.post(f"{place}/commands", json=sent | {"dice": "66611"})
    assert [turn["dice"] for turn in refused.json()["stands"]] == ["12666"]
    assert (refused.status_code, refused.json()["error"]) == (409, "conflict")
    assert refused.json()["message"] == "Already scored: Ann has 1-2-6-6-6 in Sixes for 18."
    assert send(ann, "write", game=0, turn=9, dice="66612", box="sixes").json()["error"] == "turn-missing"
    assert send(bob, "correct", changes=[{"game": 0, "turn": 0, "dice": "11111"}]).json()["error"] == "not-allowed"
    assert send(ann, "next", game=1).json()["message"] == "Game 1 is not finished yet."

    change = {"game": 0, "turn": 1, "dice": "66661"}
    result = bob.post(f"{place}/consequences", json={"changes": [change]}).json()
    assert result["problems"] == []
    assert result["lines"][0] == {
        "seat": 0,
        "player": "Ann",
        "game": 0,
        "label": "Sixes",
        "box": "sixes",
        "before": 18,
        "after": 24,
    }
    assert result["lines"][-1]["label"] == "Match total"
    do("correct", changes=[change])
    ann_sheet = bob.get(f"{place}/sheets").json()[0]
    assert (ann_sheet["totals"], ann_sheet["match_total"]) == ([24, None], 24)
    cell = next(row for row in ann_sheet["rows"] if row["box"] == "sixes")["cells"][0]
    assert (cell["game"], cell["turn"], cell["points"], cell["dice"]) == (0, 1, 24, [6, 6, 6, 6, 1])
    options = bob.get(f"{place}/options/0").json()
    assert options["rolls"]["12345"]["boxes"]["large_straight"] == [40, 0, 0]
    assert "sixes" not in options["rolls"]["12345"]["boxes"]
    assert bob.get(f"{place}/options/5").status_code == 400

    handed = ann.post(f"{place}/pencil").json()
    assert handed["link"].endswith(handed["code"])
    assert bob.post(f"{place}/pencil").status_code == 403
    assert bob.post(f"{place}/keeper", json={"code": handed["code"]}).json()["pencil"]
    assert not ann.get(place).json()["pencil"]
    assert send(bob, "undo").status_code == 200
    assert send(bob, "erase", game=0, turn=0).status_code == 200
    assert send(ann, "keep-score").json()["table"]["pencil"], "she has opened it"
    do("pass", game=0, turn=0, seat=1)
    assert [seat["name"] for seat in do("join", name="Cleo")["seats"]][-1] == "Cleo"
    assert do("rename", seat=2, name="Chloe")["seats"][2]["name"] == "Chloe"
    assert do("retire", seat=2)["seats"][2]["out"]
    assert not do("rejoin", seat=2)["seats"][2]["out"]
    assert do("end")["phase"] == "finished"
    assert used >= PAD_COMMANDS


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"games": 2}, "malformed"),
        ({"games": 99, "real_dice": True}, "malformed"),
        ({"rules": "boxes = "}, "bad-book"),
        ({"first": 0}, "not-allowed"),
        ({"first": 4, "real_dice": True}, "malformed"),
    ],
)
def test_invalid_table_is_not_opened(program: Caller, wrong: dict[str, Any], code: str) -> None:
    ann = program("Ottilie")
    answer = ann.post("/tables", json={"seats": [{"name": "Ottilie"}], "start": True} | wrong)
    assert (answer.status_code >= 400, answer.json()["error"]) == (True, code)
    assert ann.get("/tables").json()["tables"] == []


def test_tables_by_own_rules_and_lists_of_books_and_bots(program: Caller) -> None:
    ann = program("Dora")
    rules = 'extends = "yatzy"\nkey = "our-yatzy"\nrolls = 2\n'
    made = ann.post("/tables", json={"rules": rules, "seats": [{"name": "Dora"}], "start": True}).json()
    assert ann.get(f"/tables/{made['id']}").json()["rolls"] == 2
    client = program("")
    assert [book["key"] for book in client.get("/books").json()] == list(SHIPPED)
    assert client.get("/books/yatzy").json()["boxes"][0]["name"] == "Ones"
    assert client.get("/books/nope").status_code == 404
    rows = client.get("/books/yatzy/differences", params={"against": "yahtzee"}).json()
    assert {"topic", "ours", "theirs"} == rows[0].keys()
    assert client.get("/books/yatzy/differences").status_code == 400
    assert {bot["level"] for bot in client.get("/bots").json()} >= {"newcomer", "steady", "perfect"}


def test_examples_on_the_api_page_are_valid(caller: Caller) -> None:
    """Every address and body that the page shows is one of the API."""
    client = caller("Reader")
    text = client.get("/api").text.replace("&#34;", '"').replace("&#39;", "'")
    key = client.post("/api/players").json()["key"]
    headers = {"authorization": f"Bearer {key}"}
    bodies = [json.loads(body) for body in re.findall(r"-d '(\{.*?\})'", text)]
    made = client.post("/api/tables", json=bodies[0], headers=headers)
    assert made.status_code == 201
    for body in bodies[1:]:
        where = next((f"/{where}s" for where in ("move", "command") if where in body), None)
        path = f"/api/tables/{made.json()['id']}{where}" if where else "/api/tables"
        answer = client.post(path, json=body, headers=headers)
        assert answer.json().get("error") != "malformed", body
    named = set(re.findall(r"<code>([a-z]+(?:-[a-z]+)*)</code>", text))
    assert {"stale", "not-your-turn", "no-key", "illegal", "full", "unknown-table", "too-large"} <= named


def test_opening_key_opens_one_table(program: Caller) -> None:
    ann, body = program("Ann"), {"book": "yatzy", "seats": [{"name": "Ann"}], "key": "once"}
    first = ann.post("/tables", json=body)
    again = ann.post("/tables", json=body)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    other = ann.post("/tables", json=body | {"book": "yahtzee"})
    assert (other.status_code, other.json()["error"]) == (409, "key-used")
    assert program("Bob").post("/tables", json=body).json() != first.json()


def test_other_command_with_the_same_key_is_refused(stage: Stage, program: Caller) -> None:
    ann, address = program("Ann"), stage.put(stage.scene("yatzy", "Ann").start()).replace("/t/", "/tables/")
    version = ann.get(address).json()["version"]
    rolled = ann.post(f"{address}/moves", json={"move": "roll", "version": version, "key": "k"}).json()
    again = ann.post(f"{address}/moves", json={"move": "roll", "version": version, "key": "k"}).json()
    assert again["version"] == rolled["version"]
    kept = {"move": "roll", "keep": again["dice"][:1], "version": again["version"], "key": "l"}
    assert ann.post(f"{address}/moves", json=kept).json() == ann.post(f"{address}/moves", json=kept).json()
    other = ann.post(f"{address}/commands", json={"command": "leave", "seat": 0, "key": "l"})
    assert (other.status_code, other.json()["error"], other.json()["kind"]) == (
        409,
        "key-used",
        "table.key-used-command",
    )


def test_table_of_changed_rules_is_refused(stage: Stage, program: Caller, caller: Caller) -> None:
    """A later version of a book must not score an old game anew; nothing breaks over it."""
    table = stage.tables.open("somebody", "yatzy")
    (opened,) = stage.store.events_after(table, 0)
    data = to_data(opened)[1] | {"fingerprint": "feed"}
    with stage.store._engine.begin() as connection:  # no access leads there
        row = (schema.events.c.table_id == table, schema.events.c.version == 1)
        connection.execute(update(schema.events).where(*row).values(data=data))
    answer = program("").get(f"/tables/{table}")
    assert (answer.status_code, answer.json()["error"]) == (409, "other-book")
    page = caller("Ann").get(f"/t/{table}")
    assert (page.status_code, "was played with other rules" in page.text) == (409, True)
    assert caller("Ann").post(f"/t/{table}/start").status_code == 409
