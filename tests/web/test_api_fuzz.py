"""The API under requests that its description allows and forbids: no server errors.

`FIVEDICE_FUZZ=1000` sends 1,000 requests to each operation instead of a few.
"""

import os
import sqlite3
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from long import takes_turns
from web.access_matrix import SITUATIONS
from web.inside import Inside, shared_server
from web.stage import key_of

pytestmark = takes_turns

EXAMPLES = int(os.environ.get("FIVEDICE_FUZZ", "2"))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
CALLERS = st.sampled_from(["", "Dora", "Bob", "Ann", "Host"])
TABLES = st.sampled_from(["", "seating", "playing", "scored", "asked", "away", "finished", "pad", "entered"])
WAYS = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


server = shared_server


@pytest.fixture(scope="module")
def described(server: Inside) -> Any:
    return schemathesis.openapi.from_dict(server.ask("GET", "/schema/openapi.json").json())


def test_no_request_causes_a_server_error(server: Inside, described: Any) -> None:
    tried = 0
    for found in described.get_all_operations():
        operation = found.ok()
        _fuzz(server, operation)
        tried += 1
    assert tried == sum(len(methods) for methods in described.raw_schema["paths"].values())


def test_database_errors_are_answered_as_described(
    server: Inside, described: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> NoReturn:
        raise sqlite3.OperationalError("nobody answers")

    in_trouble = Counter[int]()
    monkeypatch.setattr(server.app.state.services.tables.store._engine.pool, "connect", away)
    for found in described.get_all_operations():
        in_trouble += _fuzz(server, found.ok(), examples=2, checks=CHECKS[1:])
    assert in_trouble[503] > 10
    assert 500 not in in_trouble


def _fuzz(server: Inside, operation: Any, examples: int = EXAMPLES, checks: Sequence[Any] = CHECKS) -> Counter[int]:
    answered = Counter[int]()
    cases = st.one_of([operation.as_strategy(generation_mode=way) for way in WAYS])

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=examples < 100,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases, who=CALLERS, at=TABLES)
    def run(case: Any, who: str, at: str) -> None:
        _at_a_table(server, case, at)
        case.headers = {name: value for name, value in (case.headers or {}).items() if name.lower() != "authorization"}
        if who:
            case.headers["Authorization"] = f"Bearer {key_of(who)}"
        answer = _send(server, case)
        answered[answer.status_code] += 1
        case.validate_response(answer, checks=checks)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run()
    return answered


def _at_a_table(server: Inside, case: Any, at: str) -> None:
    """Give most cases an existing table and its version, since random ids never hit one."""
    if at and "table" in (case.path_parameters or {}):
        given = SITUATIONS[at](server)
        case.path_parameters["table"] = given["table"]
        if isinstance(case.body, dict) and isinstance(case.body.get("version"), int):
            case.body["version"] = int(given["version"])


def _send(server: Inside, case: Any) -> httpx.Response:
    asked = case.as_transport_kwargs(base_url="http://dice.test")
    request = {name: asked[name] for name in ("headers", "params", "json", "data", "content") if asked.get(name)}
    if isinstance(request.get("data"), bytes | str):
        request["content"] = request.pop("data")
    return server.ask(asked["method"], asked["url"], **request)
