"""Commands in the OpenAPI document: one schema each, and older bodies stay readable."""

from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator, ValidationError

from fivedice.players.bots import LEVELS
from fivedice.web.http.forms import NAMES
from web.conftest import Caller

# The fields of the object that all commands once shared; null where that was allowed.
OLD = {
    "version": None,
    "key": None,
    "seat": None,
    "name": "",
    "color": None,
    "token": None,
    "text": "",
    "join_code": None,
    "level": "",
    "hold": [],
    "box": "",
    "agree": None,
    "now": False,
    "dice": None,
    "points": None,
    "last": False,
    "saved": 0,
    "game": None,
    "turn": None,
    "first": None,
    "players": None,
    "changes": [],
    "was": [],
    "rolls": [],
    "answer": "table",
}


@pytest.fixture(scope="module")
def document(server: Any) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server.url}/schema/openapi.json").json()
    return found


def _body(document: dict[str, Any], path: str) -> dict[str, Any]:
    posted = document["paths"][f"/api/tables/{{table}}/{path}"]["post"]["requestBody"]
    found: dict[str, Any] = posted["content"]["application/json"]["schema"]
    return found


def _schemas(document: dict[str, Any], path: str) -> dict[str, dict[str, Any]]:
    """Each by the value that tells it apart."""
    mapping = _body(document, path)["discriminator"]["mapping"]
    return {name: document["components"]["schemas"][ref.rpartition("/")[2]] for name, ref in mapping.items()}


def test_each_command_has_its_own_schema(document: dict[str, Any]) -> None:
    body, found = _body(document, "commands"), _schemas(document, "commands")
    assert set(found) == set(NAMES)
    assert body["discriminator"]["propertyName"] == "command"
    assert {one["$ref"] for one in body["oneOf"]} == set(body["discriminator"]["mapping"].values())
    for name, one in found.items():
        assert one["description"], name
        assert one["properties"]["command"]["const"] == name
        about = {field: said.get("description") for field, said in one["properties"].items() if field != "command"}
        assert all(about.values()), (name, about)
    assert set(found["roll"]["properties"]) == {"command", "hold", "version", "key", "answer"}
    assert {name for name, one in found.items() if "version" in one["required"]} >= {"roll", "score", "undo"}
    assert found["write"]["required"] == ["command", "game", "turn"]


def test_closed_sets_are_enums_and_moves_described(document: dict[str, Any]) -> None:
    found = _schemas(document, "commands")
    assert found["bot"]["properties"]["level"]["enum"] == list(LEVELS)
    assert "teal" in found["sit"]["properties"]["color"]["enum"]
    assert found["roll"]["properties"]["answer"]["enum"] == ["table", "changes"]
    phases = document["components"]["schemas"]["Phase"]["enum"]
    assert phases == ["seating", "playing", "finished", "given up"]
    found = _schemas(document, "moves")
    assert set(found) == {"sit", "start", "roll", "score", "undo"}
    assert all(one["description"] for one in found.values())
    assert "notation" in document["components"]["schemas"]["TablePosition"]["description"]


def test_examples_fit_only_their_command(document: dict[str, Any]) -> None:
    whole = Draft202012Validator({"components": document["components"], **_body(document, "commands")})
    for name, one in _schemas(document, "commands").items():
        for example in one["examples"]:
            assert example["command"] == name
            whole.validate(example)  # oneOf: exactly one
            for field in one["required"]:
                with pytest.raises(ValidationError):
                    whole.validate({key: value for key, value in example.items() if key != field})


def test_older_bodies_are_read(program: Caller) -> None:
    client = program("Ann")
    made = client.post("/tables", json={"book": "yatzy", "seats": [{"name": "Ann"}]}).json()
    address, version = f"/tables/{made['id']}/commands", made["table"]["version"]
    for own in (
        {"command": "introduce", "seat": 0, "name": "Anna"},
        {"command": "bot", "level": "steady"},
        {"command": "start"},
        {"command": "leave", "seat": 0},
    ):
        answer = client.post(address, json=OLD | {"version": version} | own)
        assert answer.status_code == 200, answer.text
        version = answer.json()["version"]
    assert [seat["name"] for seat in answer.json()["table"]["seats"]] == ["Anna", "Steady bot"]


def test_unknown_command_is_quoted_with_known_ones(program: Caller) -> None:
    client = program("Ann")
    made = client.post("/tables", json={"book": "yatzy"}).json()
    answer = client.post(f"/tables/{made['id']}/commands", json={"command": "fly"})
    assert (answer.status_code, answer.json()["kind"]) == (400, "web.unknown-command")
    assert "'fly'" in answer.json()["message"]
    assert all(name in answer.json()["message"] for name in NAMES)
