"""A server below a path: no link on any page leads out of the path."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from fivedice.errors import MalformedError
from fivedice.web.http.page_files import STATIC, TEMPLATES
from fivedice.web.middleware import check_path
from for_each import for_each
from long import few
from support.access_requests import fits, send
from web.access_matrix import ACCESS, CALLERS, Access
from web.inside import Inside

ROOT, HOST = "/dice", "http://dice.test"
LEADING = {"href", "src", "action", "formaction", "poster", "data", "cite", "srcset"}


class Below(Inside):
    """A server below a path, which is asked as one that is not."""

    def ask(self, method: str, path: str, who: str = "", **more: Any) -> httpx.Response:
        return super().ask(method, ROOT + path, who, **more)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Below]:
    with Below(tmp_path_factory.mktemp("below"), path=ROOT) as server:
        yield server


class Addresses(HTMLParser):
    """All addresses of a page: where its attributes lead, and what its scripts are given."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        for name, value in attrs:
            if value is None:
                continue
            if (name in LEADING and not value.startswith("#")) or value.startswith("/"):
                self.found.append(value)
            elif value.startswith("{"):
                self.found += _paths(json.loads(value))


def _paths(data: Any) -> list[str]:
    """Yield the paths on this server in some JSON."""
    if isinstance(data, dict):
        return [path for name, value in data.items() if name != "paths" for path in _paths(value)]
    if isinstance(data, list):
        return [path for value in data for path in _paths(value)]
    return [data] if isinstance(data, str) and re.match(r"/[a-z]", data) else []


def addresses(answer: httpx.Response) -> list[str]:
    kind, text = answer.headers.get("content-type", ""), answer.text
    found = [answer.headers[name] for name in ("location", "content-location", "link") if name in answer.headers]
    if kind.startswith("text/html"):
        found += Addresses(text).found
    elif "json" in kind and text:
        found += _paths(answer.json())
    elif "javascript" in kind and "const FILES" in text:
        found += re.findall(r'"(/[a-z][^"]*)"', text)
    return found


def leave(answer: httpx.Response) -> list[str]:
    """Return the addresses that lead out of the path."""
    seen = [urlsplit(urljoin(str(answer.url), address)) for address in addresses(answer)]
    out = [each.geturl() for each in seen if each.netloc == "dice.test" and not f"{each.path}/".startswith(f"{ROOT}/")]
    cookies = [each for each in answer.headers.get_list("set-cookie") if f"Path={ROOT};" not in f"{each};"]
    copied = re.findall(rf"{HOST}(?!{ROOT}\b).{{0,20}}", answer.text)
    return out + cookies + copied


PICTURE = re.compile(r".*\.(?:pdf|png)").fullmatch  # they hold no address, and take time
# One way to each page that shows something; the last one listed.
PAGES = {each.path: each for each in ACCESS if each.method == "GET" and "200" in each.gets and not PICTURE(each.path)}
FORMS = [access for access in ACCESS if access.method == "POST"]


@for_each("access", [*PAGES.values(), *few(FORMS, 12)], ids=lambda access: access.name)
def test_nothing_leads_out_of_the_path(server: Below, access: Access) -> None:
    """Asked by a caller who is allowed there."""
    let_in = [pair for pair in zip(CALLERS.values(), access.gets.split(), strict=True) if pair[1][0] in "23"]
    who, status = (let_in or [("Host", access.gets.split()[-1])])[0]
    answer = send(server, access, who)
    assert fits(str(answer.status_code), status)
    assert leave(answer) == []


def test_walk_finds_leaking_links(tmp_path: Path) -> None:
    with Inside(tmp_path) as server:
        for path in ("/", "/pad", "/pad/sheet", "/manifest.webmanifest", "/sw.js", "/pad/rules/yatzy", "/api"):
            assert leave(server.ask("GET", path)), path
        assert leave(server.ask("POST", "/play"))


@for_each("path", ["/nothing", "/t/nothing", "/api/nothing", "/dice", "/tables/x"])
def test_missing_page_below_the_path(server: Below, path: str) -> None:
    answer = server.ask("GET", path)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("application/json" if path.startswith("/api") else "text/html")
    assert leave(answer) == []


@for_each("path", ["/", "/rules", "/health", "/metrics", "/schema/openapi.json", "/static/core/page.js", "/api/x"])
def test_proxy_may_strip_or_keep_the_path(server: Below, path: str) -> None:
    whole, without = server.ask("GET", path), Inside.ask(server, "GET", path)
    assert whole.status_code == without.status_code
    assert whole.headers["content-type"] == without.headers["content-type"]
    assert [each for each in leave(without) if "?lang=" not in each] == [], "those are relative to what a browser asks"


def test_path_root_and_installed_files(server: Below) -> None:
    body = {"seats": [{"name": "Ann"}], "start": True}
    opened = server.ask("POST", "/api/tables", "Ann", json=body).json()
    path = f"/api/tables/{opened['id']}/commands"
    for ask, rolls in ((server.ask, 2), (super(Below, server).ask, 1)):
        version = server.ask("GET", f"/api/tables/{opened['id']}", "Ann").json()["version"]
        answer = ask("POST", path, "Ann", json={"command": "roll", "version": version})
        assert (answer.status_code, answer.json()["table"]["rolls_left"]) == (200, rolls), answer.text
    assert 'route="/api/tables/{table}/commands"' in server.ask("GET", "/metrics").text
    answer = server.ask("GET", "?x=1")
    assert (answer.status_code, answer.headers["location"]) == (308, f"{ROOT}/")
    assert "content-security-policy" in answer.headers
    found = server.ask("GET", "/manifest.webmanifest").json()
    assert {found[name] for name in ("id", "start_url", "scope")} == {f"{ROOT}/"}
    assert all(Inside.ask(server, "GET", icon["src"]).status_code == 200 for icon in found["icons"])
    assert server.ask("GET", "/sw.js").headers.get("service-worker-allowed") is None, "its folder is enough"
    assert server.ask("GET", "/schema/openapi.json").json()["servers"] == [{"url": ROOT}]


@for_each("path", ["/api/tables", "/dice/api/tables"], ids=["path taken off", "path left"])
@for_each("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_body_with_a_cookie_must_be_json_below_the_path(server: Below, path: str, kind: str) -> None:
    """A page of any site can send the others without asking first."""
    sent = {"content": b'{"book": "yatzy"}', "headers": {"content-type": kind}}
    refused = Inside.ask(server, "POST", path, "Ann", **sent)
    assert (refused.status_code, refused.json()["error"]) == (403, "not-allowed")
    sent["headers"] = {"content-type": "application/json"}
    assert Inside.ask(server, "POST", path, "Ann", **sent).status_code == 201


def test_https_cookie_is_safe_below_the_path(server: Below) -> None:
    """The name with __Host- is for all paths, or browsers would refuse it; our path is in the name."""
    answer = server.ask("GET", "/", base="https://dice.test")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-fivedice_player.dice=")
    assert {"Path=/", "Secure", "HttpOnly"} <= set(cookie.split("; "))
    assert "strict-transport-security" not in answer.headers
    planted = {"cookie": "fivedice_player.dice=" + "k" * 40 + "; __Host-fivedice_player=" + "k" * 40}
    assert "set-cookie" in server.ask("GET", "/help", base="https://dice.test", headers=planted).headers


def test_deletion_leaves_cookies_of_neighbours(server: Below) -> None:
    answer = server.ask("POST", "/you/delete", "Zoe", data={"sure": "yes"})
    assert "clear-site-data" not in answer.headers
    assert "home/forget.js" in Inside.ask(server, "GET", answer.headers["location"], "Zoe").text
    assert "home/forget.js" not in server.ask("GET", "/you", "Zoe").text


@for_each("path", ["/t", "/api/dice", "/static", "/pad/"])
def test_path_equal_to_an_own_address_is_refused(server: Below, path: str) -> None:
    taken = "/" + path.split("/")[1]
    with pytest.raises(MalformedError, match=f"path is '{path}', but {taken} is an address of Fivedice") as refused:
        check_path(server.app, path)
    assert "such as /dice" in str(refused.value)


@for_each("path", ["", "/", "/dice", "/dice/t", "/tables-of-ours"])
def test_other_paths_are_accepted(server: Below, path: str) -> None:
    check_path(server.app, path)


ABSOLUTE = {"html": r"""=["']/[a-z]|=["']\{\{ ?["']/""", "js": r"""["'`]/[a-z]"""}


@for_each(("folder", "kind"), [(TEMPLATES, "html"), (STATIC, "js")])
def test_templates_and_scripts_use_no_root_addresses(folder: Path, kind: str) -> None:
    """A template writes `root` first, and a script takes addresses from its page."""
    texts = {file.name: file.read_text("utf-8") for file in folder.rglob(f"*.{kind}")}
    assert {name: found for name, text in texts.items() if (found := re.findall(ABSOLUTE[kind], text))} == {}
