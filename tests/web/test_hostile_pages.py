"""Names are shown and never run anywhere; cookies and headers are guarded."""

import csv
import io
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest

from for_each import for_each
from long import few, takes_turns
from support.access_requests import send
from web import access_matrix
from web.access_matrix import ACCESS, Access
from web.inside import Inside, shared_server
from web.stage import key_of

pytestmark = takes_turns

HOSTILE = {
    "markup": "\"><marquee onclick=x>'</script><!--",
    "a template": "{{7*7}}${7*7}<%=7*7%>#{7*7}",
    "a formula": '=HYPERLINK("http://x","marquee")',
    "another formula": "@SUM(1+1)*cmd|' /C calc'!A0",
    "an attribute": "' onmouseover='alert(1)' x='",
    "a header": 'x"; filename="evil.exe',
    "an address": "javascript:alert(1)//%0d%0aX:1",
    "the other way": "\u05d0\u05d1\u05d2 123 (",
}
REFUSED = {
    "turned around": "Ann\u202egnp.exe",
    "isolated": "Ann\u2066x",
    "a line break": "Ann\r\nSet-Cookie: x=1",
    "a control character": "Ann\x1b[31m",
    "nothing": "\u200b",
    "too long": "A" * 5000,
}
SAFE_CELL = re.compile(r"[-+]?[\d.]+%?|(?![=+@\t\r-]).*", re.DOTALL)


server = shared_server


class Parts(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"no page has comments: {data[:60]!r}")


SHOWING = [
    access
    for access in ACCESS
    if access.method == "GET" and ("{table}" in access.path or "/house/{key}" in access.path)
]
SHOWING += [Access("GET", path, "") for path in ("/", "/tables", "/house", "/pad")]
# Ann's own games, with their names, and those of others at her tables.
SHOWING += [access for access in ACCESS if access.method == "GET" and access.path.startswith("/statistics")]


@pytest.mark.parametrize(("one", "other"), few(zip(list(HOSTILE)[::2], list(HOSTILE)[1::2], strict=True), 2))
def test_names_are_shown_and_never_run(server: Inside, monkeypatch: pytest.MonkeyPatch, one: str, other: str) -> None:
    """Every page of a table and of house rules, with two such people at it."""
    ann, bob = HOSTILE[one], HOSTILE[other]
    monkeypatch.setattr(access_matrix, "CALLED", {"Ann": ann, "Bob": bob, "book": ann, "box": bob})
    form = {"name": [ann, bob], "book": "yatzy"}
    for path, more in (("/tables", {}), ("/tables", {"action": "invite"}), ("/pad", {})):
        assert server.ask("POST", path, "Host", data=form | more).status_code == 303, path
    for access in SHOWING:
        _harmless(send(server, access, "Ann" if access.path.startswith("/statistics") else "Host"), access.name)
    view = send(server, Access("GET", "/api/tables/{table}", "", "playing"), "Host").json()
    assert [seat["name"] for seat in view["seats"]] == [ann, bob], "and they are theirs, letter by letter"


def test_invisible_letters_in_names_are_isolated(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """In names they are needed (many writings have joiners), and do nothing; rule books do without."""
    hidden = "A\u200bn\u200dn\ufeff\u00ad"
    monkeypatch.setattr(access_matrix, "CALLED", access_matrix.CALLED | {"Ann": hidden})
    for at in ("playing", "finished", "pad"):
        _harmless(send(server, Access("GET", "/t/{table}", "", at), "Host"), at)
    assert (
        server.ask("POST", "/house", "Host", data={"text": f'extends = "yatzy"\nname = "{hidden}"'}).status_code == 422
    )


def _harmless(answer: httpx.Response, where: str) -> None:
    kind = answer.headers.get("content-type", "").partition(";")[0]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers or answer.headers["set-cookie"].startswith("fivedice_")
    named = answer.headers.get("content-disposition", "")
    assert re.fullmatch(r'((attachment|inline)(; filename="[\w.-]+")?)?', named), (where, named)
    if kind == "text/html":
        _no_foreign_elements(answer.text, where)
    elif kind == "image/svg+xml":
        assert not any("marquee" in element.tag for element in ET.fromstring(answer.text).iter()), where  # noqa: S314
    elif kind == "text/csv":
        for row in csv.reader(io.StringIO(answer.text)):
            assert all(SAFE_CELL.fullmatch(cell) for cell in row), (where, row)
    else:
        assert kind in {"application/json", "text/plain", "text/event-stream", "application/pdf", "image/png"}, where


def _no_foreign_elements(text: str, where: str) -> None:
    assert "49${" not in text, f"{where}: a name was worked out as a template"
    for tag, attributes in Parts(text).elements:
        assert tag != "marquee", where
        assert not any(name.startswith("on") or name == "style" for name in attributes), (where, attributes)
        if tag == "script" and attributes.get("type") != "application/json":
            assert str(attributes.get("src")).startswith("/static/"), where
        link = attributes.get("href") or attributes.get("action") or ""
        assert not link.strip().lower().startswith(("javascript:", "data:")), (where, link)


@for_each("path", ["/tables", "/pad"])
@for_each("name", REFUSED)
def test_some_names_are_refused_everywhere(server: Inside, path: str, name: str) -> None:
    answer = server.ask("POST", path, "Eve", data={"name": ["Fine", REFUSED[name]], "book": "yatzy"})
    assert answer.status_code == 400
    assert "Choose another name" in answer.text
    said = re.sub(r' value="[^"]*"', "", answer.text)  # the field that they wrote it in is their own
    assert REFUSED[name] not in said, "it is quoted so that it does nothing"
    assert server.ask("GET", "/api/tables", "Eve").json()["tables"] == []


POLICY = {
    "default-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "img-src 'self' data:",
}
GUARDED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
FOR_DOCUMENTS = {"permissions-policy", "cross-origin-opener-policy"}


@for_each("base", ["http://dice.test", "https://dice.test"])
def test_every_answer_is_guarded(server: Inside, base: str) -> None:
    """Every route, what leads nowhere, what is refused, what is not read."""
    asked = list({access.path: access for access in ACCESS}.values())
    asked = asked if base == "http://dice.test" else asked[::6]  # what depends on it is decided in one place
    strange: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/nowhere", {}),
        ("GET", "/static/nothing", {}),
        ("GET", "/static/core/icon.svg", {}),
        ("GET", "/static/core/page.js", {}),
        ("GET", "/static/core/style.css", {}),
        ("GET", "/static/nothing.js", {}),
        ("GET", "/sw.js", {}),
        ("DELETE", "/", {}),
        ("POST", "/tables", {"content": b"x" * 300_000}),
        ("POST", "/tables", {"headers": {"origin": "https://evil.example"}}),
        ("GET", "/help", {"headers": {"authorization": "Bearer short"}}),
        ("GET", "/nowhere", {"headers": {"authorization": "Bearer short"}}),
        ("GET", "/", {"headers": {"host": "a b"}}),
    ]
    answers = [send(server, access, "Ann", base=base) for access in asked]
    answers += [server.ask(method, path, base=base, **more) for method, path, more in strange]
    for answer in answers:
        where = (answer.request.method, answer.request.url.path, answer.status_code)
        assert answer.status_code != 500, where
        is_loaded = answer.status_code == 200 and answer.request.url.path.endswith((".css", "page.js"))
        for name in GUARDED.keys() - (FOR_DOCUMENTS if is_loaded else set()):
            assert answer.headers[name].startswith(GUARDED[name]), (where, name)
        policy = {"default-src 'none'", "frame-ancestors 'none'"} if is_loaded else POLICY
        assert set(answer.headers["content-security-policy"].split("; ")) == policy, where
        assert ("strict-transport-security" in answer.headers) is base.startswith("https"), where
        assert "server" not in answer.headers
        for cookie in answer.headers.get_list("set-cookie"):
            assert "HttpOnly" in cookie, where
            assert "SameSite=lax" in cookie, where
            assert ("; Secure" in cookie) is base.startswith("https"), where
            assert cookie.startswith("__Host-fivedice_") is base.startswith("https"), where
        _check_headers(answer, where)


THE_SAME_FOR_ALL = re.compile(r"/static/.*|/sw\.js|/manifest\.webmanifest|/pad/(rules|values)/[^/]+")


def _check_headers(answer: httpx.Response, where: object) -> None:
    """Check type, charset, caching and redirects of an answer."""
    kind = answer.headers.get("content-type", "")
    assert kind or not answer.content, where
    if kind.startswith("text/") or "xml" in kind:
        assert kind.count("charset=") == 1, (where, kind)
        assert "charset=utf-8" in kind, (where, kind)
    if not THE_SAME_FOR_ALL.fullmatch(answer.request.url.path):
        assert answer.headers["cache-control"] == "no-store", where
    if "location" in answer.headers:
        assert re.fullmatch(r"/([\w-].*)?", answer.headers["location"]), where


@pytest.mark.parametrize(
    ("settings", "base", "headers", "secure"),
    [
        ({}, "http://dice.test", {}, False),
        ({}, "https://dice.test", {}, True),
        ({"base_url": "https://dice.example"}, "http://dice.test", {}, True),
        ({"base_url": "http://dice.example"}, "https://dice.test", {}, True),
        ({}, "http://dice.test", {"x-forwarded-proto": "https"}, False),
        ({"trusted_proxies": "127.0.0.1"}, "http://dice.test", {"x-forwarded-proto": "https"}, True),
        ({"subdomains_secure": True}, "http://dice.test", {}, False),
        ({"subdomains_secure": True}, "https://dice.test", {}, True),
    ],
)
def test_cookies_are_secure_on_secure_pages(
    tmp_path_factory: pytest.TempPathFactory, settings: dict[str, Any], base: str, headers: dict[str, str], secure: bool
) -> None:
    with Inside(tmp_path_factory.mktemp("cookies"), **settings) as server:
        answer = server.ask("GET", "/", base=base, headers=headers)
        assert ("; Secure" in answer.headers["set-cookie"]) is secure
        strict = "max-age=31536000" + ("; includeSubDomains" if "subdomains_secure" in settings else "")
        assert answer.headers.get("strict-transport-security") == (strict if secure else None)


@for_each("base", ["http://dice.test", "https://dice.test"])
def test_planted_cookies_do_not_override_ours(server: Inside, base: str) -> None:
    """A neighbouring site can set a cookie for both, but none of this name: over HTTPS a planted one opens nothing."""
    planted, own = f"fivedice_player={key_of('Eve')}", f"__Host-fivedice_player={key_of('Ann')}"
    for sent in (f"{planted}; {own}", f"{own}; {planted}"):
        kept = server.ask("GET", "/", base=base, headers={"cookie": sent}).headers["set-cookie"]
        wanted = own if base.startswith("https") else planted
        assert kept.startswith(f"{wanted};")
    moved = server.ask("GET", "/", base=base, headers={"cookie": planted}).headers["set-cookie"]
    assert (key_of("Eve") in moved) == base.startswith("http:")


def test_keys_and_ids_are_unguessable(server: Inside) -> None:
    """At least 128 bits in six bits a letter; and what is kept of a key does not open anything."""
    key = server.ask("POST", "/api/players").json()["key"]
    headers = {"authorization": f"Bearer {key}"}
    seats = {"book": "yatzy", "seats": [{"name": "Ann"}], "start": True}
    made = server.ask("POST", "/api/tables", json=seats, headers=headers).json()
    handover = server.ask("POST", f"/api/tables/{made['id']}/handover", json={"seat": 0}, headers=headers).json()
    cookie = server.ask("GET", "/").headers["set-cookie"].partition(";")[0].partition("=")[2]
    for secret in (key, made["id"], made["join_code"], handover["code"], cookie):
        assert re.fullmatch(r"[\w-]{22,}", secret), secret
    database = b"".join(path.read_bytes() for path in server.folder.glob("tables.db*"))
    assert made["id"].encode() in database
    for secret in (key, handover["code"], cookie):
        assert secret.encode() not in database
