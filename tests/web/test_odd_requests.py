"""Requests that no browser sends, at every address: each is answered without a server error."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fivedice.web.http.identity import is_loopback
from for_each import for_each
from long import few, takes_turns
from web.access_matrix import ACCESS
from web.inside import Inside
from web.serving import Serving
from web.stage import key_of

pytestmark = takes_turns

BROKEN = 500
DEEP = 20_000
LONG = "x" * 5_000
# Values in place of a name, an id or a code in a path.
ODD_NAMES = ("%00", "%ff%fe", "..", "%2e%2e%2f", LONG, "%F0%9F%8E%B2", "a%0d%0ab", "-1", "9" * 400, "%", "'", "*")
ODD_BODIES = (
    b"[" * DEEP + b"]" * DEEP,
    b'{"book":' + b"[" * DEEP,
    b'{"seats":' * 5_000,
    b"\xff\xfe",
    b'"\\ud800"',
    b"null",
    b"9" * 5_000,
    b'{"seats": [{"name": "\\u0000"}], "book": "' + LONG.encode() + b'"}',
)
ODD_FORMS = (
    b"%00=%00",
    b"name=" + b"x" * 60_000,
    b"version=" + b"9" * 5_000,
    b"=&=&&",
    b"text=" + b"%5B" * DEEP,
    b"\xff",
)
ODD_QUERIES = (
    "after=" + "9" * 5_000,
    "after=-1",
    "see=x",
    "sheet=1e9",
    "against=" + LONG,
    "%ff=%00",
    "confirm=%00",
    "&&=",
)
ODD_HEADERS = (
    {"cookie": "fivedice_coach=" + "%5b" * 3_000},
    {"cookie": "fivedice_player=" + LONG},
    {"cookie": b"fivedice_player=" + b"\xff" * 40},
    {"authorization": "Bearer " + LONG},
    {"authorization": b"Bearer " + b"\xff" * 40},
    {"accept-language": "a;q=1e999," * 900},
    {"last-event-id": "9" * 5_000},
    {"content-type": "multipart/form-data; boundary="},
    {"content-type": b"\xff"},
    {"if-none-match": b"\xff"},
    {"range": "bytes=9-1"},
)


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with Inside(tmp_path_factory.mktemp("odd")) as server:
        yield server


def routes() -> list[tuple[str, str]]:
    return sorted({(access.method, access.path) for access in ACCESS})


def plain(path: str) -> str:
    return path.replace("{", "").replace("}", "")


def never_broken(answer: Any) -> None:
    assert answer.status_code < BROKEN, (answer.request.method, str(answer.request.url)[:90], answer.text[:200])
    assert LONG not in answer.text, "what was sent is quoted cut"


@for_each("odd", few(ODD_NAMES, 4))
def test_odd_names_in_every_path(inside: Inside, odd: str) -> None:
    for method, path in routes():
        if "{" in path:
            parts = [odd if part.startswith("{") else part for part in path.split("/")]
            never_broken(inside.ask(method, "/".join(parts), "Ann"))


@for_each("body", few(ODD_BODIES, 3))
def test_odd_json_everywhere(inside: Inside, body: bytes) -> None:
    headers = {"content-type": "application/json", "authorization": f"Bearer {key_of('Ann')}"}
    for method, path in routes():
        if method == "POST" and path.startswith("/api"):
            answer = inside.ask(method, plain(path), content=body, headers=headers)
            never_broken(answer)
            if body.startswith(b"[[") and answer.status_code == 400:
                assert answer.json()["message"], path


def test_deep_json_gets_a_sentence(inside: Inside) -> None:
    headers = {"content-type": "application/json", "authorization": f"Bearer {key_of('Ann')}"}
    for path in ("/api/tables", "/api/tables/x/commands", "/api/books", "/api/tables/x/hold"):
        answer = inside.ask("POST", path, content=ODD_BODIES[0], headers=headers)
        assert (answer.status_code, answer.json()["kind"]) == (400, "web.nested"), path
        assert answer.json()["message"] == "The JSON is nested too deeply."


@for_each("form", few(ODD_FORMS, 3))
def test_odd_forms_everywhere(inside: Inside, form: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for method, path in routes():
        if method == "POST" and not path.startswith("/api"):
            answer = inside.ask(method, plain(path), "Ann", content=form, headers=headers)
            assert answer.status_code < BROKEN, path  # a page may show again what was typed


@for_each("query", few(ODD_QUERIES, 2))
def test_odd_queries_everywhere(inside: Inside, query: str) -> None:
    for method, path in routes():
        if method == "GET":
            never_broken(inside.ask(method, f"{plain(path)}?{query}", "Ann"))


@for_each("headers", few(ODD_HEADERS, 4))
def test_odd_headers_everywhere(inside: Inside, headers: dict[str, Any]) -> None:
    for method, path in routes():
        never_broken(inside.ask(method, plain(path), headers=headers))


def test_only_listed_files_are_served(inside: Inside) -> None:
    for name in ("%00", "", "%2e%2e%2fapp.py", "__pycache__/verify_dice.cpython-311.pyc", "verify_dice.py%00", LONG):
        assert inside.ask("GET", f"/static/{name}").status_code == 404, name[:40]


NO_HOST = [b"", b"Host: a\r\nHost: b\r\n"]
NO_HOST += [b"Host: " + host + b"\r\n" for host in (b"", b"evil b", b"\xff\xfeevil", b"[::1", b"[evil]", b"[1::2::3]")]
NO_HOST += [b"Host: evil" + rest + b"\r\n" for rest in (b":y", b":99999", b":-1", b"/x", b",b", b"l" * 3_000)]
NO_HOST += [b"Host: user@evil\r\n", b"Host: <evil>\r\n", b"Host: %65vil\r\n"]
OTHERS = [b"evil.example", b"evil.example:8765", b"localhost.evil.example", b"127.evil", b"10.0.0.5", b"[2001:db8::5]"]
OURS = [b"localhost", b"LocalHost:1", b"127.0.0.1", b"127.0.0.1:80", b"[::1]", b"[::1]:9", b"dice.example", b"a-b.c_d"]


@for_each("path", ["/api/tables", "/api/tables/none/commands", "/play"])
def test_hang_up_in_a_body_is_no_error(inside: Inside, path: str) -> None:
    """It is counted as 499, and the log has no error."""
    sent: list[Any] = []
    coming = iter([{"type": "http.request", "body": b'{"book"', "more_body": True}, {"type": "http.disconnect"}])
    headers = [(b"host", b"dice.test"), (b"content-type", b"application/json")]
    headers.append((b"authorization", b"Bearer " + b"k" * 30))
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
             "headers": headers, "scheme": "http", "client": ("192.0.2.9", 1), "server": ("dice.test", 80),
             "http_version": "1.1", "root_path": "", "asgi": {"version": "3.0"}}  # fmt: skip

    async def receive() -> Any:
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    inside.run(scope, receive, send)
    counted = [line for line in inside.ask("GET", "/metrics").text.splitlines() if line.startswith("fivedice_requests")]
    assert any('method="POST"' in line and 'status="499"' in line for line in counted)
    assert not any('status="500"' in line for line in counted)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Reached by this machine alone, as by default, and by two names that its operator lists."""
    with Serving(tmp_path_factory.mktemp("hosts"), settings={"FIVEDICE_HOSTS": "Dice.example, a-b.c_d"}) as server:
        yield server


@for_each("host", few(NO_HOST, 5))
def test_invalid_host_is_refused_and_not_echoed(strict: Serving, host: bytes) -> None:
    for path in ("/", "/api", "/api/tables", "/nowhere", "/t/x", "/static/verify_dice.py"):
        answer = raw(strict.port, path, host)
        assert answer.startswith(b"HTTP/1.1 400"), (path, answer[:60])
        assert b"evil" not in answer
    assert raw(strict.port, "/health", host)[9:12] in {b"200", b"400"}  # the parser itself refuses some


@for_each("host", OTHERS)
def test_foreign_host_is_refused_and_not_echoed(strict: Serving, host: bytes) -> None:
    for path in ("/", "/api/tables", "/nowhere"):
        answer = raw(strict.port, path, b"Host: " + host + b"\r\n")
        assert answer.startswith(b"HTTP/1.1 421"), (path, answer[:60])
        assert host not in answer
    assert raw(strict.port, "/health", b"Host: " + host + b"\r\n").startswith(b"HTTP/1.1 200")


@for_each("host", OURS)
def test_own_hosts_are_answered(strict: Serving, host: bytes) -> None:
    assert raw(strict.port, "/help", b"Host: " + host + b"\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("settings", "host", "status"),
    few(
        [
            ({"hosts": ""}, "evil.example", 421),
            ({"hosts": ""}, "localhost", 200),
            ({"hosts": "", "base_url": "https://dice.example"}, "dice.example", 200),
            ({"hosts": "", "base_url": "https://dice.example"}, "evil.example", 421),
            ({"hosts": "", "host": "0.0.0.0"}, "kitchen.local", 200),  # noqa: S104 - nothing is bound
            ({"hosts": "", "host": "192.0.2.5"}, "kitchen.local", 200),
            ({"hosts": "dice.example", "host": "0.0.0.0"}, "kitchen.local", 421),  # noqa: S104
            ({"hosts": "*"}, "evil.example", 200),
        ],
        3,
    ),
)
def test_accepted_host_headers(tmp_path: Path, settings: dict[str, str], host: str, status: int) -> None:
    with Inside(tmp_path, **settings) as server:
        assert server.ask("GET", "/help", headers={"host": host}).status_code == status


def raw(port: int, path: str, host: bytes) -> bytes:
    """As it stands, also what a library would not send."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(b"GET " + path.encode() + b" HTTP/1.1\r\n" + host + b"Connection: close\r\n\r\n")
        answer = b""
        while part := line.recv(65536):
            answer += part
    return answer


LOOPBACK = ("localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]")


@for_each("host", [*LOOPBACK, "192.0.2.1", "127.evil", "example.org", "", None])
def test_names_of_this_machine_are_accepted(host: str | None) -> None:
    assert is_loopback(host) is (host in LOOPBACK)
