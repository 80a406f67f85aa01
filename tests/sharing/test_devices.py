"""Devices and notices with two processes on one PostgreSQL: links, their end, and turns made at either process."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest

from postgres import Postgres
from sharing.play import at_once, key_of, look, next_move, send
from web.push_service import Browser, PushService
from web.serving import NO_CERTIFICATES, NO_LIMITS, Serving

pytestmark = pytest.mark.every_run
COOKIE = "fivedice_player"


@pytest.fixture(scope="module")
def two(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Serving]]:
    url, settings = postgres.database(), NO_LIMITS | {"FIVEDICE_NOTICES_LOOPBACK": "on"}
    with ExitStack() as stack:
        folders: list[Path] = [tmp_path_factory.mktemp("process") for _ in range(2)]
        yield [stack.enter_context(Serving(folder, database=url, settings=settings)) for folder in folders]


@pytest.fixture
def browsers(two: list[Serving]) -> Iterator[dict[str, list[httpx.Client]]]:
    """Each person with a browser at each process; the browsers of one share their key."""
    with ExitStack() as stack:
        yield {
            name: [
                stack.enter_context(
                    httpx.Client(base_url=each.url, cookies={COOKIE: key_of(name)}, timeout=30, verify=NO_CERTIFICATES)
                )
                for each in two
            ]
            for name in ("Ann", "Bob", "Cat")
        }


def programs(browser: httpx.Client) -> httpx.Client:
    headers = {"authorization": f"Bearer {browser.cookies[COOKIE]}"}
    return httpx.Client(
        base_url=f"{str(browser.base_url).rstrip('/')}/api", headers=headers, timeout=30, verify=NO_CERTIFICATES
    )


def open_game(ann: httpx.Client, bob: httpx.Client) -> str:
    """A game that has started: Bob joined at the other process."""
    table = ann.post("/friend").headers["location"].removeprefix("/t/")
    with programs(ann) as client:
        code = str(client.get(f"/tables/{table}/invitation").json()["join_code"])
    assert bob.post(f"/t/{table}/sit", data={"join": code, "name": "Bob", "version": "2"}).status_code == 303
    return table


def test_link_joins_once_at_whichever_process(browsers: dict[str, list[httpx.Client]]) -> None:
    ann, cat, bob = browsers["Ann"], browsers["Cat"], browsers["Bob"]
    own = cat[1].post("/play").headers["location"]
    page = ann[0].post("/devices/link")
    path = "/devices/join/" + re.findall(r"/devices/join/([\w-]{43})<", page.text)[0]
    answers = at_once([partial(client.post, path) for client in (*cat, *bob)])
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [303, 404, 404, 404]
    assert [answer.cookies[COOKIE] for answer in answers if answer.status_code == 303] == [key_of("Ann")]
    if next(number for number, answer in enumerate(answers) if answer.status_code == 303) < 2:  # Cat was faster
        for client in ann:
            assert own.removeprefix("/t/") in client.get("/you/data").text
    for client in ann:
        assert client.get(path).status_code == 404
    out = ann[1].post("/you/key")
    ann[1].cookies = httpx.Cookies({COOKIE: out.cookies[COOKIE]})
    assert ann[0].get("/you/data").json()["games"] == [], "logged out at the other process"


def test_one_process_sends_each_turn(browsers: dict[str, list[httpx.Client]]) -> None:
    with PushService() as service:
        phones = {name: Browser(f"{service.url}/{name}") for name in ("Bob", "Cat")}
        for name, phone in phones.items():
            assert browsers[name][0].post("/devices/notices", data=phone.form).status_code == 201
        table = open_game(browsers["Cat"][0], browsers["Bob"][1])
        first = service.wait_for(1)[0]
        for number in range(4):
            name = service.sent[-1].path.removeprefix("/")
            with programs(browsers[name][number % 2]) as client:
                for _ in range(2):
                    assert send(client, table, next_move(look(client, table))).status_code == 200
            service.wait_for(number + 2)
        found = [sent.path.removeprefix("/") for sent in service.sent]
    assert {found[0], found[1]} == {"Bob", "Cat"}
    assert found == [found[0], found[1]] * 2 + [found[0]]
    notice = phones[first.path.removeprefix("/")].read(first.content)
    assert (notice["path"], notice["count"]) == (f"/t/{table}", 1)


def test_circle_is_joined_and_announced_by_both_processes(browsers: dict[str, list[httpx.Client]]) -> None:
    ann, cat, bob = browsers["Ann"], browsers["Cat"], browsers["Bob"]
    ann[0].cookies = ann[1].cookies  # changed above
    with PushService() as service:
        phone = Browser(f"{service.url}/phone")
        circle = ann[0].post("/circles", data={"circle": "Ours", "name": "Ann"}).headers["location"].rpartition("/")[0]
        (path,) = set(re.findall(rf"{circle}/join/[\w-]+", ann[1].get(f"{circle}/members").text))
        for client, name in ((cat[1], "Cat"), (bob[1], "Bob")):
            assert client.post(path, data={"name": name}).headers["location"] == circle
        assert ann[0].post("/devices/notices", data=phone.form).status_code == 201
        assert ann[0].post(f"{circle}/webhook", data={"address": f"{service.url}/hook"}).status_code == 303
        assert bob[1].post(f"{circle}/play").status_code == 303
        sent = {each.path: each.content for each in service.wait_for(2)}
        assert phone.read(sent["/phone"])["body"] == "Bob wants to play"
        assert b'"Ours"' in sent["/hook"]
        code = re.findall(r"/devices/join/([\w-]{43})<", ann[0].post("/devices/link").text)[0]
        assert cat[1].post(f"/devices/join/{code}").status_code == 303
    assert cat[0].get(circle).status_code == 404
    assert bob[0].get(f"{circle}/members").text.count('class="who"') == 2
    assert 'value="http://127.0.0.1' in ann[1].get(f"{circle}/members").text
