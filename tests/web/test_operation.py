"""Health, metrics and logs: correct, and without private data."""

import io
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import jinja2
import pytest
from litestar.openapi import plugins
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from fivedice import __version__
from fivedice.table.actions.rights import player_id
from fivedice.web.jobs.telemetry import set_up_logs
from fivedice.web.server import _get_ready
from web.inside import Inside, own_server
from web.stage import CODE, key_of

LINE = re.compile(r'(?:#.*|[a-z_]+(?:\{(?:[a-z]+="[^"\\]*",?)*\})? (?:[-+0-9.e]+|NaN|\+Inf))')


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """For tests that change and count nothing."""
    folder = tmp_path_factory.mktemp("quiet")
    with Inside(folder, trusted_proxies="10.0.0.1", metrics_from="127.0.0.1, 192.0.2.0/24") as server:
        yield server


server = own_server


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Collect the server's log lines as JSON."""
    root, client = logging.getLogger(), logging.getLogger("httpx")
    before, level = root.handlers[:], root.level
    out = io.StringIO()
    set_up_logs("json", out)
    client.setLevel(logging.WARNING)  # it is the caller, and not what is tested
    yield out
    client.setLevel(logging.NOTSET)
    root.handlers[:] = before
    root.setLevel(level)


def _play(server: Inside) -> str:
    """A little of everything: a table, a move, a refusal, a way that leads nowhere."""
    scene = server.stage.scene("yatzy", "Ann", "Bob").start()
    path = server.stage.put(scene)
    form = {"version": str(scene.state.version), "key": "one"}
    assert server.ask("POST", f"{path}/roll", "Ann", data=form).status_code == 303
    assert server.ask("POST", f"{path}/roll", "Ann", data=form).status_code == 303
    assert server.ask("POST", f"{path}/roll", "Bob", data=form | {"key": "two"}).status_code in {403, 409}
    assert server.ask("GET", f"{path}/join/{CODE}?secret=query", "Dora").status_code == 200
    assert server.ask("GET", "/nowhere/at/all", "Dora").status_code == 404
    assert server.ask("POST", "/tables", "Ann", data={"name": "Ann"}).status_code == 303
    return path


def _metrics(server: Inside) -> dict[str, float]:
    answer = server.ask("GET", "/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in answer.text.splitlines():
        assert LINE.fullmatch(line), line
    rows = [line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in rows}


def test_health_of_a_quiet_server(quiet: Inside) -> None:
    answer = quiet.ask("GET", "/health", address="203.0.113.9")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "ready": True, "database": "ok", "version": __version__}
    assert quiet.ask("HEAD", "/health").status_code == 200


def test_health_without_a_database(server: Inside, monkeypatch: pytest.MonkeyPatch, lines: io.StringIO) -> None:
    services = server.app.state.services

    def gone() -> None:
        raise OSError("postgresql://user:password@somewhere is gone")

    monkeypatch.setattr(services.tables.store, "probe", gone)
    answer = server.ask("GET", "/health")
    assert answer.status_code == 503
    assert answer.json() == {"status": "unavailable", "ready": False, "database": "unreachable", "version": __version__}
    assert "password" not in answer.text + lines.getvalue()
    assert "cannot be reached: OSError" in lines.getvalue()
    assert _metrics(server)["fivedice_live_streams"] == 0, "metrics are there all the same"


def test_health_asks_the_database_at_most_once_a_second(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    services, now, asked = server.app.state.services, [0.0], []
    monkeypatch.setattr(services.health, "_clock", lambda: now[0])
    monkeypatch.setattr(services.tables.store, "probe", lambda: asked.append(now[0]))
    for _ in range(5):
        server.ask("GET", "/health")
    assert len(asked) == 1
    now[0] = 1.0
    server.ask("GET", "/health")
    assert len(asked) == 2


def test_health_reports_a_replaced_database(server: Inside) -> None:
    server.ask("GET", "/health")
    path = server.folder / "tables.db"
    path.rename(server.folder / "elsewhere.db")
    server.app.state.services.health._asked = float("-inf")
    answer = server.ask("GET", "/health")
    assert (answer.status_code, answer.json()["database"]) == (503, "database-replaced")
    assert not path.exists(), "no empty one is made in its place"
    refused = server.ask("POST", "/tables", "Ann", data={"name": "Ann"})
    assert refused.status_code == 503


def test_metrics_count_what_happened(server: Inside) -> None:
    _play(server)
    server.ask("BREW", "/help")
    found = _metrics(server)
    assert found['fivedice_commands_total{by="person",command="RollDice"}'] == 1, "the repeated one acted once"
    assert sum(value for name, value in found.items() if name.startswith("fivedice_refusals_total")) == 1
    assert found["fivedice_tables_opened_total"] == 1
    assert found['fivedice_tables{phase="playing"}'] == 2
    assert found['fivedice_requests_total{method="POST",route="/t/{table}/{action}",status="303"}'] == 2
    assert found['fivedice_requests_total{method="GET",route="(none)",status="404"}'] == 1
    assert found['fivedice_requests_total{method="OTHER",route="(none)",status="405"}'] == 1
    assert found['fivedice_request_seconds_count{route="/t/{table}/{action}"}'] == 3
    assert found[f'fivedice_version_info{{version="{__version__}"}}'] == 1
    assert found["fivedice_live_streams"] == found["fivedice_solves_running"] == 0
    assert found["process_resident_memory_bytes"] > 1e6


def test_metrics_count_refused_requests(tmp_path: Path) -> None:
    with Inside(tmp_path, write_rate=0.1, tables_per_hour=1) as server:
        assert [server.ask("POST", "/play", "Ann").status_code for _ in range(2)] == [303, 429]
        server.ask("POST", "/play", "Ann", address="192.0.2.1")
        found = _metrics(server)
    assert found['fivedice_limited_total{limit="writes"}'] == 1
    assert 'fivedice_limited_total{limit="tables"}' not in found


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("192.0.2.200", {}, 200),
        ("192.0.3.1", {}, 403),
        ("testclient", {}, 403),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.9"}, 403),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, 403),
        ("127.0.0.1", {"forwarded": "for=127.0.0.1"}, 403),
        ("127.0.0.1", {"x-real-ip": "127.0.0.1"}, 403),
        ("10.0.0.1", {"x-forwarded-for": "203.0.113.9"}, 403),
        ("10.0.0.1", {"x-forwarded-for": "127.0.0.1, 203.0.113.9"}, 403),
        ("10.0.0.1", {"x-forwarded-for": "192.0.2.5"}, 200),
    ],
)
def test_metrics_are_for_the_operator(quiet: Inside, address: str, headers: dict[str, str], status: int) -> None:
    """An unconfigured proxy must not make every client look local."""
    assert quiet.ask("GET", "/metrics", address=address, headers=headers).status_code == status


def test_metrics_can_be_closed(tmp_path: Path) -> None:
    with Inside(tmp_path, metrics_from="") as server:
        answer = server.ask("GET", "/metrics")
        assert (answer.status_code, answer.json()["error"]) == (403, "not-allowed")


def test_logs_are_json_with_one_line_per_request(server: Inside, lines: io.StringIO) -> None:
    _play(server)
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    requests = [line for line in found if line["logger"] == "fivedice.requests"]
    assert len(requests) == 6
    assert requests[0].keys() == {"time", "level", "logger", "message", "method", "route", "status", "ms"}
    assert all(datetime.fromisoformat(line["time"]).utcoffset() == timedelta(0) for line in found)
    shown = [(line["method"], line["route"], line["status"]) for line in requests]
    assert shown[0] == ("POST", "/t/{table}/{action}", 303)
    assert shown[3:5] == [("GET", "/t/{table}/join/{code}", 200), ("GET", "(none)", 404)]


def test_secrets_are_in_no_log_and_no_metric(
    server: Inside, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _play(server)
    table = path.removeprefix("/t/")

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("made to fail")

    monkeypatch.setattr("fivedice.web.services.app_services.AppServices.view", broken)
    monkeypatch.setenv("LITESTAR_DEBUG", "1")
    answer = server.ask("GET", f"{path}/join/{CODE}?secret=query", "Ann")
    assert answer.status_code == 500
    assert not any(result in answer.text for result in ("made to fail", "Traceback", "RuntimeError")), (
        "but not to callers"
    )
    written = lines.getvalue()
    assert "made to fail" in written, "our own errors are logged in full"
    header = server.stage.store.header(table)
    assert header is not None
    secrets = [header.secret, CODE, "secret=query", f"/{table}", "Bearer", "/nowhere", "127.0.0.1"]
    for name in ("Ann", "Bob", "Dora"):
        secrets += [key_of(name), player_id(key_of(name))]
    public = server.ask("GET", "/metrics").text
    for secret in secrets:
        assert secret not in written, secret
        assert secret not in public, secret


def test_log_lines_cannot_be_forged(lines: io.StringIO) -> None:
    """No logged text can add a second line that looks like ours."""
    hostile = 'x\r\n{"level": "error"}\u2028\u0085\x1b[2K'
    logging.getLogger("fivedice.requests").info("request %s", hostile, extra={"fields": {"route": hostile}})
    written = lines.getvalue()
    assert written.count("\n") == 1
    assert json.loads(written)["route"] == hostile
    assert not any(sign in written for sign in "\r\u2028\u0085\x1b")


def test_log_names_refused_clients(tmp_path: Path, lines: io.StringIO) -> None:
    with Inside(tmp_path, read_rate=0.1) as server:
        for _ in range(2):
            server.ask("GET", "/help", address="198.51.100.4")
    first, second = (json.loads(line) for line in lines.getvalue().splitlines())
    assert "client" not in first
    assert (second["status"], second["client"]) == (429, "198.51.100.4")


def test_unnamed_proxy_is_reported_once(tmp_path: Path, lines: io.StringIO) -> None:
    with Inside(tmp_path) as server:
        for _ in range(3):
            server.ask("GET", "/help", headers={"x-forwarded-for": "203.0.113.9"})
    assert lines.getvalue().count("trusted_proxies") == 1


def test_logs_are_text_on_a_terminal_else_json() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        for wanted, out, begins in (
            ("auto", Terminal(), "WARNING fivedice.x: careful"),
            ("auto", io.StringIO(), '{"time": "'),
            ("text", io.StringIO(), "WARNING fivedice.x: careful"),
            ("json", Terminal(), '{"time": "'),
        ):
            set_up_logs(wanted, out)
            logging.getLogger("fivedice.x").warning("careful")
            assert out.getvalue().startswith(begins)
    finally:
        root.handlers[:] = before
        root.setLevel(level)


def test_database_errors_do_not_name_players(server: Inside) -> None:
    with server.stage.store._reading() as connection, pytest.raises(DBAPIError) as failed:
        connection.execute(text("SELECT :player FROM nowhere"), {"player": "a-secret-key"})
    assert "a-secret-key" not in str(failed.value)


def test_common_answers_are_prepared_at_start(server: Inside) -> None:
    """The description of the API takes a tenth of a second on the loop, and every move would wait for it."""
    described: Any = server.app.plugins.get("OpenAPIPlugin")
    assert not described._openapi_schema
    _get_ready(server.app)
    assert described._openapi_schema
    assert server.ask("GET", "/schema/openapi.json").json()["paths"].keys() == described._openapi_schema["paths"].keys()


def test_public_answers_are_rendered_once(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that says what went wrong, and the description of the API: others waited while they were made."""
    made: list[str] = []

    def note(action: Callable[..., Any], name: str) -> Callable[..., Any]:
        def noted(*given: Any, **named: Any) -> Any:
            made.append(name)
            return action(*given, **named)

        return noted

    monkeypatch.setattr("litestar.openapi.plugins.encode_json", note(plugins.encode_json, "description"))
    monkeypatch.setattr(jinja2.Template, "render", note(jinja2.Template.render, "page"))
    for number in range(3):
        answer = server.ask("GET", f"/t/<{number}>")
        assert (answer.status_code, f"There is no game &#39;&lt;{number}&gt;&#39;." in answer.text) == (404, True)
        plain = server.ask("GET", "/schema/openapi.json", headers={"accept-encoding": "identity"})
        assert plain.json() == server.ask("GET", "/schema").json()
        assert "content-encoding" not in plain.headers
    assert Counter(made) <= Counter(["description", "page"])
